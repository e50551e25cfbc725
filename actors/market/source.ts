/**
 * The source of the indicators of the whole market: fear and greed, altcoin season, dominance, stablecoins, options and volumes
 * against futures and spot, transparency, loans, margin (specification 4.9), and metrics of networks.
 */
import type { JobSource } from '../sources/context.ts';
import { altcoinSeasonJob } from './altcoin-season.ts';
import { borrowJob } from './borrow.ts';
import { Charts, type Market } from './context.ts';
import { dominanceJob, Shares } from './dominance.ts';
import { fearGreedJob } from './fear-greed.ts';
import { marginJobs } from './margin.ts';
import { metricsJobs } from './network-metrics.ts';
import { optionsJob } from './options.ts';
import { RecordedStore } from './recorded.ts';
import { stablecoinJob } from './stablecoins.ts';
import type { Tickers } from './tickers.ts';
import { transparencyJob } from './transparency.ts';
import { volumesJob } from './volumes.ts';

export interface MarketOptions {
  tickers: Tickers;
  /** Ids of the exchanges that this process has clients of; data of other exchanges is left out. */
  venues: ReadonlySet<string>;
}

/** The source `market-wide`. */
export function marketSource({ tickers, venues }: MarketOptions): JobSource {
  return {
    id: 'market-wide',
    jobs(context) {
      const recorded = new RecordedStore(context);
      const at: Market = { context, tickers, venues, recorded, charts: new Charts(context) };
      const shares = new Shares(at);
      return [
        fearGreedJob(at, () => shares.served()),
        dominanceJob(at, shares),
        altcoinSeasonJob(at),
        stablecoinJob(at),
        transparencyJob(at),
        optionsJob(at),
        volumesJob(at),
        borrowJob(at),
        ...metricsJobs(at),
        ...(venues.has('bitfinex') ? marginJobs(at) : []),
      ];
    },
  };
}
