/** Whether the liquidations of the log are stored, each once. */
import { setTimeout as rest } from 'node:timers/promises';
import pg from 'pg';
import { events } from '../../../actors/history/logs.ts';
import { logName } from '../../../actors/history/postgres-logs.ts';
import { type Finding, most, some } from './findings.ts';
import { compareEvents, eventKey } from './streams.ts';

/** Until all that the log has is stored, ms, and between two looks. */
const patience = 30_000;
const pause = 1_000;

/** How often each event is stored, by its key. */
async function storedIn(pool: pg.Pool): Promise<Map<string, number>> {
  const { rows } = await pool.query(
    `SELECT exchange, symbol, contract, side, price, price_kind, quantity_base,
      round(extract(epoch FROM time) * 1000)::float8 AS timestamp FROM ${logName(events)}`,
  );
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(eventKey(row), (counts.get(eventKey(row)) ?? 0) + 1);
  return counts;
}

/** Looks until nothing is missing, for some seconds at most. */
export async function storedFindings(url: string, log: readonly string[]): Promise<Finding[]> {
  const pool = new pg.Pool({ connectionString: url });
  try {
    for (const end = performance.now() + patience; ; await rest(pause)) {
      const counts = await storedIn(pool);
      const { missing, repeated } = compareEvents(counts, { early: log, all: log });
      if (missing.length > 0 && performance.now() < end) continue;
      return [
        some('events that are stored', counts.size),
        most('events of the log that are not stored', missing.length, 0),
        most('events that are stored twice', repeated, 0),
      ];
    }
  } finally {
    await pool.end();
  }
}
