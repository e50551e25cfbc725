/** DexScreener: pairs of every exchange, asked on demand. https://docs.dexscreener.com/api/reference */

import { ShapeError } from '../../failure.ts';
import { defineUpstream, noFaults, perMinute, type Reading } from '../../market/upstream.ts';
import { isRecord } from '../../read.ts';
import { list, type WireRow } from '../../venues/rows.ts';
import { completePair, type PairQuery, sameAddress } from '../pair.ts';
import { amount, amountOr, id, label, link, part, signedOr, uniqueRows } from '../read.ts';
import type { DexPair } from '../types.ts';

const keyOf = (row: WireRow) => `${id(row.chainId)} ${id(row.pairAddress)}`;

/** What the source leaves out of `priceChange` is zero; without any of it, it is unknown. */
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

/** True when the pair's base or quote is the token. */
function holds(row: WireRow, address: string): boolean {
  const sides = [part(row, 'baseToken'), part(row, 'quoteToken')];
  return sides.some((side) => sameAddress(address, id(side.address)));
}

/** The path is the older form, and the only one that needs no chain. */
const token: PairQuery = {
  request: (asked) => ({
    api: 'rest',
    path: `/latest/dex/tokens/${encodeURIComponent(asked)}`,
  }),
  parse: (body, asked) =>
    uniqueRows(pairsOf(body), keyOf, (row) => {
      const found = pair(row);
      return found !== null && !holds(row, asked) ? 'left_out' : found;
    }),
};

/** 300 requests a minute are allowed; what is kept back is for the wallets' prices. */
export const dexscreener = {
  ...defineUpstream({
    id: 'dexscreener',
    name: 'DexScreener',
    apis: {
      rest: {
        hosts: ['https://api.dexscreener.com'],
        budgets: perMinute(200),
        fault: noFaults,
        maxBody: 2_000_000,
      },
    },
    figures: {},
  }),
  /** `token` through the search, should its own path go away: ask `search` for the address, read it with `token`. */
  queries: { search, token },
};
