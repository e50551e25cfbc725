import {
  addressRule,
  searchLimit,
  searchRule,
  searchText,
  tokenAddress,
} from '../../actors/defi/query.ts';
import { ammPool, dexPair, evmPool, stablecoin, whirlpool } from '../../actors/topics/defi.ts';
import { defaultLimit, listLimits } from '../../actors/topics/defi-lists.ts';
import type { DexReply } from '../../actors/topics/index.ts';
import * as s from '../../actors/topics/schema.ts';
import { type Route, route } from '../endpoints/route.ts';
import { type ApiError, apiError, errors } from '../wire/errors.ts';
import type { RoutesContext } from './context.ts';
import { limit } from './params.ts';

const group = 'DEX and stablecoins' as const;

const pairs = s.object({
  pairs: s.list(dexPair, 'In the order of the source, which is by relevance.'),
  count: s.integer('How many pairs there are here; the source gives about 30 at most.'),
  source: s.string('The source: `dexscreener`, or `geckoterminal` while that fails.'),
  updated_at: s.unixMs('When its answer was received, Unix milliseconds.'),
  stale: s.stale,
});

const pairsOf = ({ pairs: found, source, received }: DexReply) => ({
  pairs: found,
  count: found.length,
  source,
  updated_at: received,
});

/** Specification 7: the message says that the upstream request failed. */
const failure = (error: ApiError): ApiError =>
  error.error === 'upstream_failed'
    ? apiError('upstream_failed', `${errors.upstream_failed.message}: ${error.message}`)
    : error;

const searchRoute = (): Route =>
  route({
    method: 'GET',
    path: '/v2/dex/search',
    group,
    summary: 'Pairs of every DEX on every chain by name, symbol or address of a token',
    params: {
      q: {
        type: 'string',
        required: true,
        lenient: true,
        maxLength: searchLimit,
        description: `Token name, symbol or contract address: ${searchRule}.`,
        example: 'PEPE',
      },
    },
    answer: pairs,
    access: 'key',
    budget: 'dex',
    fails: ['upstream_failed'],
    from: {
      query({ q }) {
        if (q === undefined) return apiError('bad_parameter', 'missing required query parameter q');
        const asked = searchText(q);
        if (asked === null) return apiError('bad_parameter', `q must be ${searchRule}`);
        const what = 'the pairs searched for';
        return {
          source: 'dex',
          name: 'dexSearch',
          params: { asked },
          what,
          data: pairsOf,
          failure,
        };
      },
    },
  });

const tokenRoute = (): Route =>
  route({
    method: 'GET',
    path: '/v2/dex/token/{address}',
    group,
    summary: 'Every pair of a token, on any chain',
    params: {
      address: {
        type: 'string',
        required: true,
        description: `Contract of the token: ${addressRule}.`,
        example: '0x6982508145454Ce325dDbE47a25d4ec3d2311933',
      },
    },
    answer: pairs,
    access: 'key',
    budget: 'dex',
    fails: ['upstream_failed'],
    from: {
      query({ address }) {
        const asked = tokenAddress(address);
        if (asked === null) return apiError('bad_parameter', `address must be ${addressRule}`);
        const what = 'the pairs of the token';
        return { source: 'dex', name: 'dexToken', params: { asked }, what, data: pairsOf, failure };
      },
    },
  });

/** The answer of a list of pools; `old` is the age in minutes from which it is stale. */
const poolsAnswer = <S extends s.TSchema>(pool: S, old: number) =>
  s.object({ pools: s.list(pool, 'In the order of the summary.'), count: s.count, ...age(old) });

const age = (minutes: number) => ({
  updated_at: s.unixMs('When the rows were received, Unix milliseconds.'),
  stale: s.optional(
    s.literal(true, `Older than ${minutes} minutes: no source has answered since.`),
  ),
});

const listOf = <D extends keyof typeof listLimits>(dex: D) =>
  ({
    method: 'GET',
    path: `/v2/dex/${dex}/pools`,
    group,
    params: { limit: limit(defaultLimit, listLimits[dex], 'Most pools in the answer.') },
    access: 'key',
  }) as const;

const listRoutes = ({ defi }: Pick<RoutesContext, 'defi'>): Route[] => [
  route({
    ...listOf('uniswap'),
    summary: 'Uniswap v3 pools on ethereum, by TVL',
    answer: poolsAnswer(evmPool, 15),
    from: { answers: defi.uniswap, query: ({ limit }) => limit },
  }),
  route({
    ...listOf('raydium'),
    summary: 'Raydium pools on solana, by 24 h volume',
    answer: poolsAnswer(ammPool, 3),
    from: { answers: defi.raydium, query: ({ limit }) => limit },
  }),
  route({
    ...listOf('orca'),
    summary: 'Orca whirlpools on solana, by TVL',
    answer: poolsAnswer(whirlpool, 3),
    from: { answers: defi.orca, query: ({ limit }) => limit },
  }),
  route({
    method: 'GET',
    path: '/v2/defi/stablecoins',
    group,
    summary: 'Stablecoins with what circulates of them, the largest first',
    params: {},
    answer: s.object({
      stablecoins: s.list(stablecoin, 'The largest first.'),
      count: s.count,
      ...age(15),
    }),
    access: 'key',
    from: { answers: defi.stablecoins },
  }),
];

/** Pairs and pools of decentralized exchanges, and stablecoins (specification 4.7). */
export const dexRoutes = (context: Pick<RoutesContext, 'defi'>): Route[] => [
  searchRoute(),
  tokenRoute(),
  ...listRoutes(context),
];
