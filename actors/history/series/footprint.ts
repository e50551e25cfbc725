import { bucketColumns } from '../../topics/index.ts';
import { defineSeries, exact, last } from '../define.ts';

/** Life of an answer about the newest minutes, ms: rows come some seconds after the end of their minute. */
const fresh = 15_000;
const price = exact('quote');

/** Trades folded by minute and price, as the process that receives them sends them. */
export const footprint = defineSeries({
  name: 'footprint',
  key: 'exchange/market, exchange/spot/market',
  columns: {
    open: price,
    high: price,
    low: price,
    close: price,
    step: last('quote'),
    first: last('count'),
    trades: last('count'),
    ...Object.fromEntries(
      bucketColumns.map((name) => [name, last(name.includes('usd') ? 'US dollars' : 'base asset')]),
    ),
  },
  // As long as the default store has room within 2 GB: 50 hours are the most hourly bars of an answer.
  tiers: [{ step: '1m', keep: '3d' }],
  fresh,
});
