import { defineSeries, last, summed } from '../define.ts';

/** Life of an answer about the newest minutes, ms. */
const fresh = 10_000;

/** For how long the streams of liquidations were received and stored. */
export const liquidationFeeds = defineSeries({
  name: 'liquidation-feeds',
  key: 'exchange/stream',
  columns: { heard_ms: summed('ms') },
  fresh,
});

/** Forced closings, added up while they are stored (liquidation-recorder.ts). */
export const liquidations = defineSeries({
  name: 'liquidations',
  key: 'exchange/asset',
  columns: {
    long_usd: summed('US dollars'),
    short_usd: summed('US dollars'),
    count: { ...summed('count'), digits: 7 },
    largest_usd: { ...last('US dollars'), combine: 'max' },
  },
  fresh,
  heardBy: liquidationFeeds,
});
