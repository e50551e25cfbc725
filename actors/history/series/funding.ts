import { dollarQuotes } from '../../../config/quotes.ts';
import { hour } from '../../../config/time.ts';
import { stepAt } from '../../../indicators/market/buckets.ts';
import { datedRows } from '../../../indicators/market/fold.ts';
import type { MarketState } from '../../state/market-state.ts';
import {
  type DerivativeRow,
  type FundingPoint,
  type Margin,
  recordedKey,
  topics,
} from '../../topics/index.ts';
import { type Ask, defineSeries, type SampleRow, type TimedRow } from '../define.ts';
import { askLeading, trackedKeys } from './tracked.ts';

type Row = TimedRow<'funding'>;

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

/** The running fundings of an exchange by key: of several markets that of the most traded one. Of all assets, or of some. */
function runningOn(
  market: MarketState,
  source: string,
  { now, among }: { now: number; among?: ReadonlySet<string> },
): Map<string, Running> {
  const turnovers = market.turnovers(source);
  const isWanted = ({ quote, symbol }: DerivativeRow) =>
    dollarQuotes.has(quote) && among?.has(symbol) !== false;
  const found = new Map<string, { running: Running; turnover: number }>();
  for (const { row, received } of datedRows(market.bySource('derivatives').get(source) ?? [])) {
    if (now - received > maxAge || !isWanted(row)) continue;
    const running = runningOf(row, received);
    if (running === null) continue;
    const key = recordedKey(source, market.marginOf(source, row.market), row.symbol);
    const turnover = turnovers.get(row.market) ?? 0;
    if (turnover >= (found.get(key)?.turnover ?? 0)) found.set(key, { running, turnover });
  }
  return new Map([...found].map(([key, { running }]) => [key, running]));
}

/** Takes those that have been settled out of `running`: the last rate that was stated before its time is the settled one. */
function takeSettled(running: Map<string, Running>, now: number): Row[] {
  const settled = [...running].filter(([, { next }]) => next <= now);
  for (const [key] of settled) running.delete(key);
  return settled.map(([key, { rate, hours, next }]) => ({
    ...{ key, time: stepAt(next, hour) },
    values: { rate, hours },
  }));
}

/** A function that gives the fundings that were settled since its last call. */
export function settlements(): (market: MarketState, now: number) => Row[] {
  const running = new Map<string, Running>();
  return (market, now) => {
    const rows = takeSettled(running, now);
    for (const source of market.bySource('derivatives').keys()) {
      for (const [key, one] of runningOn(market, source, { now })) {
        if (one.next > now) running.set(key, one);
      }
    }
    return rows;
  };
}

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
    rows: (reply) => reply.points.map(rowOf),
  }));
}

/** Settled fundings by exchange, margin and asset, of the most traded market, at the hour in which they were settled. */
export const funding = defineSeries({
  name: 'funding',
  columns: { rate: { combine: 'sum' }, hours: { combine: 'sum', digits: 7 } },
  tiers: [{ step: '1h', keep: '400d' }],
  collector: settlements,
  spacing: (last) => (last?.hours ?? 8) * hour,
  backfill: {
    keys: trackedKeys(query, (source, symbol) =>
      margins.map((margin) => recordedKey(source, margin, symbol)),
    ),
    asks,
    exact: true,
    every: hour,
  },
});

function* sampleRunning(market: MarketState, now: number): Generator<SampleRow<'running-funding'>> {
  const among = new Set(market.tracked(now));
  for (const source of market.bySource('derivatives').keys()) {
    for (const [key, { rate, hours }] of runningOn(market, source, { now, among }))
      yield { key, values: { rate, hours } };
  }
}

/** The rates that exchanges state for the next settlement, of the most traded market of each tracked asset. */
export const runningFunding = defineSeries({
  name: 'running-funding',
  columns: { rate: { combine: 'last', digits: 7 }, hours: { combine: 'last', digits: 7 } },
  tiers: [
    { step: '5m', keep: '7d' },
    { step: '1h', keep: '90d' },
  ],
  sample: sampleRunning,
});
