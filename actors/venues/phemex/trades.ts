/** The newest public trades of Phemex. https://phemex-docs.github.io/#query-recent-trades */
import { asRow, field, list, type WireRow } from '../../read.ts';
import { takerWord } from '../trades.ts';

/** `[ns, side, price, quantity]`, with a sequence after the time in older answers. */
function rowsIn(body: unknown): readonly unknown[] {
  const result = asRow(field(body, 'result'));
  return list(result.trades_p ?? result.trades, 'trades').map((row) =>
    Array.isArray(row) && row.length > 4 ? [row[0], ...row.slice(-3)] : row,
  );
}

/** A number of ns is exact to 256 of them. */
const ms = 1e-6;

export const trades = {
  most: 1000,
  rows: rowsIn,
  columns: {
    ...{ at: (row: WireRow) => row[0], unit: ms, price: 2, quantity: 3, width: 4 },
    bought: takerWord(1),
  },
};
