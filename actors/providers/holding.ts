/** Holdings of a wallet from a token index or a chain, without prices of our own. */
import { type ChainId, isEvmChainId } from '../../config/chains.ts';
import { isAddressOf } from '../chains/address.ts';
import { positive, required, text } from '../read.ts';
import type { Parsed, Reading } from '../sources/define.ts';
import type { UpstreamRequest } from '../upstream/request.ts';
import { label } from './read.ts';

/** One token of a wallet. */
export interface Holding {
  /** As its source writes it. */
  contract: string;
  /** '' where the source knows none. */
  symbol: string;
  /** In smallest units, above 0. */
  raw: bigint;
  decimals: number;
  /**
   * What the issuer wants balances multiplied with to be shown, after a split for example; absent for 1. Prices are those of what
   * pools hold, before that.
   */
  multiplier?: number;
  /** US dollars, as the index states it; null where it states none. It can veto a price but never supplies it. */
  rate: number | null;
}

export type Query = NonNullable<UpstreamRequest['query']>;

/** A page of an index. */
export interface Page extends Parsed<Holding> {
  /** Parameters of the next page; null after the last. */
  next: Query | null;
}

/** An index of the tokens of one wallet. */
export interface TokenIndex {
  /** Most pages that are followed. */
  pages: number;
  /** The request for a page, once for every way to the index, in the order in which they are tried. */
  requests(cursor: Query): readonly UpstreamRequest[];
  /** Throws ShapeError where a body is not of the documented form. */
  parse(body: unknown): Page;
}

/**
 * Contracts under which the native coin shows itself as a token, in lower case: they would count it twice. The usual
 * placeholder, POL on polygon, and ETH on the chains of the OP stack.
 */
const nativeContracts: ReadonlySet<string> = new Set([
  `0x${'e'.repeat(40)}`,
  '0x0000000000000000000000000000000000001010',
  '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0000',
]);

/** Equal for all spellings of one contract: those of EVM chains differ in case. */
export const tokenKey = (chain: ChainId, contract: string): string =>
  isEvmChainId(chain) ? contract.toLowerCase() : contract;

/** The contract's address in the form of the chain, or '': drop the row. Its checksum is the source's affair. */
export function contractOf(chain: ChainId, value: unknown): string {
  const found = text(value);
  const known = isEvmChainId(chain)
    ? /^0x[0-9a-f]{40}$/i.test(found)
    : found.length <= 44 && isAddressOf(chain, found);
  return known ? found : '';
}

/** A whole number of smallest units, of up to 78 digits as 2^256 has; null when it is none. */
function units(value: unknown): bigint | null {
  const found = text(value);
  return /^\d{1,78}$/.test(found) ? BigInt(found) : null;
}

/** 0 to 255, as a uint8 has them; null when they are none. */
function decimalsOf(value: unknown): number | null {
  const found = required(value);
  return Number.isInteger(found) && found >= 0 && found <= 255 ? found : null;
}

/** A row of an index in the words of all of them; values as they came. */
export interface HoldingRow {
  /** The result of `contractOf`. */
  contract: string;
  symbol: unknown;
  balance: unknown;
  decimals: unknown;
  rate: unknown;
  /** What balances are multiplied with to be shown, in 10^-18; absent or null for 1. https://eips.ethereum.org/EIPS/eip-8056 */
  multiplier?: unknown;
}

/** The holding of a row. Left out: the native coin, and tokens without balance or decimals (collectibles). */
export function holdingOf(row: HoldingRow): Reading<Holding> {
  const { contract, balance } = row;
  if (row.decimals === null || row.decimals === undefined) return 'left_out';
  if (nativeContracts.has(contract.toLowerCase())) return 'left_out';
  const [raw, decimals, rate] = [units(balance), decimalsOf(row.decimals), positive(row.rate)];
  if (raw === 0n) return 'left_out';
  if (contract === '' || raw === null || decimals === null) return null;
  const symbol = label(row.symbol);
  const found = { contract, symbol, raw, decimals, rate: Number.isNaN(rate) ? null : rate };
  return { ...found, ...multiplierOf(row.multiplier) };
}

/** What balances are multiplied with to be shown, stated in 10^-18; nothing for 1, or where none is stated. */
export function multiplierOf(stated: unknown): Pick<Holding, 'multiplier'> {
  const multiplier = positive(typeof stated === 'bigint' ? Number(stated) : stated) / 1e18;
  return multiplier > 0 && multiplier !== 1 ? { multiplier } : {};
}

/** A name for a token without one. */
export const shortened = (contract: string): string =>
  `${contract.slice(0, 4)}…${contract.slice(-4)}`;
