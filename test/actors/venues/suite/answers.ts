/**
 * What a venue reads in its answers, held against tables of `test/fixtures/declared/answers`: lists, books and candles out
 * of its fixtures; histories, loans and past liquidations as the simulator answers.
 */
import type { Test } from 'tap';
import type { InstrumentMap } from '../../../../actors/sources/define.ts';
import type { MarketQuery, Venue } from '../../../../actors/sources/venue.ts';
import type { Instrument, LongShortParams } from '../../../../actors/topics/index.ts';
import type { UpstreamRequest } from '../../../../actors/upstream/request.ts';
import { Model } from '../../../../scripts/simulator/model.ts';
import { venues as simulated } from '../../../../scripts/simulator/registry.ts';
import { Refused, type SimulatedVenue } from '../../../../scripts/simulator/venue.ts';
import { line, sameAsDeclared } from '../../../support/declared.ts';
import { bodiesOf, contextOf, feedParts, fixture, received } from '../fixtures.ts';
import { rounded } from '../stream-suite.ts';

const now = 1_790_000_000_000;
const hour = 3_600_000;

/** The first market of each sort: spot, linear or inverse, counted in coins or in lots of them. */
export const sortsIn = (instruments: InstrumentMap): Instrument[] => [
  ...new Map(
    [...instruments.values()]
      .filter(({ kind }) => kind !== 'other')
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
      parse: (bodies: readonly unknown[]) => parse(bodies, context),
    })),
  ];
}

/** The fixtures of a venue, parsed. */
function fixtures(venue: Venue): [string, unknown][] {
  const { orderBook, candles } = venue.queries;
  const feeds = lists(venue).map(({ name, bodies, parse }): [string, unknown] => [
    name,
    parse(bodies),
  ]);
  const pages = venue.parts.flatMap((part) =>
    sortsIn(contextOf(venue, part).instruments).flatMap((instrument): [string, unknown][] => {
      const ask = { market: instrument.market, part, instrument };
      const read = (name: string, parse?: (body: unknown, about: typeof ask) => unknown) =>
        parse?.(fixture(venue, `${part}-${name}`), ask);
      return [
        [`book of ${part} ${ask.market}`, read('order-book', orderBook?.parse)],
        [`candles of ${part} ${ask.market}`, read('candles', candles?.parse)],
      ];
    }),
  );
  return [...feeds, ...pages];
}

type Answer = (request: UpstreamRequest) => unknown;

/** The venue in the world of the simulator. */
export function simulation({ id }: Venue) {
  const all: Readonly<Record<string, SimulatedVenue>> = simulated;
  const own = all[id];
  if (!own) throw new Error(`${id} is not simulated`);
  const model = new Model({ seed: 7, symbols: 12, clock: { now: () => now }, venues: [own] });
  return { own, model, now };
}

/** Answers of the simulator; undefined for a request that it refuses. */
export function upstream(venue: Venue): Answer {
  const { own, model } = simulation(venue);
  return ({ method = 'GET', path, query: words = {}, body = '' }) => {
    const query = new URLSearchParams();
    for (const [key, one] of Object.entries(words)) query.set(key, `${one}`);
    const sent = typeof body === 'string' ? body : JSON.stringify(body);
    try {
      const found = own.route(path)?.answer({ method, path, query, body: sent, now, model });
      return found === undefined ? undefined : JSON.parse(JSON.stringify(found));
    } catch (error) {
      if (error instanceof Refused) return undefined;
      throw error;
    }
  };
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

/** Liquidations of three hours in which their stream was not received: the first of two answers each, and the request for older ones. */
function missed(
  { events }: Venue,
  part: string,
  instruments: InstrumentMap,
  answer: Answer,
): [string, unknown][] {
  const { past } = events?.liquidations?.[part] ?? {};
  const range = { from: now - 3 * hour, to: now };
  const asked = past?.requests(instruments, range).slice(0, 2) ?? [];
  return asked.map((request): [string, unknown] => {
    const body = answer(request);
    const rows = past?.parse(body, { received: now, instruments }, request).rows.slice(0, 3);
    const older = past?.before?.(request, body, range);
    return [line(request), { rows, ...(older && { older: line(older) }) }];
  });
}

/** The markets of a part in the world of the simulator. */
export function worldOf({ feeds }: Venue, part: string, answer: Answer): InstrumentMap {
  const listing = feeds.instruments.parts[part];
  const bodies = listing?.requests({ markets: [], now }).map(answer) ?? [];
  const found = listing?.parse(bodies, { received: now, instruments: new Map() });
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

export function answers(t: Test, venue: Venue): void {
  const answer = upstream(venue);
  const found = Object.fromEntries([
    ...fixtures(venue),
    ...[...histories(venue), ...snapshots(venue)].map(({ name, bodies, parse }) => [
      name,
      parse(bodies),
    ]),
    ...venue.parts.flatMap((part) => missed(venue, part, worldOf(venue, part, answer), answer)),
  ]);
  sameAsDeclared(t, `answers/${venue.id}`, rounded(found), 'properties');
}
