/** Rows of the history in PostgreSQL, the same as in a smaller file of `history-file.ts`, and what both take. */
import pg from 'pg';
import { pino } from 'pino';
import { blockRows } from '../../actors/history/blocks.ts';
import { type Series, type TierMs, tableOf } from '../../actors/history/define.ts';
import { PostgresStore } from '../../actors/history/postgres.ts';
import { schemaName } from '../../actors/history/postgres-events.ts';
import { makePartitions } from '../../actors/history/postgres-partitions.ts';
import { fullName, spanOf } from '../../actors/history/postgres-tables.ts';
import { allSeries } from '../../actors/history/series/index.ts';
import { blocksOf, filled, formOf, sampleOf, spreadOf } from './history-file.ts';
import { printTable } from './report.ts';

/** One of so many of the 600 assets of `history` is in both. */
export const every = 12;
/** The rows of a tier, in the order of time, as they are recorded. */
function fillSql(series: Series, tier: TierMs, now: number): string {
  const { slots } = formOf(series, tier.step, every);
  const { first, last } = blocksOf(tier, now);
  const [names, values] = [
    series.columns.map(({ name }) => name),
    series.columns.map(
      ({ name }, at) =>
        `${1_000 * (at + 1)} * exp(${spreadOf(series, name)} * sin(slot * 7 + ${at}))`,
    ),
  ];
  const apart = Math.max(1, Math.floor(slots / blockRows));
  return `INSERT INTO ${fullName(series, tier.step)} (key, time, ${names.join(', ')}, backfilled)
    SELECT id, to_timestamp((block * ${blockRows} + slot) * ${tier.step / 1000}::float8), ${values.join(', ')}, false
    FROM generate_series(${first}, ${last - 1}, ${apart}) AS block,
      generate_series(0, ${blockRows - 1}, ${Math.min(slots, blockRows)}) AS slot,
      LATERAL (SELECT id FROM ${schemaName}.keys WHERE series = '${series.name}' ORDER BY id) AS keys
    ORDER BY block, slot, id ON CONFLICT DO NOTHING`;
}

export async function bytesOf(pool: pg.Pool, table: string): Promise<number> {
  const { rows } = await pool.query<{ bytes: string }>(
    'SELECT sum(pg_total_relation_size(inhrelid)) AS bytes FROM pg_inherits WHERE inhparent = $1::regclass',
    [table],
  );
  return Number(rows[0]?.bytes);
}

/** Fills the database up to `now`, Unix ms; bytes by table. */
export async function fillPostgres(url: string, now: number): Promise<ReadonlyMap<string, number>> {
  const store = new PostgresStore(url, allSeries, pino({ level: 'fatal' }));
  for (const series of filled) {
    const writes = series.tiers.map(({ step }) => sampleOf(series, step, now, every));
    await store.write({ writes });
  }
  await store.close();
  const pool = new pg.Pool({ connectionString: url });
  const sizes = new Map<string, number>();
  for (const series of filled) {
    for (const tier of series.tiers) {
      const { first, last } = blocksOf(tier, now);
      const table = fullName(series, tier.step);
      const block = blockRows * tier.step;
      const [from, to] = [first * block, last * block];
      const span = spanOf(tier);
      const times = Array.from({ length: Math.ceil((to - from) / span) + 1 }, (_, i) =>
        Math.min(from + i * span, to - tier.step),
      );
      await makePartitions(pool, { table, span, times });
      await pool.query(fillSql(series, tier, now));
      sizes.set(tableOf(series, tier.step), await bytesOf(pool, table));
    }
  }
  await pool.query('VACUUM (ANALYZE)');
  await pool.end();
  return sizes;
}

/** Prints bytes a row, and what 1,000 assets take by that. */
export function printSizes(
  files: readonly { name: string; bytes: number; rows: number }[],
  sizes: ReadonlyMap<string, number>,
): void {
  const scales = new Map(
    filled.flatMap((series) =>
      series.tiers.map(({ step }) => [tableOf(series, step), formOf(series, step, every).scale]),
    ),
  );
  const lines = files.map(({ name, bytes, rows }) => {
    const [scale, postgres] = [scales.get(name) ?? 1, sizes.get(name) ?? 0];
    return {
      name,
      rows,
      each: [bytes / rows, postgres / rows],
      all: [bytes, postgres].map((of) => of * scale),
      scaled: rows * scale,
    };
  });
  const sum = (of: (line: (typeof lines)[number]) => number) =>
    lines.reduce((total, line) => total + of(line), 0);
  printTable(
    'a year: bytes a row as measured; rows and GB of 1,000 assets, in proportion to their keys',
    [
      [
        '',
        'measured rows',
        'SQLite, B',
        'PostgreSQL, B',
        'rows, 1e6',
        'SQLite, GB',
        'PostgreSQL, GB',
      ],
      ...lines.map(({ name, rows, each, all, scaled }) => [
        ...[name, rows, ...each, scaled / 1e6, ...all.map((bytes) => bytes / 1e9)],
      ]),
      [
        ...['all', sum(({ rows }) => rows), '', '', sum(({ scaled }) => scaled) / 1e6],
        ...[0, 1].map((at) => sum(({ all }) => all[at] ?? 0) / 1e9),
      ],
    ],
  );
}
