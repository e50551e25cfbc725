/** What is known of the chains, as it travels on the topics. Times are Unix ms. */
import type { ChainId, EvmChainId } from '../../config/chains.ts';
import type { Stablecoin } from '../../config/tokens.ts';

/** Head of a chain. */
export interface ChainRow {
  chain: ChainId;
  /** Number of the last block; the slot for solana. */
  block: number;
  /** Price of gas in Gwei, the fraction kept; null for bitcoin and solana. */
  gas_gwei: number | null;
  /** When the answer was received. */
  updated_at: number;
  /** When the block number was last seen to grow: a chain that stands still is one for which this stays behind. */
  grown_at: number;
}

/** Supply of a stablecoin on one chain. */
export interface SupplyRow {
  token: Stablecoin;
  chain: EvmChainId;
  /** In whole coins. */
  total_supply: number;
  updated_at: number;
}

/** What the hot wallets of one exchange hold together, in whole coins. */
export interface WalletRow {
  /** `<exchange>_hot`. */
  label: string;
  chain: EvmChainId;
  eth_balance: number;
  usdc_balance: number;
  usdt_balance: number;
  updated_at: number;
}

/** One read of one chain, everything in it from one endpoint. */
export interface ChainReading {
  chain: ChainRow;
  supplies: SupplyRow[];
  wallets: WalletRow[];
  /** Rows that should have been there: `USDT`, `okx_hot`. Their last good ones stand. */
  dropped: { key: string; code: 'bad_row' }[];
  /** The block number has not grown for longer than the chain's blocks explain, and no endpoint knows a higher one. */
  stuck: boolean;
  /** Host that answered. */
  host: string;
  /** Unix ms before the request and after the answer. */
  asked: number;
  received: number;
}

/** The last good state of one chain, on the topic `chains` under the chain's id. */
export interface ChainState extends Pick<ChainReading, 'chain' | 'supplies' | 'wallets' | 'stuck'> {
  /** When the state was received. */
  received: number;
}
