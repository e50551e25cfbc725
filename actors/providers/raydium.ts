/** Raydium, pools of solana. https://api-v3.raydium.io/docs */
import { bulk, field, type WireRow } from '../read.ts';
import {
  type Apis,
  defineSource,
  type Poll,
  perMinute,
  type RequestOf,
} from '../sources/define.ts';
import type { AmmPool } from '../topics/defi.ts';
import type { Faults } from '../upstream/faults.ts';
import { allReadable, amount, id, label, part, symbolsOf, uniqueRows } from './read.ts';

/** Twice the length of the longest answer: rows that cannot be read do not shorten it. */
const size = 200;

const keyOf = (row: WireRow) => id(row.id);

function pool(row: WireRow): AmmPool | null {
  const [a, b, day] = [part(row, 'mintA'), part(row, 'mintB'), part(row, 'day')];
  const found: AmmPool = {
    pool_id: id(row.id),
    pool_type: label(row.type),
    mint_a: id(a.address),
    mint_b: id(b.address),
    ...symbolsOf(a, b),
    tvl: amount(row.tvl),
    volume_24h: amount(day.volume),
    fee_24h: amount(day.volumeFee),
    apr_24h: amount(day.apr),
  };
  const named = [found.pool_id, found.pool_type, found.mint_a, found.mint_b].every(Boolean);
  return named && allReadable(found.tvl, found.volume_24h, found.fee_24h, found.apr_24h)
    ? found
    : null;
}

const parse: Poll<AmmPool, Request>['parse'] = ([body]) =>
  uniqueRows(bulk(field(field(body, 'data'), 'data'), 'pools'), keyOf, pool);

/** The pools of the largest 24 h volume. */
const pools: Poll<AmmPool, Request> = {
  requests: () => [
    {
      api: 'rest',
      path: '/pools/info/list',
      query: {
        poolType: 'all',
        poolSortField: 'volume24h',
        sortType: 'desc',
        pageSize: size,
        page: 1,
      },
    },
  ],
  parse,
};

/** The same from the path that follows the older one. */
const poolsV2: Poll<AmmPool, Request> = {
  requests: () => [
    {
      api: 'rest',
      path: '/pools/info/list-v2',
      query: { size, sortField: 'volume24h', sortType: 'desc' },
    },
  ],
  parse,
};

/** The source refuses within a 200. */
const faults: Faults = {
  name: 'Raydium',
  when: ({ success }) => success === false,
  means: 'refused',
};

const apis = {
  rest: {
    hosts: ['https://api-v3.raydium.io'],
    budgets: perMinute(30),
    faults,
    maxBody: 4_000_000,
  },
} as const satisfies Apis;

type Request = RequestOf<typeof apis>;

export const raydium = defineSource({
  id: 'raydium',
  name: 'Raydium',
  apis,
  polls: { pools, poolsV2 },
});
