/** The table of deliveries in the PostgreSQL store, which docs/history.md describes. */
import type pg from 'pg';
import type { AlertDelivery } from '../topics/index.ts';
import { type DeliveryRow, deliveryOf, deliveryRowOf } from './deliveries.ts';
import { schemaName } from './postgres-events.ts';

const table = `${schemaName}.alert_deliveries`;

export const deliveriesSql = `CREATE TABLE IF NOT EXISTS ${table} (
  alert_id text NOT NULL, time timestamptz NOT NULL, key text NOT NULL, details jsonb NOT NULL,
  PRIMARY KEY (alert_id, time, key)
)`;

const insertSql = `INSERT INTO ${table} (alert_id, time, key, details)
  SELECT alert_id, to_timestamp(ms / 1000.0), key, details::jsonb
  FROM unnest($1::text[], $2::float8[], $3::text[], $4::text[]) AS rows (alert_id, ms, key, details)
  ON CONFLICT DO NOTHING`;

const selectSql = `SELECT alert_id, round(extract(epoch FROM time) * 1000)::float8 AS at, details::text AS details
  FROM ${table} WHERE alert_id = $1 ORDER BY time DESC, key DESC LIMIT $2`;

/** Writes within the transaction. */
export async function insertDeliveries(
  client: pg.PoolClient,
  deliveries: readonly AlertDelivery[],
): Promise<void> {
  if (deliveries.length === 0) return;
  const rows = deliveries.map(deliveryRowOf);
  const list = <K extends keyof DeliveryRow>(name: K) => rows.map((row) => row[name]);
  await client.query(insertSql, [list('alert_id'), list('at'), list('key'), list('details')]);
}

export async function selectDeliveries(
  pool: pg.Pool,
  alert: string,
  limit: number,
): Promise<AlertDelivery[]> {
  const { rows } = await pool.query<Omit<DeliveryRow, 'key'>>(selectSql, [alert, limit]);
  return rows.map(deliveryOf);
}

export async function pruneDeliveries(pool: pg.Pool, before: number): Promise<void> {
  await pool.query(`DELETE FROM ${table} WHERE time < to_timestamp($1 / 1000.0)`, [before]);
}
