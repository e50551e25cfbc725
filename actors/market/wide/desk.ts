/**
 * The desk of ten indicators of the whole market (specification 4.9): fear and greed, altcoin season, dominance,
 * stablecoins, options and volumes against futures and spot, transparency, loans and margin.
 */
import type { Desk } from '../../desks/desk.ts';
import type { Tickers } from '../tickers.ts';
import type { MarketUpstream } from '../upstream.ts';
import { alternativeMe } from '../upstreams/alternative-me.ts';
import { coingecko } from '../upstreams/coingecko.ts';
import { coinlore } from '../upstreams/coinlore.ts';
import { coinpaprika } from '../upstreams/coinpaprika.ts';
import { defillama } from '../upstreams/defillama.ts';
import { altcoinSeasonDuty } from './altcoin-season.ts';
import { borrowDuty } from './borrow.ts';
import { Charts, type Wide } from './context.ts';
import { dominanceDuty, Shares } from './dominance.ts';
import { fearGreedDuty } from './fear-greed.ts';
import { marginDuties } from './margin.ts';
import { optionsDuty } from './options.ts';
import { stablecoinDuty } from './stablecoins.ts';
import { transparencyDuty } from './transparency.ts';
import { volumesDuty } from './volumes.ts';

/** The upstreams that are no exchange: clients of them are needed by these ids. */
export const wideUpstreams: readonly MarketUpstream[] = [
  alternativeMe,
  coingecko,
  coinpaprika,
  coinlore,
  defillama,
];

export interface WideDeskOptions {
  tickers: Tickers;
  /** Ids of the exchanges that there are clients of; what only others tell is left out. */
  venues: ReadonlySet<string>;
}

/** The desk `market-wide`. */
export function wideDesk({ tickers, venues }: WideDeskOptions): Desk {
  return {
    id: 'market-wide',
    open(desk) {
      const at: Wide = { desk, tickers, venues, charts: new Charts(desk) };
      const shares = new Shares(desk);
      return [
        fearGreedDuty(at, () => shares.served()),
        dominanceDuty(at, shares),
        altcoinSeasonDuty(at),
        stablecoinDuty(at),
        transparencyDuty(at),
        optionsDuty(at),
        volumesDuty(at),
        borrowDuty(at),
        ...(venues.has('bitfinex') ? marginDuties(at) : []),
      ];
    },
  };
}
