/** What the polls of an exchange need of its budgets, checked before any is sent; and which markets are asked first. */
import { dollarQuotes } from '../../../config/quotes.ts';
import { isFollowedKind } from '../../../indicators/market/market-names.ts';
import { pricesByMarket } from '../../state/other-prices.ts';
import type { Instrument, PriceRow, Reading } from '../../topics/index.ts';
import { defaultLimits } from '../../upstream/limits.ts';
import type { Budget, UpstreamRequest } from '../../upstream/request.ts';
import type { Apis, InstrumentMap, Plan } from '../define.ts';
import { steadyTop } from '../streams/choice.ts';

/** The part of a poll that its plan follows from; see `MarketPoll`. */
interface PlannedPoll {
  requests(plan: Plan): readonly UpstreamRequest[];
  rotates?: boolean;
  most?: number;
}

/** The part of an exchange that its plans follow from. */
export interface Planned {
  id: string;
  apis: Apis;
  feeds: Readonly<
    Record<string, { every: number; parts: Readonly<Record<string, PlannedPoll>> } | undefined>
  >;
}

/** Longest that one poll may take, ms. */
const pollDeadline = 20_000;
/** The time that a poll has, ms: what rotates asks markets one after another, and the next poll waits for it. */
export const timeOf = ({ rotates }: Pick<PlannedPoll, 'rotates'>, every: number): number =>
  rotates ? pollDeadline : Math.min(pollDeadline, every);

/** Markets asked on every poll, and the time within which every other one is asked once, ms. */
export const rotation = { top: 100, within: 300_000 };

/**
 * The markets of one poll out of `ranked`, and where the next poll goes on. With a poll every `every` ms each
 * market beyond the top ones is asked once within `rotation.within`; where only `most` may be asked in a poll,
 * a quarter of them are the top ones, and the others take as long as they take.
 */
export function nextMarkets(
  ranked: readonly string[],
  cursor: number,
  { every, most = Infinity }: { every: number; most?: number | undefined },
): { markets: string[]; cursor: number } {
  const polls = Math.max(1, Math.floor(rotation.within / every));
  const wanted = Math.ceil(Math.max(0, ranked.length - rotation.top) / polls);
  const tight = rotation.top + wanted > most;
  const top = ranked.slice(0, tight ? Math.ceil(most / 4) : rotation.top);
  const rest = ranked.slice(top.length);
  const share = tight ? most - top.length : wanted;
  const from = cursor < rest.length ? cursor : 0;
  return { markets: [...top, ...rest.slice(from, from + share)], cursor: from + share };
}

/** How long an exchange takes for an answer, ms. */
const latency = 200;
/** How many markets a part that rotates has at most, and how many dated futures; `most` bounds what one poll asks. */
const mostMarkets = { perpetual: 600, dated: 20 } as const;

/** Of a poll, ms. */
interface Times {
  every: number;
  time: number;
}

/**
 * The weight that a poll needs of each window: all of a window where it has several in its time, else the part of it. A request is
 * counted until a window after its answer. What is larger than half of a budget leaves the rest of it unused.
 */
function needOf(requests: readonly UpstreamRequest[], { every, time }: Times, budget: Budget) {
  const per = budget.per + defaultLimits.spread + latency;
  const weights = requests.map(({ weight = 1 }) =>
    weight === 0 ? 0 : budget.weight / Math.floor(budget.weight / weight),
  );
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  return all * Math.min(per / (time - 2 * defaultLimits.patience), Math.floor(per / every) + 1);
}

/** Each poll once, with its topic and interval: one that is named under several topics is asked once. */
function pollsOf({ feeds }: Planned) {
  const all = Object.entries(feeds).flatMap(([topic, { every = 0, parts = {} } = {}]) =>
    Object.values(parts).map((poll) => ({ topic, every, poll })),
  );
  return new Map(all.map((one) => [one.poll, one])).values();
}

/** The weight that the polls need of each window, by `api/budget`. */
export function reservedOf(source: Planned): Record<string, number> {
  const needs: Record<string, number> = {};
  for (const { topic, every, poll } of pollsOf(source)) {
    const markets = poll.rotates ? marketsOf(topic, every, poll.most) : [];
    const requests = poll.requests({ markets, now: 0 });
    const byBudget = Object.groupBy(requests, ({ api, budget = 'default' }) => `${api}/${budget}`);
    for (const [key, own = []] of Object.entries(byBudget)) {
      const budget = budgetOf(source, key);
      const times = { every, time: timeOf(poll, every) };
      needs[key] = (needs[key] ?? 0) + (budget ? needOf(own, times, budget) : Number.NaN);
    }
  }
  return needs;
}

/** The budget of `api/budget`; names of budgets may be paths. */
function budgetOf({ apis }: Planned, key: string): Budget | undefined {
  const [api = '', name = ''] = key.split(/\/(.*)/);
  return apis[api]?.budgets[name];
}

/** As many markets as one poll of a part asks at most. */
function marketsOf(topic: string, every: number, most = Number.POSITIVE_INFINITY): string[] {
  const listed = mostMarkets[topic === 'futures' ? 'dated' : 'perpetual'];
  const ranked = Array.from({ length: listed }, (_, at) => `MARKET${at}`);
  return nextMarkets(ranked, 0, { every, most }).markets;
}

/** The budgets that the polls do not fit into, or that there are not, in words. */
export const excessesOf = (source: Planned): string[] =>
  Object.entries(reservedOf(source)).flatMap(([key, need]) => {
    const budget = budgetOf(source, key);
    if (budget === undefined) return [`${source.id}: a poll asks ${key}, which it does not have`];
    const { weight } = budget;
    const stated = `${source.id} ${key}: the polls need ${need.toFixed(1)} of ${weight} in each window`;
    return need <= weight ? [] : [stated];
  });

const followedOf = (instruments: InstrumentMap): Instrument[] =>
  [...instruments.values()].filter(
    (row) => isFollowedKind(row.kind) && dollarQuotes.has(row.quote),
  );

/** The dated futures of a part that have not expired, soonest first. */
export const datedMarkets = (instruments: InstrumentMap, now: number): string[] =>
  [...instruments.values()]
    .filter(({ quote, expiry = 0 }) => expiry > now && dollarQuotes.has(quote))
    .sort((a, b) => (a.expiry ?? 0) - (b.expiry ?? 0))
    .map(({ market }) => market);

/** Markets of a part, those with the largest turnover first. */
function byTurnover(rows: readonly Instrument[], prices: Reading<PriceRow> | undefined): string[] {
  const known = prices && pricesByMarket(prices);
  const volumeOf = (market: string) => known?.get(market)?.volume ?? 0;
  return rows.map((row) => row.market).sort((a, b) => volumeOf(b) - volumeOf(a));
}

/**
 * Followed markets of a part, the most traded first: its perpetuals, or its spot markets where it has no other
 * (only perpetuals have funding and open interest; a part of both has its prices in bulk).
 */
export function rankedMarkets(
  instruments: InstrumentMap,
  prices: Reading<PriceRow> | undefined,
): string[] {
  const followed = followedOf(instruments);
  const perpetuals = followed.filter((row) => row.kind === 'perpetual');
  return byTurnover(perpetuals.length > 0 ? perpetuals : followed, prices);
}

/**
 * The `max` followed markets with the largest turnovers, and of those that were chosen `before` the ones that are not far behind
 * (`steadyTop`); none before a reading of the part's prices.
 */
export function topMarkets(
  instruments: InstrumentMap,
  prices: Reading<PriceRow> | undefined,
  { max, before }: { max: number; before: InstrumentMap },
): InstrumentMap {
  if (prices === undefined) return new Map();
  const ranked = byTurnover(followedOf(instruments), prices);
  const markets = new Set(steadyTop(ranked, max, new Set(before.keys())));
  return new Map([...instruments].filter(([market]) => markets.has(market)));
}
