import type { Venue } from '../../actors/sources/venue.ts';
import { allIntervals, type Interval } from '../../actors/topics/index.ts';
import type { ExchangeEntry } from '../../http/views/market-schemas.ts';
import { baseInterval } from '../../indicators/market/candles.ts';

/** Per question, the exchanges that can answer it: what routes list as allowed. */
function exchangesWith(venues: ReadonlyMap<string, Venue>) {
  const having = (query: keyof Venue['queries']) =>
    [...venues.values()].filter((venue) => venue.queries[query]).map((venue) => venue.id);
  const loans = [...venues.values()].filter(({ polls }) => polls?.loans).map(({ id }) => id);
  return {
    orderBook: having('orderBook'),
    candles: having('candles'),
    longShort: having('longShort'),
    takerVolume: having('takerVolume'),
    takerCandles: having('takerCandles'),
    openInterestHistory: having('openInterestHistory'),
    loans,
  };
}

/** Per exchange with candles, the intervals it gives: its own, or made from shorter ones. */
const candleIntervalsOf = (venues: ReadonlyMap<string, Venue>): Map<string, Interval[]> =>
  new Map(
    [...venues.values()].flatMap(({ id, queries: { candles } }) => {
      if (candles === undefined) return [];
      const given = allIntervals.filter((name) => baseInterval(candles.intervals, name) !== null);
      return [[id, given] as const];
    }),
  );

/** The venues as data, for `/v1/exchanges`. */
const registryOf = (venues: ReadonlyMap<string, Venue>): ExchangeEntry[] =>
  [...venues.values()].map(({ id, name, kinds, example, feeds, queries }) => {
    const capabilities = {
      prices: feeds.prices,
      derivatives: feeds.derivatives,
      open_interest: feeds.openInterest,
      orderbook: queries.orderBook,
      bars: queries.candles,
    };
    return {
      id,
      name,
      kinds,
      capabilities: Object.entries(capabilities).flatMap(([has, it]) => (it ? [has] : [])),
      orderbook_cap: queries.orderBook?.cap ?? null,
      example,
    };
  });

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
