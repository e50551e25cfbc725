/** Whether the liquidations of the log are stored, each once. */
import { setTimeout as rest } from 'node:timers/promises';
import pg from 'pg';
import { eventTable } from '../../../actors/history/postgres-events.ts';
import { type Finding, most, some } from './findings.ts';
import { eventKey } from './streams.ts';

interface Stored {
  rows: number;
  /** Events of the log since the first stored one that are not stored. */
  missing: number;
  /** Rows beyond the first of an event that the log has once. */
  repeated: number;
}

/** Until all that the log has is stored, ms, and between two looks. */
const patience = 30_000;
const pause = 1_000;

/** How often each event is stored, by its key. */
async function storedIn(pool: pg.Pool): Promise<Map<string, number>> {
  const { rows } = await pool.query(
    `SELECT exchange, symbol, contract, side, price, price_kind, quantity_base,
      round(extract(epoch FROM time) * 1000)::float8 AS timestamp FROM ${eventTable}`,
  );
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(eventKey(row), (counts.get(eventKey(row)) ?? 0) + 1);
  return counts;
}

/** Compares the keys of the log, in its order, with how often each event is stored. */
export function compareStored(log: readonly string[], stored: ReadonlyMap<string, number>): Stored {
  const inLog = new Map<string, number>();
  for (const key of log) inLog.set(key, (inLog.get(key) ?? 0) + 1);
  const first = log.findIndex((key) => stored.has(key));
  const expected = new Set(first < 0 ? log : log.slice(first));
  const found = { rows: 0, missing: 0, repeated: 0 };
  for (const key of expected) if (!stored.has(key)) found.missing++;
  for (const [key, count] of stored) {
    found.rows += count;
    if (count > Math.max(1, inLog.get(key) ?? 0)) found.repeated++;
  }
  return found;
}

/** Looks until nothing is missing, for some seconds at most. */
export async function storedFindings(url: string, log: readonly string[]): Promise<Finding[]> {
  const pool = new pg.Pool({ connectionString: url });
  try {
    const end = performance.now() + patience;
    let found = compareStored(log, await storedIn(pool));
    for (; found.missing > 0 && performance.now() < end; await rest(pause))
      found = compareStored(log, await storedIn(pool));
    return [
      some('events that are stored', found.rows),
      most('events of the log that are not stored', found.missing, 0),
      most('events that are stored twice', found.repeated, 0),
    ];
  } finally {
    await pool.end();
  }
}
