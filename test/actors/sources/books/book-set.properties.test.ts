/** The books of a stream whose messages are lost, repeated and late, with connections that end, against maps by price. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { BookSet } from '../../../../actors/sources/books/book-set.ts';
import { LiveBooks } from '../../../../actors/sources/books/live-books.ts';
import { Counter } from '../../../../actors/sources/status/status.ts';
import type {
  BookMessage,
  BookStream,
  MarketUpdate,
} from '../../../../actors/sources/streams/stream.ts';
import type { BookSnapshot } from '../../../../indicators/order-book/followed-book.ts';
import { property } from '../../../support/property.ts';
import { type Change, changes, SlowExchange } from '../../../support/slow-exchange.ts';
import { listed } from '../../venues/stream-suite.ts';

const names = ['A', 'B'] as const;
type Name = (typeof names)[number];
const nameOf = (market: string): Name => (market === 'B' ? 'B' : 'A');

/** How whole books come, and how messages follow each other; those of the last rule are counted by connection. */
interface Kind {
  rule: 'counted' | 'chained' | 'none';
  whole: 'by request' | 'by message' | 'by subscription';
}

const kinds: fc.Arbitrary<Kind> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      rule: fc.constantFrom('counted', 'chained'),
      whole: fc.constantFrom('by request', 'by message', 'by subscription'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ rule: fc.constant('none'), whole: fc.constant('by subscription') }),
  },
);

/** A change of a market and what happens to its message; `end`: the connection ends; `answer`: what was asked for comes. */
type Step =
  | { does: 'change'; market: Name; change: Change[]; fate: 'comes' | 'lost' | 'twice' }
  | { does: 'end' | 'answer' | 'refuse' }
  | { does: 'wait'; seconds: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      does: fc.constant('change' as const),
      market: fc.constantFrom(...names),
      change: changes,
      fate: fc.oneof(
        { weight: 9, arbitrary: fc.constant('comes' as const) },
        { weight: 1, arbitrary: fc.constantFrom('lost' as const, 'twice' as const) },
      ),
    }),
  },
  { weight: 6, arbitrary: fc.record({ does: fc.constant('answer' as const) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constantFrom('end' as const, 'refuse' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('wait' as const),
      seconds: fc.integer({ min: 1, max: 20 }),
    }),
  },
);

/** A market of the exchange: its book, and by number what it was. */
class Market {
  readonly book = new SlowExchange();
  last = 0;
  readonly states = new Map([[0, this.book.top(1_000)]]);

  whole(): BookSnapshot {
    return { ...this.book.top(1_000), last: this.last, stated: null, limited: false };
  }

  next(market: Name, change: Change[]): MarketUpdate {
    const previous = this.last;
    this.last += 1;
    const sides = this.book.change(change);
    this.states.set(this.last, this.book.top(1_000));
    return {
      market,
      kind: 'update',
      ...sides,
      first: this.last,
      last: this.last,
      previous,
      stated: null,
    };
  }
}

/** A peer that keeps what it is sent. */
class Connection {
  readonly sent: string[] = [];
  count = 0;

  send(text: string): void {
    this.sent.push(text);
  }
}

class Played {
  readonly markets = { A: new Market(), B: new Market() };
  readonly live = new LiveBooks();
  readonly set: BookSet;
  compared = 0;
  #now = 0;
  #connection = new Connection();
  readonly #kind: Kind;
  /** Answers that are on the way. */
  #answers: ((refused: boolean) => void)[] = [];

  constructor({ rule, whole }: Kind) {
    this.#kind = { rule, whole };
    const byRequest = {
      request: () => ({ api: 'a', path: '/' }),
      parse: () => this.markets.A.whole(),
    };
    const stream: BookStream = {
      ...{ collect: 'books', url: 'wss://x.example', silence: 1, most: 1_000, window: false, rule },
      subscribe: ({ market }) => `+${market}`,
      unsubscribe: () => null,
      parse: () => null,
      ...(whole === 'by request' && { snapshot: byRequest }),
      ...(whole === 'by message' && { ask: ({ market }) => `+${market}` }),
    };
    const ask = (market: string) =>
      new Promise<BookSnapshot | null>((resolve) => {
        const book = this.markets[nameOf(market)].whole();
        this.#answers.push((refused) => resolve(refused ? null : book));
      });
    this.set = new BookSet({
      source: 'x',
      part: 'all',
      stream,
      live: this.live,
      ask,
      counter: new Counter(),
    });
    this.set.want(listed(names.map((market) => ({ market, symbol: market }))), 0);
    for (const market of names) this.#connection.send(`+${market}`);
  }

  async play(step: Step): Promise<void> {
    if (step.does === 'change') this.#change(step.market, step.change, step.fate);
    if (step.does === 'end') this.#end();
    if (step.does === 'answer' || step.does === 'refuse')
      await this.#answer(step.does === 'refuse');
    if (step.does === 'wait') for (let i = 0; i < step.seconds; i++) this.second();
    this.#compare();
  }

  second(): void {
    this.#now += 1_000;
    this.set.tick(this.#now);
  }

  #change(market: Name, change: Change[], fate: 'comes' | 'lost' | 'twice'): void {
    const update = this.markets[market].next(market, change);
    const message = this.#counted([update]);
    if (fate !== 'lost') this.#take(message);
    if (fate === 'twice') this.#take(message);
  }

  #counted(updates: MarketUpdate[]): BookMessage {
    return this.#kind.rule === 'none' ? { updates, count: ++this.#connection.count } : { updates };
  }

  #take(message: BookMessage): void {
    this.set.take(message, this.#connection, this.#now);
    this.#compare();
  }

  /** All subscriptions are sent again by the next connection. */
  #end(): void {
    this.set.ended(this.#connection, this.#now);
    this.#connection = new Connection();
    this.#answers = [];
    for (const market of names) this.#connection.send(`+${market}`);
  }

  /** The oldest request, and the oldest message to the exchange, are answered; a refused one is not. */
  async #answer(refused: boolean): Promise<void> {
    this.#answers.shift()?.(refused);
    await Promise.resolve();
    await Promise.resolve();
    const asked = this.#connection.sent.shift()?.slice(1);
    if (asked === undefined || refused || !this.#brings) return;
    const market = nameOf(asked);
    this.#take(this.#counted([{ market, kind: 'snapshot', ...this.markets[market].whole() }]));
  }

  get #brings(): boolean {
    return this.#kind.whole !== 'by request';
  }

  #compare(): void {
    for (const market of names) {
      const kept = this.live.read('x', 'all', market);
      if (kept === null) continue;
      this.compared += 1;
      const { bids, asks } = kept.book.book.levels(1_000, kept.instrument);
      const flat = (side: typeof bids) => side.flatMap(({ price, quantity }) => [price, quantity]);
      const wanted = this.markets[market].states.get(kept.book.sequence ?? -1);
      assert.deepEqual({ bids: flat(bids), asks: flat(asks) }, wanted);
    }
  }
}

const steps = fc.array(step, { maxLength: 80, size: 'max' });

t.test(
  'a book that is offered is that of its number, whatever happens to its messages',
  async (t) => {
    let [compared, played] = [0, 0];
    await property(t, fc.tuple(kinds, steps), async ([kind, steps]) => {
      const one = new Played(kind);
      for (const step of steps) await one.play(step);
      compared += one.compared;
      played += steps.length;
    });
    t.ok(compared > played / 4, `${compared} comparisons in ${played} steps`);
  },
);

t.test('once nothing is lost any more every book is there again within five minutes', async (t) => {
  await property(
    t,
    fc.tuple(kinds, steps),
    async ([kind, steps]) => {
      const one = new Played(kind);
      for (const step of steps) await one.play(step);
      for (let second = 0; second < 300; second++) {
        for (const market of names)
          await one.play({ does: 'change', market, change: [], fate: 'comes' });
        one.second();
        for (const _ of names) await one.play({ does: 'answer' });
      }
      for (const market of names)
        assert.equal(one.live.read('x', 'all', market)?.book.sequence, one.markets[market].last);
    },
    60,
  );
});
