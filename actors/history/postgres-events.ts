/** The table of events in the PostgreSQL store, which docs/history.md describes. */
import type pg from 'pg';
import { day } from '../../config/time.ts';
import { type EventRow, eventIdOf, eventOf, eventRowOf } from './events.ts';
import type { EventRange, StoredEvent } from './store.ts';

export const schemaName = 'tidemark';
/** Partitioned by day. */
export const eventTable = `${schemaName}.liquidation_events`;
export const eventSpan = day;

export const eventsSql = `CREATE TABLE IF NOT EXISTS ${eventTable} (
  time timestamptz NOT NULL, exchange text NOT NULL, key text NOT NULL, symbol text NOT NULL, contract text NOT NULL,
  side text NOT NULL, price double precision NOT NULL, price_kind text NOT NULL,
  quantity_base double precision NOT NULL, value_usd double precision NOT NULL, details text,
  PRIMARY KEY (time, exchange, key)
) PARTITION BY RANGE (time)`;

/** Unix ms of `time`. */
const ms = 'round(extract(epoch FROM time) * 1000)::float8 AS timestamp';

const columns = {
  exchange: 'text',
  key: 'text',
  symbol: 'text',
  contract: 'text',
  side: 'text',
  price: 'float8',
  price_kind: 'text',
  quantity_base: 'float8',
  value_usd: 'float8',
  details: 'text',
} as const satisfies Readonly<Record<keyof Omit<EventRow, 'timestamp'>, string>>;
const names = Object.keys(columns).join(', ');

const insertSql = `INSERT INTO ${eventTable} (time, ${names})
  SELECT to_timestamp(ms / 1000.0), ${names}
  FROM unnest($1::float8[], ${Object.values(columns).map((type, at) => `$${at + 2}::${type}[]`)}) AS rows (ms, ${names})
  ON CONFLICT DO NOTHING RETURNING exchange, key, ${ms}`;

const selectSql = `SELECT ${ms}, ${names} FROM ${eventTable}
  WHERE time BETWEEN to_timestamp($1 / 1000.0) AND to_timestamp($2 / 1000.0) AND ($3::text IS NULL OR exchange = $3)
  ORDER BY time DESC LIMIT $4`;

/** Writes within the transaction; returns the new events. */
export async function insertEvents(
  client: pg.PoolClient,
  events: readonly StoredEvent[],
): Promise<StoredEvent[]> {
  const rows = new Map(
    events.map((event) => {
      const row = eventRowOf(event);
      return [eventIdOf(row), { row, event }] as const;
    }),
  );
  const all = [...rows.values()].map(({ row }) => row);
  const lists = [
    all.map(({ timestamp }) => timestamp),
    ...(Object.keys(columns) as (keyof typeof columns)[]).map((name) =>
      all.map((row) => row[name]),
    ),
  ];
  const { rows: fresh } = await client.query<Pick<EventRow, 'exchange' | 'timestamp' | 'key'>>(
    insertSql,
    lists,
  );
  return fresh.flatMap((row) => rows.get(eventIdOf(row))?.event ?? []);
}

export async function selectEvents(
  pool: pg.Pool,
  { from, to, exchange, limit }: EventRange,
): Promise<StoredEvent[]> {
  const values = [from, to, exchange ?? null, limit];
  const { rows } = await pool.query<EventRow>(selectSql, values);
  return rows.map(eventOf);
}
