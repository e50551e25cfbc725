/** GeckoTerminal: the second source of searches and of Uniswap's pools. https://www.geckoterminal.com/dex-api */
import { field, list, required, text, type WireRow } from '../read.ts';
import {
  type Apis,
  defineSource,
  type Poll,
  perMinute,
  type Reading,
  type RequestOf,
} from '../sources/define.ts';
import type { DexPair, EvmPool } from '../topics/defi.ts';
import { feeTiers } from '../topics/defi.ts';
import { completePair, type PairQuery, pairWith } from './pair.ts';
import {
  allReadable,
  amount,
  amountOr,
  chainName,
  filled,
  id,
  label,
  link,
  part,
  signedOr,
  uniqueRows,
} from './read.ts';
import { checksummed, evmAddress, largestPool } from './uniswap.ts';

const keyOf = (row: WireRow) => id(row.id);

/** The network of a pool, '' where its id does not end with its address. Both may hold underscores: `polygon_pos_0x…`. */
function networkOf(row: WireRow): string {
  const [whole, end] = [id(row.id), `_${id(part(row, 'attributes').address)}`];
  return whole.endsWith(end) ? whole.slice(0, -end.length) : '';
}

const related = (row: WireRow, name: string) =>
  id(part(part(part(row, 'relationships'), name), 'data').id);

/** The address of a side, whose id begins with the pool's network; '' where it does not. */
function addressOf(row: WireRow, side: string): string {
  const [whole, start] = [related(row, side), `${networkOf(row)}_`];
  return whole.startsWith(start) ? whole.slice(start.length) : '';
}

const sidesOf = (row: WireRow) => ['base_token', 'quote_token'].map((side) => addressOf(row, side));

/** `WETH / USDC 0.05%`: both symbols and the fee in percent, NaN where the name does not state it. */
function nameOf(value: unknown): { base: string; quote: string; fee: number } {
  const name = text(value);
  const [stated = '', fee] = / (\d{1,3}(?:\.\d{1,6})?)%$/.exec(name.slice(-14)) ?? [];
  const symbols = name.slice(0, name.length - stated.length);
  const middle = symbols.lastIndexOf(' / ');
  if (middle < 0) return { base: '', quote: '', fee: Number.NaN };
  const [base, quote] = [symbols.slice(0, middle), symbols.slice(middle + 3)];
  return { base: label(base), quote: label(quote), fee: required(fee) };
}

/** The pools of a page are an ordered list of `{id, attributes, relationships}`. */
const poolsOf = (body: unknown) => list(field(body, 'data'), 'data');

function pair(row: WireRow): Reading<DexPair> {
  const facts = part(row, 'attributes');
  if (facts.base_token_price_usd === null) return 'left_out';
  const { base, quote } = nameOf(facts.name);
  const [network, address] = [networkOf(row), id(facts.address)];
  const changes = part(facts, 'price_change_percentage');
  const found: DexPair = {
    chain: chainName(network),
    dex: related(row, 'dex'),
    base_token: base,
    base_address: addressOf(row, 'base_token'),
    quote_token: quote,
    price_usd: amount(facts.base_token_price_usd),
    volume_24h: amountOr(part(facts, 'volume_usd').h24, 0),
    liquidity_usd: amountOr(facts.reserve_in_usd, 0),
    fdv: amountOr(facts.fdv_usd, null),
    pair_address: address,
    url: link(`https://www.geckoterminal.com/${network}/pools/${address}`),
    price_change_5m: signedOr(changes.m5, null),
    price_change_1h: signedOr(changes.h1, null),
    price_change_24h: signedOr(changes.h24, 0),
  };
  return completePair(found);
}

const search: PairQuery = {
  request: (asked) => ({ api: 'rest', path: '/api/v2/search/pools', query: { query: asked } }),
  parse: (body) => uniqueRows(poolsOf(body), keyOf, pair),
};

/** The search finds pools by the address of a token too; there is no path that needs no chain. */
const token: PairQuery = {
  request: search.request,
  parse: (body, asked) => uniqueRows(poolsOf(body), keyOf, pairWith(asked, pair, sidesOf)),
};

/** Base and quote are in any order: token 0 is the one of the lower address. */
function evmPool(row: WireRow): Reading<EvmPool> {
  const facts = part(row, 'attributes');
  const { base, quote, fee } = nameOf(facts.name);
  const tier = Math.round(fee * 10_000);
  const known = feeTiers.find((one) => one === tier);
  if (!known) return Number.isNaN(tier) ? null : 'left_out';
  const [first, second] = sidesOf(row).map(evmAddress);
  const contract = evmAddress(facts.address);
  if (!first || !second || !contract || base === '' || quote === '') return null;
  const [token0, token1] = first < second ? [base, quote] : [quote, base];
  const tvl_usd = amount(facts.reserve_in_usd);
  if (tvl_usd > largestPool) return 'left_out';
  const volume_usd = amountOr(part(facts, 'volume_usd').h24, 0);
  if (!allReadable(tvl_usd, volume_usd)) return null;
  return { pool_id: checksummed(contract), token0, token1, fee_tier: known, tvl_usd, volume_usd };
}

const pages = [1, 2, 3, 4, 5];

/**
 * The 100 pools of the largest 24 h volume: the source cannot order by TVL, so a large pool in which little is traded
 * is missed.
 */
const uniswapPools: Poll<EvmPool, Request> = {
  requests: () =>
    pages.map((page) => ({
      api: 'rest',
      path: '/api/v2/networks/eth/dexes/uniswap_v3/pools',
      query: { page, sort: 'h24_volume_usd_desc' },
    })),
  // A pool may move from one page to the next between two requests.
  parse: (bodies) => filled(uniqueRows(bodies.flatMap(poolsOf), keyOf, evmPool), 'Uniswap pools'),
};

const apis = {
  rest: {
    hosts: ['https://api.geckoterminal.com'],
    // 30 requests a minute are allowed, and fewer at times.
    budgets: perMinute(10),
    maxBody: 2_000_000,
  },
} as const satisfies Apis;

type Request = RequestOf<typeof apis>;

export const geckoterminal = defineSource({
  id: 'geckoterminal',
  name: 'GeckoTerminal',
  apis,
  polls: { uniswapPools },
  queries: { search, token },
});
