/** Readings whose rows a stream changes one by one. */
import type { Reading } from '../../actors/topics/index.ts';

/** A row with the market's id, by which a newer one replaces it. */
interface ListedRow {
  market: string;
  received?: number;
}

const receivedOf = (row: ListedRow, reading: Reading<unknown>): number =>
  row.received ?? reading.received;

/** The reading with the newer one of each market's rows, its own and the other's. */
export function withNewer<Row extends ListedRow>(
  reading: Reading<Row>,
  other: Reading<Row>,
): Reading<Row> {
  const others = new Map(other.rows.map((row) => [row.market, row]));
  const rows = reading.rows.map((row) => {
    const found = others.get(row.market);
    if (found === undefined) return row;
    const received = receivedOf(found, other);
    return received > receivedOf(row, reading) ? { ...found, received } : row;
  });
  return { ...reading, rows };
}

/**
 * Puts changed rows in the place of those of the same markets in the reading of their part; false where that is not known.
 */
export function changeRows<Row extends ListedRow>(
  readings: Map<string, Reading<Row>>,
  changes: Reading<Row>,
): boolean {
  const reading = readings.get(changes.part);
  if (reading === undefined) return false;
  readings.set(changes.part, withNewer(reading, changes));
  return true;
}
