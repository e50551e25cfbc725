import { bucketColumns } from '../../topics/index.ts';
import { type Column, defineSeries } from '../define.ts';

/** Life of an answer about the newest minutes, ms: rows come some seconds after the end of their minute. */
const fresh = 15_000;
const exact: Column = { combine: 'last' };
const short: Column = { combine: 'last', digits: 7 };

/** Trades folded by minute and price, as the process that receives them sends them. */
export const footprint = defineSeries({
  name: 'footprint',
  columns: {
    ...{
      open: exact,
      high: exact,
      low: exact,
      close: exact,
      step: short,
      first: short,
      trades: short,
    },
    ...Object.fromEntries(bucketColumns.map((name) => [name, short])),
  },
  // As long as the default store has room within 2 GB: 50 hours are the most hourly bars of an answer.
  tiers: [{ step: '1m', keep: '3d' }],
  fresh,
});
