/** The assets that Bitcoin is compared with, and their names at each upstream. */
import type { RuleName } from '../../indicators/market/plausible.ts';

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
  /** Null where Yahoo is not asked for it. */
  yahoo: string | null;
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
  // Six currencies with fixed weights, computed from the fixings of the ECB (formulas/dollar-index.ts).
  dxy: {
    name: 'US Dollar Index (six currencies)',
    fred: null,
    yahoo: null,
    rule: 'assetClose',
    change: 'log',
  },
  // 26 currencies weighted by trade, a week late. https://fred.stlouisfed.org/series/DTWEXBGS
  usd_broad_index: {
    name: 'Nominal Broad US Dollar Index',
    fred: 'DTWEXBGS',
    yahoo: null,
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
