/** The trades that a stream has missed, out of the newest ones that the exchange answers with. */
import type { Trade } from '../../../indicators/derivatives/trade-fold.ts';
import type { PublicTrade } from '../../topics/index.ts';

/** Those between two by their numbers; null where some are not there. */
function byNumber(rows: readonly PublicTrade[], before: number, first: number) {
  const found = new Map<number, PublicTrade>();
  for (const row of rows) {
    const number = Number(row.id);
    if (number > before && number < first) found.set(number, row);
  }
  if (found.size < first - before - 1) return null;
  return [...found].sort(([one], [other]) => one - other).map(([, row]) => row);
}

/** Those between two by their names, of which both must be there. */
function byName(rows: readonly PublicTrade[], before = '', after = '') {
  const [from, to] = [before, after].map((name) => rows.findIndex(({ id }) => id === name));
  if (from === undefined || to === undefined || to < 0 || from < to) return null;
  return rows.slice(to + 1, from).reverse();
}

/**
 * All trades of a market between two of its stream, oldest first; null where it is not sure that these are all. `rows`: the newest
 * trades, newest first.
 */
export function tradesBetween(
  rows: readonly PublicTrade[],
  before: Trade,
  after: Trade,
): Trade[] | null {
  const isNumbered = before.id !== null && after.id !== null;
  const found = isNumbered
    ? byNumber(rows, before.id ?? 0, (after.id ?? 0) - (after.count ?? 1) + 1)
    : byName(rows, before.name, after.name);
  if (found === null) return null;
  return found.map(({ id, ...trade }) => ({
    ...trade,
    market: after.market,
    id: isNumbered ? Number(id) : null,
    ...(id !== null && { name: id }),
  }));
}
