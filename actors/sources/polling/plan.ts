/** What the polls of an exchange need of its budgets, checked before any is sent; and which markets are asked first. */
import { dollarQuotes } from '../../../config/quotes.ts';
import { isFollowed } from '../../../indicators/market/market-names.ts';
import { pricesByMarket } from '../../state/newest-rows.ts';
import {
  type Instrument,
  type MarketTopic,
  type PriceRow,
  type Reading,
  topics,
} from '../../topics/index.ts';
import { type Budget, defaultLimits, type UpstreamRequest } from '../../upstream/request.ts';
import type { Apis, Feed, InstrumentMap, MarketPoll } from '../define.ts';

/** The part of an exchange that its plans follow from. */
export interface Planned {
  id: string;
  apis: Apis;
  feeds: Readonly<Record<string, Feed<never> | undefined>>;
}

/** Longest that one poll may take, ms. */
const pollDeadline = 20_000;
/** The time that a poll has, ms: what rotates asks markets one after another, and the next poll waits for it. */
export const timeOf = ({ rotates }: Pick<MarketPoll<never>, 'rotates'>, every: number): number =>
  rotates ? pollDeadline : Math.min(pollDeadline, every);

/** Markets asked on every poll, and the time within which every other one is asked once, ms. */
export const rotation = { top: 100, within: 300_000 };

/** How many of `count` markets one poll asks: those at the top, and others in turn. Where only `most` may be asked, an eighth of them are the top ones. */
function sharesOf(count: number, { every, most = Infinity }: { every: number; most?: number }) {
  const polls = Math.max(1, Math.floor(rotation.within / every));
  const wanted = Math.ceil(Math.max(0, count - rotation.top) / polls);
  if (rotation.top + wanted <= most) return { top: rotation.top, others: wanted };
  const top = Math.ceil(most / 8);
  return { top, others: most - top };
}

/**
 * The markets of one poll out of `ranked`, and where the next poll goes on. With a poll every `every` ms each market beyond the top
 * ones is asked once within `rotation.within`; where only `most` may be asked in a poll, they take as long as they take.
 */
export function nextMarkets(
  ranked: readonly string[],
  cursor: number,
  times: { every: number; most?: number },
): { markets: string[]; cursor: number } {
  const { top, others } = sharesOf(ranked.length, times);
  const rest = ranked.slice(top);
  const from = cursor < rest.length ? cursor : 0;
  const inTurn = rest.slice(from, from + others);
  return { markets: [...ranked.slice(0, top), ...inTurn], cursor: from + inTurn.length };
}

/** How long an exchange takes for an answer, ms. */
const latency = 200;
/** How many markets a part that rotates has at most, coin-margined contracts by themselves, and how many dated futures. */
const mostMarkets = { perpetual: 600, inverse: 100, dated: 20 } as const;
const listedIn = (topic: string, part: string): number =>
  topic === 'futures' ? mostMarkets.dated : mostMarkets[part === 'inverse' ? part : 'perpetual'];

/** A poll with its place. */
interface Placed {
  topic: string;
  part: string;
  every: number;
  poll: MarketPoll<never>;
}

/** The longest time in which a poll asks all of its markets once, ms: each poll of a round may take all of the time that it has. */
export function roundOf({ topic, part, every, poll }: Placed): number {
  const longest = every + timeOf(poll, every);
  if (!poll.rotates) return longest;
  const listed = listedIn(topic, part);
  const { top, others } = sharesOf(listed, { ...poll, every: longest });
  return longest * Math.max(1, Math.ceil(Math.max(0, listed - top) / Math.max(1, others)));
}

/** Share of a round by which rows may be late. */
const margin = 1.5;

/** The longest age of a part's rows in use, ms, where a round of its polls needs more than the topic allows. */
export function plannedAge(placed: Placed & { topic: MarketTopic }): number | undefined {
  const age = placed.poll.rotates ? margin * roundOf(placed) : 0;
  return age > topics[placed.topic].maxAge ? age : undefined;
}

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
function pollsOf({ feeds }: Planned): Iterable<Placed> {
  const all = Object.entries(feeds).flatMap(([topic, { every = 0, parts = {} } = {}]) =>
    Object.entries(parts).map(
      ([part, poll]): Placed => ({ topic, part, every: poll.every ?? every, poll }),
    ),
  );
  return new Map(all.map((one) => [one.poll, one])).values();
}

/** The weight that the polls need of each window, by `api/budget`, the API that counts it. */
export function reservedOf(source: Planned): Record<string, number> {
  const needs: Record<string, number> = {};
  for (const placed of pollsOf(source)) {
    const { every, poll } = placed;
    const markets = poll.rotates || poll.names ? marketsOf(placed) : [];
    const requests = poll.requests({ markets, now: 0 });
    const byBudget = Object.groupBy(
      requests,
      ({ api, budget = 'default' }) => `${source.apis[api]?.countedBy ?? api}/${budget}`,
    );
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

/** As many markets as one poll of a part asks at most: the next one may wait for it as long as it has. */
function marketsOf({ topic, part, every, poll }: Placed): string[] {
  const count = poll.rotates ? listedIn(topic, part) : poll.most;
  const ranked = Array.from({ length: count ?? 0 }, (_, at) => `MARKET${at}`);
  if (!poll.rotates) return ranked;
  return nextMarkets(ranked, 0, { ...poll, every: every + timeOf(poll, every) }).markets;
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
  [...instruments.values()].filter(isFollowed);

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

/** What was chosen before stays within so many times the places: markets with nearly the same turnover change places all the time. */
const reach = 1.1;
/** A market leads in the place of another with so many times its turnover. */
const lead = 1.5;

/** The first `count` of what is ranked, best first, and of those that were chosen `before` the ones that are not far behind. */
export const steadyTop = (
  ranked: readonly string[],
  count: number,
  before: ReadonlySet<string>,
): string[] =>
  ranked.filter((one, at) => at < count || (at < Math.ceil(count * reach) && before.has(one)));

/** The market that leads: that of `before` unless another one has clearly more turnover. */
export function steadyFirst<Market extends { market: string; turnover: number }>(
  ranked: readonly Market[],
  before: string | undefined,
): Market | undefined {
  const [first] = ranked;
  const known = ranked.find(({ market }) => market === before);
  return first && known && first.turnover <= lead * known.turnover ? known : first;
}
