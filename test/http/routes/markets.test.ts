import t, { type Test } from 'tap';
import { failed } from '../../../actors/failure.ts';
import type {
  DerivativeRow,
  Instrument,
  OpenInterestRow,
  PriceRow,
  Reading,
  RecordedAt,
} from '../../../actors/topics/index.ts';
import { followRecorded } from '../../../http/recorded-feed.ts';
import { spreadOf } from '../../../http/routes/markets/common.ts';
import { marketTables } from '../../../http/routes/markets/index.ts';
import { InstrumentsView } from '../../../http/views/instruments.ts';
import { LiquidationsView } from '../../../http/views/liquidations.ts';
import { PerpetualsView } from '../../../http/views/perpetuals.ts';
import { PricesView } from '../../../http/views/prices.ts';
import { RecordedView } from '../../../http/views/recorded.ts';
import { TablesView } from '../../../http/views/tables.ts';
import { FakeClock } from '../../support/clock.ts';
import { call, startServer } from '../../support/http.ts';
import { noQuotes } from '../../support/prices.ts';

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

const registry = ['a', 'b', 'c'].map((id) => ({ id, kinds: ['spot', 'perpetual'] }));

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
    perpetuals.accept('derivatives', reading('a', 'perpetual', [derivative('BTC', 0.0001)]), now);
    const rates = [derivative('BTC', 0.0005, 4), derivative('ETH', -0.0001)];
    perpetuals.accept('derivatives', reading('b', 'perpetual', rates), now);
    perpetuals.accept('openInterest', reading('a', 'perpetual', [interest('BTC', 6e6)]), now);
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
  return { get, tables, accept, recorded, liquidations };
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

t.test('supported coins: spot against dollars, by name', async (t) => {
  const { get } = await setUp(t);
  t.strictSame((await get('spot/supported-coins')).data, {
    count: 2,
    coins: [
      { symbol: 'BTC', exchange_count: 2, exchanges: ['a', 'b'] },
      { symbol: 'ETH', exchange_count: 1, exchanges: ['a'] },
    ],
  });
});

t.test('spot pairs: by turnover, those without one left out', async (t) => {
  const { get } = await setUp(t);
  const { data } = await get('spot/pairs-markets');
  t.strictSame(
    data.items.map((row: Record<string, unknown>) => `${row.exchange} ${row.pair}`),
    ['b BTCUSDT', 'a BTCUSDT', 'a NEWUSDT', 'a ETHUSDT', 'c BTCUSDT', 'a DUSTUSDT'],
  );
  t.strictSame((await get('spot/pairs-markets?symbol=btc&exchange=a')).data, {
    count: 1,
    items: [
      {
        ...{ exchange: 'a', pair: 'BTCUSDT', symbol: 'BTC', quote: 'USDT', price: 100 },
        ...{ bid: 99, ask: 101, spread_percent: 2, price_change_24h_percent: 2 },
        ...{ volume_24h_base: 50_000, volume_24h_usd: 5e6, high_24h: 110, low_24h: 90 },
        updated_at: now,
      },
    ],
  });
  t.equal((await get('spot/pairs-markets?limit=2')).data.count, 2);
  t.equal((await get('spot/pairs-markets?symbol=BTC-USDT')).data.count, 3, 'a pair names its base');
});

t.test('a spread needs both sides', async (t) => {
  t.same([spreadOf(99, 101), spreadOf(null, 101), spreadOf(99, null)], [2, null, null]);
});

t.test('what is not there is an error that names it', async (t) => {
  const { get } = await setUp(t);
  const cases = [
    ['spot/pairs-markets?symbol=XYZ', 404, "unknown symbol 'XYZ'"],
    ['spot/coins-markets?symbol=ETH&exchange=b', 404, "unknown symbol 'ETH' for b"],
    ['futures/pairs-markets?exchange=c', 503, 'there is no fresh reading of c yet'],
    ['overview?symbol=XYZ', 404, "unknown symbol 'XYZ'"],
    ['spot/volume?exchange=nosuch', 400, /exchange/],
    ['futures/coins-markets?limit=501', 400, /limit/],
  ] as const;
  for (const [path, status, message] of cases) t.match(await get(path), { status, message }, path);
  const { get: empty, tables: cold } = await setUp(t, false);
  t.match(await empty('spot/supported-coins'), { status: 502 });
  const rows = marketTables({ tables: cold, registry, clock: new FakeClock(now) });
  for (const { path, from } of rows)
    if ('view' in from && path !== '/v1/spot/supported-coins')
      t.match(await empty(path.slice(4)), { status: 503, code: 'warming_up' }, path);
});

t.test('volume: ranks and shares of all pairs', async (t) => {
  const { get } = await setUp(t);
  const { data } = await get('spot/volume?limit=2');
  t.match(data, {
    ...{ total_volume_24h_usd: 27_000_010, count: 2 },
    items: [
      { rank: 1, exchange: 'b', pair: 'BTCUSDT', volume_24h_usd: 15e6, share: 0.555555349794 },
      { rank: 2, exchange: 'a', price: 100 },
    ],
  });
});

t.test('spot coins: means by turnover, without the price far from the median', async (t) => {
  const { get } = await setUp(t);
  const { data } = await get('spot/coins-markets?symbol=BTC');
  t.match(data.items, [
    {
      ...{ symbol: 'BTC', price: (100 * 5 + 102 * 15) / 20, price_change_24h_percent: -1 },
      ...{ volume_24h_usd: 20e6, exchange_count: 2, high_24h: 110, low_24h: 90 },
      ...{ price_change_1h_percent: null, buy_volume_24h_usd: null },
      volume_share: 0.769230473373,
    },
  ]);
  const all = (await get('spot/coins-markets')).data.items;
  t.strictSame(
    all.map((row: { symbol: string }) => row.symbol),
    ['BTC', 'NEW', 'ETH', 'DUST'],
  );
  const one = (await get('spot/coins-markets?exchange=c')).data.items;
  t.match(one, [{ symbol: 'BTC', price: 150, volume_share: 1 }]);
});

t.test('perpetuals: one row a contract', async (t) => {
  const { get } = await setUp(t);
  t.strictSame((await get('futures/pairs-markets?exchange=b&symbol=BTC')).data.items, [
    {
      ...{ exchange: 'b', contract: 'BTC-P', symbol: 'BTC', quote: 'USDT', margin_type: 'linear' },
      ...{ price: 104, mark_price: 100, index_price: 99, price_change_24h_percent: -2 },
      ...{ volume_24h_usd: 1e7, open_interest_usd: 1e6, open_interest_base: 1e4 },
      ...{ funding_rate: 0.0005, funding_interval_hours: 4, funding_rate_8h: 0.001 },
      ...{ next_funding_time: now + 1, updated_at: now },
    },
  ]);
});

t.test('futures coins: by open interest, funding by turnover', async (t) => {
  const { get } = await setUp(t);
  const { data } = await get('futures/coins-markets');
  t.match(data.items, [
    { symbol: 'ETH', open_interest_usd: 8e6, volume_24h_usd: 2e6, oi_volume_ratio: 4 },
    {
      ...{ symbol: 'BTC', price: 101, price_change_24h_percent: 1, open_interest_usd: 7e6 },
      ...{ funding_rate_8h: 0.000325, exchange_count: 2, liquidation_usd_24h: null },
      open_interest_change_1h_percent: null,
    },
  ]);
});

t.test(
  'what is recorded: changes, takers, accounts, liquidations; null when it is too old',
  async (t) => {
    const { get, tables, recorded, liquidations } = await setUp(t);
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
    const [eth, btc] = (await get('futures/coins-markets')).data.items;
    t.match(btc, {
      ...{ open_interest_change_1h_percent: 0, open_interest_change_24h_percent: null },
      ...{ liquidation_usd_24h: 100, long_liquidation_usd_24h: 70, long_short_ratio: 3 },
    });
    t.ok(Math.abs(btc.price_change_1h_percent - 10) < 1e-9);
    t.match(eth, { price_change_1h_percent: null, liquidation_usd_24h: 0, long_short_ratio: null });
    const [onB] = (await get('futures/coins-markets?exchange=b&symbol=BTC')).data.items;
    t.match(onB, {
      ...{ open_interest_change_1h_percent: -25, open_interest_change_24h_percent: 100 },
      ...{ liquidation_usd_24h: null, long_short_ratio: null },
    });
    const [spot] = (await get('spot/coins-markets?symbol=BTC')).data.items;
    t.match(spot, { price_change_1h_percent: 1, buy_volume_24h_usd: 46, sell_volume_24h_usd: 24 });
    const [few] = (await get('spot/coins-markets?symbol=ETH')).data.items;
    t.match(few, { buy_volume_24h_usd: null, sell_volume_24h_usd: null });
    t.match((await get('overview?symbol=btc')).data.items, [
      { price_change_1h_percent: 1, long_short_ratio: 3, short_liquidation_usd_24h: 30 },
    ]);
    t.match((await get('futures/exchange-rank')).data.items, [
      { exchange: 'b', liquidation_usd_24h: null },
      { exchange: 'a', liquidation_usd_24h: 100 },
    ]);
    at(now + 900_000);
    t.equal(recorded.accountRatio('BTC'), 3);
    at(now + 900_001);
    t.equal(recorded.priceChange('spot', 'BTC'), null);
    t.equal(recorded.accountRatio('BTC'), null);
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
    const following = followRecorded(view, { bus, clock, random: () => 0 });
    const count = () => asked.splice(0).toSorted();
    await clock.advance(0);
    t.equal(count().length, 5);
    view.expire(clock.now());
    t.ok(Math.abs((view.priceChange('spot', 'BTC') ?? 0) - 1) < 1e-9);
    await clock.advance(10_000);
    t.strictSame(count(), ['options-open-interest'], 'that has failed');
    await clock.advance(50_000);
    t.equal(count().filter((one) => one !== 'options-open-interest').length, 4);
    following.stop();
    await clock.advance(600_000);
    t.strictSame(count(), []);
  },
);

t.test('exchanges by open interest, with shares', async (t) => {
  const { get } = await setUp(t);
  t.match((await get('futures/exchange-rank')).data.items, [
    { rank: 1, exchange: 'b', open_interest_usd: 9e6, pairs: 2, oi_share: 0.6 },
    { rank: 2, exchange: 'a', volume_24h_usd: 3e7, oi_share: 0.4, oi_volume_ratio: 0.2 },
  ]);
});

t.test('gainers and losers: one row an asset, that of its most traded market', async (t) => {
  const { get } = await setUp(t);
  const symbols = async (path: string) =>
    (await get(path)).data.items.map(
      (row: Record<string, unknown>) =>
        `${row.symbol} ${row.exchange} ${row.price_change_24h_percent}`,
    );
  t.strictSame(await symbols('spot/gainers'), []);
  t.strictSame(await symbols('spot/gainers?exchange=a'), ['BTC a 2']);
  t.strictSame(await symbols('spot/gainers?exchange=a&min_volume=0'), ['DUST a 900', 'BTC a 2']);
  t.strictSame(await symbols('spot/losers'), ['ETH a -4', 'BTC b -2']);
  t.strictSame(await symbols('spot/losers?limit=1'), ['ETH a -4']);
  t.strictSame(await symbols('futures/gainers'), ['ETH b 7', 'BTC a 2']);
  t.match((await get('futures/gainers')).data.items[1], { market: 'BTC-P', price: 100, rank: 2 });
});

t.test('overview: the largest open interest, or one asset', async (t) => {
  const { get } = await setUp(t);
  const { data } = await get('overview?limit=1');
  t.match(data, {
    ...{ total_open_interest_usd: 15e6, total_futures_volume_24h_usd: 42e6, count: 1 },
    items: [{ symbol: 'ETH', price: 10, spot_volume_24h_usd: 1e6, open_interest_usd: 8e6 }],
  });
  t.match((await get('overview?symbol=new')).data.items, [
    { symbol: 'NEW', futures_volume_24h_usd: null, funding_rate_8h: null, spot_exchange_count: 1 },
  ]);
});

t.test('readings change the tables at the next tick, once', async (t) => {
  const { get, tables, accept } = await setUp(t);
  const priceOf = async () => (await get('spot/pairs-markets?exchange=c')).data.items[0].price;
  t.equal(await priceOf(), 150);
  accept('c', [price('BTC', 151)]);
  tables.touch();
  t.equal(await priceOf(), 150);
  tables.expire(now + 1_000);
  t.equal(await priceOf(), 151);
  tables.expire(now + 10_999);
  t.equal(await priceOf(), 151);
  tables.expire(now + 400_000);
  t.match(await get('spot/pairs-markets'), { status: 503 }, 'too old');
});
