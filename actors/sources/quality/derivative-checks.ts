/** The check of marks, index prices and rates of perpetuals before they are published. */
import { isNear } from '../../../indicators/market/checks.ts';
import type { NewestRows } from '../../state/newest-rows.ts';
import { otherPrices, ownPrice } from '../../state/other-prices.ts';
import type { DerivativeRow } from '../../topics/index.ts';
import type { Checked, Poll } from './suspects.ts';

/** The prices that marks are held against. */
export interface KnownPrices {
  source: string;
  newest: NewestRows;
  /** Unix ms. */
  now: number;
}

/** How far a funding rate or a premium may move between two polls without being left out once: a fraction. */
const mostRateMove = 0.01;

type Field = 'mark' | 'index';
const fields: readonly Field[] = ['mark', 'index'];

const isNumber = (value: unknown): value is number => typeof value === 'number';

/** True for a price that is absent or near one of the references. */
const isKnown = (price: number | null, references: readonly (number | null | undefined)[]) =>
  price === null || references.some((one) => isNumber(one) && isNear(price, one));

/**
 * The rows of a poll without what cannot be true. A mark or index price that moved by more than 30 %, and that neither the other
 * of the two, nor the market's own last price, nor another exchange's price of the asset confirms, within 30 %, is null and
 * counted as `bad_mark`; where no price is known, so are a mark and an index that are 30 % apart. A rate or premium that moved by
 * more than one percentage point is null in this poll and counted as `bad_funding_rate`.
 */
export function checkDerivatives(
  poll: Poll<DerivativeRow>,
  known: KnownPrices,
): Checked<DerivativeRow> {
  const last = new Map(poll.previous?.rows.map((row) => [row.market, row]));
  const wrong = wrongMarks(poll.rows, last, known);
  const dropped: Checked<DerivativeRow>['dropped'] = [];
  const rows = poll.rows.map((row) => {
    const marks = wrong.get(row.market);
    if (marks) dropped.push({ key: row.market, code: 'bad_mark' });
    const changes = { ...(marks && without(marks)), ...jumpedRates(row, last.get(row.market)) };
    if ('funding_rate' in changes || 'premium' in changes || 'predicted_rate' in changes)
      dropped.push({ key: row.market, code: 'bad_funding_rate' });
    return Object.keys(changes).length === 0 ? row : { ...row, ...changes };
  });
  return { rows, dropped, suspect: [] };
}

/** By market the prices of its row that nothing confirms. */
function wrongMarks(
  rows: readonly DerivativeRow[],
  last: ReadonlyMap<string, DerivativeRow>,
  { source, newest, now }: KnownPrices,
): ReadonlyMap<string, readonly Field[]> {
  const wrong = new Map<string, readonly Field[]>();
  const moved = rows.filter((row) =>
    fields.some((field) => !isKnown(row[field], [last.get(row.market)?.[field]])),
  );
  if (moved.length === 0) return wrong;
  const asker = { source, now };
  const elsewhere = otherPrices(newest, new Set(moved.map(({ symbol }) => symbol)), asker);
  for (const row of moved) {
    const prices = [ownPrice(newest, row.market, asker), ...(elsewhere.get(row.symbol) ?? [])];
    const found = wrongIn(row, last.get(row.market), prices);
    if (found.length > 0) wrong.set(row.market, found);
  }
  return wrong;
}

function wrongIn(
  row: DerivativeRow,
  last: DerivativeRow | undefined,
  prices: readonly (number | null)[],
): readonly Field[] {
  return fields.filter((field) => {
    const other = row[field === 'mark' ? 'index' : 'mark'];
    // Some exchanges state one price for both, which confirms nothing.
    const second = other === row[field] ? null : other;
    const references = [last?.[field], second, ...prices].filter(isNumber);
    return references.length > 0 && !isKnown(row[field], references);
  });
}

const without = (wrong: readonly Field[]): Partial<DerivativeRow> =>
  Object.fromEntries(wrong.map((field) => [field, null]));

const hasJumped = (value: number | null | undefined, before: number | null | undefined): boolean =>
  isNumber(value) && isNumber(before) && Math.abs(value - before) > mostRateMove;

/** The rates of a row that moved too far since the last one, as they are published: null, or absent where they are optional. */
function jumpedRates(row: DerivativeRow, last: DerivativeRow | undefined): Partial<DerivativeRow> {
  if (last === undefined) return {};
  const { funding_rate, funding_rate_8h, predicted_rate, premium } = last;
  const rate =
    hasJumped(row.funding_rate, funding_rate) || hasJumped(row.funding_rate_8h, funding_rate_8h);
  return {
    ...(rate && { funding_rate: null, funding_rate_8h: null }),
    ...(hasJumped(row.predicted_rate, predicted_rate) && { predicted_rate: undefined }),
    ...(hasJumped(row.premium, premium) && { premium: undefined }),
  };
}
