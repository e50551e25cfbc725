/** Polls and messages of a stream that overtake each other, against plain lists of what each has said. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { ChangingReading } from '../../../actors/topics/changing-reading.ts';
import type { PriceRow, Reading } from '../../../actors/topics/index.ts';
import { rowsAlone } from '../../support/guarded.ts';
import { property } from '../../support/property.ts';

const begin = 1_790_000_000_000;
const markets = ['A', 'B'];

/** What the exchange said at a time of its own: every number is another one. */
interface Said {
  price: number;
  /** Null in messages of a stream without it. */
  volume: number | null;
  stated: number | null;
}

/** The same as it arrives: `heard` is when a poll was asked. */
interface Heard extends Said {
  heard: number;
  /** Of arrivals. */
  order: number;
}

const rowOf = (market: string, { price, volume, stated }: Said): PriceRow => ({
  market,
  kind: 'spot',
  symbol: market,
  quote: 'USD',
  change: null,
  price,
  volume,
  stated,
  bid: null,
  ask: null,
  high: null,
  low: null,
  base: null,
});

/**
 * `ask` and `answer` are the two ends of a poll; `make` has the exchange say something, `jump` something far from it, which `hear`
 * brings, of those any.
 */
type Step =
  | { does: 'ask' | 'answer' | 'make' | 'jump'; wait: number }
  | { does: 'hear'; wait: number; market: number; which: number };

const wait = fc.integer({ min: 0, max: 3 });
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({ does: fc.constantFrom('ask', 'answer', 'make', 'jump'), wait }),
    fc.record({
      does: fc.constant('hear' as const),
      ...{ wait, market: fc.nat({ max: 1 }), which: fc.nat({ max: 9 }) },
    }),
  ),
  { maxLength: 80, size: 'max' },
);

interface Kind {
  /** Whether the exchange states times in polls, or in its stream. */
  polls: boolean;
  streams: boolean;
  /** Whether its stream has volumes. */
  volumes: boolean;
}
const kinds: fc.Arbitrary<Kind> = fc.record({
  polls: fc.boolean(),
  streams: fc.boolean(),
  volumes: fc.boolean(),
});

const isNear = (one: number, other: number) => Math.abs(one - other) <= 0.3 * other;

/** Of all that was used the value with the last time. A message without a stated time is in the order in which all were heard. */
class Slow {
  readonly #used: Heard[] = [];
  #held: Heard | null = null;

  /** Whether `one` is later than all that was used and has the value. */
  #isLast(one: Heard, name: 'price' | 'volume'): boolean {
    const last = this.#lastOf(name);
    if (last === undefined || one[name] === null) return one[name] !== null;
    const by = one.stated !== null && last.stated !== null && one.stated !== last.stated;
    return by ? Number(one.stated) > Number(last.stated) : one.heard >= last.heard;
  }

  #lastOf(name: 'price' | 'volume'): Heard | undefined {
    const having = this.#used.filter((one) => one[name] !== null);
    return having.findLast((one) => one.order === this.#winners[name]);
  }

  readonly #winners = { price: -1, volume: -1 };

  /** Takes a message; false where nothing changes. */
  take(one: Heard): boolean {
    const names = (['price', 'volume'] as const).filter((name) => this.#isLast(one, name));
    if (names.length === 0) return false;
    const before = this.#lastOf('price');
    const isJump = before !== undefined && !isNear(one.price, before.price);
    const isConfirmed = this.#held !== null && isNear(one.price, this.#held.price);
    this.#held = isJump && !isConfirmed ? one : null;
    if (this.#held) return false;
    this.#used.push(one);
    for (const name of names) this.#winners[name] = one.order;
    return true;
  }

  get wanted() {
    const price = this.#lastOf('price');
    const volume = this.#lastOf('volume')?.volume ?? null;
    return price && { price: price.price, stated: price.stated, volume };
  }
}

const partOf = ({ price, stated, volume }: PriceRow) => ({ price, stated, volume });

class World {
  readonly published: Reading<PriceRow>[] = [];
  readonly changes: Reading<PriceRow>[] = [];
  readonly slow = new Map(markets.map((market) => [market, new Slow()]));
  readonly #rows = rowsAlone().of('prices', 'spot', 30_000);
  readonly #kind: Kind;
  #now = begin;
  #count = 0;
  #order = 0;
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
    if (step.does === 'make' || step.does === 'jump') this.#make(step.does === 'jump');
    if (step.does === 'ask') this.#ask();
    if (step.does === 'answer') this.#answer();
    if (step.does === 'hear') this.#hear(markets[step.market] ?? 'A', step.which);
  }

  #say(isStated: boolean, withVolume: boolean, base = 100): Said {
    this.#count += 1;
    const volume = withVolume ? 5_000 + this.#count : null;
    return { price: base + this.#count / 1_000, volume, stated: isStated ? this.#now : null };
  }

  #make(isJump: boolean): void {
    const { streams, volumes } = this.#kind;
    this.#made.push(this.#say(streams, volumes, isJump ? 200 : 100));
  }

  #ask(): void {
    const { polls } = this.#kind;
    const base = this.#count % 5 === 4 ? 200 : 100;
    const said = new Map(markets.map((market) => [market, this.#say(polls, true, base)]));
    this.#asked ??= { at: this.#now, said };
  }

  #answer(): void {
    if (this.#asked === null) return;
    const { at: asked, said } = this.#asked;
    this.#asked = null;
    // An answer takes time, and nothing else happens in its millisecond: rows of one millisecond have no order.
    this.#now += 1;
    const rows = [...said].map(([market, one]) => rowOf(market, one));
    const about = { asked, received: this.#now };
    const found = this.#rows.polled({ ...about, rows, dropped: [], listed: null });
    this.#rows.published(found);
    this.published.push({ source: 'a', part: 'spot', ...about, ...found });
    this.#now += 1;
    for (const [market, one] of said)
      this.slow.get(market)?.take({ ...one, heard: asked, order: ++this.#order });
  }

  #hear(market: string, which: number): void {
    const said = this.#made[which % Math.max(1, this.#made.length)];
    if (!said) return;
    const isNews = this.#rows.streamed(rowOf(market, said), this.#now, []);
    const slow = this.slow.get(market);
    assert.equal(isNews, slow?.take({ ...said, heard: this.#now, order: ++this.#order }));
    const row = this.#rows.at(market, this.#now);
    const at = { source: 'a', part: 'spot', asked: this.#now, received: this.#now };
    if (isNews && row) this.changes.push({ ...at, rows: [row] });
  }
}

t.test('what is published is the newest that was said, field by field', async (t) => {
  let heard = 0;
  await property(t, fc.tuple(kinds, steps), ([kind, steps]) => {
    const world = new World(kind);
    for (const step of steps) {
      const before = [world.published.length, world.changes.length];
      world.play(step);
      const news = [...world.published.slice(before[0]), ...world.changes.slice(before[1])];
      for (const row of news.flatMap(({ rows }) => rows)) {
        assert.deepEqual(partOf(row), world.slow.get(row.market)?.wanted);
        heard += 1;
      }
    }
  });
  t.ok(heard > 0, `${heard} rows`);
});

/** A reader that follows the two topics, of which each is in its own order. Its rows never go back. */
class Reader {
  #known: ChangingReading<PriceRow> | undefined;
  #times: number[] = [];

  poll(reading: Reading<PriceRow>): void {
    this.#known = new ChangingReading(reading, this.#known);
    this.#check(this.#known);
  }

  change(reading: Reading<PriceRow>): void {
    this.#known?.change(reading);
    if (this.#known) this.#check(this.#known);
  }

  get prices(): number[] {
    return this.#known?.rows.map(({ price }) => price) ?? [];
  }

  #check({ rows, received: of }: ChangingReading<PriceRow>): void {
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
      const wanted = [...world.slow.values()].map((slow) => slow.wanted?.price);
      assert.deepEqual(read(world, order).prices, wanted);
    });
  },
);
