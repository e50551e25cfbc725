/** What rows make of the histories of exchanges: each number by hand, out of rows whose numbers all differ. */
import t from 'tap';
import { accountRatioRoutes } from '../../../../http/routes/analytics/account-ratio.ts';
import { cvdAggregatedRoutes } from '../../../../http/routes/analytics/cvd-aggregated.ts';
import { longShortRoutes } from '../../../../http/routes/analytics/long-short.ts';
import { netPositionRoutes } from '../../../../http/routes/analytics/net-position.ts';
import { orderFlowRoutes } from '../../../../http/routes/analytics/order-flow.ts';
import { settledFundingRoutes } from '../../../../http/routes/analytics/settled-funding.ts';
import { rowsOf } from '../../../support/route-stage.ts';
import { type Replies, rowReader } from '../../../support/row-reader.ts';
import { sameRows } from '../../../support/table.ts';

const hour = 3_600_000;

type Makers = Parameters<typeof rowsOf>[0];
type Given = Readonly<Record<string, string | number>>;

const answerOf = (makers: Makers, path: string, given: Given, reply: Replies) => {
  const query = Object.entries(given).map(([name, value]) => `${name}=${value}`);
  return rowReader(rowsOf(makers), { reply })(`${path}?${query.join('&')}`);
};

const points = (...rows: object[]) => ({
  market: 'M',
  points: rows.map((row, i) => ({ timestamp: (i + 1) * hour, ...row })),
});

/** Two hours of both units, and one in dollars alone, which still runs. */
const takers = points(
  { buy_base: 2, sell_base: 5, buy_usd: 210, sell_usd: 535, close: 107 },
  { buy_base: 7, sell_base: 3, buy_usd: 700, sell_usd: 303, close: 101 },
  { buy_base: null, sell_base: null, buy_usd: 60, sell_usd: 40, close: 103, closed: false },
);
const flow = (path: string, values = {}) =>
  answerOf(
    [orderFlowRoutes],
    path,
    { symbol: 'BTC', exchange: 'binance', ...values },
    () => takers,
  );

t.test('taker volume: the ratio is of base units where they are known', async (t) => {
  for (const path of ['/v1/futures/taker-buysell', '/v1/analytics/taker-volume']) {
    const { points, ...head } = await flow(path);
    t.match(head, { symbol: 'BTC', exchange: 'binance', pair: 'M', interval: '1h', count: 3 });
    sameRows(t, points)`
      timestamp   taker_buy_usd taker_sell_usd taker_buy_base taker_sell_base buy_sell_ratio delta_usd closed
      ${hour}     210           535            2              5               0.4            -325      true
      ${2 * hour} 700           303            7              3               2.33333333333  397       true
      ${3 * hour} 60            40             -              -               1.5            20        false
    `;
  }
});

t.test('volume delta: sums from the first point on, of rows in both units', async (t) => {
  const { points } = await flow('/v1/futures/cvd/history');
  // -325 + 397 = 72; (2 - 5) + (7 - 3) = 1.
  t.strictSame(points, [
    { timestamp: hour, delta_usd: -325, cvd_usd: -325, delta_base: -3, cvd_base: -3, close: 107 },
    { timestamp: 2 * hour, delta_usd: 397, cvd_usd: 72, delta_base: 4, cvd_base: 1, close: 101 },
  ]);
});

t.test('net flow and shares', async (t) => {
  const netflow = await flow('/v1/spot/netflow');
  t.equal(netflow.method, 'taker');
  t.strictSame(netflow.points.at(-1), {
    timestamp: 3 * hour,
    inflow_usd: 60,
    outflow_usd: 40,
    netflow_usd: 20,
  });
  const { points } = await flow('/v1/long-short-ratio/taker-buysell-ratio');
  sameRows(t, points.at(-1))`
    timestamp   taker_buy_usd taker_sell_usd buy_ratio sell_ratio buy_sell_ratio
    ${3 * hour} 60            40             0.6       0.4        1.5
  `;
});

t.test('spot volume of OKX has three intervals, which an error names', async (t) => {
  const asked = { exchange: 'okx', interval: '15m' };
  for (const [path, more] of [
    ['/v1/spot/taker-buysell/history', {}],
    ['/v1/analytics/okx/taker-volume', { market: 'spot' }],
  ] as const) {
    const answer = await answerOf([orderFlowRoutes], path, { ...asked, ...more }, () => takers);
    t.match(answer, { error: 'bad_parameter', message: /must be one of 5m, 1h, 1d/ }, path);
  }
});

t.test('volume delta of several exchanges: the markets of one are added', async (t) => {
  const bySource: Record<string, object | null> = {
    // Of each of two markets.
    binance: points({ buy_usd: 50, sell_usd: 20 }, { buy_usd: 9, sell_usd: 11 }),
    okx: points({ buy_usd: 7, sell_usd: 12 }, { buy_usd: null, sell_usd: 3 }),
    kraken: null,
  };
  const asked = { symbol: 'BTC', limit: 2 };
  const find = ({ source }: { source: string }) => bySource[source] ?? null;
  const path = '/v1/futures/cvd/aggregated';
  const data = await answerOf([cvdAggregatedRoutes], path, asked, find);
  t.match(data, { symbol: 'BTC', interval: '1h', count: 2, failed_exchanges: ['kraken'] });
  // 2 x (50 - 20) = 60 and 7 - 12 = -5; then 2 x (9 - 11) = -4.
  t.strictSame(data.points, [
    {
      timestamp: hour,
      delta_usd: 55,
      cvd_usd: 55,
      exchange_count: 2,
      exchanges: { binance: 60, okx: -5 },
    },
    {
      timestamp: 2 * hour,
      delta_usd: -4,
      cvd_usd: 51,
      exchange_count: 1,
      exchanges: { binance: -4 },
    },
  ]);
  bySource.binance = null;
  const others = await answerOf([cvdAggregatedRoutes], path, asked, find);
  t.match(others, { count: 1, failed_exchanges: ['binance', 'kraken'], points: [{ cvd_usd: -5 }] });
});

t.test(
  'net position: a rise is opened, a fall is closed, in the shares of the takers',
  async (t) => {
    const replies: Record<string, object> = {
      openInterestHistory: points(
        { base: 10, usd: 1_010 },
        { base: 14, usd: 1_428 },
        { base: 9, usd: 927 },
        { base: null, usd: 5 },
      ),
      takerVolume: points(
        { buy_base: 1, sell_base: 1 },
        { buy_base: 3, sell_base: 1 },
        { buy_base: 2, sell_base: 8 },
      ),
      longShort: points({ long: 0.55, short: 0.45 }, { long: 0.6, short: 0.4 }),
    };
    const path = '/v1/long-short-ratio/net-position';
    const ask = (limit: number, range = {}) =>
      answerOf(
        [netPositionRoutes],
        path,
        { symbol: 'BTC', limit, ...range },
        ({ name }) => replies[name] ?? null,
      );
    const data = await ask(2);
    t.match(data, { symbol: 'BTC', exchange: 'binance', pair: 'M', count: 2 });
    sameRows(t, data.points)`
      timestamp   open_interest_base net_long_change_base net_short_change_base
      // +4, of which 3/4 are longs; at 1,428 / 14 = 102 dollars.
      ${2 * hour} 14                 3                    1
      // -5, of which 8/10 are longs that were sold; at 103 dollars.
      ${3 * hour} 9                  -4                   -1

      net_long_base net_short_base net_position_base net_position_usd top_trader_net_ratio
      3             1              2                 204              0.2
      -1            0              -1                -103             -
    `;
    t.match((await ask(3)).points[0], { net_long_change_base: null, net_position_base: 0 });
    const range = await ask(5, { from: 2 * hour, to: 3 * hour });
    t.strictSame(range.points, data.points, 'the row before a range is none of it');
    replies.openInterestHistory = points({ base: 10, usd: 1_010 });
    t.match(await ask(2), { error: 'not_enough_data' });
    replies.openInterestHistory = points({ base: 10, usd: null }, { base: 14, usd: null });
    t.match((await ask(1)).points, [{ net_position_base: 2, net_position_usd: null }]);
  },
);

t.test('accounts: the mean of the exchanges whose newest rows are of one time', async (t) => {
  const shares: Record<string, [long: number, short: number, ago: number]> = {
    binance: [0.6, 0.4, 0],
    okx: [0.7, 0.3, 3],
    bybit: [0.9, 0.1, 4],
    kraken: [1, 0, 0],
  };
  const find = ({ source }: { source: string }) => {
    const [long, short, ago] = shares[source] ?? [];
    return long === undefined || ago === undefined
      ? null
      : { market: 'M', points: [{ timestamp: (9 - ago) * hour, long, short }] };
  };
  const data = await answerOf(
    [accountRatioRoutes],
    '/v1/long-short-ratio',
    { symbol: 'btc' },
    find,
  );
  // (0.6 + 0.7) / 2; three intervals late is in time, four is not; nothing short is no ratio.
  t.match(data, {
    symbol: 'BTC',
    interval: '1h',
    long_ratio: 0.65,
    short_ratio: 0.35,
    long_short_ratio: 1.85714285714,
    exchange_count: 2,
    exchanges: [
      { exchange: 'okx', timestamp: 6 * hour, long_ratio: 0.7, short_ratio: 0.3 },
      { exchange: 'binance', timestamp: 9 * hour, long_ratio: 0.6, long_short_ratio: 1.5 },
    ],
    stale_exchanges: ['bybit'],
    failed_exchanges: ['gate', 'bitget'],
  });
  t.equal(data.exchanges.length, 2);
  for (const id of ['binance', 'okx', 'bybit']) delete shares[id];
  t.match(await answerOf([accountRatioRoutes], '/v1/long-short-ratio', {}, find), {
    error: 'not_enough_data',
  });
});

t.test('the largest accounts: by accounts and by positions, of the times of both', async (t) => {
  const accounts = points(
    { long: 0.75, short: 0.25 },
    { long: 0.6, short: 0.4 },
    { long: 0.8, short: 0.2 },
  );
  const positions = points({ long: 0.5, short: 0.4 }, { long: 1, short: 0 });
  const find = ({ params }: { params: object }) =>
    'of' in params && params.of === 'top_positions' ? positions : accounts;
  for (const [path, exchange] of [
    ['/v1/analytics/top-traders', 'binance'],
    ['/v1/analytics/okx/top-traders', 'okx'],
  ] as const) {
    const data = await answerOf([longShortRoutes], path, { symbol: 'BTC' }, find);
    t.match(data, { exchange, count: 2, pair: 'M' });
    sameRows(t, data.points[0])`
      timestamp account_long_ratio account_short_ratio account_long_short_ratio position_long_ratio position_short_ratio position_long_short_ratio
      ${hour}   0.75               0.25                3                        0.5                 0.4                  1.25
    `;
    t.match(data.points[1], { account_long_short_ratio: 1.5, position_long_short_ratio: null });
  }
  const path = '/v1/long-short-ratio/top-accounts';
  const one = await answerOf([longShortRoutes], path, { exchange: 'okx' }, ({ source }) =>
    source === 'htx' ? null : accounts,
  );
  t.match(one, { exchange: 'okx', count: 3 });
  const newest = { timestamp: 3 * hour, long_ratio: 0.8, short_ratio: 0.2, long_short_ratio: 4 };
  t.strictSame(
    one.latest,
    ['okx', 'binance', 'gate'].map((exchange) => ({ exchange, ...newest })),
  );
  const ends: unknown[] = [];
  await answerOf(
    [longShortRoutes],
    path,
    { exchange: 'okx', from: hour, to: 2 * hour },
    (query) => {
      ends.push(Object(query.params).to);
      return accounts;
    },
  );
  t.strictSame(ends, [2 * hour, 2 * hour, 2 * hour, 2 * hour], 'all of the same end');
});

t.test('settled funding: rates of eight hours and of a year', async (t) => {
  const settled = points(
    { rate: 0.0003, hours: 4, predicted: 0.0002 },
    { rate: 0.0005, hours: null },
  );
  for (const exchange of ['okx', 'bybit', 'htx']) {
    const path = `/v1/analytics/${exchange}/funding-history`;
    const data = await answerOf([settledFundingRoutes], path, { symbol: 'BTC' }, () => settled);
    t.match(data, { symbol: 'BTC', exchange, count: 2 });
    sameRows(t, data.points)`
      timestamp   funding_rate predicted_rate funding_rate_8h interval_hours
      ${hour}     0.0003       0.0002         0.0006          4
      ${2 * hour} 0.0005       -              -               -
    `;
  }
  const path = '/v1/analytics/hyperliquid/funding-history';
  const hourly = points({ rate: 0.00002, hours: 1, premium: 0.0001 });
  const { points: found } = await answerOf([settledFundingRoutes], path, {}, () => hourly);
  // x 8, and x 24 x 365.
  sameRows(t, found)`
    timestamp funding_rate_1h funding_rate_8h annualized premium
    ${hour}   0.00002         0.00016         0.1752     0.0001
  `;
});

t.test('histories of one exchange: shares and open interest as stated', async (t) => {
  const shares = points({ long: 0.5, short: 0.4, locked: 0.1 }, { long: 0.2, short: 0 });
  const rows = [
    ['okx/long-short', 'okx'],
    ['bybit/long-short', 'bybit'],
    ['htx/elite-account-ratio', 'htx'],
    ['htx/elite-position-ratio', 'htx'],
  ] as const;
  for (const [name, exchange] of rows) {
    const data = await answerOf(
      [longShortRoutes],
      `/v1/analytics/${name}`,
      { symbol: 'BTC' },
      () => shares,
    );
    t.match(data, { exchange, interval: data.interval, count: 1 });
    sameRows(t, data.points)`
      timestamp long_ratio short_ratio long_short_ratio locked_ratio
      ${hour}   0.5        0.4         1.25             0.1
    `;
  }
  const open = points({ base: 3, usd: 309 }, { base: 4, usd: null });
  const path = '/v1/analytics/bybit/oi-history';
  const data = await answerOf(
    [netPositionRoutes],
    path,
    { symbol: 'BTC', interval: '1h' },
    () => open,
  );
  t.strictSame(data.points, [
    { timestamp: hour, open_interest_base: 3, open_interest_usd: 309 },
    { timestamp: 2 * hour, open_interest_base: 4, open_interest_usd: null },
  ]);
});
