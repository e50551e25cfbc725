/** A venue of the registry on the stage of the simulated world, and the bad days that it meets there. */

import type { Test } from 'tap';
import { type FailureCode, type Result, ShapeError } from '../../../actors/failure.ts';
import type { InstrumentMap } from '../../../actors/sources/define.ts';
import type { Venue } from '../../../actors/sources/venue.ts';
import type { Instrument } from '../../../actors/topics/index.ts';
import { readFault } from '../../../actors/upstream/faults.ts';
import type { UpstreamRequest } from '../../../actors/upstream/request.ts';
import type { FaultKind } from '../../../scripts/simulator/faults.ts';
import type { Market } from '../../../scripts/simulator/market.ts';
import type { SimulatedVenue } from '../../../scripts/simulator/venue.ts';
import { type FeedPart, feedPart, pollOf } from './fixtures.ts';
import { banOf, termsOf } from './terms.ts';
import { rowsIn, Truth } from './truth.ts';
import type { Polled, Weather, World } from './world.ts';

export interface Stage {
  world: World;
  venue: Venue;
  refusals: SimulatedVenue['refusals'];
  truth: Truth;
  /** What the venue lists, part by part. */
  parts: ReadonlyMap<string, InstrumentMap>;
}

/** The value of a success; a failure ends the test. */
export function got<T>(result: Result<T>, what: string): T {
  if (result.ok) return result.value;
  throw new Error(`${what}: ${result.failure.code}, ${result.failure.message}`);
}

/** Brings a venue on: its instruments are asked for and held against the truth. */
export async function enter(
  t: Test,
  world: World,
  venue: Venue,
  { hosts, refusals }: SimulatedVenue,
): Promise<Stage> {
  const named = Object.values(venue.apis).flatMap((api) => api.hosts);
  const unknown = named.filter((host) => !hosts.includes(new URL(host).hostname));
  t.strictSame(unknown, [], 'the simulator answers for every host');
  const truth = new Truth(world.model, venue.id);
  const parts = new Map<string, ReadonlyMap<string, Instrument>>();
  for (const part of venue.parts) parts.set(part, await instrumentsOf(world, venue, part));
  const isListed = ({ id, kind }: Market) =>
    [...parts.values()].some((rows) => rows.get(id)?.kind === kind);
  const lost = truth.live.filter((market) => !isListed(market));
  t.strictSame(
    lost.map(({ id, kind }) => `${kind} ${id}`),
    [],
    'every market that trades is listed',
  );
  return { world, venue, refusals, truth, parts };
}

async function instrumentsOf(world: World, venue: Venue, part: string): Promise<InstrumentMap> {
  const found = feedPart(venue, 'instruments', part);
  if (!found) throw new Error(`${venue.id} lists no instruments of ${part}`);
  const plan = { instruments: new Map(), markets: [] };
  const { bodies } = got(await world.poll(venue, found, plan), `instruments of ${part}`);
  const context = { received: world.now, instruments: plan.instruments };
  const rows = pollOf(venue, 'instruments', part)?.parse(bodies, context).rows ?? [];
  return new Map(rows.map((row) => [row.market, row]));
}

/** Followed markets that the venue lists in a part. */
export const marketsOf = ({ truth, parts }: Stage, part: string): Market[] =>
  truth.followed.filter(({ id, kind }) => parts.get(part)?.get(id)?.kind === kind);

/** The markets of a feed: perpetuals, and spot markets too where it has prices. */
export const subjects = (stage: Stage, { topic, part }: FeedPart): Market[] =>
  marketsOf(stage, part).filter(({ kind }) => topic === 'prices' || kind === 'perpetual');

/** An id in the venue's form that it does not list. */
export function unlisted({ id, symbol }: Market): string {
  const made = [id.replace(symbol, 'NOSUCH'), id.replace(/[A-Z]{2,}/, 'NOSUCH')];
  return made.find((one) => one !== id) ?? '987654';
}

/** What one poll of a part is to cover. */
export const planOf = (stage: Stage, part: FeedPart, markets = subjects(stage, part)) => ({
  instruments: stage.parts.get(part.part) ?? new Map<string, Instrument>(),
  markets: part.feed.rotates ? markets.map(({ id }) => id) : [],
});

/** One poll in good weather that covers every market. */
export async function goodPoll(stage: Stage, part: FeedPart): Promise<Polled> {
  const result = await stage.world.poll(stage.venue, part, planOf(stage, part));
  return got(result, `${part.topic} of ${part.part}`);
}

/** What each kind of bad day is called. */
const days = (venue: string): readonly (readonly [FaultKind, FailureCode])[] => [
  ['garbage', 'shape'],
  ['html', 'shape'],
  ['wrong_shape', 'shape'],
  ['rate_limit', 'rate_limited'],
  ['ban', banOf(venue)],
  ['server_error', 'unavailable'],
];

/**
 * Asks in every weather but good, each time for the right failure. A refusal inside a 200 is what the venue's own
 * `fault` says of such a body, or else no body of the right shape.
 */
export async function badDays(
  t: Test,
  { venue, refusals }: Stage,
  { api }: UpstreamRequest,
  ask: (weather: Weather) => Promise<Result<unknown>>,
): Promise<void> {
  const codeOf = (result: Result<unknown>) => (result.ok ? 'success' : result.failure.code);
  const found: [FaultKind, string][] = [];
  const expected: [FaultKind, string][] = [...days(venue.id)].map(([fault, code]) => [fault, code]);
  for (const [fault] of expected) {
    const result = await ask({ fault });
    found.push([fault, codeOf(result)]);
    if (result.ok || fault !== 'rate_limit') continue;
    t.ok(Number(result.failure.retryAfter) > 0, 'with the time to wait');
  }
  for (const fault of ['rate_limit', 'ban', 'server_error'] as const) {
    const code = readFault(venue.apis[api] ?? {}, 200, refusals[fault].body)?.code ?? 'shape';
    expected.push([fault, code]);
    found.push([fault, codeOf(await ask({ fault, inside200: true }))]);
  }
  t.strictSame(found, expected, 'bad days, and refusals inside a 200');
}

/** What `read` makes of bodies with a hole; null where it refuses them as a whole. */
export function unlessRefused<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof ShapeError) return null;
    throw error;
  }
}

/** What is wrong with rows. */
export const rowFaults = (
  { truth, venue }: Stage,
  { topic, part }: FeedPart,
  rows: readonly unknown[],
) => {
  const terms = termsOf(venue.id, part);
  return rowsIn(rows).flatMap((row) => truth.faults(topic, row, terms));
};
