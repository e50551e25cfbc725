import { defineSeries } from '../define.ts';

/** Life of an answer about the newest minutes, ms. */
const fresh = 10_000;

/** Forced closings, added up while they are stored (`LiquidationRecorder`). */
export const liquidations = defineSeries({
  name: 'liquidations',
  columns: {
    long_usd: { combine: 'sum' },
    short_usd: { combine: 'sum' },
    count: { combine: 'sum', digits: 7 },
    largest_usd: { combine: 'max', digits: 7 },
  },
  tiers: [
    { step: '1m', keep: '2y' },
    { step: '1h', keep: '10y' },
  ],
  fresh,
});

/** For how long the streams of liquidations were received and stored. */
export const liquidationFeeds = defineSeries({
  name: 'liquidation-feeds',
  columns: { heard_ms: { combine: 'sum' } },
  tiers: [
    { step: '1m', keep: '2y' },
    { step: '1h', keep: '10y' },
  ],
  fresh,
});
