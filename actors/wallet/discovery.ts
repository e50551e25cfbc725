/** The tokens of a wallet, from an index or the chain itself, not from a list of tokens. */
import type { ChainId } from '../../config/chains.ts';
import type { ChainReader } from '../chains/reader.ts';
import { type Failure, failed, type Result, success } from '../failure.ts';
import type { Clock } from '../kernel/clock.ts';
import { type BlockscoutChain, blockscoutIndex, onBlockscout } from '../providers/blockscout.ts';
import { type Holding, type Query, type TokenIndex, tokenKey } from '../providers/holding.ts';
import { moralisIndex, onMoralis } from '../providers/moralis.ts';
import { firstSuccess } from '../upstream/first-success.ts';
import type { UpstreamRequest } from '../upstream/request.ts';
import { ask, isClosed, type Source } from './source.ts';
import { splHoldings } from './spl.ts';

/** The tokens of a wallet. */
export interface Found {
  holdings: Holding[];
  /** Messages about missing parts. */
  notes: string[];
}

/** The sources to ask. */
export interface Indexes {
  blockscout: Source;
  blockscoutKey: string | null;
  /** Null without its key. */
  moralis: Source | null;
  reader: Pick<ChainReader, 'ask'>;
  clock: Clock;
  signal: AbortSignal;
}

/** The address, the asking account, and the deadline (Unix ms). The address is valid; EVM addresses are lower case. */
export interface Wallet {
  chain: ChainId;
  address: string;
  account: string;
  until: number;
}

const none = (...notes: string[]): Found => ({ holdings: [], notes });
const unreadNotes = (count: number) =>
  count === 0 ? [] : [`unreadable rows in the token list: ${count}`];
const nativeAlone = 'only the native coin is listed';

/** The note for a list that ends at a missing page; null where that fails the whole list. */
function ending({ name }: Source, failure: Failure, page: number): string[] | null {
  // An address never seen holds nothing.
  if (failure.code === 'unknown_instrument') return [];
  if (!isClosed(failure)) return null;
  const rest = page === 0 ? nativeAlone : 'the token list ends early';
  return [`token discovery at ${name} is not available (${failure.code}): ${rest}`];
}

/** Follows the pages. One that is refused ends the list; one that fails is a failure of the whole. */
async function collect(source: Source, index: TokenIndex, wallet: Wallet): Promise<Result<Found>> {
  const holdings = new Map<string, Holding>();
  // The same page from one place after the other: that a place is closed to us says more than what the last one met.
  const read = (requests: readonly UpstreamRequest[]) =>
    firstSuccess(
      requests,
      (request, until) =>
        ask(source, request, { ...wallet, until }, ({ body }) => index.parse(body)),
      {
        clock: source.clock,
        until: wallet.until,
        isFinal: ({ code }) => code === 'unknown_instrument',
        worse: (before, now) => (isClosed(before) ? before : now),
      },
    );
  let unread = 0;
  const found = (notes: string[]) =>
    success({ holdings: [...holdings.values()], notes: [...notes, ...unreadNotes(unread)] });
  let cursor: Query = {};
  for (let page = 0; page < index.pages; page++) {
    const result = await read(index.requests(cursor));
    if (!result.ok) {
      const notes = ending(source, result.failure, page);
      return notes === null ? result : found(notes);
    }
    const { rows, dropped, next } = result.value;
    unread += dropped.length;
    // Balances move between two pages: a token may come twice.
    for (const row of rows) holdings.set(tokenKey(wallet.chain, row.contract), row);
    if (next === null) return found([]);
    cursor = next;
  }
  return found(['the token list is longer than what is followed of it']);
}

/** An older server says 422 to a kind of tokens that it does not know. */
async function onIndex(
  { blockscout, blockscoutKey: key }: Indexes,
  wallet: Wallet & { chain: BlockscoutChain },
): Promise<Result<Found>> {
  const { chain, address } = wallet;
  const found = await collect(blockscout, blockscoutIndex(chain, address, key), wallet);
  if (found.ok || found.failure.status !== 422) return found;
  return collect(blockscout, blockscoutIndex(chain, address, key, true), wallet);
}

/** Some nodes refuse the question altogether, or for owners of very many accounts. */
async function onSolana(
  { reader, clock, signal }: Indexes,
  wallet: Wallet,
): Promise<Result<Found>> {
  const { address, account, until } = wallet;
  const time = { deadline: until - clock.monotonic(), signal, account };
  const result = await reader.ask(time, (attempt) => splHoldings(attempt, address));
  if (result.ok) {
    const { rows, dropped } = result.value;
    return success({ holdings: rows, notes: unreadNotes(dropped.length) });
  }
  const { failure } = result;
  if (!isClosed(failure)) return result;
  return success(
    none(`token discovery on solana is not available (${failure.code}): ${nativeAlone}`),
  );
}

/**
 * The tokens of a wallet: Blockscout on five chains, the token accounts on solana, Moralis on bsc and avalanche where
 * its key is configured. Where discovery is not available to us the list is empty and a note says so.
 */
export async function discover(indexes: Indexes, wallet: Wallet): Promise<Result<Found>> {
  const { chain, address } = wallet;
  const { moralis } = indexes;
  if (onBlockscout(chain)) return onIndex(indexes, { ...wallet, chain });
  if (onMoralis(chain)) {
    if (moralis !== null) return collect(moralis, moralisIndex(chain, address), wallet);
    return success(none(`token discovery on ${chain} needs a key of Moralis: ${nativeAlone}`));
  }
  if (chain === 'solana') return onSolana(indexes, wallet);
  return chain === 'bitcoin' ? success(none()) : failed('refused', `no discovery on ${chain}`);
}
