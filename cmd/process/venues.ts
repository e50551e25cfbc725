import type { Venue } from '../../actors/sources/venue.ts';
import { allIntervals, type Interval } from '../../actors/topics/index.ts';
import type { RoutesContext } from '../../http/routes/context.ts';
import type { ExchangeDetail } from '../../http/views/market-schemas.ts';
import { baseInterval } from '../../indicators/market/candles.ts';

/** The lists of option chains of the venues that have any. */
export const optionListsOf = (venues: ReadonlyMap<string, Venue>): Map<string, string[]> =>
  new Map(
    [...venues.values()].flatMap(({ id, feeds: { options } }) =>
      options ? [[id, Object.keys(options.parts)] as const] : [],
    ),
  );

/** The streams of these events of the venues that have any. */
export const eventStreamsOf = (
  venues: ReadonlyMap<string, Venue>,
  topic: keyof NonNullable<Venue['events']>,
): ReadonlyMap<string, readonly string[]> =>
  new Map(
    [...venues.values()].flatMap(({ id, events }) => {
      const streams = events?.[topic];
      return streams ? [[id, Object.keys(streams)] as const] : [];
    }),
  );

/** Parts with spot markets; the last two have perpetuals too. */
const spotParts = ['spot', 'all', 'markets'];

/** Per query, the exchanges that can answer it: what routes list as allowed. */
function exchangesWith(venues: ReadonlyMap<string, Venue>): RoutesContext['exchanges'] {
  const all = [...venues.values()];
  const ids = (has: (venue: Venue) => unknown) => all.filter(has).map(({ id }) => id);
  const having = (name: string) => ids(({ queries }) => Object.hasOwn(queries, name));
  const names = new Set(all.flatMap(({ queries }) => Object.keys(queries)));
  return {
    ...Object.fromEntries([...names].map((name) => [name, having(name)])),
    orderBook: having('orderBook'),
    candles: having('candles'),
    loans: ids(({ polls }) => polls?.loans),
    options: ids(({ feeds }) => feeds.options),
    spotTrades: ids(({ trades = {} }) => spotParts.some((part) => Object.hasOwn(trades, part))),
    perpetualTrades: ids(({ trades = {} }) => Object.keys(trades).some((part) => part !== 'spot')),
  };
}

/** Per exchange with candles, the intervals it gives: its own, or made from shorter ones. */
export const candleIntervalsOf = (venues: ReadonlyMap<string, Venue>): Map<string, Interval[]> =>
  new Map(
    [...venues.values()].flatMap(({ id, queries: { candles } }) => {
      if (candles === undefined) return [];
      const given = allIntervals.filter((name) => baseInterval(candles.intervals, name) !== null);
      return [[id, given] as const];
    }),
  );

/** `openInterest` is `open_interest`; order books and candles have the names of their paths. */
const capabilityName = (declared: string): string =>
  ({ orderBook: 'orderbook', candles: 'bars' })[declared] ??
  declared.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

type Capability = ExchangeDetail['capabilities'][string];

/** The feeds and queries that a venue declares, and how they are had. */
function capabilitiesOf({ feeds, live, queries }: Venue): ExchangeDetail['capabilities'] {
  const { instruments: _, ...shown } = feeds;
  const found: Record<string, Capability> = {};
  for (const [name, feed] of Object.entries(shown)) {
    if (!feed) continue;
    const how = Object.hasOwn(live ?? {}, name) ? 'streamed' : 'polled';
    found[capabilityName(name)] = { how, every_seconds: feed.every / 1000 };
  }
  for (const [name, query] of Object.entries(queries)) {
    if (query) found[capabilityName(name)] = { how: 'on_demand', every_seconds: null };
  }
  return found;
}

/** The venues as data, for `/v1/exchanges` and `/v2/exchanges`. */
const registryOf = (venues: ReadonlyMap<string, Venue>): ExchangeDetail[] =>
  [...venues.values()].map((venue) => ({
    ...{ id: venue.id, name: venue.name, kinds: venue.kinds, example: venue.example },
    capabilities: capabilitiesOf(venue),
    orderbook_cap: venue.queries.orderBook?.cap ?? null,
    bar_intervals: Object.keys(venue.queries.candles?.intervals ?? {}),
  }));

/** The venues' feeds of these topics, as `source/topic/part`. */
export const feedsOf = (
  venues: ReadonlyMap<string, Venue>,
  topics: readonly (keyof Venue['feeds'])[],
): string[] =>
  [...venues.values()].flatMap(({ id, feeds }) =>
    topics.flatMap((topic) =>
      Object.keys(feeds[topic]?.parts ?? {}).map((part) => `${id}/${topic}/${part}`),
    ),
  );

/** The facts about venues that the routes need. */
export const catalogueOf = (venues: ReadonlyMap<string, Venue>) => ({
  registry: registryOf(venues),
  exchanges: exchangesWith(venues),
  candleIntervals: candleIntervalsOf(venues),
});
