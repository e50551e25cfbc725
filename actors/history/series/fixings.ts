import { fixingColumns } from '../../topics/index.ts';
import { type Column, defineSeries } from '../define.ts';

/** Life of an answer, ms: a row comes some minutes after the end of its hour. */
const fresh = 15_000;
const exact: Column = { combine: 'last' };

/** Hourly fixings, as the job that computes them sends them. */
export const fixings = defineSeries({
  name: 'reference-fixings',
  columns: {
    ...{ rate: exact, trades: exact, volume: exact },
    ...Object.fromEntries(fixingColumns.map((name) => [name, exact])),
  },
  tiers: [{ step: '1h', keep: '10y' }],
  fresh,
});
