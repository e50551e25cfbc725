/** The rows of decentralized exchanges, stablecoins and lending. Amounts are US dollars, finite and never negative. */
import * as s from './schema.ts';

/** Fees of Uniswap v3 pools, hundredths of a basis point. */
export const feeTiers = [100, 500, 3000, 10_000] as const;
export type FeeTier = (typeof feeTiers)[number];

/** A pair on any exchange of any chain, as a search finds it. */
export const dexPair = s.object({
  chain: s.string('In the words of the source: `ethereum`, `solana`.'),
  dex: s.string('Exchange.'),
  base_token: s.string('Symbol, as the maker of the token wrote it.'),
  base_address: s.string('Contract of the base token.'),
  quote_token: s.string('Symbol.'),
  price_usd: s.number('Of the base token.'),
  volume_24h: s.number('USD.'),
  liquidity_usd: s.number('Value of the pool; 0 where the pair has none yet.'),
  fdv: s.numberOrNull('Fully diluted value, USD; null when unknown.'),
  pair_address: s.string("The pool's address, or the id that its exchange has for it."),
  url: s.string('The pair on the site of the source.'),
  price_change_5m: s.numberOrNull('Percent; null when unknown.'),
  price_change_1h: s.numberOrNull('Percent; null when unknown.'),
  price_change_24h: s.number('Percent; 0 as well where nothing traded.'),
});
export type DexPair = s.Static<typeof dexPair>;

/** A pool of concentrated liquidity on ethereum. */
export const evmPool = s.object({
  pool_id: s.string('Contract of the pool, in checksum form.'),
  token0: s.string('Symbol; the shortened address where it is unknown.'),
  token1: s.string('Symbol; the shortened address where it is unknown.'),
  fee_tier: s.oneOf(feeTiers, 'Hundredths of a basis point.'),
  tvl_usd: s.number(),
  volume_usd: s.number('24 h; 0 as well where the source does not know it.'),
});
export type EvmPool = s.Static<typeof evmPool>;

const solanaSymbols = {
  symbol_a: s.optional(s.string('Absent where the token has none.')),
  symbol_b: s.optional(s.string('Absent where the token has none.')),
};

/** A pool of an automated market maker on solana. */
export const ammPool = s.object({
  pool_id: s.string('Address of the pool.'),
  pool_type: s.string('`Standard` or `Concentrated`.'),
  mint_a: s.string('Mint of token A.'),
  mint_b: s.string('Mint of token B.'),
  ...solanaSymbols,
  tvl: s.number('USD.'),
  volume_24h: s.number('USD.'),
  fee_24h: s.number('USD.'),
  apr_24h: s.number('Percent a year, fees and rewards together.'),
});
export type AmmPool = s.Static<typeof ammPool>;

/** A whirlpool on solana. */
export const whirlpool = s.object({
  address: s.string('Address of the pool.'),
  token_a: s.string('Mint of token A.'),
  token_b: s.string('Mint of token B.'),
  ...solanaSymbols,
  price: s.number('Amount of token B for one token A, a ratio.'),
  tvl: s.number('USD.'),
  volume_24h: s.number('USD.'),
  fee_rate: s.number('Fraction of a trade: 0.003 is 0.3 %.'),
});
export type Whirlpool = s.Static<typeof whirlpool>;

/** A stablecoin over all of its chains. */
export const stablecoin = s.object({
  name: s.string('Name of the coin.'),
  symbol: s.string('Symbol of the coin.'),
  peg_type: s.string('`peggedUSD`, `peggedEUR`.'),
  circulating: s.number(
    'The amount on all chains, USD: for coins pegged to another currency too the value in dollars, as the source states it.',
  ),
  chains: s.list(s.string(), 'The largest first.'),
});
export type Stablecoin = s.Static<typeof stablecoin>;

/** A market of a lending protocol. */
export const lendingPool = s.object({
  protocol: s.string('Protocol with its version, lower case: `aave-v3`.'),
  chain: s.string('Lower case: `ethereum`, `optimism`.'),
  asset: s.string('Symbol of the token that is supplied, upper case.'),
  pool_id: s.string('Unique.'),
  supply_apy: s.number('Percent a year, base and reward together.'),
  borrow_apy: s.number('Percent a year, before rewards; 0 where nothing can be borrowed.'),
  tvl_usd: s.number('The amount that is supplied and not borrowed.'),
  utilization: s.number('Borrowed over supplied, a fraction.', { minimum: 0, maximum: 1 }),
  reward_apy: s.numberOrNull('Part of `supply_apy` that is rewards, percent a year.'),
  borrowable: s.boolean(
    'False where the asset is not lent out: its lending is off, or it is collateral for loans of another coin.',
  ),
  updated_at: s.unixMs('When the row was received.'),
});
export type LendingPool = s.Static<typeof lendingPool>;

/** A lending protocol over all of its chains. */
export const protocolTvl = s.object({
  protocol: s.string('Protocol with its version, lower case.'),
  tvl_usd: s.number('Without what is borrowed.'),
  chains: s.list(s.string(), 'Chains that it is on.'),
});
export type ProtocolTvl = s.Static<typeof protocolTvl>;

/** The rows of each document. */
export const defiRows = {
  lending: lendingPool,
  lendingTvl: protocolTvl,
  uniswap: evmPool,
  raydium: ammPool,
  orca: whirlpool,
  stablecoins: stablecoin,
};
export type DefiRows = { [F in keyof typeof defiRows]: s.Static<(typeof defiRows)[F]> };
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

/** Rows of a list answer without a limit. */
export const defaultLimit = 50;
/** Most rows that a client may ask of each list. */
export const listLimits = { uniswap: 100, raydium: 100, orca: 500 } as const;

/** Age of the rows from which an answer is stale, ms: three renewals by their job are missing. */
export const defiStaleAfter: Readonly<Record<DefiFigure, number>> = {
  lending: 900_000,
  lendingTvl: 900_000,
  // Read every minute from bodies that are fetched every five.
  uniswap: 900_000,
  raydium: 180_000,
  orca: 180_000,
  stablecoins: 900_000,
};

/** Whether a reading is of the figure. */
export const isOf = <F extends DefiFigure>(
  reading: DefiReading | undefined,
  figure: F,
): reading is DefiReading<F> => reading?.figure === figure;

/** A search for pairs, or for those of one token; checked as actors/defi/query.ts says. */
export interface DexParams {
  asked: string;
}
export interface DexReply {
  pairs: DexPair[];
  source: string;
  received: number;
}
