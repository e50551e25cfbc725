import type { AssetClass } from '../../config/assets/symbols.ts';
import type { MarketKind } from '../../indicators/market/market-names.ts';
import type { Decimals } from '../../indicators/order-book/checksum.ts';

export type Kind = MarketKind;

/** The smallest step of a price or quantity, and its bounds; a bound of 0 is none. */
export interface Steps {
  step: number;
  min: number;
  max: number;
}

/** What orders of a market must keep to, as its exchange states it, in its own units. */
export interface TradingRules {
  /** The exchange's own name of the base asset, such as `1000PEPE`. */
  base: string;
  price: Steps;
  quantity: Steps;
  /** Of market orders, where they have rules of their own. */
  market_quantity?: Steps;
  /** Least value of an order, in the quote. */
  least_value?: number;
  /** True for a spot market that is traded on margin as well. */
  margin?: true;
  /** When the contract was listed, Unix ms. */
  listed?: number;
  /** When a perpetual ends, Unix ms, where its exchange has announced that. */
  ends?: number;
}

/** One instrument of a venue, with the facts that its numbers are converted by. */
export interface Instrument {
  /** The venue's own id, such as `BTCUSDT` or `BTC-USD-SWAP`. */
  market: string;
  /** The venue's name of it, where its id is a mere number. */
  name?: string;
  /** What the messages of its streams call it, where that is not its id: `XBT/USD` of `XXBTZUSD`. */
  wire?: string;
  kind: Kind;
  /** What it is about, where that is no coin: its symbol says so too. Absent for coins. */
  asset_class?: Exclude<AssetClass, 'crypto'>;
  /** The asset that its ticker means, where its price has been so far from it that it has a symbol of its own. */
  left?: string;
  /** The dex of Hyperliquid on which a builder lists it. */
  dex?: string;
  /** Base asset in the field's usual ticker: XBT is BTC, 1000PEPE is PEPE, DASH.STOCK is the share, XYZ:TSLA that of the dex xyz. */
  symbol: string;
  quote: string;
  /** How many canonical units one native base unit is: 1000 for 1000PEPE, 0.1 for tenths, else 1. */
  scale: number;
  /**
   * Size of one native quantity unit: native base units per contract when linear (1 where the venue counts
   * in base), quote units (USD) per contract when inverse.
   */
  contract: number;
  inverse: boolean;
  /** The settlement of a contract, where `inverse` does not state it: a coin-margined one that counts in base. */
  settle?: string;
  /** When a dated future expires, Unix ms; absent for all others. */
  expiry?: number;
  /** Hours between fundings, where the venue's lists state them; null on spot and elsewhere. */
  funding_hours: number | null;
  /**
   * The smallest step of its prices, in canonical units as these are: 1e-10 of PEPE where 1000PEPE moves by 1e-7. Absent where no list
   * states it, or where it depends on the price.
   */
  tick?: number;
  /** Digits after the point of its prices and quantities, where the checksum of its book or the exchange's form needs them. */
  decimals?: Decimals;
  /** Largest leverage of a perpetual; absent where the venue's lists do not state it. */
  max_leverage?: number;
  /** True for a perpetual that takes isolated margin only; absent for others. */
  isolated_only?: true;
  /** Absent where the venue's lists are not read for them. */
  rules?: TradingRules;
  /** Of a market that is not traded any more: the first list without it, Unix ms, and its kind until then. */
  delisted?: { at: number; kind: Kind };
}

/** A client asks for a market that no list of the source holds: the lists must be read again. */
export interface ListRequest {
  source: string;
  /** Unix ms. */
  at: number;
}
