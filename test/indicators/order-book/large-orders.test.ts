/** Large orders: which levels are large, and what becomes of them from look to look. */
import t from 'tap';
import { laddersOf } from '../../../indicators/order-book/book.ts';
import { FollowedBook } from '../../../indicators/order-book/followed-book.ts';
import {
  floorOf,
  type LargeOrder,
  LargeOrders,
  largeLevels,
} from '../../../indicators/order-book/large-orders.ts';

const level = (price: number, quantity: number) => ({ price, quantity });
type Sides = Record<'bids' | 'asks', ReturnType<typeof level>[]>;

/** Many small levels, and one bid of so much at 98. */
const withOrder = (quantity: number, shift = 0): Sides => ({
  bids: [
    ...Array.from({ length: 30 }, (_, i) => level(100 + shift - 0.01 * (i + 1), 1)),
    ...(quantity > 0 ? [level(98, quantity)] : []),
    level(94, 1_000),
  ],
  asks: Array.from({ length: 30 }, (_, i) => level(100 + shift + 0.01 * (i + 1), 1)),
});

/** The same with the sides changed around 100. */
function mirrored({ bids, asks }: Sides): Sides {
  const turned = (levels: Sides['bids']) =>
    levels.map(({ price, quantity }) => level(Number((200 - price).toFixed(6)), quantity));
  return { bids: turned(asks), asks: turned(bids) };
}

t.test('large orders: detection', async (t) => {
  const [found, ...others] = largeLevels(withOrder(1_000), 98_000);
  t.match(found, { side: 'bid', price: 98, quantity: 1_000, value_usd: 98_000 });
  t.strictSame(others, [], 'the bid at 94 is too far away');
  t.ok(Math.abs((found?.distance_percent ?? 0) + 2) < 1e-9);
  t.strictSame(largeLevels(withOrder(1_000), 98_001), [], 'below the floor');
  t.strictSame(largeLevels(withOrder(9), 10), [], 'less than ten times the median');
  t.equal(largeLevels(withOrder(11), 10).length, 1);
  t.equal(largeLevels(withOrder(1_000), 98_000.00000000001).length, 1, 'but for its rounding');
  t.strictSame(largeLevels({ ...withOrder(1_000), asks: [] }, 10), [], 'no book');
  // Of the 200 nearest levels; with those behind them it would not be ten times the median.
  const levels = (from: number, quantity: number, count: number) =>
    Array.from({ length: count }, (_, i) => level(from - i / 1_000, quantity));
  const bids = [...levels(99.9, 1, 199), level(99.7, 1_000), ...levels(99.6, 500, 300)];
  t.equal(largeLevels({ bids, asks: [level(100, 1)] }, 50_000).length, 1);
  t.strictSame('BTC ETH SOL XRP BNB DOGE PEPE'.split(' ').map(floorOf), [
    ...[1_000_000, 500_000, 200_000, 200_000, 200_000, 200_000, 50_000],
  ]);
});

t.test('large orders: states, of bids and of asks', async (t) => {
  const follow = (side: (book: Sides) => Sides, books: Sides[]) => {
    const orders = new LargeOrders(50_000);
    for (const [i, one] of books.entries()) orders.take(laddersOf(side(one)), i * 10_000);
    return orders.orders.map(({ state, first_seen, last_seen, quantity }) => [
      ...[state, first_seen, last_seen, quantity],
    ]);
  };
  const whole = withOrder(1_000);
  const short = { ...whole, bids: whole.bids.slice(0, 5) };
  const active = ['active', 0, 10_000, 1_000];
  const cases: [Sides[], unknown[][], string][] = [
    [[whole], [], 'once is not enough'],
    [[whole, whole], [active], 'twice'],
    [[whole, withOrder(400)], [['active', 0, 10_000, 400]], 'most is left'],
    [[whole, whole, withOrder(300)], [['active', 0, 20_000, 300]], 'three tenths are left'],
    [[whole, whole, withOrder(200)], [['cancelled', 0, 20_000, 1_000]], 'too little is left'],
    [[whole, withOrder(0)], [], 'it was no order yet'],
    [[whole, whole, short], [active], 'out of sight'],
    [[whole, whole, withOrder(0, -3)], [['filled', 0, 20_000, 1_000]], 'the price passed it'],
    [[whole, whole, withOrder(0, -2)], [['filled', 0, 20_000, 1_000]], 'the price is there'],
  ];
  for (const [books, wanted, why] of cases) {
    t.strictSame(
      follow((book) => book, books),
      wanted,
      why,
    );
    t.strictSame(follow(mirrored, books), wanted, `${why}, an ask`);
  }
  const seen = new LargeOrders(50_000);
  const times = [0, 10_000, 609_999, 610_000];
  const found = times.map((at) => {
    const changed = seen.take(laddersOf(at > 10_000 ? short : whole), at);
    return [changed, seen.orders.length];
  });
  t.strictSame(
    found,
    [
      [false, 0],
      [true, 1],
      [false, 1],
      [true, 0],
    ],
    'forgotten in ten minutes',
  );
  seen.take(laddersOf({ ...whole, asks: [] }), 620_000);
  t.strictSame(seen.orders, [], 'no book says nothing');
});

t.test('large orders: taken over by another process, and their number', async (t) => {
  const whole = withOrder(1_000);
  const first = new LargeOrders(50_000);
  for (const at of [0, 10_000]) first.take(laddersOf(whole), at);
  const next = new LargeOrders(50_000, first.orders);
  next.take(laddersOf(withOrder(900, 0.1)), 10_002);
  const [order] = next.orders;
  t.match(order, {
    first_seen: 0,
    last_seen: 10_002,
    initial_value_usd: 98_000,
    value_usd: 88_200,
  });
  t.ok(Math.abs((order?.distance_percent ?? 0) - (98 / 100.1 - 1) * 100) < 1e-9);

  const week = 7 * 86_400_000;
  const closed = (last_seen: number): LargeOrder => ({
    side: 'bid',
    price: 1,
    quantity: 1,
    value_usd: 1,
    distance_percent: 0,
    initial_value_usd: 1,
    state: 'filled',
    first_seen: 0,
    last_seen,
  });
  const kept = (now: number, times: number[]) => {
    const orders = new LargeOrders(50_000, times.map(closed));
    orders.take(laddersOf(withOrder(0)), now);
    return orders.orders.map(({ last_seen }) => last_seen);
  };
  const many = Array.from({ length: 201 }, (_, at) => at);
  t.strictSame(kept(week, many), many.slice(1), 'two hundred closed ones');
  t.strictSame(kept(week + 1, [0, 1, 2]), [1, 2], 'of the last seven days');
  const small = Array.from({ length: 150 }, (_, i) => level(99.9 - i / 1_000, 1));
  const large = Array.from({ length: 120 }, (_, i) => level(99 - i / 100, 1_000));
  const crowded = { bids: [...small, ...large], asks: [level(100, 1)] };
  const full = new LargeOrders(50_000);
  for (const at of [0, 10_000]) full.take(laddersOf(crowded), at);
  t.equal(full.orders.length, 100);
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
