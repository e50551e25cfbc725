import t, { type Test } from 'tap';
import { failed } from '../../../actors/failure.ts';
import type {
  DerivativeRow,
  Instrument,
  OpenInterestRow,
  PriceRow,
  Reading,
  RecordedAt,
  RecordedAtParams,
} from '../../../actors/topics/index.ts';
import { followRecorded } from '../../../http/recorded-feed.ts';
import { spreadOf } from '../../../http/routes/markets/common.ts';
import { marketTables } from '../../../http/routes/markets/index.ts';
import { priceChangeRoute } from '../../../http/routes/markets/price-change.ts';
import { rangeOf } from '../../../http/routes/markets/spot.ts';
import { Snapshot } from '../../../http/snapshots.ts';
import { InstrumentsView } from '../../../http/views/instruments.ts';
import { LiquidationsView } from '../../../http/views/liquidations.ts';
import { PerpetualsView } from '../../../http/views/perpetuals.ts';
import { PricesView } from '../../../http/views/prices.ts';
import { RecordedView } from '../../../http/views/recorded.ts';
import { TablesView } from '../../../http/views/tables.ts';
import { FakeClock } from '../../support/clock.ts';
import { sameAsDeclared } from '../../support/declared.ts';
import { answersOf, call, startServer } from '../../support/http.ts';
import { noQuotes } from '../../support/prices.ts';
import { askRow, fresh, frontQueries, queryBus } from '../../support/queries.ts';

const now = 1_700_000_000_000;

const reading = <Row>(source: string, part: string, rows: Row[]): Reading<Row> => ({
  ...{ source, part, asked: now, received: now, rows },
});
const price = (symbol: string, last: number, more: Partial<PriceRow> = {}): PriceRow => ({
  ...{ market: `${symbol}USDT`, kind: 'spot', symbol, quote: 'USDT', price: last, volume: 5e6 },
  ...{ change: 1, stated: null, ...noQuotes, ...more },
});
const perpetual = (symbol: string, last: number, more: Partial<PriceRow> = {}): PriceRow =>
  price(symbol, last, { kind: 'perpetual', market: `${symbol}-P`, ...more });
const derivative = (symbol: string, rate: number, hours = 8): DerivativeRow => ({
  ...{ market: `${symbol}-P`, symbol, quote: 'USDT', mark: 100, index: 99, funding_rate: rate },
  ...{ funding_hours: hours, funding_rate_8h: null, next_funding: now + 1, stated: null },
});
const interest = (symbol: string, value: number): OpenInterestRow => ({
  ...{ market: `${symbol}-P`, symbol, quote: 'USDT', units: value / 100, value, mark: 100 },
  stated: null,
});
const instrument = (symbol: string, more: Partial<Instrument> = {}): Instrument => ({
  ...{ market: `${symbol}USDT`, kind: 'spot', symbol, quote: 'USDT', scale: 1, contract: 1 },
  ...{ inverse: false, funding_hours: null, ...more },
});

const registry = ['a', 'b', 'c', 'd'].map((id) => ({ id, kinds: ['spot', 'perpetual'] }));

/** Three exchanges: BTC costs 100, 102 and, on c, 150, which is another asset. */
async function setUp(t: Test, isFilled = true) {
  const prices = new PricesView();
  const perpetuals = new PerpetualsView(prices);
  const instruments = new InstrumentsView();
  const recorded = new RecordedView(() => tables.touch());
  const liquidations = new LiquidationsView(new Map([['a', ['linear']]]), now);
  const tables = new TablesView({ prices, perpetuals, instruments, recorded, liquidations });
  const accept = (source: string, rows: PriceRow[]) => {
    for (const kind of ['spot', 'perpetual'] as const) {
      const part = reading(
        source,
        kind,
        rows.filter((row) => row.kind === kind),
      );
      prices.accept(part, now);
      perpetuals.accept('prices', part, now);
    }
  };
  if (isFilled) {
    accept('a', [
      price('BTC', 100, { bid: 99, ask: 101, high: 110, low: 90, base: 5e4, change: 2 }),
      price('ETH', 10, { volume: 1e6, change: -4 }),
      price('NEW', 1, { change: null }),
      price('DUST', 1, { volume: 10, change: 900 }),
      perpetual('BTC', 100, { volume: 3e7, change: 2 }),
    ]);
    accept('b', [
      price('BTC', 102, { volume: 15e6, change: -2, high: 105, low: 95 }),
      price('BTC', 101, { market: 'BTCUSDC-', volume: null }),
      perpetual('BTC', 104, { volume: 1e7, change: -2 }),
      perpetual('ETH', 10, { volume: 2e6, change: 7 }),
    ]);
    accept('c', [price('BTC', 150, { volume: 1e6, change: 50 })]);
    accept('d', [price('NIL', 1, { volume: 0 })]);
    perpetuals.accept('derivatives', reading('a', 'perpetual', [derivative('BTC', 0.0001)]), now);
    const rates = [derivative('BTC', 0.0005, 4), derivative('ETH', -0.0001)];
    perpetuals.accept('derivatives', reading('b', 'perpetual', rates), now);
    perpetuals.accept('openInterest', reading('a', 'perpetual', [interest('BTC', 6e6)]), now);
    const inverse = instrument('ETH', { market: 'ETH-P', kind: 'perpetual', inverse: true });
    perpetuals.accept('instruments', reading('b', 'perpetual', [inverse]), now);
    const open = [interest('BTC', 1e6), interest('ETH', 8e6)];
    perpetuals.accept('openInterest', reading('b', 'perpetual', open), now);
    instruments.accept(
      reading('a', 'spot', [
        instrument('ETH'),
        instrument('BTC'),
        instrument('EUR', { quote: 'EUR' }),
      ]),
      now,
    );
    instruments.accept(
      reading('b', 'spot', [instrument('BTC'), instrument('X', { kind: 'other' })]),
      now,
    );
  }
  tables.expire(now);
  const server = await startServer(marketTables({ tables, registry, clock: new FakeClock(now) }));
  t.teardown(server.end);
  const get = async (path: string) => {
    const { status, text } = await call(`${server.url}/v1/${path}`);
    return { ...JSON.parse(text), status };
  };
  return { get, url: `${server.url}/v1/`, tables, recorded, liquidations };
}

/** A reply to `seriesAt`: columns of values by key. */
const recordedAt = (
  series: RecordedAt['series'],
  byKey: Record<string, Record<string, (number | null)[]>>,
): RecordedAt => {
  const keys = Object.keys(byKey);
  const names = Object.keys(Object.values(byKey)[0] ?? {});
  const times = Object.values(byKey)[0]?.[names[0] ?? ''] ?? [];
  const column = (name: string) =>
    times.map((_, at) => keys.map((key) => byKey[key]?.[name]?.[at] ?? null));
  const columns = Object.fromEntries(names.map((name) => [name, column(name)]));
  return { series, times: times.map(() => now), keys, columns, recorded_from: 0 };
};

/** What the history answers; the newest time first, but for options. */
const recordedReplies: Partial<Record<RecordedAt['series'], RecordedAt>> = {
  price: recordedAt('price', {
    'spot/BTC': { price: [101, 100] },
    'perpetual/BTC': { price: [110, 100] },
    'perpetual/ETH': { price: [5, null] },
  }),
  'open-interest': recordedAt('open-interest', {
    'a/stable/BTC': { usd: [60, 50, null] },
    'a/coin/BTC': { usd: [null, 9, 9] },
    'b/stable/BTC': { usd: [30, 40, 15] },
  }),
  'taker-flow': recordedAt('taker-flow', {
    'binance/spot/BTC': { buy_usd: [...Array(23).fill(2), null], sell_usd: Array(24).fill(1) },
    'binance/spot/ETH': { buy_usd: [...Array(22).fill(2), null, null], sell_usd: Array(24) },
  }),
  'account-ratio': recordedAt('account-ratio', { 'binance/BTC': { long: [0.75], short: [0.25] } }),
};

t.test('a spread needs both sides, a range is in dollars', async (t) => {
  const counted = [
    { row: { high: 10, low: null }, rate: 2 },
    { row: { high: 30, low: 4 }, rate: 0.5 },
  ];
  t.strictSame(rangeOf({ counted } as never), { high_24h: 20, low_24h: 2 });
  t.same([spreadOf(99, 101), spreadOf(null, 101), spreadOf(99, null)], [2, null, null]);
});

t.test('before any reading there are no markets', async (t) => {
  const { get: empty, tables: cold } = await setUp(t, false);
  t.match(await empty('spot/supported-coins'), { status: 502 });
  const rows = marketTables({ tables: cold, registry, clock: new FakeClock(now) });
  for (const { path, from } of rows)
    if ('view' in from && path !== '/v1/spot/supported-coins')
      t.match(await empty(path.slice(4)), { status: 503, code: 'warming_up' }, path);
});

t.test('answers of the tables', async (t) => {
  const { url } = await setUp(t);
  const answers = await answersOf(url, [
    ...['spot/supported-coins', 'spot/pairs-markets', 'spot/pairs-markets?symbol=btc&exchange=a'],
    ...['spot/pairs-markets?symbol=BTC-USDT&limit=2', 'spot/volume?limit=2', 'spot/coins-markets'],
    ...['spot/volume?exchange=a', 'spot/coins-markets?exchange=c', 'futures/pairs-markets'],
    ...['futures/coins-markets', 'futures/coins-markets?exchange=b&symbol=BTC', 'spot/losers'],
    ...['futures/exchange-rank', 'spot/gainers', 'spot/gainers?exchange=a', 'spot/losers?limit=1'],
    ...['spot/gainers?exchange=a&min_volume=0', 'futures/gainers', 'overview', 'overview?limit=1'],
    ...[
      'overview?symbol=new',
      'spot/coins-markets?exchange=d',
      'futures/exchange-rank?limit=1',
      'futures/losers',
      'spot/pairs-markets?symbol=XYZ',
      'spot/coins-markets?symbol=ETH&exchange=b',
      'futures/pairs-markets?exchange=c',
      'overview?symbol=XYZ',
    ],
  ]);
  sameAsDeclared(t, 'tables', answers);
});

t.test('every answer about an asset has the same change of 24 hours', async (t) => {
  const { get, tables } = await setUp(t);
  // (2 x 5 - 2 x 15 + 2 x 30 - 2 x 10) / 60 of the markets near 102; ETH: (-4 x 1 + 7 x 2) / 3.
  const same = { BTC: 1 / 3, ETH: 10 / 3 };
  const paths = [
    ...['spot/coins-markets', 'futures/coins-markets', 'overview'],
    ...['spot/gainers?min_volume=0', 'futures/gainers?min_volume=0'],
  ];
  const near = (found: number, wanted: number, path: string) =>
    t.ok(Math.abs(found - wanted) < 1e-9, `${path}: ${found}`);
  for (const path of paths) {
    const { items } = (await get(path)).data;
    for (const [symbol, wanted] of Object.entries(same)) {
      const item = items.find((one: { symbol: string }) => one.symbol === symbol);
      near(item.price_change_24h_percent, wanted, `${path} ${symbol}`);
      t.equal(item.price_change_24h_basis, 'asset', path);
    }
  }
  const [btc] = (await get('overview?symbol=BTC')).data.items;
  near(btc.price_change_24h_percent, 1 / 3, 'overview of one');
  const clock = new FakeClock(now);
  const bus = queryBus(({ params }) => {
    const { times } = params as RecordedAtParams;
    const columns = { price: times.map((_, i) => [100 + i]) };
    const keys = ['perpetual/BTC'];
    return fresh({ series: 'price', times, keys, columns, recorded_from: 0 }, clock);
  });
  const values = { limit: 1, sort: '24h', order: 'desc' };
  const ranked = await askRow(
    priceChangeRoute({ clock, tables }),
    values,
    frontQueries(bus, clock),
  );
  if (!(ranked instanceof Snapshot)) throw new Error('there is no answer');
  const [first] = JSON.parse(ranked.at(now).toString()).data.items;
  near(first.price_change_percent_24h, 1 / 3, 'futures/coins-price-change');
  t.equal(first.price_change_24h_basis, 'asset');
  for (const path of ['spot/pairs-markets', 'futures/pairs-markets', 'spot/volume'])
    t.equal((await get(path)).data.price_change_24h_basis, 'market', path);
  const [own] = (await get('futures/coins-markets?exchange=b&symbol=BTC')).data.items;
  t.match(own, { price_change_24h_percent: -2, price_change_24h_basis: 'exchange' });
});

t.test('an asset moves where no market states its change and it is recorded', async (t) => {
  const { get, tables, recorded } = await setUp(t);
  const movers = async () => (await get('spot/gainers')).data.items;
  t.notOk((await movers()).some((one: { symbol: string }) => one.symbol === 'NEW'));
  for (const question of recorded.questions()) {
    const { params, accept } = question(now);
    const reply = recordedAt('price', { 'spot/NEW': { price: [120, 110, 100] } });
    if (params.series === 'price') accept(reply, now);
  }
  tables.expire(now);
  t.match(await movers(), [
    { symbol: 'NEW', price_change_24h_percent: 20, price_change_24h_basis: 'recorded' },
  ]);
});

t.test(
  'recorded changes, takers, accounts, liquidations; null when they are too old',
  async (t) => {
    const { get, url, tables, recorded, liquidations } = await setUp(t);
    for (const question of recorded.questions()) {
      const { params, accept } = question(now);
      const reply = recordedReplies[params.series];
      if (reply) accept(reply, now);
    }
    const event = {
      ...{ contract: 'BTC-P', symbol: 'BTC', price: 100, price_kind: 'fill' as const },
      ...{ quantity_base: 1, timestamp: now },
    };
    const events = [
      { ...event, side: 'long' as const, value_usd: 70 },
      { ...event, side: 'short' as const, value_usd: 30 },
    ];
    liquidations.accept({ source: 'a', part: 'linear', at: now, since: now - 1, events });
    const at = (time: number) => {
      for (const view of [recorded, liquidations, tables]) view.expire(time);
    };
    at(now);
    const paths = [
      'futures/coins-markets',
      'futures/coins-markets?exchange=b&symbol=BTC',
      'overview',
    ];
    const more = ['spot/coins-markets', 'overview?symbol=btc', 'futures/exchange-rank'];
    sameAsDeclared(t, 'tables-recorded', await answersOf(url, [...paths, ...more]));
    const ratios = { symbol: 'BTC', long_short_ratio: 3, long_short_ratio_basis: 'binance' };
    for (const path of ['futures/coins-markets?symbol=BTC', 'overview?symbol=BTC'])
      t.match((await get(path)).data.items, [ratios], path);
    at(now + 900_000);
    t.equal(recorded.accountRatio('BTC'), 3);
    at(now + 900_001);
    t.same([recorded.priceChange('spot', 'BTC'), recorded.accountRatio('BTC')], [null, null]);
  },
);

t.test(
  'recorded series are asked for again when their answer ends, and after a failure',
  async (t) => {
    const clock = new FakeClock(now);
    const view = new RecordedView();
    const asked: string[] = [];
    const bus = {
      query: async ({ params }: { params: object }) => {
        const series = 'series' in params ? String(params.series) : '';
        asked.push(series);
        const value = recordedReplies[series as RecordedAt['series']];
        const until = clock.now() + 60_000;
        return value
          ? ({ ok: true, value: { value, received: clock.now(), until } } as never)
          : failed('unavailable', '');
      },
    };
    const following = followRecorded(view, { bus, clock, random: () => 0.5 });
    const count = () => asked.splice(0).toSorted();
    await clock.advance(0);
    t.equal(count().length, 5);
    view.expire(clock.now());
    t.ok(Math.abs((view.priceChange('spot', 'BTC') ?? 0) - 1) < 1e-9);
    await clock.advance(10_999);
    t.strictSame(count(), []);
    await clock.advance(1);
    t.strictSame(count(), ['options-open-interest'], 'that has failed');
    await clock.advance(49_999);
    t.equal(count().filter((one) => one !== 'options-open-interest').length, 0);
    await clock.advance(1);
    t.equal(count().filter((one) => one !== 'options-open-interest').length, 4);
    following.stop();
    const told: string[] = [];
    const question = () => ({ params: { series: 'price' }, accept: () => told.push('late') });
    followRecorded({ questions: () => [question] } as never, {
      bus,
      clock,
      random: () => 0,
    }).stop();
    await clock.advance(0);
    t.strictSame([told, count().length], [[], 1], 'a reply after the end');
    await clock.advance(600_000);
    t.strictSame(count(), []);
  },
);
