import { defaultLimit, listLimits } from '../../actors/defi/fold.ts';
import {
  addressRule,
  searchLimit,
  searchRule,
  searchText,
  tokenAddress,
} from '../../actors/defi/query.ts';
import type { DexReply } from '../../actors/topics.ts';
import type { Asking } from '../asking.ts';
import { type ApiError, apiError, errors, isApiError } from '../errors.ts';
import type { Snapshot } from '../snapshots.ts';
import type { DefiView } from '../views/defi.ts';
import { type Route, route, type Schema } from './route.ts';
import * as s from './schemas.ts';

/** What the rows of this group answer from. */
export interface DexContext {
  defi: DefiView;
  asking: Asking;
}

const group = 'DEX and stablecoins';
const warming = apiError('warming_up', undefined, { retryAfter: 5 });

const pair = s.object({
  chain: s.of(s.string, 'In the words of the source: `ethereum`, `solana`.'),
  dex: s.of(s.string, 'Exchange.'),
  base_token: s.of(s.string, 'Symbol, as whoever made the token wrote it.'),
  base_address: s.of(s.string, 'Contract of the base token.'),
  quote_token: s.of(s.string, 'Symbol.'),
  price_usd: s.of(s.number, 'Of the base token, USD.'),
  volume_24h: s.of(s.number, 'USD.'),
  liquidity_usd: s.of(s.number, 'USD; 0 where the pair has no pool yet.'),
  fdv: s.of(s.numberOrNull, 'Fully diluted value, USD; null when unknown.'),
  pair_address: s.of(s.string, "The pool's address, or the id that its exchange has for it."),
  url: s.of(s.string, 'The pair on the site of the source.'),
  price_change_5m: s.of(s.numberOrNull, 'Percent; null when unknown.'),
  price_change_1h: s.of(s.numberOrNull, 'Percent; null when unknown.'),
  price_change_24h: s.of(s.number, 'Percent; 0 as well where nothing traded.'),
});

const pairsSchema = s.object({
  pairs: s.of(s.array(pair), 'In the order of the source, which is by relevance.'),
  count: s.of(s.integer, 'How many pairs there are here; the source gives about 30 at most.'),
  source: s.of(s.string, 'Who was asked: `dexscreener`, or `geckoterminal` while that fails.'),
  updated_at: s.of(s.integer, 'When its answer was received, Unix milliseconds.'),
});

const pairsOf = ({ pairs, source, received }: DexReply) => ({
  pairs,
  count: pairs.length,
  source,
  updated_at: received,
});

/** Specification 7: the message says that the upstream request failed. */
const stated = (answer: Snapshot | ApiError): Snapshot | ApiError =>
  isApiError(answer) && answer.error === 'upstream_failed'
    ? apiError('upstream_failed', `${errors.upstream_failed.message}: ${answer.message}`)
    : answer;

const searchRoute = ({ asking }: DexContext): Route =>
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
    answer: pairsSchema,
    access: 'key',
    budget: 'dex',
    from: {
      async ask({ q }) {
        if (q === undefined) return apiError('bad_parameter', 'missing required query parameter q');
        const asked = searchText(q);
        if (asked === null) return apiError('bad_parameter', `q must be ${searchRule}`);
        const request = { asked };
        const what = 'the pairs searched for';
        return stated(
          await asking({ service: 'dexSearch', request, what, form: 'dexSearch', data: pairsOf }),
        );
      },
    },
  });

const tokenRoute = ({ asking }: DexContext): Route =>
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
    answer: pairsSchema,
    access: 'key',
    budget: 'dex',
    from: {
      async ask({ address }) {
        const asked = tokenAddress(address);
        if (asked === null) return apiError('bad_parameter', `address must be ${addressRule}`);
        const request = { asked };
        const what = 'the pairs of the token';
        return stated(
          await asking({ service: 'dexToken', request, what, form: 'dexToken', data: pairsOf }),
        );
      },
    },
  });

interface Listing {
  dex: keyof typeof listLimits;
  summary: string;
  /** Minutes after which the answer is stale. */
  old: number;
  pools: Schema;
  read(limit: number): Snapshot | null;
}

const age = (minutes: number) => ({
  updated_at: s.of(s.integer, 'When the rows were received, Unix milliseconds.'),
  stale: s.of({ const: true }, `Older than ${minutes} minutes: no source has answered since.`),
});

const listRoute = ({ dex, summary, old, pools, read }: Listing): Route =>
  route({
    method: 'GET',
    path: `/v2/dex/${dex}/pools`,
    group,
    summary,
    params: {
      limit: {
        type: 'integer',
        default: defaultLimit,
        minimum: 1,
        maximum: listLimits[dex],
        description: 'Most pools in the answer.',
      },
    },
    answer: s.object({ pools, count: s.integer, ...age(old) }, ['stale']),
    access: 'key',
    from: { view: ({ limit }) => read(limit) ?? warming },
  });

const uniswapRoute = ({ defi }: DexContext): Route =>
  listRoute({
    dex: 'uniswap',
    summary: 'Uniswap v3 pools on ethereum, by TVL',
    old: 15,
    pools: s.array(
      s.object({
        pool_id: s.of(s.string, 'Contract of the pool.'),
        token0: s.of(s.string, 'Symbol; the shortened address where it is unknown.'),
        token1: s.of(s.string, 'Symbol; the shortened address where it is unknown.'),
        fee_tier: s.of({ enum: [100, 500, 3000, 10_000] }, 'Hundredths of a basis point.'),
        tvl_usd: s.of(s.number, 'USD.'),
        volume_usd: s.of(s.number, '24 h, USD; 0 as well where the source does not know it.'),
      }),
    ),
    read: (limit) => defi.uniswap(limit),
  });

const solanaSymbols = {
  symbol_a: s.of(s.string, 'Absent where the token has none.'),
  symbol_b: s.of(s.string, 'Absent where the token has none.'),
};
const symbolNames = Object.keys(solanaSymbols);

const raydiumRoute = ({ defi }: DexContext): Route =>
  listRoute({
    dex: 'raydium',
    summary: 'Raydium pools on solana, by 24 h volume',
    old: 3,
    pools: s.array(
      s.object(
        {
          pool_id: s.string,
          pool_type: s.of(s.string, '`Standard` or `Concentrated`.'),
          mint_a: s.of(s.string, 'Mint of token A.'),
          mint_b: s.of(s.string, 'Mint of token B.'),
          ...solanaSymbols,
          tvl: s.of(s.number, 'USD.'),
          volume_24h: s.of(s.number, 'USD.'),
          fee_24h: s.of(s.number, 'USD.'),
          apr_24h: s.of(s.number, 'Percent a year, fees and rewards together.'),
        },
        symbolNames,
      ),
    ),
    read: (limit) => defi.raydium(limit),
  });

const orcaRoute = ({ defi }: DexContext): Route =>
  listRoute({
    dex: 'orca',
    summary: 'Orca whirlpools on solana, by TVL',
    old: 3,
    pools: s.array(
      s.object(
        {
          address: s.of(s.string, 'Address of the pool.'),
          token_a: s.of(s.string, 'Mint of token A.'),
          token_b: s.of(s.string, 'Mint of token B.'),
          ...solanaSymbols,
          price: s.of(s.number, 'Token B per token A.'),
          tvl: s.of(s.number, 'USD.'),
          volume_24h: s.of(s.number, 'USD.'),
          fee_rate: s.of(s.number, 'Fraction of a trade: 0.003 is 0.3 %.'),
        },
        symbolNames,
      ),
    ),
    read: (limit) => defi.orca(limit),
  });

const stablecoinsRoute = ({ defi }: DexContext): Route =>
  route({
    method: 'GET',
    path: '/v2/defi/stablecoins',
    group,
    summary: 'Stablecoins with what circulates of them, the largest first',
    params: {},
    answer: s.object(
      {
        stablecoins: s.array(
          s.object({
            name: s.string,
            symbol: s.string,
            peg_type: s.of(s.string, '`peggedUSD`, `peggedEUR`.'),
            circulating: s.of(
              s.number,
              'What circulates on all chains, USD: for coins pegged to another currency too the value in dollars, as the source states it.',
            ),
            chains: s.of(s.array(s.string), 'The largest first.'),
          }),
        ),
        count: s.integer,
        ...age(15),
      },
      ['stale'],
    ),
    access: 'key',
    from: { view: () => defi.stablecoins() ?? warming },
  });

/** Pairs and pools of decentralized exchanges, and stablecoins (specification 4.7). */
export const dexRoutes = (context: DexContext): Route[] => [
  searchRoute(context),
  tokenRoute(context),
  uniswapRoute(context),
  raydiumRoute(context),
  orcaRoute(context),
  stablecoinsRoute(context),
];
