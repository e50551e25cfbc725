/** What the histories of the exchanges share: rows of two series, and what is asked for where a list gives nothing. */
import t from 'tap';
import { bybit } from '../../../actors/venues/bybit/index.ts';
import { byTime, rowsIn, seriesLife, wordOf } from '../../../actors/venues/histories.ts';
import { htx } from '../../../actors/venues/htx/index.ts';
import { okx } from '../../../actors/venues/okx/index.ts';
import { instrument } from '../../support/makers.ts';

const now = 1_790_000_000_000;
const asked = (market: string, part: string) => ({
  market,
  part,
  instrument: instrument({ market }),
  now,
  limit: 100,
});
const longShort = (market: string, part: string) => ({
  ...asked(market, part),
  interval: '1h' as const,
  of: 'accounts' as const,
});

t.test('rows and words that may be missing', async (t) => {
  t.equal(seriesLife, 60_000);
  t.strictSame([wordOf({ '1h': 'H' }, '1h'), wordOf({}, '1h')], ['H', '']);
  t.strictSame([rowsIn(undefined, 'rows'), rowsIn([{ a: 1 }, 7], 'rows')], [[], [{ a: 1 }, {}]]);
  t.throws(() => rowsIn({}, 'rows'), { name: 'ShapeError' });
});

t.test('the row of a time in another series, whatever the order and the form', async (t) => {
  const rowOf = byTime([{ at: '1' }, { at: 2 }, { at: 3 }, { at: 4 }], ({ at }) => at);
  t.strictSame(
    ['1', 3, '4', 7, 2, 3, 1].map((time) => rowOf(time)?.at),
    ['1', 3, 4, undefined, 2, 3, '1'],
  );
  const words = ['a', 'b', 'c'];
  t.strictSame(words.map(byTime(words, (one) => one)), words, 'in order no number is read');
});

t.test('HTX: the paths of v1 where those of v5 give nothing', async (t) => {
  const { longShort: shares } = htx.queries;
  const about = { ...longShort('BTC-USDT', 'linear'), of: 'top_accounts' as const };
  t.match(shares.requests(about), [
    { path: '/v5/market/elite_account_ratio', budget: 'v5', optional: true },
  ]);
  const empty = shares.parse([undefined], about, now);
  t.match(shares.more?.(about, [empty]), [
    { path: '/linear-swap-api/v1/swap_elite_account_ratio', query: { period: '60min' } },
  ]);
  const some = { market: 'BTC-USDT', points: [{ timestamp: now, long: 0.5, short: 0.5 }] };
  t.strictSame(shares.more?.(about, [some]), []);
  t.strictSame(shares.more?.(about, [empty, empty]), [], 'once');
});

t.test('HTX: fundings of USDT-margined contracts are those of v5 or none', async (t) => {
  const { fundingHistory } = htx.queries;
  const about = asked('BTC-USDT', 'linear');
  t.match(fundingHistory.requests(about), [{ optional: undefined }]);
  t.notOk('more' in fundingHistory);
});

t.test('what is not kept is not asked', async (t) => {
  const none = instrument({ kind: 'spot' });
  t.equal(bybit.queries.fundingHistory.page?.({ ...asked('X', 'spot'), instrument: none }), null);
  t.equal(okx.queries.longShort.page?.({ ...longShort('X', 'swap'), interval: '15m' }), null);
  t.equal(htx.queries.longShort.page?.(longShort('X', 'linear')), null);
});
