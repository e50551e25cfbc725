/** The pools on DexScreener in which the tokens of simulated wallets trade. */
import { hex, solana, type Token } from '../defi/world.ts';
import type { Model } from '../model.ts';
import { seedOf } from '../noise.ts';
import { dollarsOf } from './prices.ts';
import { coinsOf, natives, type TokenChain, tokenAt, type WalletToken } from './tokens.ts';

/** One pool. */
export interface WalletPool {
  seed: number;
  chain: TokenChain;
  exchange: string;
  address: string;
  base: Token;
  quote: Token;
  /** US dollars. */
  liquidity: number;
  /** Part of its price by which a pool is off. */
  moves: number;
}

interface Place {
  chain: TokenChain;
  model: Model;
  now: number;
}

const sideOf = (token: WalletToken, { model, now }: Place): Token => ({
  address: token.address,
  symbol: token.symbol ?? '',
  name: token.name ?? '',
  price: dollarsOf(model, token, now),
});

/** A coin has three pools, the second and third smaller; any other token has one. */
const sizes = (token: WalletToken): readonly number[] => {
  if (token.liquidity === 0) return [];
  return token.coin === null ? [1] : [1, 0.3, 0.1];
};

/** Against USDC where it is a coin, else against the native coin; USDC itself against USDT. */
function quoteOf({ chain }: Place, token: WalletToken): WalletToken | undefined {
  const word = token.coin === null ? `W${natives[chain].symbol}` : 'USDC';
  const quote = token.symbol === word ? 'USDT' : word;
  return coinsOf(chain).find(({ symbol }) => symbol === quote);
}

function poolsOf(place: Place, token: WalletToken): WalletPool[] {
  const { chain } = place;
  const quote = quoteOf(place, token);
  if (!quote) return [];
  return sizes(token).map((size, index) => {
    const seed = seedOf(place.model.seed, `pool ${chain} ${token.address} ${index}`);
    return {
      seed,
      chain,
      exchange: chain === 'solana' ? 'raydium' : 'uniswap',
      address: chain === 'solana' ? solana(seed) : hex(seed),
      base: sideOf(token, place),
      quote: sideOf(quote, place),
      liquidity: token.liquidity * size,
      moves: 0.002,
    };
  });
}

/** Pools with one of the addresses as their base, and those of well known coins in which one is the quote. */
export function walletPools(place: Place, addresses: readonly string[]): WalletPool[] {
  const asked = addresses.flatMap((one) => tokenAt(place.chain, one) ?? []);
  const wanted = new Set(asked.map(({ address }) => address));
  const tokens = new Map([...coinsOf(place.chain), ...asked].map((one) => [one.address, one]));
  return [...tokens.values()]
    .flatMap((token) => poolsOf(place, token))
    .filter(({ base, quote }) => wanted.has(base.address) || wanted.has(quote.address));
}
