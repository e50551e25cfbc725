/** Series whose rows the processes that compute them send. */
import { bucketColumns, fixingColumns } from '../../topics/index.ts';
import { defineSeries, exact, last } from '../define.ts';

/** Life of an answer about the newest rows, ms: they come some seconds after the end of their minute, fixings some minutes after their hour. */
const fresh = 15_000;

/** Hourly fixings. */
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

/** Reference rates at the end of each minute. */
export const referenceRates = defineSeries({
  name: 'reference-rate',
  key: 'asset',
  columns: { rate: exact('US dollars'), used: last('count') },
  fresh,
});

const price = exact('quote');

/** Trades folded by minute and price. */
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

/** Charts of indicators of the whole market: hours, of which the first of each day stays. */
export const marketIndicators = defineSeries({
  name: 'market-indicators',
  key: 'chart/column',
  columns: {
    at: { unit: 'Unix ms', combine: 'first' },
    value: { unit: 'of the chart', combine: 'first' },
  },
  tiers: [
    { step: '1h', keep: '92d' },
    { step: '1d', keep: 'always' },
  ],
  // The process that asks next has just written rows.
  fresh: 0,
});

/** Daily closes of Bitcoin since 2010, by the source of each. */
export const bitcoinCloses = defineSeries({
  name: 'bitcoin-closes',
  key: 'source',
  columns: { close: exact('US dollars'), at: exact('Unix ms'), filled: last('count') },
  tiers: [{ step: '1d', keep: 'always' }],
  fresh: 0,
});
