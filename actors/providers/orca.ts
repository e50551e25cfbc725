/** Orca, whirlpools of solana. https://api.orca.so/docs */
import { bulk, field, positive, type WireRow } from '../read.ts';
import {
  type Apis,
  defineSource,
  type Poll,
  perMinute,
  type Reading,
  type RequestOf,
} from '../sources/define.ts';
import type { Whirlpool } from '../topics/defi.ts';
import { allReadable, amount, amountOr, id, part, symbolsOf, uniqueRows } from './read.ts';

/** More than an answer lists at most: rows that cannot be read do not shorten it. */
const size = 600;

const keyOf = (row: WireRow) => id(row.address);

/** The pool, or null where a fact of it is missing. */
function complete(found: Whirlpool): Whirlpool | null {
  const { address, token_a, token_b, price, tvl, volume_24h, fee_rate } = found;
  const isNamed = address !== '' && token_a !== '' && token_b !== '';
  const isReadable = allReadable(positive(price), tvl, volume_24h) && fee_rate <= 1;
  return isNamed && isReadable ? found : null;
}

/** A pool without a price holds nothing: it is left out. Fees are in hundredths of a basis point. */
function poolV2(row: WireRow): Reading<Whirlpool> {
  if (row.price === null) return 'left_out';
  return complete({
    address: id(row.address),
    token_a: id(row.tokenMintA),
    token_b: id(row.tokenMintB),
    ...symbolsOf(part(row, 'tokenA'), part(row, 'tokenB')),
    price: amount(row.price),
    tvl: amountOr(row.tvlUsdc, 0),
    volume_24h: amountOr(part(part(row, 'stats'), '24h').volume, 0),
    fee_rate: amount(row.feeRate) / 1_000_000,
  });
}

/** Fees are fractions. */
function poolV1(row: WireRow): Reading<Whirlpool> {
  if (row.price === null) return 'left_out';
  return complete({
    address: id(row.address),
    token_a: id(part(row, 'tokenA').mint),
    token_b: id(part(row, 'tokenB').mint),
    ...symbolsOf(part(row, 'tokenA'), part(row, 'tokenB')),
    price: amount(row.price),
    tvl: amountOr(row.tvl, 0),
    volume_24h: amountOr(part(row, 'volume').day, 0),
    fee_rate: amount(row.lpFeeRate),
  });
}

/** The pools of the largest TVL. */
const pools: Poll<Whirlpool, Request> = {
  requests: () => [
    {
      api: 'v2',
      path: '/v2/solana/pools',
      query: { sortBy: 'tvl', sortDirection: 'desc', size, stats: '24h' },
    },
  ],
  parse: ([body]) => uniqueRows(bulk(field(body, 'data'), 'data'), keyOf, poolV2),
};

/** All pools, from the older version; only the largest are published. The answer may also be a bare list. */
const poolsV1: Poll<Whirlpool, Request> = {
  requests: () => [{ api: 'v1', path: '/v1/whirlpool/list' }],
  parse: ([body]) => {
    const all = Array.isArray(body) ? body : field(body, 'whirlpools');
    const { rows, dropped } = uniqueRows(bulk(all, 'whirlpools'), keyOf, poolV1);
    return { rows: rows.sort((a, b) => b.tvl - a.tvl).slice(0, size), dropped };
  },
};

const apis = {
  v2: {
    hosts: ['https://api.orca.so'],
    budgets: perMinute(30),
    maxBody: 8_000_000,
  },
  v1: {
    hosts: ['https://api.mainnet.orca.so'],
    budgets: perMinute(2),
    maxBody: 64_000_000,
  },
} as const satisfies Apis;

type Request = RequestOf<typeof apis>;

export const orca = defineSource({
  id: 'orca',
  name: 'Orca',
  apis,
  polls: { pools, poolsV1 },
});
