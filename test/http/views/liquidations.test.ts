import t from 'tap';
import type { Liquidation, Liquidations } from '../../../actors/topics/index.ts';
import { liquidationRoutes } from '../../../http/routes/liquidations/index.ts';
import { LiquidationsView } from '../../../http/views/liquidations.ts';
import { LiquidationSums } from '../../../indicators/derivatives/liquidation-sums.ts';
import { call, startServer } from '../../support/http.ts';

const minute = 60_000;
const hour = 60 * minute;
const now = 1_750_000_000_000;

const event = (id: string, more: Partial<Liquidation> = {}): Liquidation => ({
  ...{ symbol: 'BTC', contract: 'BTCUSDT', side: 'long', price: 100_000, price_kind: 'average' },
  ...{ quantity_base: 0.01, value_usd: 1_000, timestamp: now, id, ...more },
});
const entry = (source: string, more: Partial<Liquidations> = {}): Liquidations => ({
  ...{ source, part: 'linear', at: now, since: now - hour, events: [], ...more },
});

const parts = new Map([
  ['binance', ['linear', 'inverse']],
  ['okx', ['linear']],
]);

function setup() {
  const view = new LiquidationsView(parts, now - 2 * hour);
  view.expire(now);
  return view;
}

t.test('events: newest first, each once, by exchange, symbol, side and value', async (t) => {
  const view = setup();
  const older = event('a', { timestamp: now - minute });
  view.accept(entry('binance', { events: [event('b'), older] }));
  view.accept(
    entry('okx', { events: [event('b', { symbol: 'ETH', side: 'short', value_usd: 5 })] }),
  );
  view.accept(entry('binance', { events: [event('b')] }));
  view.accept(entry('elsewhere', { events: [event('c')] }));
  const ids = (wanted: object) =>
    view.events({ limit: 10, ...wanted }).map(({ exchange, id }) => `${exchange} ${id}`);
  t.strictSame(ids({}), ['binance b', 'okx b', 'binance a']);
  t.strictSame(ids({ exchange: 'okx' }), ['okx b']);
  t.strictSame(ids({ symbol: 'BTC', limit: 1 }), ['binance b']);
  t.strictSame(ids({ side: 'short' }), ['okx b']);
  t.strictSame(ids({ min_usd: 6 }), ['binance b', 'binance a']);
  view.restart();
  t.strictSame(ids({}), []);
  t.equal(view.totals({ by: 'symbol' }).size, 0);
});

t.test('the newest events only', async (t) => {
  const view = setup();
  const events = Array.from({ length: 4_500 }, (_, at) => event(`${at}`, { timestamp: now + at }));
  view.accept(entry('okx', { events }));
  t.equal(view.events({ limit: 1 })[0]?.id, '4499');
  t.ok(view.events({ limit: 10_000 }).length <= 4_000);
});

t.test('the record: what was heard, and what is heard now', async (t) => {
  const view = setup();
  t.strictSame(view.record(undefined, 1).disconnected, ['binance', 'okx']);
  t.equal(view.record(undefined, 1).recording_since, now - 2 * hour, 'since it began');
  view.accept(entry('okx', { since: now - 30 * minute }));
  t.match(view.record('okx', 1), {
    recording_since: now - 30 * minute,
    disconnected: [],
    coverage: { from: now - hour, to: now, expected: 60, present: 30, complete: false },
  });
  view.accept(entry('okx', { at: now + minute, since: now - 30 * minute }));
  view.accept(entry('okx', { at: now + minute + 5_000, since: null }));
  view.expire(now + 2 * minute);
  t.strictSame(view.record('okx', 1).disconnected, [], 'lost, not for long');
  view.expire(now + 2 * minute + 1);
  t.strictSame(view.record('okx', 1).disconnected, ['okx']);
  view.accept(entry('okx', { at: now + 5 * minute, since: now + 4 * minute }));
  view.expire(now + 5 * minute);
  t.equal(view.record('okx', 1).coverage.present, 32, 'without the gap');
  view.accept(entry('binance', { at: now + 5 * minute }));
  t.strictSame(
    view.record(undefined, 1).disconnected,
    ['binance'],
    'one of two streams is not all',
  );
});

t.test('sums of minutes and windows', async (t) => {
  const sums = new LiquidationSums(4);
  const add = (exchange: string, ago: number, value_usd: number, side: 'long' | 'short' = 'long') =>
    sums.add(exchange, { symbol: 'BTC', side, value_usd, timestamp: now - ago });
  add('okx', 0, 10);
  add('okx', 0, 5, 'short');
  add('binance', 2 * hour, 20);
  add('okx', 11 * hour, 40);
  const totals = () => sums.totals({ by: 'symbol' }, now).get('BTC');
  t.strictSame(totals(), {
    1: { long: 10, short: 5, count: 2, largest: 10 },
    4: { long: 30, short: 5, count: 3, largest: 20 },
    12: { long: 70, short: 5, count: 4, largest: 40 },
    24: { long: 70, short: 5, count: 4, largest: 40 },
  });
  t.equal(sums.totals({ by: 'exchange', exchange: 'okx' }, now).size, 1);
  t.equal(sums.totals({ by: 'exchange', symbol: 'ETH' }, now).size, 0);
  add('okx', 3 * hour, 1);
  add('okx', 4 * hour, 1);
  t.equal(sums.cells, 4, 'the oldest minute made room');
  t.equal(totals()?.[24].largest, 20);
  sums.expire(now + 22 * hour);
  t.equal(totals()?.[24].count, 2 + 1);
  sums.expire(now + 26 * hour);
  t.equal(sums.cells, 0);
});

t.test('the answers', async (t) => {
  const view = setup();
  const order = {
    ...{ price: 99_000, average_price: 100_000, type: 'LIMIT' },
    ...{ time_in_force: 'IOC', status: 'FILLED' },
  };
  view.accept(entry('binance', { events: [event('a', { order })] }));
  view.accept(entry('binance', { part: 'inverse' }));
  const own = { quantity_contracts: 7, bankruptcy_loss: null, price_kind: 'bankruptcy' as const };
  view.accept(entry('okx', { events: [event('b', { side: 'short', value_usd: 3_000, ...own })] }));
  view.expire(now + 10_000);
  const none = { error: 'unknown_symbol', message: 'no' } as const;
  const context = {
    liquidations: view,
    perpetuals: {
      find: (exchange: string, symbol: string) =>
        symbol === 'BTC' ? { symbol, contract: exchange } : none,
      of: () => undefined,
    },
    markets: { find: () => null, unknown: () => none },
    candleIntervals: new Map(),
    registry: [
      { id: 'binance', kinds: ['perpetual'] },
      { id: 'mexc', kinds: ['spot', 'perpetual'] },
      { id: 'kraken', kinds: ['spot'] },
    ],
  };
  // Of the views only what these rows use.
  const routes = liquidationRoutes(context as never).map((row) => ({
    ...row,
    access: 'open' as const,
  }));
  const server = await startServer(routes);
  t.teardown(() => server.end());
  const ask = async (path: string) => {
    const { status, text } = await call(`${server.url}${path}`);
    return { status, data: JSON.parse(text).data };
  };
  t.match(await ask('/v1/liquidations/orders?symbol=btc'), {
    data: {
      count: 2,
      connected: true,
      sampled_exchanges: ['binance', 'okx'],
      not_covered: ['mexc'],
      disconnected_exchanges: [],
    },
  });
  t.match(await ask('/v1/liquidations/feed'), {
    data: {
      count: 1,
      orders: [{ order_side: 'sell', price: 99_000, average_price: 100_000, pair: 'BTCUSDT' }],
    },
  });
  t.match(await ask('/v1/analytics/okx/liquidations?min_usd=3000'), {
    data: { count: 1, orders: [{ quantity_contracts: 7, bankruptcy_loss: null, side: 'short' }] },
  });
  t.match(await ask('/v1/liquidations/coin-list?exchange=okx'), {
    data: { items: [{ symbol: 'BTC', liquidation_usd_1h: 3_000, long_24h_usd: 0 }] },
  });
  t.match(await ask('/v1/liquidations/exchange-list?range=4h'), {
    data: {
      count: 3,
      items: [
        { exchange: 'all', liquidation_usd: 4_000, long_ratio: 0.25, order_count: 2, share: 1 },
        { exchange: 'okx', share: 0.75 },
        { exchange: 'binance', long_ratio: 1 },
      ],
    },
  });
  t.equal((await ask('/v1/liquidations/orders?symbol=nothing')).status, 404);
  t.equal((await ask('/v1/liquidations/orders?side=up')).status, 400);
  t.equal((await ask('/v1/liquidations/exchange-list?range=9h')).status, 400);
});
