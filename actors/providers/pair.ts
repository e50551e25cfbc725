/** The common form of the sources of pairs. */
import type { WireRow } from '../read.ts';
import type { Parsed, Reading } from '../sources/define.ts';
import type { DexPair } from '../topics/defi.ts';
import type { UpstreamRequest } from '../upstream/request.ts';

/** A question asked when a client asks it. */
export interface PairQuery {
  /** `asked` is what `searchText` or `tokenAddress` gave. */
  request(asked: string): UpstreamRequest;
  /** Pairs in the source's order. Throws ShapeError when the body is not of the documented form. */
  parse(body: unknown, asked: string): Parsed<DexPair>;
}

/** The pair, or null where a text of it is missing or a number unreadable. */
export const completePair = (pair: DexPair): DexPair | null =>
  Object.values(pair).every((value) => value !== '' && !Number.isNaN(value)) ? pair : null;

const isEvm = (address: string) => /^0x[0-9a-f]{40}$/i.test(address);

/** Addresses of EVM chains are equal in any case. */
const sameAddress = (a: string, b: string): boolean =>
  a === b || (isEvm(a) && a.toLowerCase() === b.toLowerCase());

/** The reader of pairs, for those of which one side is the token. */
export const pairWith =
  (asked: string, read: (row: WireRow) => Reading<DexPair>, sidesOf: (row: WireRow) => string[]) =>
  (row: WireRow): Reading<DexPair> => {
    const found = read(row);
    const holds = sidesOf(row).some((side) => sameAddress(asked, side));
    return found !== null && !holds ? 'left_out' : found;
  };
