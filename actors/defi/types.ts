/** The rows of decentralized exchanges, stablecoins and lending. Amounts are US dollars, finite and never negative. */

/** A pair on any exchange of any chain, as a search finds it. */
export interface DexPair {
  /** The source's word: `ethereum`, `solana`, `pulsechain`. */
  chain: string;
  dex: string;
  base_token: string;
  base_address: string;
  quote_token: string;
  /** Of the base token. */
  price_usd: number;
  volume_24h: number;
  /** 0 where the pair has no pool yet (bonding curves). */
  liquidity_usd: number;
  /** Null when unknown. */
  fdv: number | null;
  /** Mostly the pool's address; some exchanges have ids that are none. */
  pair_address: string;
  url: string;
  /** Percent; null when unknown. */
  price_change_5m: number | null;
  price_change_1h: number | null;
  /** Percent; 0 as well where nothing traded. */
  price_change_24h: number;
}

/** Hundredths of a basis point. */
export const feeTiers = [100, 500, 3000, 10_000] as const;
export type FeeTier = (typeof feeTiers)[number];

/** A pool of concentrated liquidity on ethereum. */
export interface EvmPool {
  /** The contract, in checksum form. */
  pool_id: string;
  token0: string;
  token1: string;
  fee_tier: FeeTier;
  tvl_usd: number;
  /** 24 h; 0 as well where the source does not know it. */
  volume_usd: number;
}

/** A pool of an automated market maker on solana. */
export interface AmmPool {
  pool_id: string;
  /** `Standard` or `Concentrated`, as the exchange says. */
  pool_type: string;
  mint_a: string;
  mint_b: string;
  symbol_a?: string;
  symbol_b?: string;
  tvl: number;
  volume_24h: number;
  fee_24h: number;
  /** Percent, fees and rewards together. */
  apr_24h: number;
}

/** A whirlpool on solana. */
export interface Whirlpool {
  address: string;
  token_a: string;
  token_b: string;
  symbol_a?: string;
  symbol_b?: string;
  /** Token B per token A. */
  price: number;
  tvl: number;
  volume_24h: number;
  /** Fraction of a trade: 0.003 is 0.3 %. */
  fee_rate: number;
}

/** A stablecoin over all of its chains. */
export interface Stablecoin {
  name: string;
  symbol: string;
  /** `peggedUSD`, `peggedEUR`. */
  peg_type: string;
  /** US dollars, under pegs to other currencies too: DefiLlama multiplies the amount by the coin's price. */
  circulating: number;
  /** The largest first. */
  chains: string[];
}

/** A market of a lending protocol. */
export interface LendingPool {
  /** `aave-v3`. */
  protocol: string;
  /** Lower case: `ethereum`, `optimism`. */
  chain: string;
  /** Symbol in upper case. */
  asset: string;
  pool_id: string;
  /** Percent a year: base and reward together. */
  supply_apy: number;
  /** Percent a year, before rewards. 0 where nothing can be borrowed. */
  borrow_apy: number;
  /** What is supplied and not borrowed. */
  tvl_usd: number;
  /** Borrowed over supplied, 0 to 1. */
  utilization: number;
  /** Percent a year; null without a reward. */
  reward_apy: number | null;
  /** False where the protocol does not lend this asset out. */
  borrowable: boolean;
  /** Unix ms of the answer that it is from. */
  updated_at: number;
}

/** A lending protocol over all of its chains. */
export interface ProtocolTvl {
  protocol: string;
  /** Without what is borrowed. */
  tvl_usd: number;
  chains: string[];
}

/** The rows of each figure. */
export interface DefiRows {
  lending: LendingPool;
  lendingTvl: ProtocolTvl;
  uniswap: EvmPool;
  raydium: AmmPool;
  orca: Whirlpool;
  stablecoins: Stablecoin;
}
export type DefiFigure = keyof DefiRows;

/** The last good rows of one figure, on the topic `defi` under the figure's name; lists are in the order served. */
export interface DefiReading<F extends DefiFigure = DefiFigure> {
  figure: F;
  /** Ids of the upstreams that gave the rows. */
  sources: string[];
  rows: DefiRows[F][];
  /** When the newest rows were received, Unix ms. */
  received: number;
}

/** A search for pairs, or for those of one token; checked as actors/defi/query.ts says. */
export interface DexRequest {
  asked: string;
}
export interface DexReply {
  pairs: DexPair[];
  source: string;
  received: number;
}
