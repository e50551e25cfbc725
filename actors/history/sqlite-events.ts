/** The table of events in the SQLite store, which docs/history.md describes. */
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { priceKinds } from '../topics/index.ts';
import { type EventRow, eventOf, eventRowOf } from './events.ts';
import { type EventRange, type StoredEvent, StoreError } from './store.ts';

const schema = `
CREATE TABLE IF NOT EXISTS liquidation_events (
  time INTEGER NOT NULL, exchange TEXT NOT NULL, key TEXT NOT NULL, symbol TEXT NOT NULL, contract TEXT NOT NULL,
  side TEXT NOT NULL, price REAL NOT NULL, price_kind TEXT NOT NULL, quantity_base REAL NOT NULL,
  value_usd REAL NOT NULL, details TEXT, PRIMARY KEY (time, exchange, key)
) WITHOUT ROWID`;

/** A row of the table. Throws StoreError where it cannot be one. */
function readRow(row: Record<string, SQLOutputValue>): EventRow {
  const text = (name: string) => String(row[name]);
  const number = (name: string) => Number(row[name]);
  const { side } = row;
  const kind = priceKinds.find((one) => one === row.price_kind);
  if ((side !== 'long' && side !== 'short') || kind === undefined) {
    throw new StoreError('damaged', 'SQLite: an event has no such side or price');
  }
  return {
    ...{ timestamp: number('timestamp'), exchange: text('exchange'), key: text('key') },
    ...{ symbol: text('symbol'), contract: text('contract'), side, price: number('price') },
    ...{ price_kind: kind, quantity_base: number('quantity_base') },
    ...{ value_usd: number('value_usd'), details: row.details === null ? null : text('details') },
  };
}

export class EventTable {
  readonly #insert: StatementSync;
  readonly #select: StatementSync;
  readonly #forget: StatementSync;

  constructor(db: DatabaseSync) {
    db.exec(schema);
    this.#insert = db.prepare(
      'INSERT OR IGNORE INTO liquidation_events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    );
    this.#select = db.prepare(
      `SELECT time AS timestamp, exchange, key, symbol, contract, side, price, price_kind, quantity_base, value_usd, details
       FROM liquidation_events WHERE time BETWEEN ? AND ? AND (? IS NULL OR exchange = ?)
       ORDER BY time DESC LIMIT ?`,
    );
    this.#forget = db.prepare('DELETE FROM liquidation_events WHERE time < ?');
  }

  /** Writes within the transaction; returns the new events. */
  insert(events: readonly StoredEvent[]): StoredEvent[] {
    return events.filter((event) => {
      const row = eventRowOf(event);
      const { changes } = this.#insert.run(
        ...[row.timestamp, row.exchange, row.key, row.symbol, row.contract, row.side, row.price],
        ...[row.price_kind, row.quantity_base, row.value_usd, row.details],
      );
      return changes > 0;
    });
  }

  select({
    from,
    to,
    exchange = null,
    limit,
  }: Omit<EventRange, 'exchange'> & { exchange?: string | null }): StoredEvent[] {
    return this.#select
      .all(from, to, exchange, exchange, limit)
      .map((row) => eventOf(readRow(row)));
  }

  prune(before: number): void {
    this.#forget.run(before);
  }
}
