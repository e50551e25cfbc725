/** The rows about liquidations: events, sums, and where positions would be liquidated. */
import t from 'tap';
import { sampledAmong } from '../../../http/routes/liquidations/common.ts';
import { liquidationRoutes } from '../../../http/routes/liquidations/index.ts';
import { LiquidationsView } from '../../../http/views/liquidations.ts';
import { perpetualsOf, seriesReply } from '../../support/http-makers.ts';
import { candle, liquidations as entryOf, liquidation, now } from '../../support/makers.ts';
import { contextFor, views } from '../../support/route-stage.ts';
import { type Replies, rowReader } from '../../support/row-reader.ts';
import { likeRows, sameRows } from '../../support/table.ts';

const hour = 3_600_000;

const order = {
  price: 99_000,
  average_price: 100_500,
  type: 'LIMIT',
  time_in_force: 'IOC',
  status: 'FILLED',
};
const long = liquidation({ id: 'a', price: 100_000, quantity_base: 0.01, value_usd: 1_000, order });
const short = liquidation({
  id: 'b',
  side: 'short',
  price: 100_200,
  price_kind: 'bankruptcy',
  quantity_base: 0.03,
  value_usd: 3_006,
  quantity_contracts: 7,
  bankruptcy_loss: 5,
  timestamp: now - 1,
});
const other = liquidation({
  id: 'c',
  symbol: 'ETH',
  contract: 'ETH-SWAP',
  value_usd: 4_000,
  timestamp: now - 5 * hour,
});
const empty = liquidation({ id: 'd', symbol: 'ADA', value_usd: 0, timestamp: now - 2 });

function setUp(reply: Replies = () => null) {
  const liquidations = new LiquidationsView(
    new Map([
      ['binance', ['linear']],
      ['okx', ['linear']],
    ]),
    now,
  );
  liquidations.accept(entryOf({ source: 'binance', since: now - hour, events: [long] }));
  liquidations.accept(entryOf({ source: 'okx', since: now - hour, events: [other, empty, short] }));
  liquidations.expire(now);
  const perpetuals = perpetualsOf([
    { source: 'okx', market: 'BTC-SWAP', volume: 5 },
    { source: 'okx', symbol: 'SOL', volume: 4 },
    { source: 'binance', market: 'BTCUSDT', volume: 7 },
    { source: 'binance', symbol: 'ETH', volume: 9 },
    { source: 'binance', symbol: 'SOL', volume: 8 },
  ]);
  const rows = liquidationRoutes({ ...contextFor(views), liquidations, perpetuals });
  return { rows, read: rowReader(rows, { reply }) };
}
const { read, rows } = setUp();

t.test('events of all exchanges, newest first, by symbol, exchange, side and value', async (t) => {
  const data = await read('/v1/liquidations/orders');
  sameRows(t, data.orders[1])`
    exchange symbol contract side  price   price_kind quantity_base value_usd timestamp
    okx      BTC    BTCUSDT  short 100_200 bankruptcy 0.03          3_006     ${now - 1}
  `;
  t.match(data, { count: 4, connected: true, sampled_exchanges: ['binance', 'okx'] });
  t.match(data, { disconnected_exchanges: [], recording_since: now - hour });
  // An hour of two streams within 24 hours.
  t.match(data.coverage, { expected: 2_880, present: 120, complete: false });
  t.ok(data.not_covered.includes('kraken') && !data.not_covered.includes('okx'));
  const values = async (query: string) =>
    (await read(`/v1/liquidations/orders?${query}`)).orders.map(
      (one: { value_usd: number }) => one.value_usd,
    );
  t.strictSame(await values('symbol=btc'), [1_000, 3_006]);
  t.strictSame(await values('exchange=okx&limit=1'), [3_006]);
  t.strictSame(await values('side=short'), [3_006]);
  t.strictSame(await values('min_usd=1000'), [1_000, 3_006, 4_000]);
  t.strictSame(await values('min_usd=1000.5'), [3_006, 4_000]);
  t.match(await read('/v1/liquidations/orders?symbol=NO'), { error: 'unknown_symbol' });
  t.same([undefined, 'okx', 'mexc'].map(sampledAmong), [['binance', 'okx'], ['okx'], []]);
});

t.test('the events of Binance and of OKX in their own fields', async (t) => {
  const { orders, ...head } = await read('/v1/liquidations/feed');
  t.match(head, { exchange: 'binance', sampled: true, count: 1, connected: true });
  sameRows(t, orders)`
    symbol pair    side order_side price  average_price quantity_base value_usd order_type time_in_force status timestamp
    BTC    BTCUSDT long sell       99_000 100_500       0.01          1_000     LIMIT      IOC           FILLED ${now}
  `;
  t.match(await read('/v1/liquidations/feed?side=short'), { count: 0 });
  const okx = await read('/v1/analytics/okx/liquidations?min_usd=3006');
  sameRows(t, okx.orders)`
    symbol contract side  price   price_kind quantity_contracts quantity_base value_usd bankruptcy_loss timestamp
    BTC    BTCUSDT  short 100_200 bankruptcy 7                  0.03          3_006     5               ${now - 1}
  `;
  t.match(await read('/v1/analytics/okx/liquidations?symbol=no'), { error: 'unknown_symbol' });
});

t.test('a row names the log of its events, and what each is in its own fields', async (t) => {
  const logged = rows.flatMap(({ path, from }) => {
    const log = 'view' in from ? from.log?.({ limit: 9 }, '') : undefined;
    if (log === undefined || !('item' in log)) return [];
    const items = [
      log.item({ exchange: 'okx', ...short }),
      log.item({ exchange: 'binance', ...long }),
    ];
    return [[path, log.limit, items.map((item) => item && Object.keys(item).length)]];
  });
  t.strictSame(logged, [
    ['/v1/liquidations/orders', 9, [9, 9]],
    ['/v1/liquidations/feed', 9, [null, 12]],
    ['/v1/analytics/okx/liquidations', 9, [10, null]],
  ]);
});

t.test('sums by symbol', async (t) => {
  const { items, ...head } = await read('/v1/liquidations/coin-list');
  t.match(head, { count: 3, connected: true });
  sameRows(t, items[0])`
    symbol liquidation_usd_1h long_1h_usd short_1h_usd liquidation_usd_4h long_4h_usd short_4h_usd
    BTC    4_006              1_000       3_006        4_006              1_000       3_006

    liquidation_usd_12h long_12h_usd short_12h_usd liquidation_usd_24h long_24h_usd short_24h_usd
    4_006               1_000        3_006         4_006               1_000        3_006

    largest_order_usd_24h
    3_006
  `;
  // Five hours ago.
  t.match(items[1], {
    symbol: 'ETH',
    liquidation_usd_4h: 0,
    liquidation_usd_12h: 4_000,
    long_24h_usd: 4_000,
  });
  t.match(items[2], { symbol: 'ADA', liquidation_usd_24h: 0, largest_order_usd_24h: null });
  const one = await read('/v1/liquidations/coin-list?symbol=eth');
  t.strictSame([one.count, one.items], [1, [items[1]]], 'one of them, as in the whole list');
  const okx = await read('/v1/liquidations/coin-list?exchange=okx&limit=1');
  t.match(okx, { count: 1, sampled_exchanges: ['okx'], items: [{ symbol: 'ETH' }] });
});

t.test('sums by exchange, with their shares', async (t) => {
  const { items, ...head } = await read('/v1/liquidations/exchange-list?range=4h&symbol=BTC');
  t.match(head, {
    symbol: 'BTC',
    range: '4h',
    count: 3,
    coverage: { expected: 480, present: 120 },
  });
  // 1,000 and 3,006 of 4,006.
  sameRows(t, items)`
    exchange liquidation_usd long_usd short_usd long_ratio     order_count share
    all      4_006           1_000    3_006     0.249625561658 2           1
    okx      3_006           0        3_006     0              1           0.750374438342
    binance  1_000           1_000    0         1              1           0.249625561658
  `;
  const own = await read('/v1/liquidations/exchange-list?range=4h&symbol=BTC&exchange=OKX');
  t.strictSame(own.items, [items[1]], 'one of them, with its share of all');
  const all = await read('/v1/liquidations/exchange-list');
  t.match(all, { symbol: null, range: '24h', items: [{ liquidation_usd: 8_006, order_count: 4 }] });
  const none = await read('/v1/liquidations/exchange-list?symbol=SOL');
  t.match(none.items[0], { liquidation_usd: 0, long_ratio: null, share: null, order_count: 0 });
});

/** 24 hours at 100; in the last one 50 base units are opened at 100, of which `of` names the longs and shorts. */
const candles = (count: number) =>
  Array.from({ length: count }, (_, i) =>
    candle({ timestamp: i * hour, high: 100, low: 100, close: 100, volume: 2, turnover: 200 }),
  );
const mapReply =
  (count: number): Replies =>
  ({ name, params }) => {
    if (name === 'candles') return { candles: candles(count), received: now };
    const { keys } = Object(params);
    const times = [(count - 2) * hour, (count - 1) * hour];
    return seriesReply('open-interest', hour, keys, {
      'binance/stable/BTC': { times, columns: { base: [70, 120], usd: [7_000, 12_000] } },
    });
  };

t.test('a map: what is opened is liquidated where its leverage is used up', async (t) => {
  const map = await setUp(mapReply(24)).read('/v1/liquidations/map?symbol=BTC');
  likeRows(t, map)`
    symbol exchange range current_price updated_at
    BTC    binance  7d    100           ${now}
  `;
  t.equal(map.bucket_size, 0.1);
  const sum = (side: string) =>
    map.levels
      .filter((level: { side: string }) => level.side === side)
      .reduce((all: number, level: { value_usd: number }) => all + level.value_usd, 0);
  const near = (a: number, b: number) => Math.abs(a - b) < 1e-6;
  t.ok(near(map.total_long_usd, sum('long')) && near(map.total_short_usd, sum('short')));
  t.ok(map.total_long_usd > 0 && near(map.total_long_usd, map.total_short_usd), 'both sides alike');
  const shorts = map.levels.filter(({ side }: { side: string }) => side === 'short');
  t.ok(near(shorts.at(-1).cumulative_usd, map.total_short_usd), 'from the price outwards');
  const pain = await setUp(mapReply(24)).read('/v1/liquidations/max-pain?symbol=BTC');
  const most = (side: string) =>
    map.levels
      .filter((level: { side: string }) => level.side === side)
      .toSorted(
        (a: { value_usd: number }, b: { value_usd: number }) => b.value_usd - a.value_usd,
      )[0];
  const [down, up] = [most('long'), most('short')];
  likeRows(t, pain)`
    current_price long_max_pain_price long_max_pain_value_usd short_max_pain_price short_max_pain_value_usd max_pain_value_usd
    100           ${down.price}       ${down.value_usd}       ${up.price}          ${up.value_usd}          ${Math.max(down.value_usd, up.value_usd)}
  `;
  // Percent of a price of 100.
  t.ok(near(pain.long_max_pain_distance_percent, down.price - 100));
  t.ok(near(pain.short_max_pain_distance_percent, up.price - 100));
  const list = await setUp(mapReply(24)).read('/v1/liquidations/max-pain?range=1d');
  const symbols = list.items.map(({ symbol }: { symbol: string }) => symbol);
  t.strictSame(symbols, ['ETH', 'SOL', 'BTC'], 'largest turnover first');
  const few = await setUp(mapReply(23)).read('/v1/liquidations/map?symbol=BTC');
  t.match(few, { error: 'not_enough_data', message: /^23 candles of 24/ });
  t.match(await setUp().read('/v1/liquidations/map?symbol=BTC'), { error: 'upstream_failed' });
});

t.test('a map over time: its last column is the map, of the exchanges that answer', async (t) => {
  const path = '/v1/liquidations/heatmap?symbol=BTC';
  const heat = await setUp(mapReply(24)).read(`${path}&exchange=binance`);
  t.match(heat, { symbol: 'BTC', range: '7d', exchanges: ['binance'], failed_exchanges: [] });
  t.equal(heat.timestamps.length, 24);
  t.strictSame(heat.close, Array(24).fill(100));
  const last = heat.cells.filter(([time]: [number]) => time === 23);
  const sum = last.reduce((all: number, [, , usd]: number[]) => all + (usd ?? 0), 0);
  const map = await setUp(mapReply(24)).read('/v1/liquidations/map?symbol=BTC');
  t.ok(Math.abs(sum - map.total_long_usd - map.total_short_usd) < 1e-6);
  const together = '/v1/liquidations/aggregated-map?symbol=BTC';
  const own = await setUp(mapReply(24)).read(`${together}&exchange=binance`);
  t.match(own, { exchanges: ['binance'], failed_exchanges: [], current_price: 100 });
  t.strictSame(own.levels, map.levels, 'of one exchange it is the map of that');
  for (const one of [path, together]) {
    const few = await setUp(mapReply(23)).read(one);
    t.match(few, { error: 'not_enough_data', message: /24 candles/ });
    t.match(await setUp().read(one), { error: 'upstream_failed' });
  }
});
