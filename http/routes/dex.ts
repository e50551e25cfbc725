import * as dexQuery from '../../actors/defi/query.ts';
import * as pools from '../../actors/topics/defi.ts';
import type { DefiFigure, DexReply } from '../../actors/topics/index.ts';
import type { DefiDocument } from '../views/defi.ts';
import { errors } from '../wire/errors.ts';
import { apiError, kit, params, s } from './kit.ts';

const pairs = s.object({
  pairs: s.list(pools.dexPair, 'In the order of the source, which is by relevance.'),
  count: s.integer('How many pairs there are here; the source gives about 30 at most.'),
  source: s.string('The source: `dexscreener`, or `geckoterminal` while that fails.'),
  updated_at: s.unixMs('When its answer was received.'),
  stale: s.stale,
});

const pairsOf = ({ pairs: found, source, received }: DexReply) => ({
  pairs: found,
  count: found.length,
  source,
  updated_at: received,
});

/** Specification 7: the message says that the upstream request failed. */
const failure = (error: kit.ApiError): kit.ApiError =>
  error.error === 'upstream_failed'
    ? apiError('upstream_failed', `${errors.upstream_failed.message}: ${error.message}`)
    : error;

const pairRow = { answer: pairs, budget: 'dex', fails: ['upstream_failed'] } as const;

const searchRoute = () =>
  kit.queried({
    ...pairRow,
    path: '/v2/dex/search',
    summary: 'Pairs of every DEX on every chain by name, symbol or address of a token',
    params: {
      q: {
        type: 'string',
        required: true,
        lenient: true,
        maxLength: dexQuery.searchLimit,
        description: `Token name, symbol or contract address: ${dexQuery.searchRule}.`,
        example: 'PEPE',
      },
    },
    query({ q }) {
      if (q === undefined) return apiError('bad_parameter', 'missing required query parameter q');
      const asked = dexQuery.searchText(q);
      if (asked === null) return apiError('bad_parameter', `q must be ${dexQuery.searchRule}`);
      const what = 'the pairs searched for';
      return { source: 'dex', name: 'dexSearch', params: { asked }, what, data: pairsOf, failure };
    },
  });

const tokenRoute = () =>
  kit.queried({
    ...pairRow,
    path: '/v2/dex/token/{address}',
    summary: 'Every pair of a token, on any chain',
    params: {
      address: {
        type: 'string',
        required: true,
        description: `Contract of the token: ${dexQuery.addressRule}.`,
        example: '0x6982508145454Ce325dDbE47a25d4ec3d2311933',
      },
    },
    query({ address }) {
      const asked = dexQuery.tokenAddress(address);
      if (asked === null)
        return apiError('bad_parameter', `address must be ${dexQuery.addressRule}`);
      const what = 'the pairs of the token';
      return { source: 'dex', name: 'dexToken', params: { asked }, what, data: pairsOf, failure };
    },
  });

/** The age of the rows of a list that is stale from so many minutes on. */
const age = (minutes: number) => ({
  updated_at: s.unixMs('When the rows were received.'),
  stale: s.optional(s.literal(true, `Older than ${minutes} minutes: no source answered since.`)),
});

/** The rows of a figure as its source lists them. */
const listOf = <F extends DefiFigure>(document: DefiDocument<F>, minutes: number) => ({
  fields: age(minutes),
  source: document.source,
  find: () => document.read((rows) => ({ rows })),
});

const poolsOf = <D extends keyof typeof pools.listLimits>(dex: D) =>
  ({
    path: `/v2/dex/${dex}/pools`,
    params: {
      limit: params.limit(pools.defaultLimit, pools.listLimits[dex], 'Most pools in the answer.'),
    },
    list: 'pools',
    order: 'In the order of the summary.',
  }) as const;

const listRoutes = ({ defi }: kit.Needs<'defi'>) => [
  kit.table({
    ...poolsOf('uniswap'),
    ...listOf(defi.uniswap, 15),
    summary: 'Uniswap v3 pools on ethereum, by TVL',
    columns: kit.plain(pools.evmPool),
  }),
  kit.table({
    ...poolsOf('raydium'),
    ...listOf(defi.raydium, 3),
    summary: 'Raydium pools on solana, by 24 h volume',
    columns: kit.plain(pools.ammPool),
  }),
  kit.table({
    ...poolsOf('orca'),
    ...listOf(defi.orca, 3),
    summary: 'Orca whirlpools on solana, by TVL',
    columns: kit.plain(pools.whirlpool),
  }),
  kit.table({
    ...listOf(defi.stablecoins, 15),
    path: '/v2/defi/stablecoins',
    summary: 'Stablecoins with what circulates of them, the largest first',
    params: {},
    columns: kit.plain(pools.stablecoin),
    list: 'stablecoins',
    order: 'The largest first.',
  }),
];

/** Pairs and pools of decentralized exchanges, and stablecoins (specification 4.7). */
export const dexRoutes = (context: kit.Needs<'defi'>) => [
  searchRoute(),
  tokenRoute(),
  ...listRoutes(context),
];
