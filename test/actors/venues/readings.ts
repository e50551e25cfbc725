/** Bodies of a venue with their parsers: lists out of its fixtures; histories and snapshots of books as the simulator answers. */
import type { InstrumentMap } from '../../../actors/sources/define.ts';
import type { MarketQuery } from '../../../actors/sources/queries/forms.ts';
import type { Venue } from '../../../actors/sources/venue.ts';
import type { Instrument, LongShortParams } from '../../../actors/topics/index.ts';
import type { UpstreamRequest } from '../../../actors/upstream/request.ts';
import { isFollowedKind } from '../../../indicators/market/market-names.ts';
import { Model } from '../../../scripts/simulator/model.ts';
import { venues as simulated } from '../../../scripts/simulator/registry.ts';
import { type Ask, Refused, type SimulatedVenue } from '../../../scripts/simulator/venue.ts';
import { bodiesOf, contextOf, feedParts, received } from './fixtures.ts';

const now = 1_790_000_000_000;
const hour = 3_600_000;

/** The first market of each sort: spot, linear or inverse, counted in coins or in lots of them. */
export const sortsIn = (instruments: InstrumentMap): Instrument[] => [
  ...new Map(
    [...instruments.values()]
      .filter(({ kind }) => isFollowedKind(kind))
      .reverse()
      .map((one) => [`${one.kind} ${one.inverse} ${one.scale > 1}`, one]),
  ).values(),
];

/** Bodies, and how they are read. */
export interface Reading {
  name: string;
  bodies: readonly unknown[];
  parse(bodies: readonly unknown[]): unknown;
}

/** The lists of a venue in its fixtures; of its chains of options the first. */
export function lists(venue: Venue): Reading[] {
  const feeds = feedParts(venue).map(({ topic, part, feed, fixture: name }): Reading => {
    const [bodies, context] = [bodiesOf(venue, name), contextOf(venue, part)];
    return { name: `${topic} of ${part}`, bodies, parse: (all) => feed.parse(all, context) };
  });
  const context = { received, instruments: new Map() };
  const chains = Object.values(venue.feeds.options?.parts ?? {}).slice(0, 1);
  return [
    ...feeds,
    ...chains.map(({ parse }) => ({
      name: 'options',
      bodies: bodiesOf(venue, 'options'),
      parse: (bodies: readonly unknown[]) => parse(bodies, context).options,
    })),
  ];
}

type Answer = (request: UpstreamRequest) => unknown;

/** A venue in the world of the simulator, and its answers so far. */
interface World {
  own: SimulatedVenue;
  model: Model;
  answers: Map<string, unknown>;
}

/** That of the venue which was asked for last. */
let newest: { id: string; world: World } | null = null;

/** The venue in the world of the simulator. */
export function simulation({ id }: Pick<Venue, 'id'>) {
  const all: Readonly<Record<string, SimulatedVenue>> = simulated;
  const own = all[id];
  if (!own) throw new Error(`${id} is not simulated`);
  if (newest?.id !== id) {
    const model = new Model({ seed: 7, symbols: 12, clock: { now: () => now }, venues: [own] });
    newest = { id, world: { own, model, answers: new Map() } };
  }
  return { ...newest.world, now };
}

/** Answers of the simulator, each made once; undefined for a request that it refuses. */
export function upstream(venue: Venue): Answer {
  const { own, model, answers } = simulation(venue);
  return ({ method = 'GET', path, query: words = {}, body = '' }) => {
    const query = new URLSearchParams();
    for (const [key, one] of Object.entries(words)) query.set(key, `${one}`);
    const sent = typeof body === 'string' ? body : JSON.stringify(body);
    const name = `${method} ${path}?${query} ${sent}`;
    if (answers.has(name)) return answers.get(name);
    const found = unlessRefusedBy(own, { method, path, query, body: sent, now, model });
    answers.set(name, found);
    return found;
  };
}

function unlessRefusedBy(own: SimulatedVenue, ask: Ask): unknown {
  try {
    const found = own.route(ask.path)?.answer(ask);
    return found === undefined ? undefined : JSON.parse(JSON.stringify(found));
  } catch (error) {
    if (error instanceof Refused) return undefined;
    throw error;
  }
}

const isHistory = (entry: [string, object]): entry is [string, MarketQuery<'longShort'>] =>
  ['fundingHistory', 'openInterestHistory', 'longShort', 'takerVolume'].includes(entry[0]);

type Words = Pick<LongShortParams, 'of' | 'interval' | 'to'>;
const usual = { of: 'accounts', interval: '1h' } as const;
const words: readonly Words[] = [
  usual,
  { ...usual, interval: '2h' },
  { ...usual, to: now - 24 * hour },
];
const sorts: readonly Words[] = [
  ...words,
  { ...usual, of: 'top_accounts' },
  { ...usual, of: 'top_positions' },
];

interface Asked {
  part: string;
  instrument: Instrument;
  answer: Answer;
}

/** The newest rows of each history of a market, those of two hours, and some of the day before. */
const historiesOf = (venue: Venue, { part, instrument, answer }: Asked): Reading[] =>
  Object.entries<object>(venue.queries)
    .filter(isHistory)
    .flatMap(([name, query]) =>
      (name === 'longShort' ? sorts : words).flatMap((one): Reading[] => {
        const { market } = instrument;
        const asked = { market, part, instrument, now, limit: 3, ...one };
        const page = query.page?.(asked);
        if (!page) return [];
        const whole = { ...asked, ...page, instrument, now };
        const parse = (bodies: readonly unknown[]) => {
          const found = query.parse(bodies, whole, now);
          return (query.slice?.(found, asked) ?? found).points;
        };
        const bodies = query.requests(whole).map(answer);
        return [{ name: `${name} of ${market} ${Object.values(one).join(' ')}`, bodies, parse }];
      }),
    );

/** The markets of a part in the world of the simulator. */
export function worldOf({ feeds }: Venue, part: string, answer: Answer): InstrumentMap {
  const listing = feeds.instruments.parts[part];
  const bodies = listing?.requests({ markets: [], now }).map(answer) ?? [];
  const found = listing?.parse(bodies, { received: now, instruments: new Map() }).instruments;
  return new Map(found?.rows.map((row) => [row.market, row]));
}

/** The histories of a market of each sort, as the simulator answers. */
export function histories(venue: Venue): Reading[] {
  const answer = upstream(venue);
  return venue.parts.flatMap((part) =>
    sortsIn(worldOf(venue, part, answer)).flatMap((instrument) =>
      historiesOf(venue, { part, instrument, answer }),
    ),
  );
}

/** The books that streams begin with, as the simulator answers. */
export const snapshots = (venue: Venue): Reading[] =>
  Object.entries(venue.books ?? {}).flatMap(([part, stream]): Reading[] => {
    const answer = upstream(venue);
    const [{ market } = { market: '' }] = sortsIn(worldOf(venue, part, answer));
    const { request, parse } = stream?.snapshot ?? {};
    if (!request || !parse) return [];
    const bodies = [short(answer(request(market)))];
    return [{ name: `snapshot of ${part} ${market}`, bodies, parse: ([body]) => parse(body) }];
  });

/** With the first and the last rows only of each long list of them, which are all read alike. */
export function short(value: unknown): unknown {
  if (Array.isArray(value)) {
    const isLong = value.length > 6 && typeof value[0] === 'object';
    return (isLong ? [...value.slice(0, 3), ...value.slice(-3)] : value).map(short);
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, short(inner)]));
}
