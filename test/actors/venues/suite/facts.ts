/**
 * What a venue's documents state of its API (hosts, limits, weights, depths, intervals, page sizes), against the table in
 * `test/fixtures/<venue>/facts.txt`. A line of the table that begins with spaces goes on with the one before.
 */
import { readFileSync } from 'node:fs';
import type { Test } from 'tap';
import { asRow } from '../../../../actors/read.ts';
import type { MarketQuery, Venue } from '../../../../actors/sources/venue.ts';
import type { Instrument, LongShortParams } from '../../../../actors/topics/index.ts';
import type { UpstreamRequest } from '../../../../actors/upstream/request.ts';
import { allIntervals } from '../../../../indicators/market/intervals.ts';
import { isFollowedKind } from '../../../../indicators/market/market-names.ts';
import { contextOf, feedParts } from '../fixtures.ts';

const now = 1_750_000_000_000;

/** `spot x40 /api/v3/ticker/24hr`: API and budget, weight, path; a budget may have the name of the path. */
export function line({
  method,
  api,
  budget = 'default',
  weight = 1,
  path,
  optional,
}: UpstreamRequest) {
  const from = ['default', path].includes(budget) ? api : `${api}.${budget}`;
  const words = [method === 'POST' ? 'POST' : '', from, `x${weight}`, path];
  return [...words, optional ? 'optional' : ''].filter(Boolean).join(' ');
}

const linesOf = (requests: readonly UpstreamRequest[]) => new Set(requests.map(line));

const marketOf = (venue: Venue, part: string, kind?: string): Instrument | undefined =>
  [...contextOf(venue, part).instruments.values()].find((one) =>
    kind === undefined ? one.kind !== 'other' : one.kind === kind,
  );

/** `x1, x2 from 100`: how the weight grows with a number. */
function steps(numbers: readonly number[], requestOf: (number: number) => UpstreamRequest): string {
  let last = '';
  const found: string[] = [];
  for (const number of numbers) {
    const said = line(requestOf(number));
    if (said === last) continue;
    const { weight = 1 } = requestOf(number);
    found.push(last === '' ? said : `x${weight} from ${number}`);
    last = said;
  }
  return found.join(', ');
}

function oneOf(venue: Venue, part: string): Instrument {
  const found = marketOf(venue, part);
  if (!found) throw new Error(`${venue.id}: no market of ${part}`);
  return found;
}

const upTo = (most: number) => Array.from({ length: most }, (_, i) => i + 1);

function booksOf(venue: Venue, part: string): string[] {
  const { orderBook } = venue.queries;
  if (!orderBook) return [];
  const { cap, most, request } = orderBook;
  const whole = typeof most === 'number' ? most : (most[part] ?? cap);
  const instrument = oneOf(venue, part);
  const ask = { market: instrument.market, part, instrument, now };
  const weights = steps(upTo(whole), (depth) => request({ ...ask, depth }));
  return [`book of ${part}: ${cap} of ${whole} levels, ${weights}`];
}

function candlesOf(venue: Venue, part: string): string[] {
  const { candles } = venue.queries;
  if (!candles) return [];
  const instrument = oneOf(venue, part);
  const interval = candles.intervals['1h'] ?? '';
  const ask = { market: instrument.market, part, instrument, interval, now };
  const weights = steps(upTo(candles.page), (limit) => candles.request({ ...ask, limit }));
  return [`candles of ${part}: ${candles.page} a page, ${weights}`];
}

type History = MarketQuery<'longShort'>;
const isHistory = (entry: [string, object]): entry is [string, History] =>
  ['fundingHistory', 'openInterestHistory', 'longShort', 'takerVolume'].includes(entry[0]);

const sorts = ['accounts', 'top_accounts', 'top_positions'] as const;

/** The requests for the newest rows of a history, and the intervals that it has. */
function historyOf(venue: Venue, part: string, [name, query]: [string, History]): string[] {
  const instrument = marketOf(venue, part, 'perpetual') ?? marketOf(venue, part);
  if (!instrument || !isFollowedKind(instrument.kind)) return [];
  const ask = { market: instrument.market, part, kind: instrument.kind, instrument, now };
  const pageOf = (params: Omit<LongShortParams, 'market'>) => {
    const page = query.page?.({ ...ask, ...params });
    return page ? { ...ask, ...params, ...page, instrument, now } : null;
  };
  return (name === 'longShort' ? sorts : sorts.slice(0, 1)).flatMap((of) => {
    const usual = { of, limit: 1 };
    const has = allIntervals.filter((interval) => pageOf({ ...usual, interval }));
    const [interval] = has.includes('1h') ? (['1h'] as const) : has;
    const page = interval && pageOf({ ...usual, interval });
    if (!page) return [];
    const which = name === 'longShort' ? `${name} ${of}` : name;
    const words = name === 'fundingHistory' ? [] : [has.join(' ')];
    return [`${which} of ${part}: ${[...linesOf(query.requests(page)), ...words].join(', ')}`];
  });
}

/** The streams of every topic, by part; one with several topics of a part stands under the first. */
function namedStreams({ live, events, trades, books }: Venue) {
  const byTopic = { ...live, ...events, trades: trades ?? {}, books: books ?? {} };
  const all = Object.entries<object>(byTopic).flatMap(([topic, parts]) =>
    Object.entries(parts).map(([part, stream]) => ({ topic, part, stream })),
  );
  return all.filter(
    (one, at) => all.findIndex((o) => o.part === one.part && o.stream === one.stream) === at,
  );
}

/** Addresses of streams, with what comes from each, of how many markets or levels and for how long where that has a limit. */
function streamsOf(venue: Venue): string[] {
  const streams = namedStreams(venue).map(({ topic, part, stream }) => {
    const { url, most, lifetime } = asRow(stream);
    const limits = [
      ...(most === undefined ? [] : [`${most} ${topic === 'books' ? 'levels' : 'markets'}`]),
      ...(typeof lifetime === 'number' ? [`${lifetime / 3_600_000} h`] : []),
    ];
    return { url, told: [`${topic} of ${part}`, ...limits].join(' ') };
  });
  const byUrl = Map.groupBy(streams, ({ url }) => url);
  byUrl.delete(undefined);
  return [...byUrl].map(([url, all]) => `${url}: ${all.map(({ told }) => told).join(', ')}`);
}

function factsOf(venue: Venue): string[] {
  const { apis, feeds, parts, queries } = venue;
  const limits = Object.entries(apis).flatMap(([name, { hosts, budgets }]) => [
    `${name}: ${hosts.join(' ')}`,
    ...Object.entries(budgets).map(
      ([budget, { weight, per, usedHeader }]) =>
        `${name}.${budget}: ${weight} in ${per / 1_000} s${usedHeader ? `, ${usedHeader}` : ''}`,
    ),
  ]);
  const every = Object.entries<{ every?: number }>(feeds).map(
    ([topic, { every: ms = 0 }]) => `${topic} ${ms / 1_000} s`,
  );
  const polls = feedParts(venue)
    .filter(({ shared }) => !shared)
    .map(({ topic, part, feed }) => {
      const market = marketOf(venue, part, topic === 'openInterest' ? 'perpetual' : undefined);
      const markets = feed.rotates && market ? [market.market] : [];
      const most = feed.most === undefined ? [] : [`${feed.most} markets a poll`];
      const requests = linesOf(feed.requests({ markets, now }));
      return `${topic} of ${part}: ${[...requests, ...most].join(', ')}`;
    });
  const intervals = Object.entries(queries.candles?.intervals ?? {}).map(([our, word]) =>
    our === word ? our : `${our}=${word}`,
  );
  return [
    ...limits,
    `polled: ${every.join(', ')}`,
    ...polls,
    ...parts.flatMap((part) => booksOf(venue, part)),
    ...parts.flatMap((part) => candlesOf(venue, part)),
    ...(intervals.length > 0 ? [`candles: ${intervals.join(' ')}`] : []),
    ...parts.flatMap((part) =>
      Object.entries<object>(queries)
        .filter(isHistory)
        .flatMap((entry) => historyOf(venue, part, entry)),
    ),
    ...streamsOf(venue),
  ];
}

export function facts(t: Test, venue: Venue): void {
  const file = new URL(`../../../fixtures/${venue.id}/facts.txt`, import.meta.url);
  const table = readFileSync(file, 'utf8').trimEnd().replaceAll(/\n +/g, ' ').split('\n');
  t.strictSame(factsOf(venue), table);
}
