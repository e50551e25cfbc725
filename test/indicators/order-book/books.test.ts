/** Worked examples: sums, buckets, heatmap, several books as one, large orders. */
import { crc32 } from 'node:zlib';
import t from 'tap';
import { aggregateBooks, stepOf } from '../../../indicators/order-book/aggregate.ts';
import { bandRanges, bandsOf, sumOfBands } from '../../../indicators/order-book/bands.ts';
import { laddersOf, midOf, reachOf } from '../../../indicators/order-book/book.ts';
import { bucketsOf, mergeBuckets } from '../../../indicators/order-book/buckets.ts';
import {
  bitfinexChecksum,
  type Decimals,
  krakenChecksum,
} from '../../../indicators/order-book/checksum.ts';
import { type BookUpdate, FollowedBook } from '../../../indicators/order-book/followed-book.ts';
import { heatmapOf } from '../../../indicators/order-book/heatmap.ts';
import { floorOf, LargeOrders, largeLevels } from '../../../indicators/order-book/large-orders.ts';
import { LiveBook } from '../../../indicators/order-book/live-book.ts';
import { follows } from '../../../indicators/order-book/sequence.ts';
import { framesOf, noSessions } from '../../support/book-sessions.ts';

/** Updates that repeat a level have a fourth column. */
const three = (row: string[]): string[] => row.slice(0, 3);

const level = (price: number, quantity: number) => ({ price, quantity });
const near = (found: number | undefined, wanted: number) =>
  Math.abs((found ?? NaN) - wanted) < 1e-9 * Math.max(1, Math.abs(wanted));

/** Around 100. */
const book = {
  bids: [level(99.95, 2), level(99, 1), level(94, 5)],
  asks: [level(100.05, 1), level(101, 3)],
};

t.test('bands: what rests within shares of the mid price', async (t) => {
  t.equal(midOf(book), 100);
  t.ok(near(reachOf(book, 100), 1), 'the shorter side counts');
  const usd = bandsOf(book, 100).map(({ bids_usd, asks_usd }) => [bids_usd, asks_usd]);
  const [closest, all] = [
    [199.9, 100.05],
    [298.9, 403.05],
  ];
  const wanted = [closest, closest, all, all, all];
  t.ok(usd.flat().every((value, i) => near(value, wanted.flat()[i] ?? NaN)));
  const [first] = sumOfBands([bandsOf(book, 100), bandsOf(book, 100)]);
  t.strictSame([first?.bids_base, first?.asks_base, bandRanges[0]], [4, 2, 0.25]);
});

t.test('buckets: a tenth of a percent each, and several books around their mean', async (t) => {
  const { bids, asks } = bucketsOf(book, 100);
  t.strictSame([bids.length, asks.length], [50, 50]);
  t.ok(near(bids[0], 199.9) && near(bids[10], 99), 'a bid 1 % away is in the eleventh');
  t.ok(near(asks[0], 100.05) && near(asks[10], 303));
  t.equal(bids.filter((value) => value > 0).length, 2, 'what is farther than 5 % is in none');
  const other = { mid: 102, bids: [7, ...bids.slice(1).fill(0)], asks: asks.map(() => 0) };
  const merged = mergeBuckets([{ mid: 100, bids, asks }, other]);
  t.equal(merged?.mid, 101);
  t.ok(near(merged?.bids[0], 7), 'a bid above the mean mid price is in the nearest bucket');
  t.ok(near(merged?.bids[10], 199.9), '99.95 is 1.04 % below 101');
  t.equal(mergeBuckets([]), null);
});

t.test('heatmap: columns on the scale of the newest', async (t) => {
  const buckets = bucketsOf(book, 100);
  const map = heatmapOf([
    { time: 0, ...buckets },
    { time: 60_000, ...buckets },
  ]);
  t.ok(near(map?.bucket_size, 0.1));
  t.strictSame([map?.prices.length, map?.bids.length, map?.asks.length], [100, 4, 4]);
  t.ok(near(map?.prices[49], 99.95) && near(map?.max_value, 303));
  t.strictSame(
    map?.bids.map(([time, row]) => [time, row]),
    [
      [0, 49],
      [0, 39],
      [1, 49],
      [1, 39],
    ],
  );
  t.equal(heatmapOf([]), null);
});

t.test('several exchanges as one book', async (t) => {
  const a = { exchange: 'a', weight: 3, ...book };
  const b = {
    ...{ exchange: 'b', weight: 1 },
    bids: [level(100.1, 1), level(97, 1)],
    asks: [level(100.3, 4), level(104, 1)],
  };
  const broken = { exchange: 'c', weight: 9, bids: [level(101, 1)], asks: [level(100, 1)] };
  const found = aggregateBooks([a, b, broken], { step: 0.5, limit: 2 });
  t.ok(near(found?.mid_price, 100.05), 'by weight: (3 x 100 + 100.2) / 4');
  t.strictSame([found?.best_bid, found?.best_ask, found?.crossed], [100.1, 100.05, true]);
  t.strictSame(
    found?.bids.map(({ price, quantity, exchanges }) => [price, quantity, exchanges]),
    [
      [100, 1, { b: 1 }],
      [99.5, 2, { a: 2 }],
    ],
    'bids are rounded down',
  );
  t.strictSame(
    found?.asks.map(({ price, quantity, exchanges }) => [price, quantity, exchanges]),
    [
      [100.5, 5, { a: 1, b: 4 }],
      [101, 3, { a: 3 }],
    ],
    'asks are rounded up',
  );
  t.strictSame(found?.depth_limited, ['a']);
  t.equal(aggregateBooks([broken], { limit: 1 }), null);
  t.strictSame([63_000, 3_200, 0.00002].map(stepOf), [5, 0.2, 2e-9]);
});

/** Many small levels, and one bid of so much at 98. */
const withOrder = (quantity: number, shift = 0) => ({
  bids: [
    ...Array.from({ length: 30 }, (_, i) => level(100 + shift - 0.01 * (i + 1), 1)),
    ...(quantity > 0 ? [level(98, quantity)] : []),
    level(94, 1),
  ],
  asks: Array.from({ length: 30 }, (_, i) => level(100 + shift + 0.01 * (i + 1), 1)),
});

t.test('large orders: detection', async (t) => {
  const [found, ...others] = largeLevels(withOrder(1_000), 50_000);
  t.strictSame(
    [found?.side, found?.price, found?.value_usd, others.length],
    ['bid', 98, 98_000, 0],
  );
  t.ok(near(found?.distance_percent, -2));
  t.strictSame(largeLevels(withOrder(1_000), 98_001), [], 'below the floor');
  t.strictSame(largeLevels(withOrder(9), 10), [], 'less than ten times the median');
  t.strictSame([floorOf('BTC'), floorOf('PEPE')], [1_000_000, 50_000]);
});

t.test('large orders: states', async (t) => {
  const follow = (...books: ReturnType<typeof withOrder>[]) => {
    const orders = new LargeOrders(50_000);
    for (const [i, one] of books.entries()) orders.take(laddersOf(one), i * 10_000);
    return orders.orders.map(({ state, first_seen, last_seen, value_usd }) => [
      ...[state, first_seen, last_seen, value_usd],
    ]);
  };
  const whole = withOrder(1_000);
  t.strictSame(follow(whole), [], 'once is not enough');
  t.strictSame(follow(whole, whole), [['active', 0, 10_000, 98_000]]);
  t.strictSame(follow(whole, withOrder(400)), [['active', 0, 10_000, 39_200]], 'most is left');
  t.strictSame(follow(whole, whole, withOrder(200)), [['cancelled', 0, 20_000, 98_000]]);
  t.strictSame(follow(whole, withOrder(0)), [], 'it was no order yet');
  const short = { ...whole, bids: whole.bids.slice(0, 5) };
  t.strictSame(follow(whole, whole, short), [['active', 0, 10_000, 98_000]], 'out of sight');
  t.strictSame(follow(whole, whole, withOrder(0, -3)), [['filled', 0, 20_000, 98_000]]);
  const first = new LargeOrders(50_000);
  for (const at of [0, 10_000]) first.take(laddersOf(whole), at);
  const next = new LargeOrders(50_000, first.orders);
  next.take(laddersOf(whole), 10_002);
  t.strictSame(
    next.orders.map(({ first_seen, last_seen }) => [first_seen, last_seen]),
    [[0, 10_002]],
    'another process goes on',
  );
});

t.test('large orders: followed every second in a live book', async (t) => {
  const book = new FollowedBook({ most: 100, window: false, rule: 'counted', asked: false });
  const size = { scale: 1, contract: 1, inverse: false };
  const flat = (levels: { price: number; quantity: number }[]) =>
    levels.flatMap(({ price, quantity }) => [price, quantity]);
  const orders = new LargeOrders(50_000);
  const at = (second: number) =>
    orders.take(book.book.ladders(size), second * 1_000, book.takeReached());
  const say = (kind: 'snapshot' | 'update', sides: ReturnType<typeof withOrder>, last: number) =>
    book.take({
      kind,
      bids: flat(sides.bids),
      asks: flat(sides.asks),
      last,
      first: last,
      stated: 0,
    });
  say('snapshot', withOrder(1_000), 1);
  const looks = Array.from({ length: 11 }, (_, second) => at(second));
  t.strictSame(looks.lastIndexOf(true), 10, 'it has been there for ten seconds');
  t.match(orders.orders, [{ state: 'active', first_seen: 0, last_seen: 10_000 }]);
  // The price falls through it and is back before the next look.
  say('snapshot', withOrder(0, -3), 2);
  say('snapshot', withOrder(0), 3);
  t.equal(at(11), true);
  t.match(orders.orders, [{ state: 'filled', last_seen: 11_000, value_usd: 98_000 }]);
  // One that comes and goes within seconds is no order.
  say('snapshot', withOrder(2_000), 4);
  t.equal(at(12), false);
  say('snapshot', withOrder(0), 5);
  t.equal(at(13), false);
  t.equal(orders.orders.length, 1);
});

t.test('a live book: changes of levels, its bound and its edge', async (t) => {
  const live = new LiveBook({ most: 3, window: false });
  live.replace({ bids: [99, 1, 98, 1, 97, 1], asks: [101, 2, 102, 1] }, true);
  live.apply({ bids: [99, 0, 98.5, 2, 96, 5], asks: [103, 4, 101, 3] });
  t.strictSame(live.native(5), { bids: [98.5, 2, 98, 1, 97, 1], asks: [101, 3, 102, 1] });
  live.apply({ bids: [98.6, 1, 98.7, 1], asks: [] });
  t.strictSame(live.native(5).bids, [98.7, 1, 98.6, 1, 98.5, 2], 'the worst are forgotten');
  live.apply({ bids: [98.7, 0, 98, 1], asks: [] });
  t.strictSame(live.native(5).bids, [98.6, 1, 98.5, 2], 'and what lies beyond them is not known');
  t.notOk(live.crossed);
  live.apply({ bids: [101, 1], asks: [] });
  t.ok(live.crossed);
  const contracts = { scale: 1000, contract: 10, inverse: false };
  t.strictSame(live.levels(1, contracts).asks, [level(0.101, 30_000)]);
  const dollars = { scale: 1, contract: 100, inverse: true };
  t.strictSame(live.levels(1, dollars).asks, [level(101, 300 / 101)]);

  const window = new LiveBook({ most: 2, window: true });
  window.replace({ bids: [99, 1, 98, 1], asks: [101, 1, 102, 1] }, true);
  window.apply({ bids: [99.5, 1], asks: [] });
  window.apply({ bids: [99.5, 0, 98, 2], asks: [] });
  t.strictSame(window.native(5).bids, [99, 1, 98, 2], 'the exchange sends it again');
});

t.test('a live book: changes in any order leave what a map leaves', async (t) => {
  const live = new LiveBook({ most: 1_000, window: true });
  const slow = new Map<number, number>();
  let state = 7;
  const next = (below: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  for (let message = 0; message < 400; message++) {
    const changes = Array.from({ length: next(8) }, () => [100 + next(300), next(3)] as const);
    if (message % 2 > 0) changes.sort(([a], [b]) => b - a);
    live.apply({ bids: changes.flat(), asks: [] });
    for (const [price, quantity] of changes) {
      if (quantity > 0) slow.set(price, quantity);
      else slow.delete(price);
    }
  }
  const sorted = [...slow].sort(([a], [b]) => b - a);
  t.ok(sorted.length > 100, `${sorted.length} levels`);
  t.strictSame(live.native(1_000).bids, sorted.flat());
});

t.test(
  'messages that waited for a snapshot follow it, up to the first that does not',
  async (t) => {
    const update = (previous: number, price: number): BookUpdate => ({
      ...{ kind: 'update', bids: [price, 1], asks: [], stated: null, previous, last: previous + 1 },
    });
    const snapshot = { bids: [99, 1], asks: [101, 1], last: 5, stated: null, limited: false };
    const waiting = (...updates: BookUpdate[]) => {
      const book = new FollowedBook({ rule: 'chained', most: 10, window: true, asked: true });
      for (const one of updates) book.take(one);
      return { book, found: book.seed(snapshot) };
    };
    const whole = waiting(update(5, 98), update(6, 97));
    t.strictSame([whole.found, whole.book.live, whole.book.sequence], [null, true, 7]);
    const torn = waiting(update(5, 98), update(7, 97));
    t.strictSame([torn.found, torn.book.live], ['gap', false]);
  },
);

t.test('sequence rules and checksums', async (t) => {
  const cases = [
    ['counted', 5, { first: 6, last: 8 }, 'apply'],
    ['counted', 5, { first: 3, last: 5 }, 'skip'],
    ['counted', 5, { first: 7, last: 8 }, 'gap'],
    ['counted', 5, { first: 3, last: 8 }, 'gap'],
    ['counted', 5, { first: 3, last: 8 }, 'apply', true],
    ['chained', 5, { previous: 5, last: 9 }, 'apply'],
    ['chained', 5, { previous: 5, last: 2 }, 'apply'],
    ['chained', 5, { previous: 4, last: 5 }, 'skip'],
    ['chained', 5, { previous: 6, last: 9 }, 'gap'],
    ['chained', 5, { first: 3, previous: 2, last: 8 }, 'apply', true],
    ['chained', 5, { first: 6, previous: 6, last: 8 }, 'gap', true],
    ['growing', 5, { last: 9 }, 'apply'],
    ['growing', 5, { last: 5 }, 'skip'],
    ['none', undefined, {}, 'apply'],
    ['counted', undefined, { first: 6, last: 8 }, 'gap'],
  ] as const;
  for (const [rule, last, update, verdict, seeded] of cases)
    t.equal(follows(rule, last, update, seeded), verdict, `${rule} ${JSON.stringify(update)}`);
  const live = new LiveBook({ most: 10, window: true });
  live.replace({ bids: [4.4, 2], asks: [4.5, 0.005] });
  const decimals = { price: 1, quantity: 3 };
  t.equal(krakenChecksum(live, decimals), crc32('455442000'));
  // The example of the exchange's own documentation: 0.04985 has no level.
  const sideOf = (prices: readonly number[]) => prices.flatMap((one) => [one / 1e5, 0.000005]);
  const asks = sideOf([5005, 5010, 5015, 5020, 5025, 5030, 5035, 5040, 5045, 5050]);
  const bids = sideOf([5000, 4995, 4990, 4980, 4975, 4970, 4965, 4960, 4955, 4950]);
  live.replace({ bids, asks });
  t.equal(krakenChecksum(live, { price: 5, quantity: 8 }), 974_947_235);
  live.replace({ bids: [4.4, 2, 4.3, 1e-8], asks: [4.5, 0.5] });
  t.equal(bitfinexChecksum(live), crc32('4.4:2:4.5:-0.5:4.3:1e-8') | 0);
});

t.test('of whole books the newest counts, and of levels that cross the newer one', async (t) => {
  const whole = new FollowedBook({ rule: 'whole', asked: false, most: 10, window: true });
  const told = (stated: number, bid: number) =>
    ({ kind: 'snapshot', bids: [bid, 1], asks: [10, 1], stated }) as const;
  for (const [at, bid] of [
    [5, 9],
    [4, 8],
    [6, 7],
  ] as const)
    whole.take(told(at, bid));
  t.strictSame([whole.stated, whole.book.native(1).bids], [6, [7, 1]]);
  whole.take(told(5, 9));
  t.strictSame(whole.book.native(1).bids, [7, 1], 'an older one is left out');

  const crossing = new LiveBook({ most: 10, window: false, crosses: true });
  crossing.replace({ bids: [9, 1, 8, 1], asks: [10, 1, 11, 1, 12, 1] });
  crossing.apply({ bids: [11, 2], asks: [] });
  t.strictSame(crossing.native(9), { bids: [11, 2, 9, 1, 8, 1], asks: [12, 1] });
  crossing.apply({ bids: [], asks: [9, 3, 10, 0] });
  t.strictSame(crossing.native(9), { bids: [8, 1], asks: [9, 3, 12, 1] });
});

t.test(
  'a snapshot that is asked for on the stream is followed by what has waited for it',
  async (t) => {
    const book = new FollowedBook({ rule: 'chained', asked: true, most: 10, window: true });
    const change = (previous: number, last: number, bid: number) =>
      ({ kind: 'update', bids: [bid, 1], asks: [], previous, last, stated: null }) as const;
    const snapshot = (last: number) =>
      ({ kind: 'snapshot', bids: [6, 1, 5, 1], asks: [10, 1], last, stated: null }) as const;
    t.equal(book.take(change(1, 2, 6)), null);
    t.equal(book.take(change(2, 3, 7)), null);
    t.ok(book.waiting);
    t.equal(book.take(snapshot(2)), null);
    t.strictSame(
      [book.live, book.sequence, book.book.native(3).bids],
      [true, 3, [7, 1, 6, 1, 5, 1]],
    );
    book.take(snapshot(1));
    t.equal(book.sequence, 3, 'a second answer is of no use');
    t.equal(book.take(change(4, 5, 8)), 'gap');
  },
);

t.test('every checksum of a recorded session of Kraken', { skip: noSessions }, async (t) => {
  const books = new Map<string, { live: LiveBook; decimals: Decimals }>();
  const found = { right: 0, wrong: 0 };
  const flat = (rows: string[][] = []) => rows.flat().flatMap((one, i) => (i % 3 < 2 ? +one : []));
  for (const text of framesOf('kraken', 0).filter((one) => one.includes('"book-1000"'))) {
    const frame: unknown = JSON.parse(text);
    if (!Array.isArray(frame)) continue;
    const pair = String(frame.at(-1));
    const said = Object.assign({}, ...frame.slice(1, -2));
    const known = books.get(pair);
    if (said.as) {
      const live = new LiveBook({ most: 1_000, window: true });
      const digits = (at: number): number => String(said.as[0][at]).split('.')[1]?.length ?? 0;
      live.replace({ bids: flat(said.bs), asks: flat(said.as) });
      books.set(pair, { live, decimals: { price: digits(0), quantity: digits(1) } });
    } else if (known) {
      known.live.apply({ bids: flat(said.b?.map(three)), asks: flat(said.a?.map(three)) });
      const isRight = krakenChecksum(known.live, known.decimals) === Number(said.c);
      found[isRight ? 'right' : 'wrong'] += 1;
    }
  }
  t.strictSame(found, { right: 167, wrong: 0 });
});
