/** The tokens of a wallet on solana: the accounts that it owns under both token programs. https://solana.com/docs/rpc */
import { wholeCoins } from '../chains/amount.ts';
import type { Attempt } from '../chains/endpoint.ts';
import { solanaValue } from '../chains/solana.ts';
import { contractOf, type Holding, holdingOf } from '../providers/holding.ts';
import { part } from '../providers/read.ts';
import { asRow, list, positive, type WireRow } from '../read.ts';
import { type Parsed, type Reading, readRows } from '../sources/define.ts';

/** SPL Token and Token-2022. */
const programs = [
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
];

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

/** What an account of a token says of itself. */
const infoIn = (row: unknown): WireRow =>
  part(part(part(part(asRow(row), 'account'), 'data'), 'parsed'), 'info');

/** Rejects with what `failureIn` knows; `address` has been checked. */
export async function splHoldings(attempt: Attempt, address: string): Promise<Parsed<Holding>> {
  const accounts = await Promise.all(
    programs.map(async (programId) =>
      list(
        await solanaValue(attempt, 'getTokenAccountsByOwner', [address, { programId }], {
          encoding: 'jsonParsed',
        }),
        'accounts',
      ),
    ),
  );
  const { rows, dropped } = readRows(accounts.flat().map(infoIn), mintIn, holding);
  return { rows: summed(rows).filter((row) => !isSingle(row)), dropped };
}
