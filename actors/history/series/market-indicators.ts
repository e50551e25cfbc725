/** Series that the sources of indicators sample and send themselves. */
import { defineSeries, exact, last } from '../define.ts';

/** Answers are not shared: the process that asks next has just written rows. */
const fresh = 0;

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
  fresh,
});

/** Daily closes of Bitcoin since 2010, by the source of each. */
export const bitcoinCloses = defineSeries({
  name: 'bitcoin-closes',
  key: 'source',
  columns: { close: exact('US dollars'), at: exact('Unix ms'), filled: last('count') },
  tiers: [{ step: '1d', keep: 'always' }],
  fresh,
});
