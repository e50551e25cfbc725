/** How a row that is written meets a stored one: the text that SQLite and PostgreSQL have in common. */
import type { Series } from './define.ts';
import type { Mode } from './store.ts';

/** The names of the functions for the largest and the smallest value. */
export interface Dialect {
  max: string;
  min: string;
}

type Column = Series['columns'][number];

/** The new value of a column where a row exists; `t` is that row. */
const merges: Readonly<Record<Mode, (column: Column, dialect: Dialect) => string>> = {
  put: ({ name }) => `COALESCE(excluded."${name}", t."${name}")`,
  add({ name, combine }, dialect) {
    const both =
      combine === 'max' || combine === 'min'
        ? `${dialect[combine]}(t."${name}", excluded."${name}")`
        : `t."${name}" + excluded."${name}"`;
    return `COALESCE(${both}, excluded."${name}", t."${name}")`;
  },
  fill: ({ name }) => `COALESCE(t."${name}", excluded."${name}")`,
};

/** The end of an insert of rows with `key` and `time` into a table `t`. A row that stays as it is is not written. */
export function onConflict({ columns }: Series, mode: Mode, dialect: Dialect): string {
  const merged = columns.map((column) => [column.name, merges[mode](column, dialect)] as const);
  if (mode === 'put') merged.push(['backfilled', 't.backfilled AND excluded.backfilled']);
  const [before, after] = [merged.map(([name]) => `t."${name}"`), merged.map(([, value]) => value)];
  return `ON CONFLICT (key, time) DO UPDATE SET ${merged.map(([name, value]) => `"${name}" = ${value}`).join(', ')}
    WHERE (${before.join(', ')}) IS DISTINCT FROM (${after.join(', ')})`;
}
