/** DexScreener: pairs of every exchange, and the prices of tokens in them, asked on demand. https://docs.dexscreener.com/api/reference */
import type { ChainId } from '../../config/chains.ts';
import { ShapeError } from '../failure.ts';
import { asRow, isRecord, list, type WireRow } from '../read.ts';
import {
  type Apis,
  defineSource,
  perMinute,
  type Reading,
  type RequestOf,
} from '../sources/define.ts';
import type { DexPair } from '../topics/defi.ts';
import { tokenKey } from './holding.ts';
import { completePair, type PairQuery, pairWith } from './pair.ts';
import { amount, amountOr, id, label, link, part, signedOr, uniqueRows } from './read.ts';

const keyOf = (row: WireRow) => `${id(row.chainId)} ${id(row.pairAddress)}`;

/** A period absent from `priceChange` is zero; without `priceChange` it is unknown. */
function changesOf({ priceChange }: WireRow) {
  const changes = isRecord(priceChange) ? priceChange : {};
  const unknown = Object.keys(changes).length === 0 ? null : 0;
  return {
    price_change_5m: signedOr(changes.m5, unknown),
    price_change_1h: signedOr(changes.h1, unknown),
    price_change_24h: signedOr(changes.h24, 0),
  };
}

/** A pair without a price has never traded: it is left out. */
function pair(row: WireRow): Reading<DexPair> {
  if (row.priceUsd === undefined || row.priceUsd === null) return 'left_out';
  const [base, quote] = [part(row, 'baseToken'), part(row, 'quoteToken')];
  const found: DexPair = {
    chain: id(row.chainId),
    dex: id(row.dexId),
    base_token: label(base.symbol) || id(base.address),
    base_address: id(base.address),
    quote_token: label(quote.symbol) || id(quote.address),
    price_usd: amount(row.priceUsd),
    volume_24h: amountOr(part(row, 'volume').h24, 0),
    liquidity_usd: amountOr(part(row, 'liquidity').usd, 0),
    fdv: amountOr(row.fdv, null),
    pair_address: id(row.pairAddress),
    url: link(row.url),
    ...changesOf(row),
  };
  return completePair(found);
}

/** `pairs` is null where there is none. */
function pairsOf(body: unknown): readonly unknown[] {
  if (!isRecord(body) || !('pairs' in body)) throw new ShapeError('pairs: missing');
  return body.pairs === null ? [] : list(body.pairs, 'pairs');
}

const search: PairQuery = {
  request: (asked) => ({ api: 'rest', path: '/latest/dex/search', query: { q: asked } }),
  parse: (body) => uniqueRows(pairsOf(body), keyOf, pair),
};

const sidesOf = (row: WireRow) =>
  ['baseToken', 'quoteToken'].map((side) => id(part(row, side).address));

/** The path is the older form, and the only one that needs no chain. */
const token: PairQuery = {
  request: (asked) => ({
    api: 'rest',
    path: `/latest/dex/tokens/${encodeURIComponent(asked)}`,
  }),
  parse: (body, asked) => uniqueRows(pairsOf(body), keyOf, pairWith(asked, pair, sidesOf)),
};

/** A pool and its price of a token, both in US dollars. */
export interface Pool {
  price: number;
  liquidity: number;
}

/** Price and depth of a token from its pools. */
export interface Market {
  /** '' where no pool names the token. */
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

/** Asks for up to `batch` tokens. */
export const marketsRequest = (
  chain: ChainId,
  contracts: readonly string[],
): RequestOf<typeof apis> => ({
  api: 'rest',
  budget: 'prices',
  path: `/tokens/v1/${chain}/${contracts.join(',')}`,
});

const deeper = (one: Pool | null, other: Pool | null): Pool | null =>
  (one?.liquidity ?? -1) >= (other?.liquidity ?? -1) ? one : other;

/** Two answers about the pools of one token, combined. */
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

const apis = {
  rest: {
    hosts: ['https://api.dexscreener.com'],
    // 300 requests a minute are allowed; the prices of wallets have a share of their own.
    budgets: { ...perMinute(200), prices: { weight: 100, per: 60_000 } },
    maxBody: 4_000_000,
  },
} as const satisfies Apis;

export const dexscreener = defineSource({
  id: 'dexscreener',
  name: 'DexScreener',
  apis,
  /** `token` through the search, should its own path go away: ask `search` for the address, read it with `token`. */
  queries: { search, token },
});
