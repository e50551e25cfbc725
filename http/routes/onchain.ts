import * as chains from '../../actors/topics/chains.ts';
import { onChainMeasures, onChainRecords, recordedKey } from '../../actors/topics/index.ts';
import { portfolio } from '../../actors/topics/wallet.ts';
import { chainIds, evmChainIds } from '../../config/chains.ts';
import { stablecoins } from '../../config/tokens.ts';
import { byTime, rowsIn } from '../../indicators/market/recorded.ts';
import type { Aged } from '../views/chains.ts';
import { apiError, kit, params, s } from './kit.ts';

/** The chain of the rows of a table. */
const chainOrAll = <const E extends string>(ids: readonly E[]) =>
  params.word(ids, 'One chain. All when absent.');

const token = {
  ...params.word(stablecoins, 'One stablecoin. All when absent.'),
  example: 'USDC',
} as const;

/** The time of a row in seconds (specification 2.1). */
const age = {
  updated_at: s.integer('When the row was received, Unix seconds.'),
  stale: s.optional(s.literal(true, 'Older than three minutes: no endpoint has answered since.')),
};

const gas = kit.columns<Aged<chains.ChainRow & { gas_gwei: number }>>()({
  chain: s.unchecked<(typeof chainIds)[number]>({ enum: evmChainIds, description: 'Chain id.' }),
  gas_gwei: s.number('Gas price, Gwei.'),
  block: s.integer('Latest block number.'),
  ...age,
});

const block = kit.columns<Aged<chains.ChainRow>>()({
  chain: chains.chainRow.properties.chain,
  block_number: [chains.chainRow.properties.block, 'block'],
  gas_gwei: chains.chainRow.properties.gas_gwei,
  ...age,
});

const supply = kit.columns<Aged<chains.SupplyRow>>()({ ...chains.supplyRow.properties, ...age });
const wallet = kit.columns<Aged<chains.WalletRow>>()({ ...chains.walletRow.properties, ...age });

const withGas = ({ gas_gwei, ...row }: chains.ChainRow) =>
  gas_gwei === null ? [] : [{ ...row, gas_gwei }];

const units =
  'gas: gwei, by chain; supply: coins, by chain and stablecoin; wallets: coins in the known hot wallets of an exchange, by exchange and coin; supply_rate, borrow_rate: mean over all lending pools of an asset, percent a year.';

const recordedPoint = kit.columns<ReturnType<typeof byTime>[number]>()({
  timestamp: s.unixMs('Start of the interval; values are those at its end.'),
  values: [s.mapOf(s.number('In the unit of the measure.'), 'what it is of'), 'exchanges'],
});

/** What was recorded of chains and lending, out of the history. */
const historyRoutes = () =>
  kit.recorded({
    path: '/v1/onchain/history',
    summary: 'Gas, supplies, wallets of exchanges and lending rates over time',
    params: {
      measure: params.wordOr(onChainMeasures, 'gas', units),
      interval: params.interval(params.sixIntervals, '1h'),
      limit: params.limit(100, 500, params.mostRows),
      ...params.range('interval'),
    },
    series: 'on-chain',
    what: ({ measure }) => `the record of ${measure}`,
    keys: ({ measure }) => onChainRecords[measure].map((of) => recordedKey(measure, of)),
    range: kit.recordedSteps,
    head: kit.repeated({ measure: s.oneOf(onChainMeasures, units) }),
    fold: ({ rows }, { values: { measure, limit } }) =>
      byTime(
        onChainRecords[measure].map((exchange, i) => ({
          exchange,
          rows: rowsIn(rows[i], { value: 'value' }),
        })),
      ).slice(-limit),
    points: kit.points(recordedPoint),
  });

const walletRoute = () =>
  kit.queried({
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
      chain: { ...params.chain, lenient: true },
    },
    answer: s.object({
      ...portfolio.properties,
      partial: s.optional(s.string('What is missing, in words: tokens not listed, or prices.')),
    }),
    errorsAs200: true,
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
  });

/** Chains and wallets (specification 4.2). */
export const onchainRoutes = ({ onchain }: kit.Needs<'onchain'>) => {
  const row = { list: null, source: onchain.source } as const;
  const ofEvm = { chain: chainOrAll(evmChainIds) };
  return [
    kit.table({
      ...row,
      path: '/v1/onchain/gas',
      summary: 'Gas prices of the seven EVM chains',
      params: ofEvm,
      columns: gas,
      find: (query) => onchain.rows(({ chain: one }) => kit.matching(withGas(one), query)),
    }),
    kit.table({
      ...row,
      path: '/v1/onchain/blocks',
      summary: 'Block heights of all nine chains',
      params: { chain: chainOrAll(chainIds) },
      columns: block,
      find: (query) => onchain.rows(({ chain }) => kit.matching([chain], query)),
    }),
    kit.table({
      ...row,
      path: '/v1/onchain/supply',
      summary: 'Supply of USDC and USDT on every EVM chain',
      params: { token, ...ofEvm },
      columns: supply,
      find: (query) => onchain.rows(({ supplies }) => kit.matching(supplies, query)),
    }),
    kit.table({
      ...row,
      path: '/v1/onchain/exchange-flows',
      summary: 'Balances of the known hot wallets of exchanges on ethereum',
      params: ofEvm,
      columns: wallet,
      find: (query) => onchain.rows(({ wallets }) => kit.matching(wallets, query)),
    }),
    walletRoute(),
    ...historyRoutes(),
  ];
};
