/** Books of an exchange that are followed by messages which are lost, repeated and delayed, against maps by price. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import {
  type BookSnapshot,
  type BookUpdate,
  FollowedBook,
} from '../../../indicators/order-book/followed-book.ts';
import { LiveBook } from '../../../indicators/order-book/live-book.ts';
import { property } from '../../support/property.ts';
import { type Change, changes, SlowExchange, sidesOf } from '../../support/slow-exchange.ts';

const histories = fc.array(changes, { maxLength: 60, size: 'max' });

t.test('a live book: changes in any order leave what a map leaves', async (t) => {
  const level = fc.tuple(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 0, max: 2 }));
  const message = fc.array(level, { maxLength: 30, size: 'max' });
  await property(t, fc.array(fc.tuple(message, message)), (messages) => {
    const live = new LiveBook({ most: 1_000, window: true });
    const slow = { bids: new Map<number, number>(), asks: new Map<number, number>() };
    for (const [bids, asks] of messages) {
      live.apply({ bids: bids.flat(), asks: asks.flat() });
      for (const [price, quantity] of bids) slow.bids.set(price, quantity);
      for (const [price, quantity] of asks) slow.asks.set(price, quantity);
    }
    assert.deepEqual(live.native(1_000), sidesOf(slow));
  });
});

t.test('a live book of a window of levels is the top of the whole book', async (t) => {
  const most = fc.integer({ min: 1, max: 8 });
  await property(t, fc.tuple(most, histories), ([most, messages]) => {
    const exchange = new SlowExchange();
    const live = new LiveBook({ most, window: true });
    live.replace(exchange.top(most));
    for (const message of messages) {
      live.apply(exchange.windowed(message, most));
      assert.deepEqual(live.native(1_000), exchange.top(most));
    }
  });
});

t.test('a live book that began with the best levels knows the best levels, or fewer', async (t) => {
  const begin = fc.integer({ min: 1, max: 12 });
  await property(t, fc.tuple(begin, begin, histories), ([first, most, messages]) => {
    const exchange = new SlowExchange();
    const live = new LiveBook({ most, window: false });
    live.replace(exchange.top(first), true);
    for (const message of messages) {
      live.apply(exchange.change(message));
      const { bids, asks } = live.native(1_000);
      assert.ok(bids.length <= 2 * most && asks.length <= 2 * most);
      const whole = exchange.top(1_000);
      assert.deepEqual(bids, whole.bids.slice(0, bids.length));
      assert.deepEqual(asks, whole.asks.slice(0, asks.length));
    }
  });
});

/** What happens to a message, and whether a whole book is on the way beside it. */
interface Step {
  change: Change[];
  fate: 'comes' | 'lost' | 'twice' | 'late';
  /** `taken`: the exchange makes a whole book now. `comes`: the one that it made last arrives. */
  whole: 'taken' | 'comes' | null;
}

const step: fc.Arbitrary<Step> = fc.record({
  change: changes,
  fate: fc.oneof(
    { weight: 9, arbitrary: fc.constant('comes' as const) },
    { weight: 1, arbitrary: fc.constantFrom('lost' as const, 'twice' as const, 'late' as const) },
  ),
  whole: fc.oneof(
    { weight: 2, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constantFrom('taken' as const, 'comes' as const) },
  ),
});
const steps = fc.array(step, { maxLength: 60, size: 'max' });

interface Kind {
  rule: 'counted' | 'chained';
  asked: boolean;
  /** A message covers so many numbers. */
  stride: number;
}

const kinds: fc.Arbitrary<Kind> = fc.record({
  rule: fc.constantFrom('counted' as const, 'chained' as const),
  asked: fc.boolean(),
  stride: fc.integer({ min: 1, max: 3 }),
});

/** An exchange with one market, and the book that follows it, which is compared after each message. */
class Played {
  readonly exchange = new SlowExchange();
  readonly followed: FollowedBook;
  last = 0;
  compared = 0;
  readonly #kind: Kind;
  /** By number, the book of the exchange after that message. */
  readonly #states = new Map([[0, this.exchange.top(1_000)]]);
  #whole: BookSnapshot = this.whole();
  #late: BookUpdate | null = null;

  constructor(kind: Kind) {
    this.#kind = kind;
    this.followed = new FollowedBook({ ...kind, most: 1_000, window: false });
  }

  /** The whole book as it is now. */
  whole(): BookSnapshot {
    return { ...this.exchange.top(1_000), last: this.last, stated: null, limited: false };
  }

  /** The next message of the exchange. */
  next(change: Change[]): BookUpdate {
    const [previous, first] = [this.last, this.last + 1];
    this.last += this.#kind.stride;
    const sides = this.exchange.change(change);
    this.#states.set(this.last, this.exchange.top(1_000));
    return { kind: 'update', ...sides, first, last: this.last, previous, stated: null };
  }

  take(update: BookUpdate): void {
    this.followed.take(update);
    this.#compare();
  }

  /** A whole book comes: the answer to a question, or a message of the stream. */
  begin(whole: BookSnapshot): void {
    if (!this.#kind.asked) this.followed.take({ ...whole, kind: 'snapshot' });
    else if (!this.followed.live) this.followed.seed(whole);
    this.#compare();
  }

  play({ change, fate, whole }: Step): void {
    const update = this.next(change);
    const times = { comes: 1, twice: 2, lost: 0, late: 0 }[fate];
    for (let i = 0; i < times; i++) this.take(update);
    if (this.#late && times > 0) this.take(this.#late);
    if (times > 0 || fate === 'late') this.#late = fate === 'late' ? update : null;
    if (whole === 'taken') this.#whole = this.whole();
    if (whole === 'comes') this.begin(this.#whole);
  }

  #compare(): void {
    const { live, book, sequence = -1 } = this.followed;
    if (!live) return;
    this.compared += 1;
    assert.deepEqual(book.native(1_000), this.#states.get(sequence));
  }
}

t.test('a book is that of its number, or none, whatever is lost, repeated or late', async (t) => {
  let [compared, played] = [0, 0];
  await property(t, fc.tuple(kinds, steps), ([kind, steps]) => {
    const one = new Played(kind);
    for (const step of steps) one.play(step);
    compared += one.compared;
    played += steps.length;
  });
  t.ok(compared > played / 4, `${compared} comparisons in ${played} steps`);
});

t.test('after any faults a whole book and the next message make it right again', async (t) => {
  await property(t, fc.tuple(kinds, steps, changes), ([kind, steps, change]) => {
    const one = new Played(kind);
    for (const step of steps) one.play(step);
    one.followed.drop();
    const whole = one.whole();
    const next = one.next(change);
    if (kind.asked) one.take(next);
    one.begin(whole);
    if (!kind.asked) one.take(next);
    assert.deepEqual([one.followed.live, one.followed.sequence], [true, one.last]);
    assert.deepEqual(one.followed.book.native(1_000), one.exchange.top(1_000));
  });
});
