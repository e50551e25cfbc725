/** Markets that an exchange traded once and does not any more. */
import type { Instrument, Reading } from '../../topics/index.ts';

/** Kept for each part of an exchange, the newest ones. */
const most = 500;

/** Ended on the day that was fixed when it was listed. */
const hasExpired = ({ expiry }: Instrument, now: number): boolean =>
  expiry !== undefined && expiry <= now;

/**
 * A list with the markets that the one before it traded, and that it lacks or does not trade. They stay, in no followed kind, until they
 * are traded again: those that it holds at their places, by which Hyperliquid's stream states its markets.
 */
export function withDelisted(
  list: Reading<Instrument>,
  before: Reading<Instrument> | undefined,
): Reading<Instrument> {
  const { received } = list;
  const rows = list.rows.filter(({ delisted }) => delisted === undefined);
  const traded = new Set(rows.flatMap(({ kind, market }) => (kind === 'other' ? [] : market)));
  const gone = (before?.rows ?? []).flatMap((row): Instrument[] => {
    if (traded.has(row.market)) return [];
    if (row.delisted) return [row];
    if (row.kind === 'other' || hasExpired(row, received)) return [];
    const delisted = { at: received, kind: row.kind };
    return [{ ...row, kind: 'other', rules: undefined, delisted }];
  });
  const kept = gone
    .toSorted((a, b) => (b.delisted?.at ?? 0) - (a.delisted?.at ?? 0))
    .slice(0, most);
  const left = new Map(kept.map((row) => [row.market, row]));
  const listed = rows.map((row) => {
    const own = left.get(row.market);
    left.delete(row.market);
    return own ?? row;
  });
  return { ...list, rows: [...listed, ...left.values()] };
}
