/** DexScreener: search, the pairs of a token, and pools by token. https://docs.dexscreener.com/api/reference */
import { plain } from '../format.ts';
import { seedOf, unit } from '../noise.ts';
import { type Ask, Refused } from '../venue.ts';
import { walletPools } from '../wallet/pools.ts';
import { tokenChain } from '../wallet/tokens.ts';
import { source } from './source.ts';
import {
  at,
  hex,
  matches,
  moving,
  type Pair,
  pairAt,
  round,
  type Token,
  tokens,
  wordsOf,
} from './world.ts';

const chains = ['ethereum', 'base', 'pulsechain', 'bsc', 'arbitrum'];
const exchanges = ['uniswap', 'pancakeswap', 'pulsex', 'sushiswap'];
/** Most pairs of an answer. */
const most = 30;

function pairs(seed: number): Pair[] {
  const list = tokens(seed);
  return Array.from({ length: 600 }, (_, index) => {
    const own = seedOf(seed, `pair ${index}`);
    const [base, quote] = pairAt(list, index);
    return {
      seed: own,
      chain: at(chains, index),
      exchange: at(exchanges, index),
      address: hex(own),
      base,
      quote,
      liquidity: 10 ** (3 + 4 * unit(own, 1)),
      moves: 0.02,
    };
  });
}

const sided = ({ symbol, name, address }: Token) => ({ address, name, symbol });

function pairRow({ seed, chain, address, base, quote, liquidity, ...pair }: Pair, now: number) {
  const change = (hours: number) => round(5 * Math.sin(seed + now / 3_600_000 / hours), 2);
  const volume = moving(seed + 1, now, liquidity * unit(seed, 2), 0.1);
  return {
    chainId: chain,
    dexId: pair.exchange,
    url: `https://dexscreener.com/${chain}/${address.toLowerCase()}`,
    pairAddress: address,
    baseToken: sided(base),
    quoteToken: sided(quote),
    priceUsd: plain(moving(seed, now, base.price, pair.moves), 12),
    volume: { h24: round(volume, 2) },
    // No change in five minutes: zeros are left out.
    priceChange: { h1: change(1), h24: change(24) },
    liquidity: { usd: round(liquidity, 2) },
    fdv: Math.round(liquidity * (10 + 1000 * unit(seed, 3))),
  };
}

const rowsOf = (found: readonly Pair[], now: number) =>
  found.slice(0, most).map((pair) => pairRow(pair, now));

function search({ query, model, now }: Ask) {
  const words = wordsOf(query.get('q'));
  const found = pairs(model.seed).filter((pair) => matches(pair, words));
  return { schemaVersion: '1.0.0', pairs: rowsOf(found, now) };
}

function token({ query, model, now }: Ask) {
  const asked = query.get('token')?.toLowerCase();
  const found = pairs(model.seed).filter(({ base, quote }) =>
    [base, quote].some(({ address }) => address === asked),
  );
  return { schemaVersion: '1.0.0', pairs: found.length === 0 ? null : rowsOf(found, now) };
}

/** The deepest first: tokens of small pools may find no place among those of large ones. */
function batch({ query, model, now }: Ask) {
  const addresses = (query.get('tokens') ?? '').split(',');
  if (addresses.length > most) throw new Refused(400, { error: `at most ${most} addresses` });
  const known = tokenChain(query.get('chain') ?? '');
  const found = known ? walletPools({ chain: known, model, now }, addresses) : [];
  return rowsOf(
    found.sort((a, b) => b.liquidity - a.liquidity),
    now,
  );
}

export const dexscreener = source('dexscreener', 'api.dexscreener.com', {
  '/latest/dex/search': search,
  '/latest/dex/tokens/{token}': token,
  '/tokens/v1/{chain}/{tokens}': batch,
});
