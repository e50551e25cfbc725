import t from 'tap';
import { cryptocom } from '../../../../actors/venues/cryptocom/index.ts';
import { resultOf } from '../../../../actors/venues/cryptocom/streams.ts';
import { bodiesOf, contextOf, ownPoll, received } from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

const { feeds } = cryptocom;

t.test('what fails of a market costs neither its other numbers nor another market', async (t) => {
  const [funding, mark, index, ...others] = bodiesOf(cryptocom, 'all-derivatives');
  const context = { received, instruments: contextOf(cryptocom, 'all').instruments };
  const read = (...first: unknown[]) =>
    feeds.derivatives.parts.all.parse([...first, ...others], context).derivatives;
  const numbers = (...first: unknown[]) => {
    const { rows, dropped } = read(...first);
    t.strictSame(dropped, []);
    t.strictSame(
      rows.slice(1).map((row) => row.market),
      ['1000PEPEUSD-PERP', 'SOLUSD-PERP'],
    );
    const [row] = rows;
    return [row?.market, row?.mark, row?.index, row?.funding_rate, row?.stated];
  };
  const market = 'BTCUSD-PERP';
  const [made, newest] = [1_749_999_600_000, 1_750_000_000_000];
  t.strictSame(
    numbers(undefined, mark, index),
    [market, 104_012.25, 104_005.5, null, newest],
    'no rate',
  );
  t.strictSame(
    numbers(funding, undefined, index),
    [market, null, 104_005.5, -0.000001884, newest],
    'no mark',
  );
  t.strictSame(
    numbers(funding, mark, undefined),
    [market, 104_012.25, null, -0.000001884, newest],
    'no index',
  );
  t.strictSame(
    numbers(funding, undefined, undefined),
    [market, null, null, -0.000001884, made],
    'the rate alone, with its own time',
  );
  t.strictSame(
    numbers(undefined, undefined, index),
    [market, null, 104_005.5, null, newest],
    'the index alone',
  );
  const none = read(undefined, undefined, undefined);
  t.strictSame([none.rows.length, none.dropped], [2, []], 'nothing: in silence');
});

t.test('the end of a subscription is no result', async (t) => {
  t.equal(resultOf({ id: 2, method: 'unsubscribe', code: 0 }), null);
});

t.test('a refused subscription is no acknowledged one', async (t) => {
  const { acknowledges, refuses } = cryptocom.live.prices.all;
  const subscribing = (channel: string) => `{"id":1,"params":{"channels":["${channel}"]}}`;
  const sent = ['ticker.NOPE_USDT', 'ticker.BTC_USDT'].map(subscribing);
  const said = (more: object) => {
    const message = { id: 1, method: 'subscribe', ...more };
    return [acknowledges?.(message), refuses?.(message, sent)];
  };
  t.strictSame(said({ code: 0 }), [1, null]);
  const [of] = sent;
  t.strictSame(
    said({ code: 40003, channel: 'ticker.NOPE_USDT', message: 'Unknown symbol' }),
    [0, { of, rest: null }],
    'of a market that it does not know: not asked for again',
  );
  t.strictSame(said({ code: 42901, channel: 'ticker.BTC_USDT' }), [0, null], 'too many messages');
});

t.test('a pair in dollars that any stablecoin settles is one in USDC', async (t) => {
  const row = { base_ccy: 'BTC', quote_ccy: 'USD_STABLE_COIN', inst_type: 'CCY_PAIR' };
  const data = [{ ...row, symbol: 'BTC_USD_STABLE_COIN', tradable: true }];
  const context = { received, instruments: new Map() };
  const { rows } = ownPoll(cryptocom, 'instruments', 'all').parse([{ result: { data } }], context);
  t.match(rows, [{ symbol: 'BTC', kind: 'spot', quote: 'USDC' }]);
});

wholeVenue(t, cryptocom);
