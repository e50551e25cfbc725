/** Worked examples: sums, buckets, heatmap, several books as one, live books. */
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
  const { bids } = laddersOf(book);
  t.strictSame([bids.price(3), bids.quantity(3)], [NaN, NaN], 'no fourth level');
  t.ok(near(reachOf(book, 100), 1), 'the shorter side counts');
  t.equal(reachOf({ bids: [], asks: [] }, 100), 0);
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
  const [bids, asks] = [
    [1_000, 1, 0.9, 0],
    [4, 5_000],
  ];
  const small = heatmapOf([{ time: 0, mid: 100, bids, asks: [] }]);
  t.strictSame([small?.bids.map(([, , value]) => value), small?.max_value], [[1_000, 1], 1_000]);
  const moved = heatmapOf([
    { time: 0, mid: 100, bids: [], asks },
    { time: 1, mid: 94.9, bids, asks },
  ]);
  t.strictSame(moved?.asks, [[1, 51, 5_000]], 'beyond the scale, and too small');
  t.equal(heatmapOf([]), null);
});

t.test('several exchanges as one book', async (t) => {
  const a = { exchange: 'a', weight: 3, ...book };
  const b = {
    exchange: 'b',
    weight: 1,
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
  t.ok(near(found?.bids[0]?.value_usd, 100.1) && near(found?.depth[0]?.bids_usd, 300));
  t.ok(near(found?.depth[0]?.asks_usd, 100.05 + 4 * 100.3));
  t.match(aggregateBooks([a], { limit: 1 }), { crossed: false, step: 0.01 });
  const touching = { ...b, weight: 0, bids: [level(100.05, 1)] };
  const plain = aggregateBooks([{ ...a, weight: 0 }, touching], { limit: 1 });
  t.equal(plain?.crossed, true, 'a bid at the best ask');
  t.ok(near(plain?.mid_price, (100 + 100.175) / 2), 'the plain mean without weights');
  // 0.3 / 0.1 is less than 3, and 1.1 / 0.1 more than 11.
  const low = {
    exchange: 'a',
    weight: 1,
    bids: [level(0.3, 1), level(0.05, 1)],
    asks: [level(1.1, 1)],
  };
  t.match(aggregateBooks([low], { step: 0.1, limit: 9 }), {
    bids: [{ price: 0.3 }],
    asks: [{ price: 1.1 }],
  });
  t.equal(aggregateBooks([low], { step: 0.1, limit: 9 })?.bids.length, 1, 'none at a price of 0');
  t.equal(aggregateBooks([broken], { limit: 1 }), null);
  const mids = [63_000, 80_000, 15_000, 3_200, 0.00002];
  t.strictSame(mids.map(stepOf), [5, 10, 2, 0.5, 2e-9]);
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

  const full = new LiveBook({ most: 2, window: false });
  full.replace({ bids: [99, 1, 98, 1], asks: [101, 1] });
  full.apply({ bids: [99, 0, 97, 5], asks: [] });
  t.strictSame(full.native(5).bids, [98, 1, 97, 5], 'nothing was forgotten of a full side');

  const window = new LiveBook({ most: 2, window: true });
  window.replace({ bids: [99, 1, 98, 1], asks: [101, 1, 102, 1] }, true);
  window.apply({ bids: [99.5, 1], asks: [] });
  window.apply({ bids: [99.5, 0, 98, 2], asks: [] });
  t.strictSame(window.native(5).bids, [99, 1, 98, 2], 'the exchange sends it again');
});

t.test(
  'messages that waited for a snapshot follow it, up to the first that does not',
  async (t) => {
    const update = (previous: number, price: number): BookUpdate => ({
      kind: 'update',
      bids: [price, 1],
      asks: [],
      stated: null,
      previous,
      last: previous + 1,
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
    ['counted', 5, { first: 5, last: 8 }, 'apply', true],
    ['counted', 5, { last: 8 }, 'gap', true],
    ['chained', 5, { previous: 4, last: 5 }, 'apply', true],
    ['chained', 5, { previous: 3, last: 4 }, 'skip', true],
    ['chained', 5, { first: 7, previous: 2, last: 8 }, 'apply', true],
    ['chained', 5, { first: 5, previous: 7, last: 8 }, 'gap', true],
    ['chained', 5, { last: 8 }, 'gap', true],
    ['chained', 5, { last: 3 }, 'gap'],
    ['none', undefined, {}, 'apply'],
    ['whole', undefined, {}, 'apply'],
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
  live.replace({ bids: [...bids, 0.01, 1], asks: [...asks, 0.09, 1] });
  t.equal(krakenChecksum(live, { price: 5, quantity: 8 }), 974_947_235);
  live.replace({ bids: [], asks: [12_345_678_901.5, 3] });
  t.equal(krakenChecksum(live, { price: 8, quantity: 0 }), crc32('12345678901500000003'));
  const many = new LiveBook({ most: 30, window: true });
  const side = (sign: number) =>
    Array.from({ length: 26 }, (_, i) => [100 + sign * (i + 1), i + 1]);
  many.replace({ bids: side(-1).flat(), asks: side(1).flat() });
  const turns = side(-1).flatMap((bid, i) => [...bid, 101 + i, -1 - i]);
  t.equal(bitfinexChecksum(many), crc32(turns.slice(0, 100).join(':')) | 0, '25 levels a side');
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
  whole.take(told(6, 8));
  t.strictSame(whole.book.native(1).bids, [8, 1], 'one of the same time is not');

  const crossing = new LiveBook({ most: 10, window: false, crosses: true });
  crossing.replace({ bids: [9, 1, 8, 1], asks: [10, 1, 11, 1, 12, 1] });
  crossing.apply({ bids: [11, 2], asks: [] });
  t.strictSame(crossing.native(9), { bids: [11, 2, 9, 1, 8, 1], asks: [12, 1] });
  crossing.apply({ bids: [], asks: [9, 3, 10, 0] });
  t.strictSame(crossing.native(9), { bids: [8, 1], asks: [9, 3, 12, 1] });
});

t.test('a book is dropped where it cannot be right', async (t) => {
  const levels = (count: number, from: number, quantity = 1) =>
    Array.from({ length: count }, (_, i) => [from + i, quantity]).flat();
  const broken = (limited: boolean, ...updates: Partial<BookUpdate>[]) => {
    const book = new FollowedBook({ rule: 'none', asked: false, most: 10, window: false });
    const sides = { bids: levels(8, 1), asks: levels(8, 11) };
    book.take({ kind: 'snapshot', ...sides, stated: 1, limited });
    const found = updates.map((one) =>
      book.take({ kind: 'update', bids: [], asks: [], stated: null, ...one }),
    );
    return [...found, book.live, book.stated, book.book.depth];
  };
  t.strictSame(broken(true, { bids: levels(6, 1, 0) }), [null, true, 1, 2]);
  t.strictSame(broken(true, { bids: levels(7, 1, 0), stated: 2 }), ['thin', false, 2, 0]);
  t.strictSame(broken(false, { bids: levels(7, 1, 0) }), [null, true, 1, 1]);
  t.strictSame(broken(false, { asks: levels(8, 11, 0) }), ['empty', false, 1, 0]);
  t.strictSame(broken(false, { bids: [11, 1] }), ['crossed', false, 1, 0]);
  const verify = (book: LiveBook) => book.depth > 8;
  t.strictSame(broken(false, { verify }, {}), ['bad_checksum', null, false, 1, 0]);
  const asked = new FollowedBook({ rule: 'none', asked: true, most: 10, window: false });
  const wait = () => asked.take({ kind: 'update', bids: [], asks: [], stated: null });
  const waited = Array.from({ length: 2_001 }, wait);
  t.strictSame([waited.indexOf('overflow'), asked.waiting], [2_000, false]);
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
