import { byLatency } from '../../../indicators/market/scorecard.ts';
import { type Column, defineSeries } from '../define.ts';

const greatest: Column = { combine: 'max', digits: 7 };
const mean: Column = { combine: 'mean', digits: 7 };
const sum: Column = { combine: 'sum', digits: 7 };

/** How well each topic of each exchange was received, minute by minute. */
export const scorecard = defineSeries({
  name: 'scorecard',
  columns: {
    up: mean,
    age: mean,
    age_max: greatest,
    suspect: sum,
    differs: sum,
    refused: sum,
    reconnects: sum,
    ...byLatency((name) => (name.endsWith('p50') ? mean : greatest)),
  },
  tiers: [
    { step: '1m', keep: '26h' },
    { step: '1h', keep: '10y' },
  ],
  sample: (market, now) => market.feeds.minute(now),
});
