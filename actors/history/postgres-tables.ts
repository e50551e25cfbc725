/** The tables of the PostgreSQL store, which docs/history.md describes. */

import { hour } from '../../config/time.ts';
import { type Series, type TierMs, tableOf } from './define.ts';
import { deliveries, events } from './logs.ts';
import { logSql, schemaName } from './postgres-logs.ts';
import type { Mode } from './store.ts';
import { onConflict } from './upsert.ts';

/** Users with this role may read all series and write none. */
const reader = 'tidemark_reader';

/** Name of a tier's table with its schema. */
export const fullName = (series: Series, step: number): string =>
  `${schemaName}.${tableOf(series, step)}`;

const spans = [6, 24, 7 * 24, 28 * 24, 10 * 364 * 24].map((hours) => hours * hour);

/** The time that one partition of a tier holds, ms: at least four cover the kept time; ten years where rows are kept always. */
export const spanOf = ({ keep }: Pick<TierMs, 'keep'>): number =>
  spans.findLast((span) => span * 4 <= keep) ?? 6 * hour;

const sqlType = { 7: 'real', 15: 'double precision' } as const;

/** The time before the key: so a row of few columns takes eight bytes less. */
function tableSql(series: Series, step: number): string {
  const columns = series.columns.map(({ name, digits }) => `${name} ${sqlType[digits]}`);
  return `CREATE TABLE IF NOT EXISTS ${fullName(series, step)} (
    time timestamptz NOT NULL, key integer NOT NULL, ${columns.join(', ')},
    backfilled boolean NOT NULL, PRIMARY KEY (key, time)
  ) PARTITION BY RANGE (time)`;
}

/** Tables that no series has. */
const ownTables = {
  keys: `CREATE TABLE IF NOT EXISTS ${schemaName}.keys (
    series text NOT NULL, id integer GENERATED ALWAYS AS IDENTITY, key text NOT NULL,
    PRIMARY KEY (id), UNIQUE (series, key))`,
  positions: `CREATE TABLE IF NOT EXISTS ${schemaName}.positions (name text PRIMARY KEY, position text NOT NULL)`,
  liquidation_events: logSql(events),
  alert_deliveries: logSql(deliveries),
};

/** The number names this schema among all users of advisory locks of the database; held until the end of the transaction. */
export const schemaLockSql = 'SELECT pg_advisory_xact_lock(7476014)';

/** The tables of the schema with the names of their columns, without partitions. */
export const tablesSql = `SELECT relname::text AS name, array_agg(attname::text) AS columns
  FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
  WHERE relnamespace = to_regnamespace('${schemaName}') AND relkind IN ('r', 'p') AND NOT relispartition
    AND attnum > 0 AND NOT attisdropped GROUP BY relname`;

/**
 * What the database lacks: tables, and columns of tables that another version made. Nothing else is ever changed, so that processes of
 * two versions can use it at once, and what is complete is not locked.
 */
export function missingSql(
  all: readonly Series[],
  found: readonly { name: string; columns: readonly string[] }[],
): string[] {
  const columnsOf = new Map(found.map(({ name, columns }) => [name, new Set(columns)]));
  const own = Object.entries(ownTables).flatMap(([name, sql]) =>
    columnsOf.has(name) ? [] : [sql],
  );
  const tiers = all.flatMap((series) =>
    series.tiers.flatMap(({ step }) => {
      const known = columnsOf.get(tableOf(series, step));
      if (!known) return [tableSql(series, step)];
      const added = series.columns
        .filter(({ name }) => !known.has(name))
        .map(({ name, digits }) => `ADD COLUMN IF NOT EXISTS ${name} ${sqlType[digits]}`);
      return added.length > 0 ? [`ALTER TABLE ${fullName(series, step)} ${added.join(', ')}`] : [];
    }),
  );
  const missing = [...own, ...tiers];
  return missing.length > 0 ? [`CREATE SCHEMA IF NOT EXISTS ${schemaName}`, ...missing] : [];
}

/**
 * The role that may read, as far as it lacks something: a grant that is repeated can fail a partition that another process makes at
 * that moment. Fails where this user may make no roles; the store works without it.
 */
export const readerSql = `DO $$ DECLARE missing regclass; BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${reader}') THEN
    CREATE ROLE ${reader} NOLOGIN;
  END IF;
  IF NOT has_schema_privilege('${reader}', '${schemaName}', 'USAGE') THEN
    GRANT USAGE ON SCHEMA ${schemaName} TO ${reader};
    ALTER DEFAULT PRIVILEGES IN SCHEMA ${schemaName} GRANT SELECT ON TABLES TO ${reader};
  END IF;
  FOR missing IN SELECT oid FROM pg_class
    WHERE relnamespace = '${schemaName}'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
      AND NOT has_table_privilege('${reader}', oid, 'SELECT')
  LOOP
    EXECUTE format('GRANT SELECT ON %s TO ${reader}', missing);
  END LOOP;
END $$`;

/**
 * Rows as parallel lists: $1 keys, $2 times (Unix ms), $3 whether each is back-filled, then the columns. In one order, so that
 * writers of the same rows do not wait for each other in a circle. A row that stays as it is takes no new version. Fails for a key
 * that the database does not know.
 */
export function upsertSql(series: Series, step: number, mode: Mode): string {
  const names = series.columns.map(({ name }) => name);
  const lists = names.map((_, at) => `$${at + 4}::float8[]`);
  return `INSERT INTO ${fullName(series, step)} AS t (key, time, ${names.join(', ')}, backfilled)
    SELECT k.id, to_timestamp(time / 1000), ${names.join(', ')}, backfilled
    FROM unnest($1::text[], $2::float8[], $3::boolean[], ${lists.join(', ')})
      AS rows (name, time, backfilled, ${names.join(', ')})
    LEFT JOIN ${schemaName}.keys k ON k.series = '${series.name}' AND k.key = rows.name
    ORDER BY k.id, time
    ${onConflict(series, mode, 'GREATEST')}`;
}

/**
 * Rows within [$1, $2], Unix ms, of the keys $3, or of all that begin with it: for each key its lists in the order of time, as JSON,
 * which takes the driver a fourth of the time that rows take. The inner query sorts and the outer one only groups by the first
 * column of that order, so the lists keep it: https://www.postgresql.org/docs/15/functions-aggregate.html
 */
export function selectSql(series: Series, step: number, by: 'keys' | 'prefix'): string {
  const lists = ['unix_ms', 'backfilled', ...series.columns.map(({ name }) => name)];
  const wanted = by === 'keys' ? 'k.key = ANY($3::text[])' : 'starts_with(k.key, $3)';
  const keys = `${schemaName}.keys`;
  return `SELECT (SELECT k.key FROM ${keys} k WHERE k.id = rows.key),
      ${lists.map((name) => `json_agg(${name})`).join(', ')}
    FROM (
      SELECT t.*, date_part('epoch', t.time) * 1000 AS unix_ms
      FROM ${keys} k JOIN ${fullName(series, step)} t ON t.key = k.id
      WHERE k.series = '${series.name}' AND ${wanted}
        AND t.time BETWEEN to_timestamp($1 / 1000.0) AND to_timestamp($2 / 1000.0)
      ORDER BY t.key, t.time
    ) AS rows GROUP BY rows.key`;
}

/** The newest step within [$1, $2], Unix ms, as `Newest`: no row without one. Looks once into each key. */
export const newestSql = (series: Series, step: number): string => `
  SELECT date_part('epoch', time) * 1000 AS time, count(*)::int AS keys,
    coalesce(min(key) FILTER (WHERE strpos(key, 'BTC') > 0), min(key)) AS key
  FROM (
    SELECT k.key COLLATE "C" AS key, (
      SELECT max(t.time) FROM ${fullName(series, step)} t
      WHERE t.key = k.id AND t.time BETWEEN to_timestamp($1 / 1000.0) AND to_timestamp($2 / 1000.0)
    ) AS time
    FROM ${schemaName}.keys k WHERE k.series = '${series.name}'
  ) AS found WHERE time IS NOT NULL GROUP BY time ORDER BY time DESC LIMIT 1`;
