/** Histories of OKX, Bybit and HTX: units, order and the requests of one page. */
import t from 'tap';
import type { Instrument } from '../../../actors/topics/index.ts';
import { venues } from '../../../actors/venues/registry.ts';
import { absent, recording } from '../../support/recordings.ts';

const now = 1_700_000_000_000;
const hour = 3_600_000;

const instrument: Instrument = {
  ...{ market: 'X', kind: 'perpetual', symbol: 'BTC', quote: 'USDT', scale: 1, contract: 1 },
  ...{ inverse: false, funding_hours: 8 },
};
const asked = (market: string, part: string) => ({ market, part, instrument, now, limit: 100 });
const series = (market: string, part: string) => ({
  ...asked(market, part),
  interval: '1h' as const,
});
const longShort = (market: string, part: string) => ({
  ...series(market, part),
  of: 'accounts' as const,
});

const { okx, bybit, htx } = venues;

t.test('recorded rows', { skip: absent }, async (t) => {
  const body = (id: string, name: string) => recording(id, `analytics-${name}`)?.response;
  t.strictSame(
    okx.queries.fundingHistory.parse(
      [body('okx', 'funding-rate-history')],
      asked('BTC-USDT-SWAP', 'swap'),
      now,
    ).points,
    [{ timestamp: 1_597_026_383_085, rate: 0.017, predicted: 0.018, hours: 8 }],
    'OKX states what was charged and what was expected',
  );
  t.strictSame(
    okx.queries.takerVolume.parse(
      [body('okx', 'taker-volume-spot')],
      series('BTC-USDT', 'spot'),
      now,
    ).points[0],
    {
      ...{ timestamp: 1_630_339_200_000, buy_usd: null, sell_usd: null },
      ...{ buy_base: 7002.7541, sell_base: 5312.7876 },
    },
    'OKX states the sellers first',
  );
  const [share] = okx.queries.longShort.parse(
    [body('okx', 'long-short-account-contract')],
    longShort('BTC-USDT-SWAP', 'swap'),
    now,
  ).points;
  t.ok(Math.abs((share?.long ?? 0) / (share?.short ?? 0) - 0.9398602814619824) < 1e-12);
  t.strictSame(
    bybit.queries.longShort.parse(
      [body('bybit', 'account-ratio')],
      longShort('BTCUSDT', 'linear'),
      now,
    ).points,
    [{ timestamp: 1_729_123_200_000, long: 0.5707, short: 0.4293 }],
  );
  t.strictSame(
    bybit.queries.openInterestHistory.parse(
      [body('bybit', 'open-interest'), undefined],
      { ...series('BTCUSD', 'inverse'), instrument: { ...instrument, inverse: true } },
      now,
    ).points,
    [
      { timestamp: 1_669_571_100_000, base: null, usd: 461_134_292 / 2 },
      { timestamp: 1_669_571_400_000, base: null, usd: 461_134_384 / 2 },
    ],
    'inverse contracts of Bybit are dollars of both sides',
  );
  t.strictSame(
    bybit.queries.fundingHistory.parse(
      [body('bybit', 'funding-history')],
      asked('ETHPERP', 'linear'),
      now,
    ).points,
    [{ timestamp: 1_672_041_600_000, rate: 0.0001, hours: 8 }],
  );
  t.strictSame(
    htx.queries.longShort.parse(
      [body('htx', 'elite-account-ratio')],
      longShort('BTC-USDT', 'linear'),
      now,
    ).points,
    [{ timestamp: 1_638_115_200_000, long: 0.5, short: 0.5, locked: 0 }],
  );
  for (const [name, at] of [
    ['v5-funding-rate-history', 1_603_296_000_000],
    ['coin-swap-historical-funding', 1_781_251_200_000],
  ] as const) {
    t.strictSame(
      htx.queries.fundingHistory.parse([body('htx', name)], asked('BTC-USDT', 'linear'), now)
        .points,
      [{ timestamp: at, rate: 0.0001, hours: 8 }],
      name,
    );
  }
});

t.test('open interest of a linear contract is one side, valued at the mark price', async (t) => {
  const at = now - hour;
  const rows = [
    { openInterest: '20', singleOpenInterest: '10', timestamp: String(at) },
    { openInterest: '24', timestamp: String(at - hour) },
    { openInterest: '', timestamp: String(at - 2 * hour) },
  ];
  const marks = [[String(at), '1', '1', '1', '50']];
  const bodies = [{ result: { list: rows } }, { result: { list: marks } }];
  t.strictSame(
    bybit.queries.openInterestHistory.parse(bodies, series('BTCUSDT', 'linear'), now).points,
    [
      { timestamp: at - hour, base: 12, usd: null },
      { timestamp: at, base: 10, usd: 500 },
    ],
  );
});

t.test('contract volumes of OKX: dollars and units of the same times', async (t) => {
  const body = (...row: string[]) => ({ code: '0', data: [row] });
  const at = String(now);
  t.strictSame(
    okx.queries.takerVolume.parse(
      [body(at, '300', '600'), body(at, '3', '6')],
      series('BTC-USDT-SWAP', 'swap'),
      now,
    ).points,
    [{ timestamp: now, buy_usd: 600, sell_usd: 300, buy_base: 6, sell_base: 3 }],
  );
  const { takerVolume } = okx.queries;
  t.equal(takerVolume.requests(series('BTC-USDT-SWAP', 'swap')).length, 2);
  const many = takerVolume.requests({ ...series('BTC-USDT-SWAP', 'swap'), limit: 500 });
  const opened = Math.floor(now / hour) * hour;
  t.strictSame(
    many.slice(0, 3).map(({ query }) => [query?.unit, query?.end]),
    [
      [2, undefined],
      [2, opened + 1 - 100 * hour],
      [2, opened + 1 - 200 * hour],
    ],
    'pages without a gap',
  );
});

t.test('HTX: the paths of v1 where those of v5 give nothing', async (t) => {
  const { fundingHistory } = htx.queries;
  const about = asked('BTC-USDT', 'linear');
  t.match(fundingHistory.requests(about), [
    { path: '/v5/market/funding_rate_history', budget: 'v5', optional: true },
  ]);
  const empty = fundingHistory.parse([undefined], about, now);
  t.match(fundingHistory.more?.(about, [empty]), [
    { path: '/linear-swap-api/v1/swap_historical_funding_rate', query: { page_index: 1 } },
    { query: { page_index: 2 } },
  ]);
  const some = { market: 'BTC-USDT', points: [{ timestamp: now, rate: 0, hours: 8 }] };
  t.strictSame(fundingHistory.more?.(about, [some]), []);
  t.strictSame(fundingHistory.more?.(about, [empty, empty]), [], 'once');
});

t.test('what is not kept is not asked', async (t) => {
  const none = { ...instrument, kind: 'spot' as const };
  t.equal(bybit.queries.fundingHistory.page?.({ ...asked('X', 'spot'), instrument: none }), null);
  t.equal(okx.queries.longShort.page?.({ ...longShort('X', 'swap'), interval: '15m' }), null);
  t.equal(htx.queries.longShort.page?.(longShort('X', 'linear')), null);
});
