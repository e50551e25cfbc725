import { chainIds, evmChainIds } from '../../config/chains.ts';
import { stablecoins } from '../../config/tokens.ts';
import type { Asking } from '../asking.ts';
import { apiError, isApiError } from '../errors.ts';
import type { Snapshot } from '../snapshots.ts';
import type { OnchainView } from '../views/onchain.ts';
import { type Route, route, type Schema } from './route.ts';
import * as s from './schemas.ts';

/** What the rows of this group answer from. */
export interface OnchainContext {
  onchain: OnchainView;
  asking: Asking;
}

const group = 'On-chain';
const warming = apiError('warming_up', undefined, { retryAfter: 5 });
const orWarming = (snapshot: Snapshot | null) => snapshot ?? warming;

const updated = {
  updated_at: s.of(s.integer, 'When the row was received, Unix seconds.'),
  stale: s.of({ const: true }, 'Older than three minutes: no endpoint has answered since.'),
};
const rows = (properties: Record<string, Schema>): Schema =>
  s.array(s.object({ ...properties, ...updated }, ['stale']));

const evmChain = { enum: evmChainIds };

const gasRoute = ({ onchain }: OnchainContext): Route =>
  route({
    method: 'GET',
    path: '/v1/onchain/gas',
    group,
    summary: 'Gas prices of the seven EVM chains',
    params: {},
    answer: rows({
      chain: evmChain,
      gas_gwei: s.of(s.number, 'Gas price, Gwei.'),
      block: s.of(s.integer, 'Latest block number.'),
    }),
    access: 'key',
    from: { view: () => orWarming(onchain.gas()) },
  });

const blocksRoute = ({ onchain }: OnchainContext): Route =>
  route({
    method: 'GET',
    path: '/v1/onchain/blocks',
    group,
    summary: 'Block heights of all nine chains',
    params: {},
    answer: rows({
      chain: { enum: chainIds },
      block_number: s.of(s.integer, 'Latest block number; the slot for solana.'),
      gas_gwei: s.of(s.numberOrNull, 'Gas price, Gwei; null for bitcoin and solana.'),
    }),
    access: 'key',
    from: { view: () => orWarming(onchain.blocks()) },
  });

const supplyRoute = ({ onchain }: OnchainContext): Route =>
  route({
    method: 'GET',
    path: '/v1/onchain/supply',
    group,
    summary: 'Supply of USDC and USDT on every EVM chain',
    params: {
      token: {
        type: 'string',
        enum: stablecoins,
        anyCase: true,
        description: 'One stablecoin, in any case. All when absent.',
        example: 'USDC',
      },
    },
    answer: rows({
      token: { enum: stablecoins },
      chain: evmChain,
      total_supply: s.of(s.number, 'Whole coins.'),
    }),
    access: 'key',
    from: { view: ({ token = null }) => orWarming(onchain.supply(token)) },
  });

const coins = s.of(s.number, 'Whole coins.');

const flowsRoute = ({ onchain }: OnchainContext): Route =>
  route({
    method: 'GET',
    path: '/v1/onchain/exchange-flows',
    group,
    summary: 'What the known hot wallets of exchanges hold on ethereum',
    params: {},
    answer: rows({
      label: s.of(s.string, 'Exchange and `_hot`: the sum of its known hot wallets.'),
      chain: evmChain,
      eth_balance: coins,
      usdc_balance: coins,
      usdt_balance: coins,
    }),
    access: 'key',
    from: { view: () => orWarming(onchain.flows()) },
  });

const portfolioSchema = s.object(
  {
    address: s.of(s.string, 'As asked.'),
    chain: s.of(s.string, 'As asked.'),
    total_value_usd: s.of(s.number, 'Sum over the tokens, US dollars.'),
    tokens: s.of(
      s.array(
        s.object(
          {
            token: s.of(s.string, 'Symbol.'),
            chain: s.string,
            balance: s.of(s.number, 'Whole coins.'),
            contract: s.of(s.string, 'Absent for the native coin.'),
            price_usd: s.of(s.number, '0 for a token without a price.'),
            value_usd: s.number,
          },
          ['contract'],
        ),
      ),
      'The most valuable first.',
    ),
    partial: s.of(
      s.string,
      'What is missing, in words: tokens that could not be listed, or prices. Absent when nothing is.',
    ),
  },
  ['partial'],
);

const walletRoute = ({ asking }: OnchainContext): Route =>
  route({
    method: 'GET',
    path: '/v1/onchain/wallet',
    group,
    summary: 'What a wallet holds, and what that is worth',
    params: {
      address: {
        type: 'string',
        required: true,
        lenient: true,
        description: 'EVM, Solana or Bitcoin address.',
        example: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
      },
      chain: {
        type: 'string',
        default: 'ethereum',
        enum: chainIds,
        lenient: true,
        description: 'Chain to look at.',
      },
    },
    answer: portfolioSchema,
    soft: true,
    access: 'key',
    from: {
      async ask({ address = '', chain }) {
        const answer = await asking({
          service: 'wallet',
          request: { address, chain },
          what: 'the wallet',
          form: 'wallet',
          data: ({ portfolio, partial }) => ({
            ...portfolio,
            ...(partial !== null && { partial }),
          }),
          refusal: ({ message, portfolio }) =>
            message === null ? null : apiError('portfolio_failed', message, { data: portfolio }),
        });
        // Too many at once is the one failure that the client learns by its status.
        if (!isApiError(answer) || answer.error !== 'upstream_failed') return answer;
        const data = { address, chain, total_value_usd: 0, tokens: [] };
        return apiError('portfolio_failed', answer.message, { data });
      },
    },
  });

/** Chains and wallets (specification 4.2). */
export const onchainRoutes = (context: OnchainContext): Route[] => [
  gasRoute(context),
  blocksRoute(context),
  supplyRoute(context),
  flowsRoute(context),
  walletRoute(context),
];
