/** What Bitcoin is compared with, and its name at each upstream. */
import type { RuleName } from './plausible.ts';

/** A daily close of one asset: index points, US dollars an ounce, or percent a year for a yield. */
export interface AssetDay {
  asset: AssetId;
  day: number;
  value: number;
}

/** A traditional asset. */
export interface Asset {
  name: string;
  /** Null where FRED has no such series. */
  fred: string | null;
  yahoo: string;
  rule: RuleName;
  /** How a day's change is measured: a yield in percentage points, a price by its logarithm. */
  change: 'log' | 'difference';
}

/** Gold comes from a market of tokenised gold first (Binance PAXGUSDT): FRED has no series of it any more. */
export const assets = {
  sp500: { name: 'S&P 500', fred: 'SP500', yahoo: '^GSPC', rule: 'assetClose', change: 'log' },
  nasdaq: {
    name: 'Nasdaq Composite',
    fred: 'NASDAQCOM',
    yahoo: '^IXIC',
    rule: 'assetClose',
    change: 'log',
  },
  dow_jones: {
    name: 'Dow Jones Industrial Average',
    fred: 'DJIA',
    yahoo: '^DJI',
    rule: 'assetClose',
    change: 'log',
  },
  gold: { name: 'Gold', fred: null, yahoo: 'GC=F', rule: 'assetClose', change: 'log' },
  // FRED's is the broad dollar index, a week late; Yahoo and the ECB fixings give ICE's own basket.
  dxy: {
    name: 'US Dollar Index',
    fred: 'DTWEXBGS',
    yahoo: 'DX-Y.NYB',
    rule: 'assetClose',
    change: 'log',
  },
  us10y: {
    name: 'US Treasury Yield, 10 Years',
    fred: 'DGS10',
    yahoo: '^TNX',
    rule: 'treasuryYield',
    change: 'difference',
  },
  vix: { name: 'VIX', fred: 'VIXCLS', yahoo: '^VIX', rule: 'volatilityIndex', change: 'log' },
} as const satisfies Record<string, Asset>;

/** Key of `assets`. */
export type AssetId = keyof typeof assets;

/** True for the id of an asset. */
export const isAsset = (id: string): id is AssetId => Object.hasOwn(assets, id);

/** All ids in the order of the table. */
export const assetIds: readonly AssetId[] = Object.keys(assets).filter(isAsset);
