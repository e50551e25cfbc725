/** Option chains: each reading is one list of an exchange. Trades of options are a log by themselves, beside all other trades. */
import type { OptionType } from '../../indicators/options/black76.ts';
import type { StreamEvents } from './liquidations.ts';

export type { OptionRow } from '../../indicators/options/chain.ts';

/** One public trade of an option. */
export interface OptionTrade {
  /** The exchange's own id of the option. */
  contract: string;
  symbol: string;
  /** Unix ms. */
  expiry: number;
  /** US dollars. */
  strike: number;
  type: OptionType;
  /** The asset itself, or USDC. */
  settle: string;
  /** Of the taker. */
  side: 'buy' | 'sell';
  /** Of an option on one base unit, US dollars. */
  price: number;
  /** The same in base units, as the exchange states it; null where the option settles in dollars. */
  price_base: number | null;
  /** Base units. */
  quantity: number;
  /** Mark price of an option on one base unit, US dollars. */
  mark: number | null;
  /** Index price of the asset, US dollars. */
  index: number;
  /** Implied volatility of the price, fraction a year. */
  iv: number | null;
  /** Whether it was agreed on beside the order book; null where the exchange does not say. */
  block: boolean | null;
  /** Unix ms, as the exchange states it. */
  timestamp: number;
  /** The exchange's id of the trade. */
  id: string;
}

export type OptionTrades = StreamEvents<OptionTrade>;

/** The same for a trade that is sent twice: ids are those of one option or of one asset. */
export const optionTradeKey = ({ contract, id }: OptionTrade): string => `${contract}|${id}`;
