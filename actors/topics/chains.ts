/** Rows of the chains. Times are Unix ms. */
import { chainIds, evmChainIds } from '../../config/chains.ts';
import { stablecoins } from '../../config/tokens.ts';
import * as s from './schema.ts';

const updated_at = s.unixMs('When the row was received.');

/** Head of a chain. */
export const chainRow = s.object({
  chain: s.oneOf(chainIds, 'Chain id.'),
  block: s.integer('Latest block number; the slot for solana.'),
  gas_gwei: s.numberOrNull('Gas price, Gwei; null for bitcoin and solana.'),
  updated_at,
  grown_at: s.unixMs(
    'When the block number was last seen to grow; it stays behind when a chain stops.',
  ),
});
export type ChainRow = s.Static<typeof chainRow>;

/** Supply of a stablecoin on one chain. */
export const supplyRow = s.object({
  token: s.oneOf(stablecoins, 'Symbol of the stablecoin.'),
  chain: s.oneOf(evmChainIds, 'Chain id.'),
  total_supply: s.number('Whole coins.'),
  updated_at,
});
export type SupplyRow = s.Static<typeof supplyRow>;

const coins = s.number('Whole coins.');

/** Sum over the hot wallets of one exchange. */
export const walletRow = s.object({
  label: s.string('Exchange and `_hot`: the sum of its known hot wallets.'),
  chain: s.oneOf(evmChainIds, 'Chain id.'),
  eth_balance: coins,
  usdc_balance: coins,
  usdt_balance: coins,
  updated_at,
});
export type WalletRow = s.Static<typeof walletRow>;

/** One read of one chain, everything in it from one endpoint. */
export interface ChainReading {
  chain: ChainRow;
  supplies: SupplyRow[];
  wallets: WalletRow[];
  /** Rows that were missing or unreadable: `USDT`, `okx_hot`. Their last good ones stay. */
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
