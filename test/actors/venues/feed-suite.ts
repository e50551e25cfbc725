/** One topic of one part of any venue, from HTTP to rows, against the simulated world. */
import { isDeepStrictEqual } from 'node:util';
import type { Test } from 'tap';
import type { AnyRow } from '../../../actors/sources/define.ts';
import type { FeedPart } from './fixtures.ts';
import { type Holes, holes, holesAbout } from './holes.ts';
import {
  badDays,
  goodPoll,
  got,
  planOf,
  rowFaults,
  type Stage,
  subjects,
  unlessRefused,
  unlisted,
} from './stage.ts';
import { termsOf } from './terms.ts';
import { missing, rowsIn, samples } from './truth.ts';
import type { Polled } from './world.ts';

/** Every market that it should tell, with the right numbers, and no other. */
async function rightValues(t: Test, stage: Stage, part: FeedPart): Promise<void> {
  const { rows, dropped } = await goodPoll(stage, part);
  t.strictSame(rowFaults(stage, part, rows), [], 'every value is the truth');
  const terms = termsOf(stage.venue.id, part.part);
  t.strictSame(missing(part.topic, rowsIn(rows), terms), [], 'no value is missing');
  if (part.topic === 'instruments') {
    t.strictSame(dropped, [], 'every instrument is read');
    return;
  }
  const ids = subjects(stage, part).map(({ id }) => id);
  t.not(ids.length, 0, 'there is something to tell');
  t.strictSame(rows.map((row) => row.market).sort(), ids.sort(), 'every market is told');
  const lost = dropped.filter(({ key }) => ids.includes(key));
  t.strictSame(lost, [], 'and none dropped beside');
}

/** What is refused whole: no answer, no JSON, no list, nothing in the lists. */
async function badPolls(t: Test, stage: Stage, part: FeedPart): Promise<void> {
  const { world, venue } = stage;
  const few = planOf(stage, part, samples(subjects(stage, part)));
  const [request] = part.feed.requests({ markets: few.markets, now: world.now });
  if (!request) throw new Error(`${part.topic} of ${part.part} asks nothing`);
  await badDays(t, stage, request, (weather) => world.poll(venue, part, few, weather));
  const empty = await world.poll(venue, part, few, { fault: 'empty' });
  if (!empty.ok) {
    t.equal(empty.failure.code, 'shape', 'empty lists are refused');
    return;
  }
  const full = got(await world.poll(venue, part, few), 'in good weather');
  t.strictSame(empty.value.rows, full.rows, 'accepted only where the lists say nothing');
}

/** A market that does not trade is left out in silence; one that is gone costs nothing but its own request. */
async function delisted(t: Test, stage: Stage, part: FeedPart): Promise<void> {
  const { truth, world, venue, parts } = stage;
  t.not(truth.suspended.length, 0, 'the simulator lists a market that does not trade');
  const plan = planOf(stage, part, subjects(stage, part).slice(0, 5));
  const good = got(await world.poll(venue, part, plan), part.topic);
  const dead = truth.suspended.filter(({ id, kind }) => {
    const known = parts.get(part.part)?.get(id);
    return known === undefined || known.kind === 'other' || known.kind === kind;
  });
  const told = [...good.rows.map(({ market }) => market), ...good.dropped.map(({ key }) => key)];
  // A list may not say what trades.
  if (part.topic !== 'instruments') {
    const ids = dead.map(({ id }) => id).filter((id) => told.includes(id));
    t.strictSame(ids, [], 'nothing is told of what does not trade');
  }
  const [alive] = subjects(stage, part);
  if (!alive || !part.feed.rotates) return;
  const asked = { ...plan, markets: [...plan.markets, unlisted(alive)] };
  const { rows, dropped } = got(await world.poll(venue, part, asked), part.topic);
  t.strictSame({ rows, dropped }, { rows: good.rows, dropped: good.dropped }, 'the others stay');
}

/** Holes in the rows of a market that trades and that the bodies name; where they name none, anywhere. */
function holesIn({ truth }: Stage, { topic }: FeedPart, { rows, bodies }: Polled): Holes[] {
  const alive = rowsIn(rows).filter((row) => truth.marketOf(topic, row)?.state === 'live');
  for (const { market } of alive.slice(0, 4)) {
    const found = holesAbout(String(market), bodies);
    if (found.length > 0) return found;
  }
  return holes(bodies);
}

/** What became of a poll of which one value is gone. */
interface Torn {
  /** True where it changed a row or cost it. */
  felt: boolean;
  /** True where a row is gone and not named as dropped. */
  silent: boolean;
  /** Markets that had no row before. */
  fresh: string[];
  faults: string[];
}

/** A poll of which nothing is gone, with its rows by market. */
interface Whole extends Polled {
  before: ReadonlyMap<string, AnyRow>;
}

/** Whether a value of the first is another one in the second. */
function differs<Row extends object>(row: Row, other: Row): boolean {
  for (const name in row) if (!isDeepStrictEqual(row[name], other[name])) return true;
  return false;
}

function tear(stage: Stage, part: FeedPart, whole: Whole, bodies: readonly unknown[]): Torn | null {
  const context = { received: stage.world.now, instruments: planOf(stage, part).instruments };
  const parsed = unlessRefused(() => part.feed.parse(bodies, context));
  if (parsed === null) return null;
  const { before } = whole;
  const kept = parsed.rows.filter((row) => before.has(row.market));
  const changed = kept.filter((row) => {
    const earlier = before.get(row.market) ?? row;
    return differs(row, earlier) || differs(earlier, row);
  });
  const lost = whole.rows.length - kept.length;
  const named = parsed.dropped.length - whole.dropped.length;
  const wide = lost > 1 || changed.length > 1;
  return {
    felt: changed.length > 0 || lost > 0,
    silent: lost > named,
    fresh: parsed.rows.map(({ market }) => market).filter((market) => !before.has(market)),
    faults: [
      ...(wide ? [`${lost} rows lost, ${changed.length} changed`] : []),
      ...rowFaults(stage, part, changed, { torn: true }),
    ],
  };
}

/**
 * What is wrong with what holes in one place do; null where they do nothing. A word that is gone may turn the row into
 * another sort of row, followed or not; a number that is gone costs the row by name, unless one of the two holes is the
 * venue's own word for none.
 */
function harm(stage: Stage, part: FeedPart, whole: Whole, place: Holes): string[] | null {
  const outcomes = place.variants.map((bodies) => tear(stage, part, whole, bodies));
  const read = outcomes.filter((outcome) => outcome !== null);
  const numbers = place.wasNumber ? read : [];
  const found = [
    ...(place.inRow && read.length < outcomes.length ? ['all rows lost'] : []),
    ...(numbers.length > 0 && numbers.every(({ silent }) => silent) ? ['lost in silence'] : []),
    ...numbers.flatMap(({ fresh }) => fresh.map((market) => `makes a row of ${market}`)),
    ...read.flatMap(({ faults }) => faults),
  ];
  if (found.length === 0 && !read.some(({ felt }) => felt)) return null;
  return found.map((fault) => `${place.at}: ${fault}`);
}

/**
 * An empty string or a null in a row takes away numbers, or the row. It costs no other row and makes no wrong value.
 */
async function torn(t: Test, stage: Stage, part: FeedPart): Promise<void> {
  const polled = await goodPoll(stage, part);
  const whole = { ...polled, before: new Map(polled.rows.map((row) => [row.market, row])) };
  const harms = holesIn(stage, part, whole)
    .map((place) => harm(stage, part, whole, place))
    .filter((found) => found !== null);
  t.strictSame(harms.flat(), [], 'a hole in a row costs that row at most');
  t.not(harms.length, 0, 'some of them are felt');
}

export async function walkFeed(t: Test, stage: Stage, part: FeedPart): Promise<void> {
  await rightValues(t, stage, part);
  await badPolls(t, stage, part);
  await delisted(t, stage, part);
  await torn(t, stage, part);
}
