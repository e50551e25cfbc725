/** DexScreener: search, tokens and pairs. https://docs.dexscreener.com/api/reference */
import { plain } from '../format.ts';
import { seedOf, unit } from '../noise.ts';
import { type Ask, Refused } from '../venue.ts';
import { walletPools } from '../wallet/pools.ts';
import { tokenAt, tokenChain } from '../wallet/tokens.ts';
import { source } from './source.ts';
import { at, hex, moving, pairAt, round, type Token, tokens } from './world.ts';

const chains = ['ethereum', 'base', 'pulsechain', 'bsc', 'arbitrum'];
const exchanges = ['uniswap', 'pancakeswap', 'pulsex', 'sushiswap'];
/** Most pairs of an answer. */
const most = 30;
/** Pairs that there are. */
export const dexPairs = 600;

interface Pair {
  seed: number;
  chain: string;
  exchange: string;
  address: string;
  base: Token;
  quote: Token;
  /** US dollars. */
  liquidity: number;
  /** Part of its price by which a pair moves. */
  moves: number;
}

function pairs(seed: number): Pair[] {
  const list = tokens(seed);
  return Array.from({ length: dexPairs }, (_, index) => {
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

/** Changes of zero are left out, as the source does. */
const changes = (seed: number, now: number) => {
  const change = (hours: number) => round(5 * Math.sin(seed + now / 3_600_000 / hours), 2);
  const all = { m5: 0, h1: change(1), h6: change(6), h24: change(24) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== 0));
};

const trades = (seed: number, most: number) => ({
  buys: Math.floor(most * unit(seed, most)),
  sells: Math.floor(most * unit(seed, most + 1)),
});

function pairRow(pair: Pair, now: number): object {
  const { seed, chain, exchange, address, base, quote, liquidity } = pair;
  const price = moving(seed, now, base.price, pair.moves);
  const volume = moving(seed + 1, now, liquidity * unit(seed, 2), 0.1);
  const fdv = Math.round(liquidity * (10 + 1000 * unit(seed, 3)));
  return {
    chainId: chain,
    dexId: exchange,
    url: `https://dexscreener.com/${chain}/${address.toLowerCase()}`,
    pairAddress: address,
    labels: ['v3'],
    baseToken: sided(base),
    quoteToken: sided(quote),
    priceNative: plain(price / quote.price, 12),
    priceUsd: plain(price, 12),
    txns: {
      m5: trades(seed, 10),
      h1: trades(seed, 100),
      h6: trades(seed, 500),
      h24: trades(seed, 2000),
    },
    volume: {
      h24: round(volume, 2),
      h6: round(volume / 4, 2),
      h1: round(volume / 24, 2),
      m5: round(volume / 288, 2),
    },
    priceChange: changes(seed, now),
    liquidity: {
      usd: round(liquidity, 2),
      base: round(liquidity / 2 / price, 4),
      quote: round(liquidity / 2 / quote.price, 4),
    },
    fdv,
    marketCap: fdv,
    pairCreatedAt: 1_600_000_000_000 + Math.floor(unit(seed, 4) * 1.5e11),
  };
}

const answer = (found: readonly Pair[], now: number) => ({
  schemaVersion: '1.0.0',
  pairs: found.slice(0, most).map((pair) => pairRow(pair, now)),
});

/** Every word is in a symbol, a name or an address of the pair. */
function search({ query, model, now }: Ask) {
  const words = (query.get('q') ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const found = pairs(model.seed).filter(({ base, quote, address }) => {
    const text = [base, quote].map((token) => `${token.symbol} ${token.name} ${token.address}`);
    const whole = `${text.join(' ')} ${address}`.toLowerCase();
    return words.length > 0 && words.every((word) => whole.includes(word));
  });
  return answer(found, now);
}

const named = (path: string) => decodeURIComponent(path.split('/').at(-1) ?? '').toLowerCase();

function token({ path, model, now }: Ask) {
  const asked = named(path);
  const found = pairs(model.seed).filter(({ base, quote }) =>
    [base, quote].some(({ address }) => address === asked),
  );
  return found.length === 0 ? { schemaVersion: '1.0.0', pairs: null } : answer(found, now);
}

function one({ path, model, now }: Ask) {
  const found = pairs(model.seed).filter(({ address }) => address === named(path));
  return found.length === 0 ? { schemaVersion: '1.0.0', pairs: null } : answer(found, now);
}

/** The largest first; tokens of small pools may find no place among those of large ones. */
function batch({ path, model, now }: Ask) {
  const [chain = '', list = ''] = path.split('/').slice(-2).map(decodeURIComponent);
  const addresses = list.split(',');
  if (addresses.length > most) throw new Refused(400, { error: `at most ${most} addresses` });
  const known = tokenChain(chain);
  const asked = new Set(addresses.map((one) => one.toLowerCase()));
  const others = pairs(model.seed).filter(
    ({ chain: own, base }) =>
      own === chain && asked.has(base.address) && !(known && tokenAt(known, base.address)),
  );
  const wallets: Pair[] = known ? walletPools({ chain: known, model, now }, addresses) : [];
  return [...wallets, ...others]
    .sort((a, b) => b.liquidity - a.liquidity)
    .slice(0, most)
    .map((pair) => pairRow(pair, now));
}

export const dexscreener = source({
  id: 'dexscreener',
  hosts: ['api.dexscreener.com'],
  most: 300,
  answers: [
    [/^\/latest\/dex\/search$/, search],
    [/^\/latest\/dex\/tokens\/[^/]+$/, token],
    [/^\/latest\/dex\/pairs\/[^/]+\/[^/]+$/, one],
    [/^\/tokens\/v1\/[^/]+\/[^/]+$/, batch],
  ],
});
