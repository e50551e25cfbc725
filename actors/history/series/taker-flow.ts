import type { MarketState } from '../../state/market-state.ts';
import { recordedKey, type TakerCandle } from '../../topics/index.ts';
import { type Ask, defineSeries } from '../define.ts';
import { askLeading, trackedKeys } from './tracked.ts';

const kinds = ['spot', 'perpetual'] as const;
const query = 'takerCandles';
const step = '5m';
/** Rows of one question: more than a day, at the weight of a small one. */
const rows = 499;

const rowOf = ({ timestamp, buy_usd, sell_usd, closed = true }: TakerCandle) => ({
  time: timestamp,
  values: { buy_usd, sell_usd, minutes: closed ? 5 : 0 },
});

function asks(key: string, market: MarketState): Ask<'taker-flow'>[][] {
  const [source = '', word, symbol = ''] = key.split('/');
  const kind = word === 'spot' ? 'spot' : 'perpetual';
  return askLeading(market, { query, source, kind, symbol }, (leading) => ({
    ...{ key, step, source },
    name: query,
    params: { market: leading, kind, interval: step, limit: rows },
    rows: (reply) => reply.points.map(rowOf),
  }));
}

/**
 * Amounts that takers bought and sold of the tracked assets, as exchanges state them in their candles (asked after each step), or
 * as their trades by stream add up to (actors/sources/streams/trades.ts).
 */
export const takerFlow = defineSeries({
  name: 'taker-flow',
  columns: {
    buy_usd: { combine: 'sum' },
    sell_usd: { combine: 'sum' },
    minutes: { combine: 'sum', digits: 7 },
  },
  tiers: [
    { step, keep: '2y' },
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
