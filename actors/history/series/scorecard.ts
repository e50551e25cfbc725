import { byLatency } from '../../../indicators/market/scorecard.ts';
import { type Column, defineSeries, last } from '../define.ts';

const greatest: Column = { ...last('ms'), combine: 'max' };
const mean: Column = { ...last('ms'), combine: 'mean' };
const times: Column = { ...last('count'), combine: 'sum' };

/** How well each topic of each exchange was received, minute by minute. */
export const scorecard = defineSeries({
  name: 'scorecard',
  key: 'exchange/topic',
  columns: {
    up: { ...mean, unit: 'fraction' },
    age: mean,
    age_max: greatest,
    suspect: times,
    differs: times,
    refused: times,
    reconnects: times,
    ...byLatency((name) => (name.endsWith('p50') ? mean : greatest)),
  },
  tiers: [
    { step: '1m', keep: '26h' },
    { step: '1h', keep: '10y' },
  ],
  sample: (market, now) => market.feeds.minute(now),
});
