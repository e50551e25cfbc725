import { dollarQuotes } from '../../../config/quotes.ts';
import { hour, minute } from '../../../config/time.ts';
import { stepAt } from '../../../indicators/market/buckets.ts';
import { datedRows } from '../../../indicators/market/fold.ts';
import type { MarketState } from '../../state/market-state.ts';
import {
  type DerivativeRow,
  type FundingPoint,
  type Margin,
  type Reading,
  recordedKey,
  topics,
} from '../../topics/index.ts';
import { type Ask, defineSeries, last, type Row, type SampleRow, summed } from '../define.ts';
import type { Stored } from '../store.ts';
import { askLeading, trackedKeys } from './tracked.ts';

const query = 'fundingHistory';
const kind = 'perpetual';
const maxAge = topics.derivatives.maxAge;
const margins: readonly Margin[] = ['stable', 'coin'];

/** The running funding of one key: its rate is settled at `next` unless a newer one is stated before. */
interface Running {
  rate: number;
  hours: number;
  /** Unix ms. */
  next: number;
}

/** When the rate of a row is charged: as stated, else at the next multiple of its hours after it was received. */
function runningOf(
  { funding_rate: rate, funding_hours: hours, next_funding }: DerivativeRow,
  received: number,
): Running | null {
  if (rate === null || hours === null || hours <= 0) return null;
  const next = next_funding ?? stepAt(received, hours * hour) + hours * hour;
  return next <= received ? null : { rate, hours, next };
}

/** The running fundings of an exchange by key, of some assets: of several markets that of the most traded one. */
function runningOn(
  market: MarketState,
  source: string,
  { now, among }: { now: number; among: ReadonlySet<string> },
): SampleRow<'running-funding'>[] {
  const turnovers = market.turnovers(source);
  const isWanted = ({ quote, symbol }: DerivativeRow) =>
    dollarQuotes.has(quote) && among.has(symbol);
  const found = new Map<string, { running: Running; turnover: number }>();
  for (const { row, received } of datedRows(market.bySource('derivatives').get(source) ?? [])) {
    if (now - received > maxAge || !isWanted(row)) continue;
    const running = runningOf(row, received);
    if (running === null) continue;
    const key = recordedKey(source, market.marginOf(source, row.market), row.symbol);
    const turnover = turnovers.get(row.market) ?? 0;
    if (turnover >= (found.get(key)?.turnover ?? 0)) found.set(key, { running, turnover });
  }
  return [...found].map(([key, { running }]) => {
    const { rate, hours } = running;
    return { key, values: { rate, hours } };
  });
}

/** The running funding of a market. */
interface RunningMarket extends Running {
  source: string;
  market: string;
  symbol: string;
  /** Until when its rate counts as the one that is charged, Unix ms: exchanges change it all the time. */
  until: number;
}

/** Exchanges may state the next settlement a moment before the one before it has come, ms. */
const early = minute;

/** Whether the settlement of a market has come before its next row, received at `received`, states another one. */
const isSettledBy = (one: RunningMarket, other: Running, received: number): boolean =>
  one.next <= received || (other.next > one.next && one.next - received <= early);

/** Of several markets with one key the most traded one stands for it. */
function leadingOf(market: MarketState, all: readonly RunningMarket[]) {
  const leading = new Map<string, { one: RunningMarket; turnover: number }>();
  for (const source of new Set(all.map((one) => one.source))) {
    const turnovers = market.turnovers(source);
    for (const one of all.filter((other) => other.source === source)) {
      const key = recordedKey(source, market.marginOf(source, one.market), one.symbol);
      const turnover = turnovers.get(one.market) ?? 0;
      const known = leading.get(key);
      if (known === undefined || turnover > known.turnover || known.one.market === one.market)
        leading.set(key, { one, turnover });
    }
  }
  return leading;
}

/**
 * Follows the running fundings of all markets, row by row: the last rate stated before its time is the settled one, unless it has become
 * too old by then.
 */
class Settlements {
  /** By source and market. */
  readonly #running = new Map<string, RunningMarket>();
  #settled: RunningMarket[] = [];

  take({ source, received: at, rows, maxAge: age = maxAge }: Reading<DerivativeRow>): void {
    for (const row of rows) {
      const received = row.received ?? at;
      const running = dollarQuotes.has(row.quote) ? runningOf(row, received) : null;
      // What is too old is there to be named.
      if (running === null || at - received > age) continue;
      const { market, symbol } = row;
      const id = `${source} ${market}`;
      const before = this.#running.get(id);
      if (before && isSettledBy(before, running, received)) this.#settle(before);
      this.#running.set(id, { ...running, source, market, symbol, until: received + age });
    }
  }

  #settle(one: RunningMarket): void {
    if (one.next <= one.until) this.#settled.push(one);
  }

  /** The rows of what has been settled since the last call. */
  collect(market: MarketState, now: number): Row<'funding'>[] {
    for (const [id, one] of this.#running) {
      if (one.next > now) continue;
      this.#running.delete(id);
      this.#settle(one);
    }
    const settled = this.#settled;
    this.#settled = [];
    if (settled.length === 0) return [];
    // The later of two of one market is the one that has been settled.
    const leading = leadingOf(market, [...this.#running.values(), ...settled]);
    return [...leading].flatMap(([key, { one }]) =>
      settled.includes(one)
        ? [{ key, time: stepAt(one.next, hour), values: { rate: one.rate, hours: one.hours } }]
        : [],
    );
  }
}

/** A function that gives the fundings that were settled since its last call. */
export function settlements(): (market: MarketState, now: number) => Row<'funding'>[] {
  const all = new Settlements();
  let isFollowing = false;
  return (market, now) => {
    if (!isFollowing) {
      const known = [...market.bySource('derivatives').values()].flat();
      for (const one of known.filter(({ received }) => now - received <= maxAge)) all.take(one);
      market.listen('derivatives', (reading) => all.take(reading));
      isFollowing = true;
    }
    return all.collect(market, now);
  };
}

/** The points of an answer but for a first one whose hours it does not say: an answer before it, in which it was not the first, did. */
const told = (points: readonly FundingPoint[]) =>
  points.filter(({ hours }, at) => at > 0 || hours !== null);

const rowOf = ({ timestamp, rate, hours }: FundingPoint) => ({
  // Exchanges settle some milliseconds after the hour.
  time: stepAt(timestamp, hour),
  values: { rate, hours },
});

function asks(key: string, market: MarketState): Ask<'funding'>[][] {
  const [source = '', margin, symbol = ''] = key.split('/');
  const settled = margin === 'coin' ? margin : 'stable';
  return askLeading(market, { query, source, kind, symbol, margin: settled }, (leading) => ({
    ...{ key, step: '1h', source },
    name: query,
    params: { market: leading, kind, limit: 500 },
    rows: (reply) => told(reply.points).map(rowOf),
  }));
}

/** Settled fundings by exchange, margin and asset, of the most traded market, at the hour in which they were settled. */
export const funding = defineSeries({
  name: 'funding',
  key: 'exchange/margin/asset',
  columns: { rate: summed('fraction'), hours: { ...summed('hours'), digits: 7 } },
  tiers: [{ step: '1h', keep: '10y' }],
  collector: settlements,
  spacing: (row) => (row?.hours ?? 8) * hour,
  backfill: {
    keys: trackedKeys(query, (source, symbol) =>
      margins.map((margin) => recordedKey(source, margin, symbol)),
    ),
    asks,
    exact: true,
    every: hour,
  },
});

function sampleRunning(market: MarketState, now: number): SampleRow<'running-funding'>[] {
  const among = new Set(market.tracked(now));
  const sources = [...market.bySource('derivatives').keys()];
  return sources.flatMap((source) => runningOn(market, source, { now, among }));
}

/** The rates that exchanges state for the next settlement, of the most traded market of each tracked asset. */
export const runningFunding = defineSeries({
  name: 'running-funding',
  key: 'exchange/margin/asset',
  columns: { rate: last('fraction'), hours: last('hours') },
  sample: sampleRunning,
});

/** Ms for which a recorded rate counts as the last one before a settlement that no history process has seen. */
const mostMissed = 2 * 5 * minute;

/**
 * The settlements between the last samples of the running fundings, each stored at the start of its step of `step` ms, and `now`: a
 * restart must not lose them. Assumes that a rate of so many hours is settled at their multiples.
 */
export const missedSettlements = (
  samples: ReadonlyMap<string, Stored>,
  { step, now }: { step: number; now: number },
): Row<'funding'>[] =>
  [...samples].flatMap(
    ([
      key,
      {
        times,
        columns: [rates = [], lengths = []],
      },
    ]) => {
      const last = times.length - 1;
      const [taken, rate, hours] = [(times[last] ?? 0) + step, rates[last], lengths[last]];
      if (typeof rate !== 'number' || typeof hours !== 'number' || hours <= 0) return [];
      const next = stepAt(taken, hours * hour) + hours * hour;
      const isMissed = next <= now && next - taken <= mostMissed;
      return isMissed ? [{ key, time: stepAt(next, hour), values: { rate, hours } }] : [];
    },
  );
