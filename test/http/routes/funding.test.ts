/** Funding rates over exchanges: what is received now, and what was settled. */
import t from 'tap';
import type { DerivativeRow } from '../../../actors/topics/index.ts';
import { fundingRoutes } from '../../../http/routes/funding/index.ts';
import { FakeClock } from '../../support/clock.ts';
import { type GivenPerpetual, perpetualsOf, seriesReply } from '../../support/http-makers.ts';
import { derivativeRow, now, reading } from '../../support/makers.ts';
import { type Replies, rowReader } from '../../support/row-reader.ts';
import { likeRows, sameRows } from '../../support/table.ts';

const [hour, day] = [3_600_000, 86_400_000];
const registry = ['a', 'b', 'c', 'd'].map((id) => ({ id, kinds: ['perpetual'] }));

const reader = (all: GivenPerpetual[], reply: Replies = () => null, clock = new FakeClock(now)) =>
  rowReader(fundingRoutes({ perpetuals: perpetualsOf(all), registry, clock }), { reply, clock });

/** Rates of eight hours: 0.0002, 0.0008 and 0.0006; a year has 1,095 times eight hours. */
const three: GivenPerpetual[] = [
  { source: 'a', rate: 0.0002, hours: 8, volume: 2e6, interest: 3e6, mark: 101, predicted: 0.0003 },
  { source: 'b', rate: 0.0001, hours: 1, volume: 5e6, interest: 1e6, mark: 102, index: 103 },
  { source: 'c', rate: 0.0003, hours: 4, volume: 1e6, mark: 104 },
];

t.test('the rates of one symbol: mean, median, extremes, each perpetual', async (t) => {
  const read = reader(three);
  const data = await read('/v1/funding-rates?symbol=btc-usdt');
  // (2 + 8 + 6) / 3 / 10,000
  t.match(data, {
    symbol: 'BTC',
    exchange_count: 3,
    contract_count: 3,
    average_rate_8h: 0.000533333333333,
    median_rate_8h: 0.0006,
    annualized: 0.584,
    highest: { exchange: 'b', contract: 'BTC-P', annualized: 0.876 },
    lowest: { exchange: 'a', contract: 'BTC-P', annualized: 0.219 },
    stale_exchanges: [],
  });
  sameRows(t, data.rates[0])`
    exchange contract quote funding_rate predicted_rate interval_hours funding_rate_8h annualized
    b        BTC-P    USDT  0.0001       -              1              0.0008          0.876

    next_funding_time mark_price index_price open_interest_usd volume_24h_usd updated_at
    ${now + 1}        102        103         1e6               5e6            ${now}
  `;
  t.match(data.rates.slice(1), [
    { exchange: 'c', funding_rate_8h: 0.0006, annualized: 0.657, open_interest_usd: null },
    { exchange: 'a', funding_rate_8h: 0.0002, predicted_rate: 0.0003 },
  ]);
});

t.test('pages: sorted by mean, by exchanges or by the largest rate of either sign', async (t) => {
  const read = reader([
    ...three,
    { source: 'a', symbol: 'ETH', rate: -0.002, hours: 4 },
    { source: 'b', symbol: 'ETH', rate: 0.009, hours: 8 },
    { source: 'd', symbol: 'SOL', rate: 0.003, hours: 8, interest: 9e6 },
  ]);
  const symbols = async (query: string) => {
    const { items, ...page } = await read(`/v1/funding-rates?${query}`);
    return [items.map(({ symbol }: { symbol: string }) => symbol).join(), page];
  };
  // Means of eight hours: BTC 0.00053, ETH (-0.004 + 0.009) / 2 = 0.0025, SOL 0.003.
  t.match(await symbols(''), ['BTC,ETH,SOL', { total: 3, offset: 0, limit: 50, count: 3 }]);
  t.match(await symbols('sort=rate'), ['SOL,ETH,BTC']);
  t.match(await symbols('sort=annualized'), ['ETH,SOL,BTC']);
  t.match(await symbols('sort=open_interest'), ['SOL,BTC,ETH']);
  t.match(await symbols('limit=1&offset=1'), ['ETH', { total: 3, offset: 1, limit: 1, count: 1 }]);
  t.match(await symbols('offset=9'), ['', { total: 3, count: 0 }]);
  const full = await read('/v1/funding-rates?detail=full&limit=1');
  t.equal(full.items[0].rates.length, 3);
  const several = await read('/v1/funding-rates?symbols=btc,SOL,ZZZ');
  t.match(several, { count: 2, symbols: { BTC: {}, SOL: { average_rate_8h: 0.003 } } });
  t.match(several.missing, [{ symbol: 'ZZZ', code: 'unknown_symbol' }]);
  t.match(await read('/v1/funding-rates?symbols=ZZZ'), { error: 'unknown_symbol' });
});

t.test('weighted by turnover and by open interest', async (t) => {
  const read = reader(three);
  const data = await read('/v1/funding-rates/vol-weighted?symbol=BTC');
  // (2 x 2 + 8 x 5 + 6 x 1) / 8 = 6.25; by interest (2 x 3 + 8 x 1) / 4 = 3.5.
  likeRows(t, data)`
    symbol vol_weighted_rate_8h oi_weighted_rate_8h average_rate_8h   annualized total_volume_24h_usd exchange_count updated_at
    BTC    0.000625             0.00035             0.000533333333333 0.684375   8e6                  3              ${now}
  `;
  sameRows(t, data.exchanges[0])`
    exchange contract funding_rate interval_hours funding_rate_8h volume_24h_usd open_interest_usd weight next_funding_time
    b        BTC-P    0.0001       1              0.0008          5e6            1e6               0.625  ${now + 1}
  `;
  t.match(data.exchanges.slice(1), [
    { exchange: 'a', weight: 0.25 },
    { exchange: 'c', weight: 0.125 },
  ]);
  for (const [late, found] of [
    [300_000, { symbol: 'BTC' }],
    [300_001, { error: 'warming_up', message: /no funding rate of BTC with a turnover/ }],
  ] as const) {
    const after = reader(three, () => null, new FakeClock(now + late));
    t.match(await after('/v1/funding-rates/vol-weighted?symbol=BTC'), found);
  }
});

t.test('pairs: long where the rate is lower, best first, the best of each symbol', async (t) => {
  const all = [...three, { source: 'd', symbol: 'SOL', rate: -0.002, hours: 8, volume: 4e6 }];
  const read = reader([...all, { source: 'a', symbol: 'SOL', rate: 0.001, volume: 7e6 }]);
  const first = await read('/v1/funding-arbitrage?symbol=BTC&min_apr=1');
  // 0.876 - 0.219, 0.657 - 0.219 and 0.876 - 0.657 a year; 102 / 101, 104 / 101, 102 / 104.
  const found = first.items.map(
    ({ long, short, apr_percent, basis_percent }: Record<string, { exchange: string }>) => [
      `${long?.exchange}${short?.exchange}`,
      apr_percent,
      basis_percent,
    ],
  );
  t.strictSame(found, [
    ['ab', 65.7, 0.990099009901],
    ['ac', 43.8, 2.9702970297],
    ['cb', 21.9, -1.92307692308],
  ]);
  t.match(first, { total: 3, count: 3, min_apr: 1, min_volume: 1e6, fees_included: false });
  sameRows(t, first.items[0].long)`
    exchange contract funding_rate interval_hours annualized next_funding_time mark_price open_interest_usd volume_24h_usd
    a        BTC-P    0.0002       8              0.219      ${now + 1}        101        3e6               2e6
  `;
  // Of all symbols the best pair of each: SOL (0.001 + 0.002) x 1095 = 328.5 %.
  t.match((await read('/v1/funding-arbitrage')).items, [
    { symbol: 'SOL', apr_percent: 328.5, long: { exchange: 'd' }, short: { exchange: 'a' } },
    { symbol: 'BTC', apr_percent: 65.7 },
  ]);
  t.match(await read('/v1/funding-arbitrage?limit=1'), { total: 2, count: 1 });
  t.match(await read('/v1/funding-arbitrage?symbol=BTC&min_apr=43.9'), { total: 1 });
  t.match(await read('/v1/funding-arbitrage?symbol=BTC&min_apr=43.8'), { total: 2 });
  const large = '/v1/funding-arbitrage?symbol=BTC&min_apr=1&min_volume=';
  t.match(await read(`${large}1000001`), { total: 1, items: [{ apr_percent: 65.7 }] });
  t.match(await read(`${large}2000001`), { total: 0, items: [] });
  t.match(await read('/v1/funding-arbitrage?symbol=ZZZ'), { error: 'unknown_symbol' });
});

t.test('settled rates of an interval: of each exchange its sum, of all their means', async (t) => {
  const start = now - (now % day);
  const read = reader(three, ({ params }) => {
    const { keys = [], series } = Object(params);
    if (series === 'price') {
      const columns = { price: [100], turnover: [2_400] };
      return seriesReply('price', 8 * hour, keys, { 'perpetual/BTC': { times: [start], columns } });
    }
    if (series === 'taker-flow') {
      const rows = (buy: number | null, sell: number | null) => ({
        times: [start],
        columns: { buy_usd: [buy], sell_usd: [sell] },
      });
      return seriesReply('taker-flow', 8 * hour, keys, {
        'a/perpetual/BTC': rows(300, 100),
        'b/perpetual/BTC': rows(1_100, 100),
        'c/perpetual/BTC': rows(null, null),
      });
    }
    return seriesReply('funding', 8 * hour, keys, {
      'a/stable/BTC': {
        times: [start, start + 8 * hour],
        columns: { rate: [0.0004, 0.0001], hours: [8, 8] },
      },
      // Settled each hour: five of the eight.
      'b/stable/BTC': { times: [start], columns: { rate: [0.0005], hours: [5] } },
      'c/stable/BTC': { times: [start], columns: { rate: [null], hours: [4] } },
    });
  });
  const data = await read('/v1/funding-rates/vol-weighted-history?symbol=BTC');
  // (0.0004 x 400 + 0.0008 x 1,200) / 1,600 by the turnover of these hours; 2,400 a day are 800 in eight hours.
  sameRows(t, data.points)`
    timestamp           vol_weighted_rate_8h average_rate_8h weighted_count total_volume_usd exchange_count
    ${start}            0.0007               0.0006          2              800              2
    ${start + 8 * hour} 0.0001               0.0001          0              -                1
  `;
  // The coverage is that of the three keys together.
  t.match(data, { symbol: 'BTC', interval: '8h', count: 2 });
  t.match(data.coverage, { from: 1_000, to: 9_000, expected: 60, present: 4, complete: false });
  const one = await read('/v1/funding-rates/vol-weighted-history?symbol=BTC&limit=1');
  t.match(one, { count: 1, points: [{ timestamp: start + 8 * hour }] });
});

t.test('settled rates of an asset whose present rate is not known: without weights', async (t) => {
  const perpetuals = perpetualsOf([]);
  const row = derivativeRow({ market: 'BTC-P', funding_rate: null });
  perpetuals.accept('derivatives', reading([row]), now);
  const settled = { times: [now - (now % day)], columns: { rate: [0.0004], hours: [8] } };
  const reply: Replies = ({ params }) =>
    seriesReply('funding', 8 * hour, Object(params).keys, { 'a/stable/BTC': settled });
  const read = rowReader(fundingRoutes({ perpetuals, registry, clock: new FakeClock(now) }), {
    reply,
  });
  const { points } = await read('/v1/funding-rates/vol-weighted-history?symbol=BTC');
  t.match(points, [{ average_rate_8h: 0.0004, exchange_count: 1 }]);
});

t.test(
  'predicted rates over time: of each exchange for eight hours, mean and median',
  async (t) => {
    const times = [now - (now % hour) - 2 * hour, now - (now % hour) - hour];
    let asked: object = {};
    const read = reader(three, ({ params }) => {
      asked = params;
      return seriesReply('running-funding', hour, Object(params).keys, {
        'a/stable/BTC': { times, columns: { rate: [0.0001, 0.0002], hours: [8, 8] } },
        'b/stable/BTC': { times, columns: { rate: [0.0001, null], hours: [1, 1] } },
        'c/stable/BTC': { times: times.slice(0, 1), columns: { rate: [-0.0003], hours: [4] } },
      });
    });
    const path = '/v1/funding-rates/predicted-history?symbol=btc';
    const data = await read(path);
    t.match(asked, {
      series: 'running-funding',
      step: '1h',
      limit: 100,
      keys: ['a/stable/BTC', 'b/stable/BTC', 'c/stable/BTC'],
    });
    t.match(data, { symbol: 'BTC', interval: '1h', count: 2, coverage: { present: 5 } });
    t.strictSame(data.points, [
      {
        timestamp: times[0],
        average_rate_8h: 0.0001,
        median_rate_8h: 0.0001,
        exchange_count: 3,
        exchanges: { a: 0.0001, b: 0.0008, c: -0.0006 },
      },
      {
        timestamp: times[1],
        average_rate_8h: 0.0002,
        median_rate_8h: 0.0002,
        exchange_count: 1,
        exchanges: { a: 0.0002 },
      },
    ]);
  },
);

t.test('what a constant long paid: sums of days, and a year at that pace', async (t) => {
  const clock = new FakeClock(now);
  const settled = (count: number, rate: number) => {
    const times = Array.from({ length: count }, (_, i) => now - (count - 1 - i) * 8 * hour);
    return { times, columns: { rate: times.map(() => rate), hours: times.map(() => 8) } };
  };
  const read = reader(
    three,
    ({ params }) =>
      seriesReply('funding', hour, Object(params).keys, {
        // 30 days are 90 settlements, 7 days are 21.
        'a/stable/BTC': settled(90, 0.0001),
        'b/stable/BTC': settled(21, 0.0004),
      }),
    clock,
  );
  const data = await read('/v1/funding-rates/cumulative?symbol=BTC&range=7d');
  t.match(data, { symbol: 'BTC', range: '7d' });
  sameRows(t, data.exchanges.slice(0, 2))`
    exchange contract interval_hours settlements cumulative_1d cumulative_7d cumulative_30d cumulative_range annualized
    b        BTC-P    8              21          0.0012        0.0084        -              0.0084           0.438
    a        BTC-P    8              21          0.0003        0.0021        0.009          0.0021           0.1095
  `;
  t.match(data.exchanges[2], {
    exchange: 'c',
    settlements: 0,
    cumulative_range: null,
    annualized: null,
  });
  const last = { a: 0.0021, b: 0.0084, timestamp: now - (now % day) };
  t.strictSame([data.points.length, data.points.at(-1)], [8, last]);
  const month = await read('/v1/funding-rates/cumulative?symbol=BTC');
  t.match(month.exchanges, [{ exchange: 'a', settlements: 90 }, { cumulative_range: null }]);
  t.strictSame(month.points.at(-1), { a: 0.009, timestamp: last.timestamp });
  const known = { 'c/stable/BTC': settled(21, -0.0001) };
  const late = reader(
    three,
    ({ params }) => seriesReply('funding', hour, Object(params).keys, known),
    clock,
  );
  const { exchanges } = await late('/v1/funding-rates/cumulative?symbol=BTC&range=7d');
  t.match(
    exchanges,
    [{ exchange: 'c' }, { exchange: 'a' }, { exchange: 'b' }],
    'what is unknown is last, behind a loss too',
  );
});

t.test('before anything was received', async (t) => {
  const read = reader([]);
  const paths = ['funding-rates', 'funding-rates?symbol=BTC', 'funding-rates?symbols=BTC'];
  for (const path of [...paths, 'funding-arbitrage', 'funding-rates/vol-weighted'])
    t.match(await read(`/v1/${path}`), { error: 'warming_up' }, path);
});

t.test('pages and lists announce the changes of what is in them', async (t) => {
  const view = perpetualsOf([]);
  const row = (symbol: string): DerivativeRow => derivativeRow({ symbol });
  view.accept('derivatives', reading(['BTC', 'ETH', 'SOL'].map(row)), now);
  const rows = fundingRoutes({ perpetuals: view, registry: [], clock: new FakeClock(now) });
  const from = rows.find(({ path }) => path === '/v1/funding-rates')?.from;
  const told: string[] = [];
  const listen = (values: Record<string, string>, name: string) =>
    from !== undefined && 'listen' in from ? from.listen(values, () => told.push(name)) : null;
  listen({}, 'page');
  const end = listen({ symbols: 'btc,ETH' }, 'list');
  listen({ symbols: 'BTC,NEW' }, 'with an unknown one');
  listen({ symbols: ',' }, 'none');
  const later = { received: now + 1 };
  view.change('derivatives', reading([row('ETH')], later), now + 1);
  t.same(told.toSorted(), ['list', 'page']);
  told.length = 0;
  end?.();
  for (const symbol of ['SOL', 'BTC'])
    view.change('derivatives', reading([row(symbol)], later), now + 1);
  t.same(told.toSorted(), ['page', 'page', 'with an unknown one']);
  told.length = 0;
  view.accept('derivatives', reading([row('NEW')], { source: 'other' }), now);
  t.ok(told.includes('with an unknown one'), 'once there is such a symbol');
});
