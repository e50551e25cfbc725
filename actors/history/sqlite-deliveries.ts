/** The table of deliveries in the SQLite store, which docs/history.md describes. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { AlertDelivery } from '../topics/index.ts';
import { deliveryOf, deliveryRowOf } from './deliveries.ts';

const schema = `
CREATE TABLE IF NOT EXISTS alert_deliveries (
  alert_id TEXT NOT NULL, time INTEGER NOT NULL, key TEXT NOT NULL, details TEXT NOT NULL,
  PRIMARY KEY (alert_id, time, key)
) WITHOUT ROWID`;

export class DeliveryTable {
  readonly #insert: StatementSync;
  readonly #select: StatementSync;
  readonly #forget: StatementSync;

  constructor(db: DatabaseSync) {
    db.exec(schema);
    this.#insert = db.prepare('INSERT OR IGNORE INTO alert_deliveries VALUES (?, ?, ?, ?)');
    this.#select = db.prepare(
      'SELECT time, details FROM alert_deliveries WHERE alert_id = ? ORDER BY time DESC, key DESC LIMIT ?',
    );
    this.#forget = db.prepare('DELETE FROM alert_deliveries WHERE time < ?');
  }

  /** Writes within the transaction. */
  insert(deliveries: readonly AlertDelivery[]): void {
    for (const one of deliveries) {
      const { alert_id, at, key, details } = deliveryRowOf(one);
      this.#insert.run(alert_id, at, key, details);
    }
  }

  select(alert_id: string, limit: number): AlertDelivery[] {
    return this.#select
      .all(alert_id, limit)
      .map(({ time, details }) =>
        deliveryOf({ alert_id, at: Number(time), details: String(details) }),
      );
  }

  prune(before: number): void {
    this.#forget.run(before);
  }
}
