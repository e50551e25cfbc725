/** Rows that answer recorded series, over a store that answers as the history process does. */
import t from 'tap';
import { failed } from '../../../../actors/failure.ts';
import type { RecordedAtParams } from '../../../../actors/topics/index.ts';
import { isApiError } from '../../../../http/errors.ts';
import { footprintRoutes } from '../../../../http/routes/analytics/footprint.ts';
import { netflowRanking } from '../../../../http/routes/analytics/netflow-ranking.ts';
import { contractsOf } from '../../../../http/routes/analytics/recorded.ts';
import { mapRoutes } from '../../../../http/routes/liquidations/map.ts';
import { priceChangeRoute } from '../../../../http/routes/markets/price-change.ts';
import { Snapshot } from '../../../../http/snapshots.ts';
import { FakeClock } from '../../../support/clock.ts';
import { askRow, fresh, frontQueries, queryBus } from '../../../support/queries.ts';

const hour = 3_600_000;
const registry = ['alpha', 'beta', 'gamma'].map((id) => ({ id, kinds: ['perpetual'] }));

t.test('the most traded contract of an asset, found once for each reading', async (t) => {
  const volumes = { A: null, B: 0.5, C: null, D: 0.5 };
  const rows = Object.entries(volumes).map(([contract, volume]) => ({
    ...{ symbol: 'BTC', contract, volume, inverse: null },
  }));
  let reads = 0;
  const own = {
    get rows() {
      reads += 1;
      return rows;
    },
  };
  const context = { registry, perpetuals: { of: () => own } } as never;
  for (const exchange of ['alpha', 'ALPHA,alpha'])
    t.match(contractsOf(context, { symbol: 'btc', exchange, margins: ['stable'] }), {
      contracts: [{ exchange: 'alpha', margin: 'stable', contract: 'B' }],
    });
  t.equal(reads, 1);
  t.match(contractsOf(context, { symbol: 'btc', exchange: 'alpha', margins: ['coin'] }), {
    message: /^unknown symbol 'btc' for alpha$/,
  });
  const none = { registry, perpetuals: { of: () => undefined } } as never;
  t.match(contractsOf(none, { symbol: 'btc', margins: ['coin'] }), { error: 'warming_up' });
});

t.test(
  'net flows of the most traded assets: a field for each window, the largest first',
  async (t) => {
    const volumes: [string, number][] = Array.from({ length: 30 }, (_, at) => [`C${at}`, at]);
    const perpetuals = {
      fundings: () =>
        new Map(volumes.map(([symbol, volume]) => [symbol, [{ volume_24h_usd: volume }]])),
    };
    // The exchange lists two of the assets that are always among them, and the most traded one.
    const listed = ['BTC', 'ETH', 'C29'];
    const markets = {
      find: (_exchange: string, symbol: string) => listed.includes(symbol) || null,
    };
    const question = netflowRanking(
      { perpetuals, markets, clock: new FakeClock() } as never,
      'spot',
    )({ limit: 2 });
    if (isApiError(question)) throw new Error(question.message);
    t.match(question.params, {
      ...{ series: 'taker-flow', step: '5m', limit: 290 },
      keys: ['binance/spot/BTC', 'binance/spot/ETH', 'binance/spot/C29'],
    });
    const steps = (buy_usd: number[], sell_usd: number[]) => ({
      ...{ times: buy_usd.map((_, at) => at * 300_000), columns: { buy_usd, sell_usd } },
      ...{ coverage: { from: 0, to: 0, expected: 3, present: 3 }, recorded_from: 0 },
    });
    const rows = [steps([1, 1, 1], [0, 0, 0]), steps([9, 9, 9], [1, 2, 3]), steps([], [])];
    const answer = question.data({ rows } as never, [], undefined as never);
    t.match(answer, {
      ...{ exchange: 'binance', method: 'taker', count: 2 },
      items: [
        { symbol: 'BTC', netflow_usd_5m: 1, netflow_usd_15m: 3, netflow_usd_30m: null },
        { symbol: 'ETH', netflow_usd_5m: 6, netflow_usd_15m: 21, volume_24h_usd: 33 },
      ],
    });
  },
);

t.test('changes of prices: by minutes, else by hours; sorted, unknown ones last', async (t) => {
  const clock = new FakeClock();
  const keys = ['perpetual/BTC', 'perpetual/ETH', 'perpetual/NEW'].toReversed();
  const minutes = [
    [110, 50, 1],
    ...Array.from({ length: 6 }, () => [100, 40, null]),
    [null, 100, null],
  ];
  const hours = [[88, 90, null], ...Array.from({ length: 23 }, () => [120, 50, null])];
  const bus = queryBus(({ name, params }) => {
    t.equal(name, 'seriesAt');
    const { step, times } = params as RecordedAtParams;
    const price = step === '1m' ? minutes : hours;
    t.equal(times.length, price.length);
    const columns = { price: price.map((row) => row.toReversed()) };
    return fresh({ series: 'price', times, keys, columns, recorded_from: 0 }, clock);
  });
  // The tables of assets state the change of one asset.
  const tables = {
    change: (symbol: string) =>
      symbol === 'NEW' && isStated ? { percent: 40, basis: 'asset' as const } : null,
  };
  let isStated = false;
  const ask = async (given: object) => {
    const values = { limit: 50, sort: '24h', order: 'desc', ...given };
    const context = { clock, tables: tables as never };
    const answer = await askRow(priceChangeRoute(context), values, frontQueries(bus, clock));
    if (!(answer instanceof Snapshot)) return answer;
    return JSON.parse(answer.at(clock.now()).toString()).data.items;
  };
  const [btc, eth, unknown] = await ask({});
  t.match([btc, eth, unknown], [{ symbol: 'BTC' }, { symbol: 'ETH' }, { symbol: 'NEW' }]);
  t.ok(Math.abs(btc.price_change_percent_5m - 10) < 1e-9);
  t.ok(Math.abs(btc.price_change_percent_24h - 25) < 1e-9, 'from the hour');
  t.match(eth, { price_change_percent_24h: -50, price_change_24h_basis: 'recorded' });
  t.match(unknown, { price_change_percent_5m: null, price_amplitude_percent_24h: null });
  t.match(unknown, { price_change_percent_24h: null, price_change_24h_basis: null });
  t.match(await ask({ sort: '24h', order: 'asc', limit: 1 }), [{ symbol: 'ETH' }]);
  t.match(await ask({ symbol: 'eth-usdt' }), [{ symbol: 'ETH' }]);
  t.match(await ask({ symbol: 'NOPE' }), { error: 'unknown_symbol' });
  isStated = true;
  const stated = { price_change_percent_24h: 40, price_change_24h_basis: 'asset' };
  const first = [{ symbol: 'NEW', price_change_percent_5m: null, ...stated }, { symbol: 'BTC' }];
  t.match(await ask({ limit: 2, symbol: undefined, order: 'desc' }), first, 'not recorded, stated');
});

t.test('a footprint: recorded trades, and candles for the other minutes', async (t) => {
  const clock = new FakeClock(1_750_000_200_000 + 150_000);
  const start = 1_750_000_200_000;
  const minute = 60_000;
  const candle = (at: number) => ({
    ...{ timestamp: start + at * minute, open: 100, high: 100, low: 100, close: 100 },
    ...{ buy_base: 1, sell_base: 2, buy_usd: 100, sell_usd: 200 },
  });
  const columns = {
    ...{ open: 101, high: 101, low: 101, close: 101, step: 0.01, first: 10_100 },
    ...{ buy_base_0: 5, sell_base_0: 0, buy_usd_0: 505, sell_usd_0: 0 },
  };
  let traded = [1];
  const away = { candles: false, history: false };
  const bus = queryBus(({ name, source, params }) => {
    if (name === 'takerCandles') {
      if (away.candles) return failed('timeout', 'no answer');
      return fresh({ points: [0, 1, 2].map(candle), received: clock.now() }, clock);
    }
    t.match(
      { source, name, params },
      { source: 'history', params: { series: 'footprint', keys: ['binance/BTCUSDT'], limit: 3 } },
    );
    if (away.history) return failed('unanswered', 'no answer');
    const lists = Object.entries(columns).map(([name, value]) => [name, traded.map(() => value)]);
    const times = traded.map((at) => start + at * minute);
    const rows = [{ key: 'binance/BTCUSDT', times, columns: Object.fromEntries(lists) }];
    return fresh({ series: 'footprint', step: minute, rows }, clock);
  });
  const found = { market: 'BTCUSDT', symbol: 'BTC' };
  const markets = { find: () => found } as never;
  const [row] = footprintRoutes({
    markets,
    clock,
    exchanges: { takerCandles: ['binance'] } as never,
  });
  if (!row) throw new Error('there is no row');
  const ask = async () => {
    const values = { symbol: 'BTC', interval: '5m', limit: 1, step: 1 };
    const answer = await askRow(row, values, frontQueries(bus, clock));
    return answer instanceof Snapshot ? JSON.parse(answer.at(clock.now()).toString()).data : answer;
  };
  t.match(await ask(), {
    coverage: { from: start, expected: 2, present: 1, complete: false },
    method: 'klines_1m',
    bars: [{ method: 'mixed', trade_minutes: 1, candle_minutes: 2, buy_base: 7, sell_base: 4 }],
  });
  away.history = true;
  t.match(await ask(), { coverage: { present: 0 }, bars: [{ method: 'klines_1m', buy_base: 3 }] });
  Object.assign(away, { history: false, candles: true });
  t.match(await ask(), { error: 'upstream_failed', message: /timeout/ }, 'a minute is missing');
  traded = [0, 1, 2];
  t.match(await ask(), { bars: [{ method: 'trades', trade_minutes: 3, candle_minutes: 0 }] });
});

t.test('the list of max pain: assets whose candles fail or are too few are left out', async (t) => {
  const clock = new FakeClock();
  const bars: Record<string, number | null> = { 'BTC-P': null, 'ETH-P': 24, 'SOL-P': 23 };
  const bus = queryBus(({ name, params }) => {
    if (name !== 'candles') return failed('unanswered', 'no answer');
    const count = bars[(params as { market: string }).market] ?? null;
    if (count === null) return failed('timeout', 'no answer');
    const candles = Array.from({ length: count }, (_, i) => ({
      ...{ timestamp: i * hour, open: 100, high: 101, low: 99, close: 100 },
      ...{ volume: 10, turnover: 1_000, closed: true },
    }));
    return fresh({ candles, received: clock.now() }, clock);
  });
  const rows = Object.keys(bars).map((contract) => ({ contract, symbol: contract.slice(0, 3) }));
  const context = {
    registry: [{ id: 'binance', kinds: ['perpetual'] }],
    candleIntervals: new Map([['binance', ['5m', '1h', '4h']]]),
    perpetuals: { of: () => ({ rows }) },
  };
  const row = mapRoutes(context as never).find(({ path }) => path.endsWith('max-pain'));
  if (!row) throw new Error('there is no row');
  const ask = async () => {
    const answer = await askRow(
      row,
      { exchange: 'binance', range: '7d' },
      frontQueries(bus, clock),
    );
    return answer instanceof Snapshot ? JSON.parse(answer.at(clock.now()).toString()).data : answer;
  };
  t.match(await ask(), { count: 1, items: [{ symbol: 'ETH', current_price: 100 }] });
  bars['ETH-P'] = 3;
  t.match(await ask(), { error: 'upstream_failed', message: /timeout/ });
  bars['BTC-P'] = 3;
  t.match(await ask(), { error: 'not_enough_data' });
});
