import { defineSeries, exact, last } from '../define.ts';

/** Life of an answer, ms: a row comes about a second after the end of its minute. */
const fresh = 15_000;

/** Reference rates at the end of each minute, as the processes that compute them send them. */
export const referenceRates = defineSeries({
  name: 'reference-rate',
  key: 'asset',
  columns: { rate: exact('US dollars'), used: last('count') },
  fresh,
});
