/** Bodies of polls damaged in one number each, and the numbers that are served then. */
import { type InstrumentMap, type Parsed, validRows } from '../../../../actors/sources/define.ts';
import { VenueRows } from '../../../../actors/sources/market-rows.ts';
import type { MarketRow } from '../../../../actors/sources/merge.ts';
import type { MergedRows } from '../../../../actors/sources/merged-rows.ts';
import { countsOf } from '../../../../actors/sources/status/status.ts';
import type { Reading } from '../../../../actors/topics/index.ts';
import type { FeedPart } from '../fixtures.ts';
import { places } from './damage.ts';

/** A number that stands in another unit or place, is turned, or is gone. */
const factors = [1_000, 0.001, 10, 0.1, -1, 0];
/** The value damaged in its own form; undefined for one that is no number. */
export function damaged(value: unknown, factor: number): unknown {
  if (typeof value === 'number' && value !== 0) return value * factor;
  if (typeof value !== 'string' || !/^-?\d*\.?\d+$/.test(value) || Number(value) === 0) return;
  return String(Number((Number(value) * factor).toPrecision(12)));
}

export const at = (body: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => Object(value)[key], body);

const times = /^(stated|next_funding|received)$/;

/** Where a share of the value says little: percentage points, and fractions. */
const absolute: Readonly<Record<string, number>> = {
  change: 30,
  funding_rate: 0.01,
  funding_rate_8h: 0.01,
  predicted_rate: 0.01,
  premium: 0.01,
};

/** The numbers of a row, with how far each may move: 30 %. */
function numbersOf(row: object): [name: string, was: number, bound: number][] {
  return Object.entries(row).flatMap(([name, was]: [string, unknown]) =>
    typeof was === 'number' && !times.test(name)
      ? [[name, was, absolute[name] ?? 0.3 * Math.abs(was)]]
      : [],
  );
}
type Numbers = ReturnType<typeof numbersOf>;

/** The columns of a row that are another number than before, beyond the bound. */
function jumps(before: Numbers, after: object): string[] {
  const moved: string[] = [];
  for (const [name, was, bound] of before) {
    const value: unknown = Reflect.get(after, name);
    if (typeof value === 'number' && Math.abs(value - was) > bound) moved.push(name);
  }
  return moved;
}

/** What a poll publishes: its rows, and the markets that its status or the reading names. */
interface Published {
  rows: readonly MarketRow[];
  named: ReadonlySet<string>;
}

const nothing: Published = { rows: [], named: new Set() };

export interface Case {
  name: string;
  bodies: readonly unknown[];
  publish(bodies: readonly unknown[]): Promise<Published | null>;
}

/** Each number in the bodies by itself damaged, with the name of its place. */
function* damagedBodies(bodies: readonly unknown[]): Generator<[string, readonly unknown[]]> {
  for (const [index, body] of bodies.entries()) {
    for (const [path, put] of places(body)) {
      for (const factor of factors) {
        const value = damaged(at(body, path), factor);
        if (value !== undefined) yield [`${path} ×${factor}`, bodies.with(index, put(value))];
      }
    }
  }
}

/** The bodies of a poll, and what they are held against. */
interface Poll {
  topic: FeedPart['topic'];
  part: string;
  feed: Pick<FeedPart['feed'], 'parse'>;
  bodies: readonly unknown[];
  instruments: InstrumentMap;
  around: ConstructorParameters<typeof VenueRows>[1];
  /** Unix ms. */
  now: number;
}

/** Bodies damaged in one number, and of those the ones whose rows jump without a mark. */
interface Measured {
  all: number;
  unmarked: string[];
  /** Polls of which nothing is served when they are whole, so that nothing can jump. */
  empty: string[];
}

async function measureOne({ name, bodies, publish }: Case): Promise<Measured> {
  const good = await publish(bodies);
  const old = new Map(good?.rows.map((row) => [row.market, numbersOf(row)]));
  let all = 0;
  const unmarked: string[] = [];
  for (const [place, body] of damagedBodies(bodies)) {
    all += 1;
    const { rows, named } = (await publish(body)) ?? nothing;
    const moved = rows
      .filter(({ market }) => !named.has(market))
      .flatMap((row) => jumps(old.get(row.market) ?? [], row));
    if (moved.length > 0) unmarked.push(`${name} ${place}: ${[...new Set(moved)]}`);
  }
  return { all, unmarked, empty: old.size === 0 ? [name] : [] };
}

export async function measure(cases: readonly Case[]): Promise<Measured> {
  const sum: Measured = { all: 0, unmarked: [], empty: [] };
  for (const one of cases) {
    const { all, unmarked, empty } = await measureOne(one);
    sum.all += all;
    sum.unmarked.push(...unmarked);
    sum.empty.push(...empty);
  }
  return sum;
}

type Counts = Readonly<Record<string, number>>;

const hasMore = (counts: Counts, usual: Counts): boolean =>
  Object.entries(counts).some(([code, count]) => count > (usual[code] ?? 0));

/** The case of a poll of a source: the whole bodies are published first, then each damaged one beside them. */
export function caseOf(source: string, poll: Poll): Case {
  const { topic, part, feed, bodies: whole, instruments, around, now } = poll;
  let previous: Reading<MarketRow> | undefined;
  let usual: Counts | undefined;
  const publish = async (bodies: readonly unknown[]): Promise<Published | null> => {
    const rows: Pick<MergedRows<MarketRow>, 'load' | 'polled'> = new VenueRows(source, around).of(
      topic as never,
      part,
      30_000,
    );
    rows.load(previous);
    const at = { received: now, instruments };
    const parsed = validRows(() => feed.parse(bodies, at) as Parsed<MarketRow>);
    if (!parsed.ok) return null;
    const named = new Set(parsed.value.dropped.map(({ key }) => key));
    const merged = rows.polled({ ...parsed.value, asked: now, received: now, listed: null });
    const found: Reading<MarketRow> = { source, part, asked: now, ...merged };
    previous ??= found;
    const dropped = countsOf(merged.dropped, {});
    usual ??= dropped;
    const isNamed = hasMore(dropped, usual);
    return {
      rows: found.rows,
      named: isNamed ? new Set(found.rows.map(({ market }) => market)) : named,
    };
  };
  return { name: `${source} ${topic} of ${part}`, bodies: whole, publish };
}
