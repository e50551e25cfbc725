/** Moralis: the tokens of a wallet on bsc and avalanche, with a key. https://docs.moralis.com/web3-data-api/evm */
import type { ChainId } from '../../config/chains.ts';
import { list, text, type WireRow } from '../read.ts';
import { defineSource, perMinute, type Reading, readRows, record } from '../sources/define.ts';
import type { Faults } from '../upstream/faults.ts';
import { contractOf, type Holding, holdingOf, type TokenIndex } from './holding.ts';

/** The chains that it is asked for. */
export type MoralisChain = 'bsc' | 'avalanche';
export const onMoralis = (chain: ChainId): chain is MoralisChain =>
  chain === 'bsc' || chain === 'avalanche';

/** Rows of a page, and pages: 1,000 tokens. */
const size = 100;
const pages = 10;
/** Where it refuses, the host works: the key is wrong, its quota is used up, or the address is refused. */
const refusals: ReadonlySet<number> = new Set([400, 401, 402, 403, 422]);

const faults: Faults = {
  name: 'Moralis',
  when: (_, status) => refusals.has(status),
  means: 'refused',
};

/** Tokens that the source marks as spam are left out, and the native coin, which is read from the chain itself. */
const holding =
  (chain: ChainId) =>
  (row: WireRow): Reading<Holding> => {
    if (row.native_token === true || row.possible_spam === true) return 'left_out';
    return holdingOf({
      contract: contractOf(chain, row.token_address),
      symbol: row.symbol,
      balance: row.balance,
      decimals: row.decimals,
      rate: row.usd_price,
    });
  };

/** The source with its key. */
export const moralis = (key: string) =>
  defineSource({
    id: 'moralis',
    name: 'Moralis',
    apis: {
      rest: {
        hosts: ['https://deep-index.moralis.io'],
        budgets: perMinute(120),
        headers: { 'x-api-key': key },
        faults,
        maxBody: 4_000_000,
      },
    },
  });

/** The tokens of a wallet; `address` has been checked. */
export function moralisIndex(chain: MoralisChain, address: string): TokenIndex {
  const read = holding(chain);
  return {
    pages,
    requests: (cursor) => [
      {
        api: 'rest',
        path: `/api/v2.2/wallets/${address}/tokens`,
        query: {
          chain,
          exclude_spam: 'true',
          exclude_unverified_contracts: 'false',
          limit: size,
          ...cursor,
        },
      },
    ],
    parse(body) {
      const { result, cursor } = record(body, 'tokens');
      const keyOf = (row: WireRow) => contractOf(chain, row.token_address);
      const next = text(cursor);
      return {
        ...readRows(list(result, 'result'), keyOf, read),
        next: next === '' ? null : { cursor: next },
      };
    },
  };
}
