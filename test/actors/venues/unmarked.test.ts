/**
 * What a number that arrives a thousand times too large or too small costs: nothing that is served may jump without a mark. Each
 * number in the lists and candles of all exchanges, as the simulator answers, is damaged by itself.
 */

import t from 'tap';
import type { ParseContext } from '../../../actors/sources/define.ts';
import type { Venue } from '../../../actors/sources/venue.ts';
import { NewestRows } from '../../../actors/state/newest-rows.ts';
import { venues } from '../../../actors/venues/registry.ts';
import { FakeClock } from '../../support/clock.ts';
import { absent } from '../../support/recordings.ts';
import {
  contextOf,
  type FeedPart,
  feedParts,
  fixture,
  ownPoll,
  unlessRefused,
} from './fixtures.ts';
import { isPolled, pollOf, reader } from './probes/recorded.ts';
import { short, simulation, sortsIn, upstream, worldOf } from './readings.ts';
import { subjectsOf } from './subjects/index.ts';
import { places } from './suite/damage.ts';
import { at, caseOf, damaged, measure } from './suite/jumps.ts';

const worlds = Object.values(venues).map((venue) => {
  const answer = upstream(venue);
  const { now } = simulation(venue);
  const parts = new Map(venue.parts.map((part) => [`${part}`, worldOf(venue, part, answer)]));
  return { venue, answer, now, parts };
});
type OneWorld = (typeof worlds)[number];

function bodiesOf({ answer, now, parts }: OneWorld, { feed, part }: FeedPart) {
  const instruments = parts.get(part) ?? new Map();
  const followed = [...instruments.values()].filter(({ kind }) => kind !== 'other');
  const markets = feed.names?.(instruments) ?? followed.map(({ market }) => market);
  return feed
    .requests({ markets: markets.slice(0, 6), now })
    .map(answer)
    .map(short);
}

const newest = new NewestRows();
const clock = new FakeClock(worlds[0]?.now ?? 0);

/** The prices of a part, as they become known to those who are asked about them. */
function pricesOf(venue: Venue, part: string, bodies: readonly unknown[], context: ParseContext) {
  const { received } = context;
  const { rows } = ownPoll(venue, 'prices', part).parse(bodies, context);
  return { source: venue.id, part, asked: received, received, rows };
}

for (const world of worlds) {
  for (const one of feedParts(world.venue).filter(({ topic }) => topic === 'prices')) {
    const instruments = world.parts.get(one.part) ?? new Map();
    const context = { received: world.now, instruments };
    newest.accept('prices', pricesOf(world.venue, one.part, bodiesOf(world, one), context));
  }
}

/** The polls of an exchange in the world of the simulator, whose prices are held against those of all others. */
const simulatedCases = (world: OneWorld) =>
  feedParts(world.venue).map((one) => {
    const { venue, now, parts } = world;
    const instruments = parts.get(one.part) ?? new Map();
    const bodies = bodiesOf(world, one);
    return caseOf(venue.id, { ...one, bodies, instruments, around: { clock, newest }, now });
  });

// A leverage is stated once, a 24 h sum of WOO X is made of hours of which one jumped.
/** The step of prices decides with how many decimals they are shown, and is in no number; it is stated once as well. */
const withoutSteps = (all: readonly string[]) => all.filter((one) => !/: tick$/.test(one));
const isKnown = (one: string) => /max_leverage$|^woo prices of spot .*: volume$/.test(one);

t.test('less than 1 % of damaged lists serve a number that jumped without a mark', async (t) => {
  const { all, unmarked: found } = await measure(worlds.flatMap(simulatedCases));
  const unmarked = withoutSteps(found);
  t.comment(`${unmarked.length} of ${all} damaged bodies`);
  t.ok(all > 40_000, 'all lists are damaged');
  t.ok(unmarked.length < 0.01 * all, unmarked.slice(0, 20).join('\n'));
  t.strictSame(
    unmarked.filter((one) => !isKnown(one)),
    [],
    'and what remains is known',
  );
});

/** The recorded polls of an exchange, which has nothing but its own prices to hold them against. */
async function recordedCases(venue: Venue) {
  const { recorded: row } = await subjectsOf(venue.id);
  const read = reader(venue.id);
  const own = new NewestRows();
  const polls = row.bodies.flatMap((about) =>
    isPolled(about) ? pollOf({ venue, row, read }, about) : [],
  );
  for (const { topic, part, bodies, context } of polls)
    if (topic === 'prices') own.accept('prices', pricesOf(venue, part, bodies, context));
  return polls.map(({ context: { received: now, instruments }, ...poll }) => {
    const around = { clock: new FakeClock(now), newest: own };
    const bodies = poll.bodies.map(short);
    return caseOf(venue.id, { ...poll, bodies, instruments, around, now });
  });
}

t.test('nor do recorded lists', { skip: absent }, async (t) => {
  const {
    all,
    unmarked: found,
    empty,
  } = await measure((await Promise.all(Object.values(venues).map(recordedCases))).flat());
  const unmarked = withoutSteps(found);
  t.comment(`${unmarked.length} of ${all} damaged bodies`);
  t.ok(all > 10_000, 'recorded lists are damaged');
  t.strictSame(empty, [], 'each gives rows');
  t.strictSame(
    unmarked.filter((one) => !isKnown(one)),
    [],
    'what jumps is known',
  );
});

/** Paths of the damaged places of which a candle is served whose high is a hundred or whose low is ten thousand times off. */
function farWicks(venue: Venue, part: string): string[] {
  const { candles } = venue.queries;
  const instrument = sortsIn(contextOf(venue, part).instruments)[0];
  if (!candles || !instrument) return [];
  const body = short(fixture(venue, `${part}-candles`));
  const ask = { market: instrument.market, part, instrument };
  const read = (one: unknown) => unlessRefused(() => candles.parse(one, ask)) ?? [];
  const highest = Math.max(...read(body).map(({ high }) => high)) * 100;
  const lowest = Math.min(...read(body).map(({ low }) => low)) / 10_000;
  return [...places(body)].flatMap(([path, put]) =>
    [1_000, 0.00001].flatMap((factor) => {
      const value = damaged(at(body, path), factor);
      const found = value === undefined ? [] : read(put(value));
      const isFar = found.some(({ high, low }) => high > highest || low < lowest);
      return isFar ? [`${venue.id} ${part} ${path} ×${factor}`] : [];
    }),
  );
}

t.test('no candle is served whose high or low is of another unit', async (t) => {
  const found = worlds.flatMap(({ venue }) => venue.parts.flatMap((part) => farWicks(venue, part)));
  t.strictSame(found, []);
});
