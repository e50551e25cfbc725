/** GeckoTerminal: Uniswap's pools on ethereum and their search. https://www.geckoterminal.com/dex-api */
import { plain } from '../format.ts';
import { seedOf, unit } from '../noise.ts';
import type { Ask } from '../venue.ts';
import { Refused } from '../venue.ts';
import { source } from './source.ts';
import { at, hex, moving, pairAt, type Token, tokens, tvlAt } from './world.ts';

/** Pools that there are. */
export const geckoPools = 500;
const pageSize = 20;
const fees = ['0.01', '0.05', '0.3', '1'];

interface Pool {
  seed: number;
  rank: number;
  address: string;
  base: Token;
  quote: Token;
  fee: string;
}

function pools(seed: number): Pool[] {
  const list = tokens(seed);
  return Array.from({ length: geckoPools }, (_, rank) => {
    const own = seedOf(seed, `gecko ${rank}`);
    const [base, quote] = pairAt(list, rank);
    return { seed: own, rank, address: hex(own), base, quote, fee: at(fees, rank) };
  });
}

const id = (address: string) => `eth_${address}`;
const kin = (type: string, name: string) => ({ data: { id: name, type } });
const spans = { m5: 288, m15: 96, m30: 48, h1: 24, h6: 4, h24: 1 };
const each = (make: (parts: number) => string) =>
  Object.fromEntries(Object.entries(spans).map(([name, parts]) => [name, make(parts)]));

function pool({ seed, rank, address, base, quote, fee }: Pool, now: number, single = false) {
  const price = moving(seed, now, base.price);
  const reserve = moving(seed + 1, now, tvlAt(seed, rank), 0.01);
  const volume = reserve * unit(seed, 2);
  const name = `${base.symbol} / ${quote.symbol}`;
  return {
    id: id(address),
    type: 'pool',
    attributes: {
      base_token_price_usd: plain(price, 14),
      base_token_price_native_currency: plain(price / 2700, 18),
      quote_token_price_usd: plain(quote.price, 14),
      quote_token_price_native_currency: plain(quote.price / 2700, 18),
      base_token_price_quote_token: plain(price / quote.price, 10),
      quote_token_price_base_token: plain(quote.price / price, 10),
      address,
      name: `${name} ${fee}%`,
      ...(single
        ? { pool_name: name, pool_fee_percentage: fee, locked_liquidity_percentage: '0.0' }
        : {}),
      pool_created_at: '2021-12-29T12:35:14Z',
      fdv_usd: plain(reserve * 50, 5),
      market_cap_usd: plain(reserve * 40, 5),
      price_change_percentage: each((parts) =>
        plain(2 * Math.sin(seed + now / 3_600_000 / parts), 3),
      ),
      transactions: { h24: { buys: 6104, sells: 6826, buyers: 1837, sellers: 2319 } },
      volume_usd: each((parts) => plain(volume / parts, 10)),
      reserve_in_usd: plain(reserve, 4),
    },
    relationships: {
      base_token: kin('token', id(base.address)),
      quote_token: kin('token', id(quote.address)),
      dex: kin('dex', 'uniswap_v3'),
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
  const words = (query.get('query') ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const found = pools(model.seed).filter(({ base, quote, address }) => {
    const whole = `${base.symbol} ${quote.symbol} ${base.address} ${address}`.toLowerCase();
    return words.length > 0 && words.every((word) => whole.includes(word));
  });
  return { data: found.slice(0, pageSize).map((row) => pool(row, now)) };
}

/** The pool named in the path, or the first: this world has none of the real addresses. */
function one({ path, model, now }: Ask) {
  const all = pools(model.seed);
  const found = all.find(({ address }) => path.endsWith(address)) ?? at(all, 0);
  return { data: pool(found, now, true) };
}

export const geckoterminal = source({
  id: 'geckoterminal',
  hosts: ['api.geckoterminal.com'],
  most: 30,
  answers: [
    [/^\/api\/v2\/networks\/eth\/dexes\/uniswap_v3\/pools$/, list],
    [/^\/api\/v2\/networks\/eth\/pools\/[^/]+$/, one],
    [/^\/api\/v2\/search\/pools$/, search],
  ],
});
