import { minute } from '../../../config/time.ts';
import type { MarketState } from '../../state/market-state.ts';
import { intervals, recordedKey, type TakerCandle } from '../../topics/index.ts';
import { type Ask, defineSeries, summed } from '../define.ts';
import { askLeading, trackedKeys } from './tracked.ts';

const kinds = ['spot', 'perpetual'] as const;
const query = 'takerCandles';
/** Minutes, and longer steps for the time before them. */
const steps = ['1m', '5m'] as const;
/** Rows of one question, at the weight of a small one. */
const rows = 499;

/** The rows of closed candles, from the first whole step of five minutes on: sums of longer steps must not begin within one. */
function rowsOf(points: readonly TakerCandle[], step: number) {
  const whole = intervals['5m'];
  const first = Math.ceil((points[0]?.timestamp ?? 0) / whole) * whole;
  return points
    .filter(({ timestamp, closed = true }) => closed && timestamp >= first)
    .map(({ timestamp, buy_usd, sell_usd }) => ({
      time: timestamp,
      values: { buy_usd, sell_usd, minutes: step / minute },
    }));
}

function asks(key: string, market: MarketState): Ask<'taker-flow'>[][] {
  const [source = '', word, symbol = ''] = key.split('/');
  const kind = word === 'spot' ? 'spot' : 'perpetual';
  return steps.flatMap((step) =>
    askLeading(market, { query, source, kind, symbol }, (leading) => ({
      key,
      step,
      source,
      name: query,
      params: { market: leading, kind, interval: step, limit: rows },
      rows: (reply) => rowsOf(reply.points, intervals[step]),
    })),
  );
}

/**
 * Amounts that takers bought and sold of the tracked assets, as exchanges state them in their candles (asked every five minutes), or
 * as their trades by stream add up to (actors/sources/streams/trades.ts).
 */
export const takerFlow = defineSeries({
  name: 'taker-flow',
  key: 'exchange/kind/asset',
  columns: {
    buy_usd: summed('US dollars'),
    sell_usd: summed('US dollars'),
    minutes: { ...summed('minutes'), digits: 7 },
  },
  wholeBy: 'minutes',
  tiers: [
    { step: '1m', keep: '2y' },
    { step: '5m', keep: '2y' },
    { step: '1h', keep: '10y' },
  ],
  backfill: {
    keys: trackedKeys(query, (source, symbol) =>
      kinds.map((kind) => recordedKey(source, kind, symbol)),
    ),
    asks,
    exact: true,
    every: 300_000,
  },
});
