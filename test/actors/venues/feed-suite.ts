/** One topic of one part of any venue, from HTTP to rows, against the simulated world. */
import type { Test } from 'tap';
import type { FeedPart } from './fixtures.ts';
import {
  badDays,
  goodPoll,
  got,
  planOf,
  rowFaults,
  type Stage,
  subjects,
  unlisted,
} from './stage.ts';
import { termsOf } from './terms.ts';
import { missing, rowsIn, samples } from './truth.ts';

/** Every market that it should have, with the right numbers, and no other. */
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

export async function walkFeed(t: Test, stage: Stage, part: FeedPart): Promise<void> {
  await rightValues(t, stage, part);
  await badPolls(t, stage, part);
  await delisted(t, stage, part);
}
