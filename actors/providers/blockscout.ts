/**
 * Blockscout: the ERC-20 tokens of a wallet on five chains. https://docs.blockscout.com/devs/apis/rest
 *
 * Every chain has an instance that needs no key. With a key the host for all chains goes first, with the same paths
 * below the chain's id.
 */
import { formatUnits } from 'viem';
import { type ChainId, chains, type EvmChainId } from '../../config/chains.ts';
import { ShapeError } from '../failure.ts';
import { list, type WireRow } from '../read.ts';
import { defineSource, type Reading, readRows, record } from '../sources/define.ts';
import type { Faults } from '../upstream/faults.ts';
import type { Api } from '../upstream/request.ts';
import { contractOf, type Holding, holdingOf, type Query, type TokenIndex } from './holding.ts';
import { part } from './read.ts';

const instances = {
  ethereum: 'https://eth.blockscout.com',
  base: 'https://base.blockscout.com',
  arbitrum: 'https://arbitrum.blockscout.com',
  polygon: 'https://polygon.blockscout.com',
  optimism: 'https://explorer.optimism.io',
} as const satisfies Partial<Record<EvmChainId, string>>;

/** The chains that it knows. */
export type BlockscoutChain = keyof typeof instances;
export const onBlockscout = (chain: ChainId): chain is BlockscoutChain =>
  Object.hasOwn(instances, chain);

/** 50 tokens each: 1,000 tokens. They come with the most valuable first. */
const pages = 20;
const maxBody = 2_000_000;
/** Where it refuses, the host works: 401 and 402 are about the key, 400 and 422 about the address. */
const refusals: ReadonlySet<number> = new Set([400, 401, 402, 403, 422]);

/** A 404 with this message is an address without history. One without JSON, or of another message, is a lost path. */
const faults: Faults = [
  {
    name: 'Blockscout',
    when: ({ message }, status) => status === 404 && message === 'Not found',
    means: 'unknown_instrument',
  },
  { name: 'Blockscout', when: (_, status) => refusals.has(status), means: 'refused' },
];

/** Requests a second: 3 per address of ours without a key, 5 per key. */
const perSecond = (weight: number) => ({ default: { weight, per: 1_000 } });

const instance = (host: string): Api => ({ hosts: [host], budgets: perSecond(3), faults, maxBody });
const multichain = (key: string): Api => ({
  hosts: ['https://api.blockscout.com'],
  budgets: perSecond(5),
  headers: { authorization: `Bearer ${key}` },
  faults,
  maxBody,
});

const isMarked = ({ reputation, is_scam }: WireRow): boolean =>
  reputation === 'scam' || reputation === 'spam' || is_scam === true;

/**
 * Kinds of tokens that can be divided. Servers from version 12 on have those that are shown multiplied as a kind of their own
 * (https://github.com/blockscout/blockscout/pull/14731), older ones refuse its name.
 */
const kinds = ['ERC-20', 'ERC-8056'] as const;
const isKind = (type: unknown) => kinds.some((kind) => kind === type);

/** Older servers name the contract `address`. */
const contractIn = (chain: ChainId, token: WireRow): string =>
  contractOf(chain, token.address_hash ?? token.address);

/** Tokens that the source marks as spam are left out, like single items and tokens of other standards. */
const holding =
  (chain: ChainId) =>
  (row: WireRow): Reading<Holding> => {
    const token = part(row, 'token');
    const single = row.token_id !== null && row.token_id !== undefined;
    if (single || !isKind(token.type) || isMarked(token)) return 'left_out';
    return holdingOf({
      contract: contractIn(chain, token),
      symbol: token.symbol,
      balance: row.value,
      decimals: token.decimals,
      rate: token.exchange_rate,
      multiplier: token.ui_multiplier,
    });
  };

/**
 * `1.5E-7` as `0.00000015`: servers write a value below 0.000001 dollars with an exponent, and refuse it so with 422. A holding worth
 * that little may be the last one of a page.
 */
function plain(word: string): string {
  const [, whole, fraction = '', exponent] = /^(\d)(?:\.(\d+))?E-(\d{1,3})$/.exec(word) ?? [];
  return whole === undefined
    ? word
    : formatUnits(BigInt(whole + fraction), fraction.length + Number(exponent));
}

/** The keys of the next page are to be sent as they came; null is sent as an empty text. */
function cursorIn(value: unknown): Query | null {
  if (value === null || value === undefined) return null;
  const entries = Object.entries(record(value, 'next_page_params')).map(
    ([key, word]): [string, string | number] => {
      if (word === null) return [key, ''];
      if (typeof word === 'number') return [key, word];
      if (typeof word === 'string') return [key, plain(word)];
      throw new ShapeError('next_page_params: neither text nor number');
    },
  );
  if (entries.length === 0 || JSON.stringify(entries).length > 1_000) {
    throw new ShapeError('next_page_params: empty or too long');
  }
  return Object.fromEntries(entries);
}

/** The source with the key of its host for all chains, or without. */
export const blockscout = (key: string | null) =>
  defineSource({
    id: 'blockscout',
    name: 'Blockscout',
    apis: {
      ...Object.fromEntries(Object.entries(instances).map(([id, host]) => [id, instance(host)])),
      ...(key !== null && { multichain: multichain(key) }),
    },
  });

/** The tokens of a wallet, of an older server where `older` is true; `address` has been checked. */
export function blockscoutIndex(
  chain: BlockscoutChain,
  address: string,
  key: string | null,
  older = false,
): TokenIndex {
  const path = `/api/v2/addresses/${address}/tokens`;
  const read = holding(chain);
  return {
    pages,
    requests(cursor) {
      const query = { ...cursor, type: older ? kinds[0] : kinds.join() };
      const own = { api: chain, path, query };
      const every = { api: 'multichain', path: `/${chains[chain].identity}${path}`, query };
      return key === null ? [own] : [every, own];
    },
    parse(body) {
      const { items, next_page_params } = record(body, 'tokens');
      const keyOf = (row: WireRow) => contractIn(chain, part(row, 'token'));
      return {
        ...readRows(list(items, 'items'), keyOf, read),
        next: cursorIn(next_page_params),
      };
    },
  };
}
