/** Polls and messages of a stream that overtake each other, against plain lists of what each has said. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { LiveRows, liveForms } from '../../../../actors/sources/streams/live-rows.ts';
import type { PriceRow, Reading } from '../../../../actors/topics/index.ts';
import { NewestRows } from '../../../../http/views/newest-rows.ts';
import { property } from '../../../support/property.ts';

const begin = 1_790_000_000_000;
const markets = ['A', 'B'];

/** What the exchange said at a time of its own: every number is another one, and near the others. */
interface Said {
  price: number;
  /** Null in messages of a stream without it. */
  volume: number | null;
  stated: number | null;
}

const rowOf = (market: string, said: Said): PriceRow => ({
  ...{ market, kind: 'spot', symbol: market, quote: 'USD', change: null },
  ...{ bid: null, ask: null, high: null, low: null, base: null, ...said },
});

/** `ask` and `answer` are the two ends of a poll; `make` has the exchange say something, which `hear` brings, of those any. */
type Step =
  | { does: 'ask' | 'answer' | 'make'; wait: number }
  | { does: 'hear'; wait: number; market: number; which: number };

const wait = fc.integer({ min: 0, max: 3 });
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({ does: fc.constantFrom('ask', 'answer', 'make'), wait }),
    fc.record({
      does: fc.constant('hear' as const),
      ...{ wait, market: fc.nat({ max: 1 }), which: fc.nat({ max: 9 }) },
    }),
  ),
  { maxLength: 60, size: 'max' },
);

interface Kind {
  /** Whether the exchange states times, and the volume in its stream. */
  states: boolean;
  volumes: boolean;
}
const kinds: fc.Arbitrary<Kind> = fc.record({ states: fc.boolean(), volumes: fc.boolean() });

/** What the slow model has of a market: the last poll, and the last message that it did not overtake. */
interface Slow {
  polled: Said;
  streamed: (Said & { received: number }) | null;
}

const isBefore = (one: Said, other: Said): boolean =>
  one.stated !== null && other.stated !== null && one.stated < other.stated;

class World {
  readonly published: Reading<PriceRow>[] = [];
  readonly changes: Reading<PriceRow>[] = [];
  readonly slow = new Map<string, Slow>();
  readonly #live = new LiveRows(liveForms.prices, 30_000);
  readonly #kind: Kind;
  #now = begin;
  #count = 0;
  #asked: { at: number; said: Map<string, Said> } | null = null;
  /** Messages of the stream that have not come. */
  readonly #made: Said[] = [];

  constructor(kind: Kind) {
    this.#kind = kind;
    this.#ask();
    this.#answer();
  }

  play(step: Step): void {
    this.#now += step.wait;
    if (step.does === 'make') this.#made.push(this.#say(this.#kind.volumes));
    if (step.does === 'ask') this.#ask();
    if (step.does === 'answer') this.#answer();
    if (step.does === 'hear') this.#hear(markets[step.market] ?? 'A', step.which);
  }

  #say(withVolume: boolean): Said {
    this.#count += 1;
    const volume = withVolume ? 5_000 + this.#count : null;
    const stated = this.#kind.states ? this.#now : null;
    return { price: 100 + this.#count / 1_000, volume, stated };
  }

  #ask(): void {
    const said = new Map(markets.map((market) => [market, this.#say(true)]));
    this.#asked ??= { at: this.#now, said };
  }

  #answer(): void {
    if (this.#asked === null) return;
    const { at: asked, said } = this.#asked;
    this.#asked = null;
    // An answer takes time, and nothing else happens in its millisecond: rows of one millisecond have no order.
    this.#now += 1;
    const rows = [...said].map(([market, one]) => rowOf(market, one));
    const about = { source: 'a', part: 'spot', asked, received: this.#now };
    this.published.push(this.#live.polled({ ...about, rows }));
    this.#now += 1;
    for (const [market, polled] of said) {
      const { streamed = null } = this.slow.get(market) ?? {};
      const isNewer = streamed && streamed.received > asked && !isBefore(streamed, polled);
      this.slow.set(market, { polled, streamed: isNewer ? streamed : null });
    }
  }

  #hear(market: string, which: number): void {
    const said = this.#made[which % Math.max(1, this.#made.length)];
    const slow = this.slow.get(market);
    if (!said || !slow) return;
    const { rows } = this.#live.merged([rowOf(market, said)], this.#now);
    this.#live.streamed(rows, this.#now);
    this.changes.push({ ...this.#about, rows });
    const isLate = isBefore(said, slow.streamed ?? slow.polled);
    assert.equal(rows.length, isLate ? 0 : 1);
    if (!isLate) slow.streamed = { ...said, received: this.#now };
  }

  get #about() {
    return { source: 'a', part: 'spot', asked: this.#now, received: this.#now };
  }
}

const wantedOf = ({ polled, streamed }: Slow) => {
  const { price, stated } = streamed ?? polled;
  return { price, stated, volume: streamed?.volume ?? polled.volume };
};
const partOf = ({ price, stated, volume }: PriceRow) => ({ price, stated, volume });

t.test('what is published is the newest that was said, field by field', async (t) => {
  let heard = 0;
  await property(t, fc.tuple(kinds, steps), ([kind, steps]) => {
    const world = new World(kind);
    for (const step of steps) {
      const before = [world.published.length, world.changes.length];
      world.play(step);
      const news = [...world.published.slice(before[0]), ...world.changes.slice(before[1])];
      for (const row of news.flatMap(({ rows }) => rows)) {
        const slow = world.slow.get(row.market);
        assert.deepEqual(partOf(row), slow && wantedOf(slow));
        heard += 1;
      }
    }
  });
  t.ok(heard > 0, `${heard} rows`);
});

/** A reader that follows the two topics, of which each is in its own order. Its rows never go back. */
class Reader {
  #known: NewestRows<PriceRow> | undefined;
  #times: number[] = [];

  poll(reading: Reading<PriceRow>): void {
    this.#known = new NewestRows(reading, this.#known);
    this.#check(this.#known);
  }

  change(reading: Reading<PriceRow>): void {
    this.#known?.change(reading);
    if (this.#known) this.#check(this.#known);
  }

  get prices(): number[] {
    return this.#known?.rows.map(({ price }) => price) ?? [];
  }

  #check({ rows, received: of }: NewestRows<PriceRow>): void {
    const times = rows.map(({ received = of }) => received);
    assert.ok(times.every((time, at) => time >= (this.#times[at] ?? 0)));
    this.#times = times;
  }
}

const orders = fc.array(fc.boolean(), { maxLength: 60, size: 'max' });

/** Both lists in their own order: by `order` the next one of the first, or of the second. */
function* mixed<T>(first: T[], second: T[], order: readonly boolean[]): Generator<T> {
  for (const isFirst of order) yield* (isFirst ? first : second).splice(0, 1);
  yield* second;
  yield* first;
}

/** Hands a reader what was published, the first poll first. */
function read({ published, changes }: World, order: readonly boolean[]): Reader {
  const reader = new Reader();
  const [first, ...polls] = published.map((reading) => () => reader.poll(reading));
  first?.();
  const others = changes.map((reading) => () => reader.change(reading));
  for (const take of mixed(polls, others, order)) take();
  return reader;
}

t.test(
  'a reader of both topics in any mixture never goes back, ends with the newest',
  async (t) => {
    await property(t, fc.tuple(kinds, steps, orders), ([kind, steps, order]) => {
      const world = new World(kind);
      for (const step of steps) world.play(step);
      const newest = [...world.slow.values()].map(({ polled, streamed }) => streamed ?? polled);
      const wanted = newest.map(({ price }) => price);
      assert.deepEqual(read(world, order).prices, wanted);
    });
  },
);
