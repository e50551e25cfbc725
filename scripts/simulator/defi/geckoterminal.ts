/** GeckoTerminal: Uniswap's pools on ethereum and their search. https://www.geckoterminal.com/dex-api */
import { plain } from '../format.ts';
import { seedOf, unit } from '../noise.ts';
import type { Ask } from '../venue.ts';
import { Refused } from '../venue.ts';
import { source } from './source.ts';
import { at, hex, matches, moving, pairAt, type Token, tokens, tvlAt, wordsOf } from './world.ts';

const pageSize = 20;
const fees = ['0.01', '0.05', '0.3', '1'];

interface Pool {
  seed: number;
  rank: number;
  address: string;
  base: Token;
  quote: Token;
}

function pools(seed: number): Pool[] {
  const list = tokens(seed);
  return Array.from({ length: 500 }, (_, rank) => {
    const own = seedOf(seed, `gecko ${rank}`);
    const [base, quote] = pairAt(list, rank);
    return { seed: own, rank, address: hex(own), base, quote };
  });
}

const id = (address: string) => `eth_${address}`;
const related = (address: string) => ({ data: { id: address } });

function pool({ seed, rank, address, base, quote }: Pool, now: number) {
  const reserve = moving(seed + 1, now, tvlAt(seed, rank), 0.01);
  const change = (parts: number) => plain(2 * Math.sin(seed + now / 3_600_000 / parts), 3);
  return {
    id: id(address),
    type: 'pool',
    attributes: {
      base_token_price_usd: plain(moving(seed, now, base.price), 14),
      address,
      name: `${base.symbol} / ${quote.symbol} ${at(fees, rank)}%`,
      fdv_usd: plain(reserve * 50, 5),
      price_change_percentage: { m5: change(288), h1: change(24), h24: change(1) },
      volume_usd: { h24: plain(reserve * unit(seed, 2), 10) },
      reserve_in_usd: plain(reserve, 4),
    },
    relationships: {
      base_token: related(id(base.address)),
      quote_token: related(id(quote.address)),
      dex: related('uniswap_v3'),
    },
  };
}

/** 20 pools a page, 10 pages, by 24 h volume. */
function list({ query, model, now }: Ask) {
  const page = Number(query.get('page') ?? 1);
  if (!(page >= 1 && page <= 10))
    throw new Refused(401, { errors: [{ status: '401', title: 'Unauthorized' }] });
  const volume = (row: ReturnType<typeof pool>) => Number(row.attributes.volume_usd.h24);
  const ordered = pools(model.seed)
    .map((row) => pool(row, now))
    .sort((a, b) => volume(b) - volume(a));
  return { data: ordered.slice((page - 1) * pageSize, page * pageSize) };
}

function search({ query, model, now }: Ask) {
  const words = wordsOf(query.get('query'));
  const found = pools(model.seed).filter((pair) => matches(pair, words));
  return { data: found.slice(0, pageSize).map((row) => pool(row, now)) };
}

export const geckoterminal = source('geckoterminal', 'api.geckoterminal.com', {
  '/api/v2/networks/eth/dexes/uniswap_v3/pools': list,
  '/api/v2/search/pools': search,
});
