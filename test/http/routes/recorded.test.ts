/** What rows make of recorded series: open interest, liquidations and order books over time, and footprints. */
import t from 'tap';
import { footprintRoutes } from '../../../http/routes/analytics/footprint.ts';
import { interestHistoryRoutes } from '../../../http/routes/analytics/interest-history.ts';
import { liquidationHistoryRoutes } from '../../../http/routes/liquidations/liquidation-history.ts';
import { LiquidationsView } from '../../../http/views/liquidations.ts';
import { FakeClock } from '../../support/clock.ts';
import { perpetualsOf, recordedReplies, seriesReply } from '../../support/http-makers.ts';
import { now } from '../../support/makers.ts';
import { contextFor, views } from '../../support/route-stage.ts';
import { type Replies, rowReader } from '../../support/row-reader.ts';
import { likeRows, sameRows } from '../../support/table.ts';

const [minute, hour] = [60_000, 3_600_000];
/** The start of the hour that runs. */
const last = now - (now % hour);
const times = [last - 2 * hour, last - hour, last];

const registry = ['a', 'b'].map((id) => ({ id, kinds: ['perpetual'] }));
const perpetuals = perpetualsOf([
  { source: 'a' },
  { source: 'a', market: 'BTC-C', inverse: true },
  { source: 'b' },
]);

const interest = recordedReplies(hour, {
  'open-interest': {
    'a/stable/BTC': { times, columns: { usd: [100, 120, 90], base: [2, 2.5, 1.5] } },
    // The second hour is missing: what was before stands for it.
    'a/coin/BTC': { times, columns: { usd: [30, null, 40], base: [0.7, null, 0.9] } },
    'b/stable/BTC': { times: times.slice(0, 2), columns: { usd: [50, 45], base: [1, null] } },
  },
  price: { 'perpetual/BTC': { times, columns: { price: [51, null, 52] } } },
});
const readInterest = rowReader(
  interestHistoryRoutes({ perpetuals, registry, clock: new FakeClock(now) }),
  { reply: interest },
);

t.test('open interest over time: sums by margin, changes of what both times have', async (t) => {
  const data = await readInterest('/v1/open-interest/aggregated-history?symbol=btc');
  t.match(data, {
    symbol: 'BTC',
    interval: '1h',
    count: 3,
    coverage: { expected: 60, present: 8 },
  });
  t.match(data.coverage_by_exchange, { a: { expected: 40, present: 6 }, b: { present: 2 } });
  const first = { change_usd: null, change_percent: null, stablecoin_margin_usd: 150 };
  t.match(data.points[0], { open_interest_usd: 180, coin_margin_usd: 30, price: 51, ...first });
  sameRows(t, data.points.slice(1))`
    timestamp      open_interest_usd change_usd change_percent stablecoin_margin_usd coin_margin_usd price exchange_count carried closed
    // 120 + 30 + 45 after 100 + 30 + 50: 15 of 180.
    ${last - hour} 195               15         8.33333333333  165                   30              -     2              1       true
    // 90 + 40, and 45 that are carried on.
    ${last}        175               -20        -10.2564102564 135                   40              52    2              1       false
  `;
});

t.test('open interest of one margin, and of each exchange in columns', async (t) => {
  const data = await readInterest('/v1/open-interest/stablecoin-margin-history?symbol=BTC&limit=2');
  t.strictSame(data.points, [
    {
      timestamp: last - hour,
      open_interest_usd: 165,
      open_interest_base: null,
      exchange_count: 2,
      carried: 0,
      closed: true,
      exchanges: { a: 120, b: 45 },
    },
    {
      timestamp: last,
      open_interest_usd: 135,
      open_interest_base: null,
      exchange_count: 2,
      carried: 1,
      closed: false,
      exchanges: { a: 90, b: 45 },
    },
  ]);
  const coin = await readInterest('/v1/open-interest/coin-margin-history?symbol=BTC');
  const found = coin.points.map((one: Record<string, unknown>) => one.open_interest_base);
  t.strictSame(found, [0.7, 0.7, 0.9]);
  const chart = await readInterest('/v1/open-interest/exchange-history-chart?symbol=BTC');
  t.match(chart, { timestamps: times, prices: [51, null, 52] });
  t.strictSame(chart.exchanges, { a: [130, 150, 130], b: [50, 45, 45] });
  const one = await readInterest('/v1/open-interest/exchange-history-chart?symbol=BTC&exchange=b');
  t.strictSame(one.exchanges, { b: [50, 45] });
  const none = await readInterest('/v1/open-interest/coin-margin-history?symbol=BTC&exchange=b');
  t.match(none, { error: 'unknown_symbol' });
});

t.test('an exchange without a value at a time is named', async (t) => {
  const old = [last - 9 * hour, last];
  const reply = recordedReplies(hour, {
    'open-interest': {
      'a/stable/BTC': { times: old, columns: { usd: [100, 110], base: [2, 3] } },
      'b/stable/BTC': { times: [last], columns: { usd: [50], base: [1] } },
    },
  });
  const context = { perpetuals, registry, clock: new FakeClock(last + hour) };
  const read = rowReader(interestHistoryRoutes(context), { reply });
  const data = await read('/v1/open-interest/aggregated-history?symbol=BTC');
  t.match(data.points[0], { missing_exchanges: ['b'], exchange_count: 1 });
  // 110 after 100; the 50 were not recorded before, so that the sums do not compare in dollars.
  t.match(data.points.at(-1), { change_usd: null, change_percent: 10, closed: true });
  t.notOk('missing_exchanges' in data.points.at(-1));
});

t.test(
  'liquidations over time: sums of each exchange and of all, and what was received',
  async (t) => {
    const liquidations = new LiquidationsView(
      new Map([
        ['a', ['linear']],
        ['b', ['linear']],
      ]),
      now,
    );
    const context = { ...contextFor(views), liquidations, perpetuals, clock: new FakeClock(now) };
    const reply = recordedReplies(hour, {
      liquidations: {
        'a/BTC': {
          times,
          columns: { long_usd: [30, 0, 7], short_usd: [20, 5, 8], count: [3, 1, 2] },
        },
        'b/BTC': {
          times: [last - hour, last],
          columns: { long_usd: [0, 2], short_usd: [0, 1], count: [0, null] },
        },
      },
      'liquidation-feeds': {
        'a/linear': { times, columns: { heard_ms: [3_600_000, 1_800_000, 600_000] } },
        'b/linear': { times: [last - hour, last], columns: { heard_ms: [900_000, null] } },
      },
    });
    const read = rowReader(liquidationHistoryRoutes(context), { reply });
    const data = await read('/v1/liquidations/aggregated-history?symbol=BTC');
    const none = { long_usd: 0, short_usd: 0 };
    t.strictSame(data.points, [
      {
        timestamp: times[0],
        long_usd: 30,
        short_usd: 20,
        total_usd: 50,
        order_count: 3,
        exchanges: { a: { long_usd: 30, short_usd: 20 } },
      },
      {
        timestamp: times[1],
        long_usd: 0,
        short_usd: 5,
        total_usd: 5,
        order_count: 1,
        exchanges: { a: { long_usd: 0, short_usd: 5 }, b: none },
      },
      {
        timestamp: times[2],
        long_usd: 9,
        short_usd: 9,
        total_usd: 18,
        order_count: null,
        exchanges: { a: { long_usd: 7, short_usd: 8 }, b: { long_usd: 2, short_usd: 1 } },
      },
    ]);
    // From 1,000 to 9,000 and an hour more: 60 minutes of two streams; 60 + 30 + 10 + 15 of them were received.
    likeRows(t, data.coverage)`
      from  to        expected present complete
      1_000 3_609_000 120      115     true
    `;
  },
);

/** A footprint of Binance at 150 s after a bar of five minutes has begun. */
const start = 1_750_000_200_000;

t.test(
  'a footprint: trades by level, and candles spread over theirs for the other minutes',
  async (t) => {
    const clock = new FakeClock(start + 150_000);
    const candle = (at: number, low: number, high: number, close: number) => ({
      timestamp: start + at * minute,
      open: low,
      high,
      low,
      close,
      buy_base: 4,
      sell_base: 2,
      buy_usd: null,
      sell_usd: null,
    });
    const reply: Replies = ({ name, params }) => {
      if (name === 'takerCandles') {
        // The minute of the trades is there as a candle too, which does not count.
        return {
          market: 'M',
          points: [candle(0, 100, 101, 100), candle(1, 1, 999, 5), candle(2, 103, 103, 103)],
        };
      }
      const columns = {
        open: [101],
        high: [102],
        low: [101],
        close: [102],
        step: [1],
        first: [101],
        buy_base_0: [5],
        sell_base_0: [1],
        buy_usd_0: [505],
        sell_usd_0: [101],
        buy_base_1: [7],
        sell_base_1: [3],
        buy_usd_1: [714],
        sell_usd_1: [306],
      };
      const { keys } = Object(params);
      return seriesReply('footprint', minute, keys, {
        'binance/BTCUSDT': { times: [start + minute], columns },
      });
    };
    const found = { market: 'BTCUSDT', symbol: 'BTC', exchange: 'binance' };
    const context = { ...contextFor(views), clock };
    Object.assign(context, { markets: { resolve: () => found } });
    const rows = footprintRoutes(context);
    const read = rowReader(rows, { reply, clock });
    const data = await read('/v1/futures/footprint?symbol=BTC&interval=5m&limit=1&step=1');
    t.match(data, { symbol: 'BTC', exchange: 'binance', step: 1, method: 'klines_1m', count: 1 });
    // Of the two whole minutes one has trades.
    likeRows(t, data.coverage)`
      from     to             expected present complete
      ${start} ${clock.now()} 2        1       false
    `;
    const [{ levels, ...bar }] = data.bars;
    sameRows(t, bar)`
      timestamp open high low close volume_base buy_base sell_base delta_base
      ${start}  100  103  100 103   28          20       8         12 // 4 + (5 + 7) + 4 bought, 2 + (1 + 3) + 2 sold.

      poc_price value_area_high value_area_low trade_minutes candle_minutes missing_minutes method
      // 10 at 102 and 9 at 101 are less than 70 % of 28, so that 103 is within as well.
      102       103             101            1             2              0               mixed
    `;
    // A candle without dollars counts at its close: 4 x 100 and 2 x 100, half of it in each of its two levels.
    t.strictSame(levels, [
      { price: 100, buy_base: 2, sell_base: 1, buy_usd: 200, sell_usd: 100, delta_base: 1 },
      { price: 101, buy_base: 7, sell_base: 2, buy_usd: 705, sell_usd: 201, delta_base: 5 },
      { price: 102, buy_base: 7, sell_base: 3, buy_usd: 714, sell_usd: 306, delta_base: 4 },
      { price: 103, buy_base: 4, sell_base: 2, buy_usd: 412, sell_usd: 206, delta_base: 2 },
    ]);
    // 0.05 % of 103 is 0.0515: the nearest round step.
    t.match(await read('/v1/futures/footprint?symbol=BTC&interval=5m&limit=1'), { step: 0.05 });
    const fine = await read('/v1/futures/footprint?symbol=BTC&interval=5m&limit=1&step=0.0001');
    t.match(fine, { error: 'bad_parameter', message: /too many levels/ });
    const many = await read('/v1/futures/footprint?symbol=BTC&interval=4h&limit=26');
    t.match(many, { error: 'bad_parameter', message: 'limit must be at most 25 bars of 4h' });
  },
);

t.test('a footprint without candles or without trades: what is there must be enough', async (t) => {
  const clock = new FakeClock(start + 150_000);
  const away = { candles: false, history: false };
  let traded = [1];
  const candle = { open: 100, high: 100, low: 100, close: 100, buy_base: 1, sell_base: 2 };
  const sums = { buy_base_0: 5, sell_base_0: 0, buy_usd_0: 505, sell_usd_0: 0 };
  const prices = { open: 101, high: 101, low: 101, close: 101, step: 0.01, first: 10_100 };
  const reply: Replies = ({ name, params }) => {
    if (name === 'takerCandles') {
      const points = [0, 1, 2].map((at) => ({ timestamp: start + at * minute, ...candle }));
      return away.candles ? null : { points };
    }
    const columns = Object.entries({ ...prices, ...sums }).map(
      ([column, value]) => [column, traded.map(() => value)] as const,
    );
    const rows = {
      times: traded.map((at) => start + at * minute),
      columns: Object.fromEntries(columns),
    };
    const { keys } = Object(params);
    return away.history
      ? null
      : seriesReply('footprint', minute, keys, { 'binance/BTCUSDT': rows });
  };
  const context = { ...contextFor(views), clock };
  const read = rowReader(footprintRoutes(context), { reply, clock });
  const ask = () => read('/v1/futures/footprint?symbol=BTCUSDT&interval=5m&limit=1&step=1');
  const mixed = { method: 'mixed', trade_minutes: 1, candle_minutes: 2, buy_base: 7, sell_base: 4 };
  t.match(await ask(), { bars: [mixed] });
  away.history = true;
  t.match(await ask(), { coverage: { present: 0 }, bars: [{ method: 'klines_1m', buy_base: 3 }] });
  Object.assign(away, { history: false, candles: true });
  t.match(await ask(), { error: 'upstream_failed', message: /timeout/ }, 'a minute is missing');
  traded = [0, 1, 2];
  t.match(await ask(), { bars: [{ method: 'trades', trade_minutes: 3, candle_minutes: 0 }] });
});

t.test('a footprint asks for each minute once, in pages, the newest first', async (t) => {
  const clock = new FakeClock(start + 150_000);
  const pages: { from: number; to: number; limit: number }[] = [];
  const reply: Replies = ({ name, params }) => {
    if (name === 'takerCandles') pages.push(Object(params));
    return null;
  };
  const read = rowReader(footprintRoutes({ ...contextFor(views), clock }), { reply, clock });
  await read('/v1/futures/footprint?symbol=BTCUSDT&interval=1h&limit=50');
  const first = start - (start % hour) - 49 * hour;
  const asked = pages.flatMap(({ from, limit }) =>
    Array.from({ length: limit }, (_, i) => from + i * minute),
  );
  const wanted = Array.from(
    { length: (clock.now() - first) / minute },
    (_, i) => first + i * minute,
  );
  t.strictSame(
    asked.toSorted((a, b) => a - b),
    wanted.concat(start + 2 * minute),
  );
  t.ok(pages.every(({ from, to, limit }) => limit <= 900 && to === from + (limit - 1) * minute));
  t.ok(pages.length > 1 && pages.every(({ from }, i) => from < (pages[i - 1]?.from ?? Infinity)));
});

t.test(
  'a footprint of an exchange without such candles is made of its recorded trades alone',
  async (t) => {
    const clock = new FakeClock(start + 150_000);
    const row = (at: number, price: number) => ({
      time: start + at * minute,
      open: price,
      high: price + 1,
      low: price,
      close: price + 1,
      step: 1,
      first: price,
      buy_base_0: 5,
      sell_base_0: 2,
      buy_usd_0: 5 * price,
      sell_usd_0: 2 * price,
    });
    const stored = [row(-4, 99), row(0, 100)];
    const columns = Object.fromEntries(
      Object.keys(row(0, 0)).map((name) => [name, stored.map((one) => Reflect.get(one, name))]),
    );
    const asked: object[] = [];
    const reply: Replies = ({ source, name, params }) => {
      asked.push({ source, name, ...params });
      const { keys } = Object(params);
      const rows = { times: stored.map(({ time }) => time), columns };
      return seriesReply('footprint', minute, keys, {
        'okx/BTC-USDT-SWAP': rows,
        'bybit/spot/BTCUSDT': rows,
      });
    };
    const markets = {
      resolve: (_: string, { kind, exchanges }: { kind: string; exchanges: string[] }) => {
        const market = exchanges[0] === 'okx' && kind === 'perpetual' ? 'BTC-USDT-SWAP' : 'BTCUSDT';
        return { market, symbol: 'BTC', exchange: exchanges[0] };
      },
    };
    const context = Object.assign({ ...contextFor(views), clock }, { markets });
    const read = rowReader(footprintRoutes(context), { reply, clock });
    const data = await read(
      '/v1/futures/footprint?symbol=BTC&exchange=okx&interval=5m&limit=2&step=1',
    );
    t.strictSame(asked, [
      {
        source: 'history',
        name: 'series',
        series: 'footprint',
        keys: ['okx/BTC-USDT-SWAP'],
        step: '1m',
        limit: 8,
        from: start - 5 * minute,
        to: start + 2 * minute,
      },
    ]);
    t.match(data, { exchange: 'okx', market: 'BTC-USDT-SWAP', method: 'trades', count: 2 });
    // Seven whole minutes since the first bar began.
    t.match(data.coverage, { expected: 7, present: 2, complete: false });
    sameRows(
      t,
      data.bars.map(({ levels: _, ...bar }: { levels: unknown }) => bar),
    )`
    timestamp              open high low close volume_base buy_base sell_base delta_base
    ${start - 5 * minute}  99   100  99  100   7           5        2         3
    ${start}               100  101  100 101   7           5        2         3

    poc_price value_area_high value_area_low trade_minutes candle_minutes missing_minutes method
    99        99              99             1             0              4               trades
    100       100             100            1             0              1               trades
  `;
    const spot = await read('/v1/spot/footprint?symbol=BTC&exchange=bybit&interval=5m&limit=1');
    t.match(spot, { exchange: 'bybit', market: 'BTCUSDT', method: 'trades' });
    t.match(await read('/v1/spot/footprint?symbol=BTC&exchange=okx&interval=5m&limit=1'), {
      error: 'not_enough_data',
      message: /no minute of BTC on okx is recorded/,
    });
    t.match(await read('/v1/spot/footprint?symbol=BTC&exchange=gate'), {
      error: 'bad_parameter',
      message: /exchange must be one of binance, okx, bybit, /,
    });
  },
);
