/** The answers of a compute process: the fixed set of indicators, and any choice from the catalogue. */

import { beginOf, type Job, neededBy, settledAfter } from '../../indicators/job.ts';
import { blockFrom, columnsOf, rowsOf } from '../../indicators/job-columns.ts';
import { openOf } from '../../indicators/market/candles.ts';
import type { IndicatorPool, PoolResult } from '../../indicators/pool.ts';
import { classic } from '../../indicators/technical/classic.ts';
import type { Answers } from '../bus/respond.ts';
import { beyond, failed, type Result, success } from '../failure.ts';
import { type Asking, type ComputeParams, intervals, type Reply } from '../topics/index.ts';
import type { CandleStore } from './candles.ts';

/** Closed candles that the fixed set is computed from (specification 2.14 and 8). */
export const classicCandles = 500;

/**
 * Numbers of candles that are asked for: steps, so that questions with different needs share a call. Exchanges give 1,000 rows at
 * once, and the newest of them is open; five calls are the most.
 */
const steps = [100, 200, 300, classicCandles, 999, 1_999, 2_999, 3_999] as const;
const most = 4_999;

/** Candles that reach back to the start of the periods of some entries, as far as `most` goes: for those shown, or for the newest. */
function sincePeriods(
  { indicators, series }: Pick<ComputeParams, 'indicators' | 'series'>,
  { interval, limit }: Pick<NonNullable<ComputeParams['market']>, 'interval' | 'limit'>,
  now: number,
): number {
  const length = intervals[interval];
  const newest = openOf(now, interval) - length;
  const shown = [1, ...(series ? [limit] : [])].map((count) => newest - (count - 1) * length);
  const counts = shown.flatMap((time) =>
    indicators.map((entry) => (newest - (beginOf(entry, time) ?? newest)) / length + 1),
  );
  return Math.max(0, ...counts.filter((count) => count <= most));
}

/** Candles to fetch so that the shown ones are past the warm-up, and reach the start of their periods where that is near enough. */
export function candlesFor(
  request: Pick<ComputeParams, 'indicators' | 'series'>,
  market: Pick<NonNullable<ComputeParams['market']>, 'interval' | 'limit'>,
  now: number,
): number {
  const settled = market.limit + Math.max(0, ...request.indicators.map(settledAfter));
  const wanted = Math.max(settled, sincePeriods(request, market, now));
  return steps.find((step) => step >= wanted) ?? most;
}

/** The context of the handler. */
export interface ComputeContext {
  store: CandleStore;
  pool: Pick<IndicatorPool, 'run'>;
}

/** The failure of a job without a result: the client may retry, except after a bug, which is an error of this process. */
function fromPool(result: PoolResult): Result<string> {
  if (result.ok) return success(result.json);
  const { refusal, message } = result;
  if (refusal === 'threw') throw new Error(`a job threw: ${message}`);
  const gone = refusal === 'died' || refusal === 'stopped';
  return gone ? failed('stopped', `${refusal}: ${message}`) : beyond(message);
}

/** Candles of a request in a transferable block, and their description in the answer. */
type Source = Pick<Job, 'head' | 'block' | 'limit' | 'candles'>;

function ownCandles({ rows, interval, limit }: NonNullable<ComputeParams['own']>): Reply<Source> {
  const block = blockFrom(rows);
  const timestamp = columnsOf(block).time.at(-1) ?? null;
  const head = { symbol: null, exchange: null, timeframe: interval, timestamp };
  return { value: { head, block, limit, candles: false }, received: 0, until: 0 };
}

async function marketCandles(
  store: CandleStore,
  request: ComputeParams,
  asking: Asking,
): Promise<Result<Reply<Source>>> {
  const { market } = request;
  if (!market) return failed('refused', 'neither a market nor candles');
  const limit = candlesFor(request, market, store.now());
  const candles = await store.get({ ...market, limit }, asking);
  if (!candles.ok) return candles;
  const {
    value: { block, closed },
    ...times
  } = candles.value;
  const head = {
    symbol: market.market,
    exchange: market.exchange,
    timeframe: market.interval,
    timestamp: closed,
  };
  const value = { head, block: block.slice(), limit: market.limit, candles: true };
  return success({ value, ...times });
}

/** The handlers of a compute process, ready for the bus. */
export function computeAnswers({
  store,
  pool,
}: ComputeContext): Required<Pick<Answers, 'indicators' | 'compute'>> {
  return {
    async indicators({ symbol, interval }, asking) {
      const market = { exchange: 'binance', market: symbol, kind: 'spot', interval } as const;
      const candles = await store.get({ ...market, limit: classicCandles }, asking);
      if (!candles.ok) return candles;
      const {
        value: { block, closed },
        ...times
      } = candles.value;
      // About 16 µs: less than a message to a thread takes.
      const values = classic(columnsOf(block));
      return success({ value: { closed: rowsOf(block), values, timestamp: closed }, ...times });
    },
    async compute(params, asking) {
      const { own, indicators: entries, series } = params;
      const found = own ? success(ownCandles(own)) : await marketCandles(store, params, asking);
      if (!found.ok) return found;
      const { value: source, ...times } = found.value;
      const closed = rowsOf(source.block);
      const needed = Math.min(...entries.map(neededBy));
      if (closed < needed) return success({ value: { data: null, closed, needed }, ...times });
      const data = fromPool(await pool.run({ ...source, entries, series }, asking.deadline));
      return data.ok ? success({ value: { data: data.value, closed, needed }, ...times }) : data;
    },
  };
}
