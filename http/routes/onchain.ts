import { chainRow, supplyRow, walletRow } from '../../actors/topics/chains.ts';
import * as s from '../../actors/topics/schema.ts';
import { portfolio } from '../../actors/topics/wallet.ts';
import { type chainIds, evmChainIds } from '../../config/chains.ts';
import { stablecoins } from '../../config/tokens.ts';
import { type Route, route } from '../endpoints/route.ts';
import { apiError } from '../wire/errors.ts';
import type { RoutesContext } from './context.ts';
import { chain } from './params.ts';

const common = { method: 'GET', group: 'On-chain', access: 'key' } as const;

/** Rows of an answer, with their time in seconds (specification 2.1). */
const rows = <P extends s.TProperties>(properties: P) =>
  s.list(
    s.object({
      ...properties,
      updated_at: s.integer('When the row was received, Unix seconds.'),
      stale: s.optional(
        s.literal(true, 'Older than three minutes: no endpoint has answered since.'),
      ),
    }),
  );

const gasRoute = ({ onchain }: Pick<RoutesContext, 'onchain'>): Route =>
  route({
    ...common,
    path: '/v1/onchain/gas',
    summary: 'Gas prices of the seven EVM chains',
    params: {},
    answer: rows({
      chain: s.unchecked<(typeof chainIds)[number]>({
        enum: evmChainIds,
        description: 'Chain id.',
      }),
      gas_gwei: s.number('Gas price, Gwei.'),
      block: s.integer('Latest block number.'),
    }),
    from: { answers: onchain.gas },
  });

const blocksRoute = ({ onchain }: Pick<RoutesContext, 'onchain'>): Route =>
  route({
    ...common,
    path: '/v1/onchain/blocks',
    summary: 'Block heights of all nine chains',
    params: {},
    answer: rows({
      chain: chainRow.properties.chain,
      block_number: chainRow.properties.block,
      gas_gwei: chainRow.properties.gas_gwei,
    }),
    from: { answers: onchain.blocks },
  });

const supplyRoute = ({ onchain }: Pick<RoutesContext, 'onchain'>): Route =>
  route({
    ...common,
    path: '/v1/onchain/supply',
    summary: 'Supply of USDC and USDT on every EVM chain',
    params: {
      token: {
        type: 'string',
        enum: stablecoins,
        description: 'One stablecoin. All when absent.',
        example: 'USDC',
      },
    },
    answer: rows(supplyRow.properties),
    from: { answers: onchain.supply, query: ({ token = null }) => token },
  });

const flowsRoute = ({ onchain }: Pick<RoutesContext, 'onchain'>): Route =>
  route({
    ...common,
    path: '/v1/onchain/exchange-flows',
    summary: 'Balances of the known hot wallets of exchanges on ethereum',
    params: {},
    answer: rows(walletRow.properties),
    from: { answers: onchain.flows },
  });

const walletRoute = (): Route =>
  route({
    ...common,
    path: '/v1/onchain/wallet',
    summary: 'The tokens of a wallet and their value',
    params: {
      address: {
        type: 'string',
        required: true,
        lenient: true,
        description: 'EVM, Solana or Bitcoin address.',
        example: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
      },
      chain: { ...chain, lenient: true },
    },
    answer: s.object({
      ...portfolio.properties,
      partial: s.optional(
        s.string(
          'The missing part, in words: tokens that could not be listed, or prices. Absent when nothing is.',
        ),
      ),
    }),
    soft: true,
    from: {
      query: ({ address = '', chain: name }) => ({
        source: 'wallets',
        name: 'wallet',
        params: { address, chain: name },
        what: 'the wallet',
        data: ({ message, portfolio: data, partial }) =>
          message === null
            ? { ...data, ...(partial !== null && { partial }) }
            : apiError('portfolio_failed', message, { data }),
        // Overload is the one failure that the client learns by its status.
        failure(error) {
          if (error.error !== 'upstream_failed') return error;
          const data = { address, chain: name, total_value_usd: 0, tokens: [] };
          return apiError('portfolio_failed', error.message, { data });
        },
      }),
    },
  });

/** Chains and wallets (specification 4.2). */
export const onchainRoutes = (context: Pick<RoutesContext, 'onchain'>): Route[] => [
  gasRoute(context),
  blocksRoute(context),
  supplyRoute(context),
  flowsRoute(context),
  walletRoute(),
];
