/** DefiLlama's prices of tokens and coins. https://api-docs.defillama.com */
import { source } from '../defi/source.ts';
import { moving } from '../defi/world.ts';
import { seedOf } from '../noise.ts';
import type { Ask } from '../venue.ts';
import { dollarsOf, type Priced } from './holdings.ts';
import { natives, tokenAt, tokenChain } from './tokens.ts';

const coin = (symbol: string, rest: number): Priced => ({ coin: symbol, rest });

/** Coins by the id of CoinGecko. */
const coins: ReadonlyMap<string, Priced> = new Map([
  ['bitcoin', coin('BTC', 100_000)],
  ['ethereum', coin('ETH', natives.ethereum.rest)],
  ['solana', coin('SOL', natives.solana.rest)],
  ['binancecoin', coin('BNB', natives.bsc.rest)],
  ['polygon-ecosystem-token', coin('POL', natives.polygon.rest)],
  ['avalanche-2', coin('AVAX', natives.avalanche.rest)],
]);

/** The price of the asset, a thousandth off at most. */
const priceOf = (priced: Priced, { model, now }: Ask): number =>
  moving(seedOf(model.seed, `llama ${priced.coin}`), now, dollarsOf(model, priced, now), 0.001);

function entry(key: string, ask: Ask): object | null {
  const [word = '', name = ''] = key.split(':');
  const timestamp = Math.floor(ask.now / 60_000) * 60 - 30;
  if (word === 'coingecko') {
    const found = coins.get(name);
    if (!found) return null;
    return { price: priceOf(found, ask), symbol: found.coin, timestamp, confidence: 0.99 };
  }
  const chain = word === 'avax' ? 'avalanche' : tokenChain(word);
  const token = chain && tokenAt(chain, name);
  if (!token?.known) return null;
  const { symbol, decimals } = token;
  return { decimals, symbol, price: priceOf(token, ask), timestamp, confidence: 0.99 };
}

/** Keys come back as they were asked; those without a price are left out. */
function current(ask: Ask) {
  const keys = (ask.query.get('keys') ?? '').split(',');
  const found = keys.map((key) => [key, entry(key, ask)] as const);
  return { coins: Object.fromEntries(found.filter(([, value]) => value !== null)) };
}

export const llamaCoins = source('llama-coins', 'coins.llama.fi', {
  '/prices/current/{keys}': current,
});
