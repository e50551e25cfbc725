/** The tokens of a wallet on solana: the accounts that it owns under both token programs. https://solana.com/docs/rpc */
import { PublicKey } from '@solana/web3.js';
import { wholeCoins } from '../chains/amount.ts';
import type { Attempt } from '../chains/endpoint.ts';
import { fromSolana } from '../chains/solana.ts';
import { contractOf, type Holding, holdingOf } from '../providers/holding.ts';
import { part } from '../providers/read.ts';
import { asRow, positive, type WireRow } from '../read.ts';
import { type Parsed, type Reading, readRows } from '../sources/define.ts';

/** SPL Token and Token-2022. */
const programs = [
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
].map((program) => new PublicKey(program));

const mintIn = (info: WireRow) => contractOf('solana', info.mint);

/** The chain knows no symbols. The node multiplies what a mint of Token-2022 wants multiplied (scaled amounts, interest). */
function holding(info: WireRow): Reading<Holding> {
  const { amount: balance, decimals, uiAmountString } = part(info, 'tokenAmount');
  const found = holdingOf({ contract: mintIn(info), symbol: '', balance, decimals, rate: null });
  if (found === null || found === 'left_out') return found;
  const multiplier = positive(uiAmountString) / wholeCoins(found.raw, found.decimals);
  return multiplier > 0 && multiplier !== 1 ? { ...found, multiplier } : found;
}

/** Several accounts may hold one token. */
function summed(rows: readonly Holding[]): Holding[] {
  const sums = new Map<string, Holding>();
  for (const row of rows) {
    const before = sums.get(row.contract);
    // What is shown of a small amount is cut to its decimals: the larger one tells the multiplier.
    const larger = before && before.raw > row.raw ? before : row;
    sums.set(row.contract, { ...larger, raw: (before?.raw ?? 0n) + row.raw });
  }
  return [...sums.values()];
}

/** One of what cannot be divided: a collectible. */
const isSingle = ({ raw, decimals }: Holding) => raw === 1n && decimals === 0;

/** Rejects with what `failureIn` knows; `address` has been checked. */
export const splHoldings = (attempt: Attempt, address: string): Promise<Parsed<Holding>> =>
  fromSolana(attempt, async (connection) => {
    const owner = new PublicKey(address);
    const accounts = await Promise.all(
      programs.map((programId) => connection.getParsedTokenAccountsByOwner(owner, { programId })),
    );
    const infos = accounts.flatMap(({ value }) =>
      value.map(({ account }) => part(asRow(account.data.parsed), 'info')),
    );
    const { rows, dropped } = readRows(infos, mintIn, holding);
    return { rows: summed(rows).filter((row) => !isSingle(row)), dropped };
  });
