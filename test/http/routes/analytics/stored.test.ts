/** Rows that answer recorded series, over a store that answers as the history process does. */
import t from 'tap';
import { failed } from '../../../../actors/failure.ts';
import type { RecordedAtParams } from '../../../../actors/topics/index.ts';
import { Snapshot } from '../../../../http/answers/snapshots.ts';
import { netflowRanking } from '../../../../http/routes/analytics/netflow-ranking.ts';
import { contractsOf } from '../../../../http/routes/analytics/recorded-contracts.ts';
import { mapRoutes } from '../../../../http/routes/liquidations/map.ts';
import { priceChangeRoutes } from '../../../../http/routes/markets/price-change.ts';
import { isApiError } from '../../../../http/wire/errors.ts';
import { FakeClock } from '../../../support/clock.ts';
import { perpetualsOf } from '../../../support/http-makers.ts';
import { askRow, fresh, frontQueries, queryBus } from '../../../support/queries.ts';

const hour = 3_600_000;
const registry = ['alpha', 'beta', 'gamma'].map((id) => ({ id, kinds: ['perpetual'] }));

t.test('the most traded contract of an asset', async (t) => {
  const traded = [
    { market: 'A' },
    { market: 'B', volume: 0.5 },
    { market: 'C' },
    { market: 'D', volume: 0.5 },
  ];
  const perpetuals = perpetualsOf(traded.map((one) => ({ source: 'alpha', ...one })));
  for (const exchange of ['alpha', 'ALPHA,alpha'])
    t.match(
      contractsOf({ registry, perpetuals }, { symbol: 'btc', exchange, margins: ['stable'] }),
      {
        contracts: [{ exchange: 'alpha', margin: 'stable', contract: 'B' }],
      },
    );
  const asked = { symbol: 'btc', margins: ['coin'] } as const;
  t.match(contractsOf({ registry, perpetuals }, { ...asked, exchange: 'alpha' }), {
    message: /^unknown symbol 'btc' for alpha$/,
  });
  const none = { registry, perpetuals: perpetualsOf([]) };
  t.match(contractsOf(none, asked), { error: 'warming_up' });
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
    ).query({ limit: 2 });
    if (isApiError(question)) throw new Error(question.message);
    t.match(question.params, {
      series: 'taker-flow',
      step: '5m',
      limit: 290,
      keys: ['binance/spot/BTC', 'binance/spot/ETH', 'binance/spot/C29'],
    });
    const steps = (buy_usd: number[], sell_usd: number[]) => ({
      times: buy_usd.map((_, at) => at * 300_000),
      columns: { buy_usd, sell_usd },
      coverage: { from: 0, to: 0, expected: 3, present: 3 },
      recorded_from: 0,
    });
    const rows = [steps([1, 1, 1], [0, 0, 0]), steps([9, 9, 9], [1, 2, 3]), steps([], [])];
    const answer = question.data({ rows } as never, [], undefined as never);
    t.match(answer, {
      exchange: 'binance',
      method: 'taker',
      count: 2,
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
    const [newest = 0, last = 0] = [times[0], times.at(-1)];
    // The minute that has ended last; of hours the one that ended about an hour ago, which the first change is since.
    if (step === '1m') t.ok(newest + 60_000 <= clock.now() && clock.now() < newest + 120_000);
    else t.ok(Math.abs(last + 2 * hour - clock.now()) <= hour / 2);
    const columns = { price: price.map((row) => row.toReversed()) };
    return fresh({ series: 'price', times, keys, columns, recorded_from: 0 }, clock);
  });
  // The tables of assets state the change of one asset.
  const change = (symbol: string) =>
    symbol === 'NEW' && isStated ? { percent: 40, basis: 'asset' as const } : null;
  const tables = {
    read: (from: (tables: object) => unknown) => from({ change, futures: { ofAsset: () => [] } }),
  };
  let isStated = false;
  const ask = async (given: object) => {
    const values = { limit: 50, sort: '24h', order: 'desc', ...given };
    const context = { clock, tables: tables as never };
    const [row] = priceChangeRoutes(context);
    if (!row) throw new Error('there is no row');
    const answer = await askRow(row, values, frontQueries(bus, clock));
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

t.test('the list of max pain: assets whose candles fail or are too few are left out', async (t) => {
  const clock = new FakeClock();
  const bars: Record<string, number | null> = { 'BTC-P': null, 'ETH-P': 24, 'SOL-P': 23 };
  const bus = queryBus(({ name, params }) => {
    if (name !== 'candles') return failed('unanswered', 'no answer');
    const count = bars[(params as { market: string }).market] ?? null;
    if (count === null) return failed('timeout', 'no answer');
    const candles = Array.from({ length: count }, (_, i) => ({
      timestamp: i * hour,
      open: 100,
      high: 101,
      low: 99,
      close: 100,
      volume: 10,
      turnover: 1_000,
      closed: true,
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
