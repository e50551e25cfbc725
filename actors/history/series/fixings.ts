import { fixingColumns } from '../../topics/index.ts';
import { defineSeries, exact } from '../define.ts';

/** Life of an answer, ms: a row comes some minutes after the end of its hour. */
const fresh = 15_000;

/** Hourly fixings, as the job that computes them sends them. */
export const fixings = defineSeries({
  name: 'reference-fixings',
  key: 'asset',
  columns: {
    rate: exact('US dollars'),
    trades: exact('count'),
    volume: exact('base asset'),
    ...Object.fromEntries(
      fixingColumns.map((name) => [
        name,
        exact(name.startsWith('minutes') ? 'minutes' : 'US dollars'),
      ]),
    ),
  },
  tiers: [{ step: '1h', keep: '10y' }],
  fresh,
});
