/** The pools on DexScreener in which the tokens of simulated wallets trade. */
import { hex, type Pair, solana, type Token } from '../defi/world.ts';
import type { Model } from '../model.ts';
import { seedOf } from '../noise.ts';
import { dollarsOf } from './holdings.ts';
import { type TokenChain, tokenAt, tokenOf, type WalletToken } from './tokens.ts';

interface Place {
  chain: TokenChain;
  model: Model;
  now: number;
}

const sideOf = (token: WalletToken, { model, now }: Place): Token => ({
  address: token.address,
  symbol: token.symbol,
  name: token.name,
  price: dollarsOf(model, token, now),
});

/** A pool of each token with liquidity against USDC; of USDC against USDT. */
export function walletPools(place: Place, addresses: readonly string[]): Pair[] {
  const { chain, model } = place;
  return addresses.flatMap((address) => {
    const token = tokenAt(chain, address);
    const quote = tokenOf(chain, token?.symbol === 'USDC' ? 'USDT' : 'USDC');
    if (!token || !quote || token.liquidity === 0) return [];
    const seed = seedOf(model.seed, `pool ${chain} ${token.address}`);
    return {
      seed,
      chain,
      exchange: chain === 'solana' ? 'raydium' : 'uniswap',
      address: chain === 'solana' ? solana(seed) : hex(seed),
      base: sideOf(token, place),
      quote: sideOf(quote, place),
      liquidity: token.liquidity,
      moves: 0.002,
    };
  });
}
