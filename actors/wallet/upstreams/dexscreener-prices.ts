/** DexScreener: prices of tokens in the pools that trade them. https://docs.dexscreener.com/api/reference */
import type { ChainId } from '../../../config/chains.ts';
import { amount, amountOr, id, label, part } from '../../defi/read.ts';
import { defineUpstream, noFaults, perMinute } from '../../market/upstream.ts';
import type { UpstreamRequest } from '../../upstream/request.ts';
import { asRow, list, type WireRow } from '../../venues/rows.ts';
import { tokenKey } from '../holding.ts';

/** A pool and its price of a token, both in US dollars. */
export interface Pool {
  price: number;
  liquidity: number;
}

/** What the pools of a token say. */
export interface Market {
  /** '' where nobody names the token. */
  symbol: string;
  /** Liquidity of the deepest pool with the token on either side, US dollars. */
  deepest: number;
  /** The deepest one that states the token's price: it is the base there. Null where it is none's. */
  pool: Pool | null;
}

/** Markets by `tokenKey`, of the tokens that are in a pool. */
export interface Markets {
  markets: ReadonlyMap<string, Market>;
  /** The answer is as long as answers get: pools may be missing of it. */
  full: boolean;
}

/** Most addresses of a request. */
export const batch = 30;
/** Pairs from which on an answer may have been cut. */
const fullAt = 30;

/** The wallets' share of the 300 requests a minute that are allowed. */
export const dexscreenerPrices = defineUpstream({
  id: 'dexscreener-prices',
  name: 'DexScreener',
  apis: {
    rest: {
      hosts: ['https://api.dexscreener.com'],
      budgets: perMinute(100),
      fault: noFaults,
      maxBody: 4_000_000,
    },
  },
  figures: {},
});

/** Asks for up to `batch` tokens. */
export const marketsRequest = (chain: ChainId, contracts: readonly string[]): UpstreamRequest => ({
  api: 'rest',
  path: `/tokens/v1/${chain}/${contracts.join(',')}`,
});

const deeper = (one: Pool | null, other: Pool | null): Pool | null =>
  (one?.liquidity ?? -1) >= (other?.liquidity ?? -1) ? one : other;

/** What two looks at the pools of one token say together. */
const combined = (known: Market | undefined, more: Market): Market =>
  known === undefined
    ? more
    : {
        symbol: known.symbol || more.symbol,
        deepest: Math.max(known.deepest, more.deepest),
        pool: deeper(known.pool, more.pool),
      };

/** Several answers as one: a token may be in pools of each, as it is asked for or as the other side of a pair. */
export function joinMarkets(parts: readonly Markets['markets'][]): Markets['markets'] {
  const joined = new Map<string, Market>();
  for (const [key, market] of parts.flatMap((part) => [...part])) {
    joined.set(key, combined(joined.get(key), market));
  }
  return joined;
}

/**
 * Reads the pools of one chain: contracts of a forked chain have the same addresses as those of the chain it left. A
 * pair's price is the one of its base token. Rows that cannot be read are no evidence.
 */
export function parseMarkets(body: unknown, chain: ChainId): Markets {
  const pairs = list(body, 'pairs');
  const markets = new Map<string, Market>();
  const add = (side: WireRow, liquidity: number, pool: Pool | null) => {
    const key = tokenKey(chain, id(side.address));
    if (key === '') return;
    const found = { symbol: label(side.symbol), deepest: liquidity, pool };
    markets.set(key, combined(markets.get(key), found));
  };
  for (const row of pairs.map(asRow)) {
    if (row.chainId !== chain) continue;
    // Without liquidity it is a bonding curve: nothing lies in it yet.
    const liquidity = amountOr(part(row, 'liquidity').usd, 0);
    if (Number.isNaN(liquidity)) continue;
    const price = amount(row.priceUsd);
    add(part(row, 'baseToken'), liquidity, price > 0 ? { price, liquidity } : null);
    add(part(row, 'quoteToken'), liquidity, null);
  }
  return { markets, full: pairs.length >= fullAt };
}
