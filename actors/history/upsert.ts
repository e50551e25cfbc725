/** How a row that is written meets a stored one: the text that SQLite and PostgreSQL have in common. */
import type { Series } from './define.ts';
import type { Mode } from './store.ts';

type Column = Series['columns'][number];

/** The new value of a column where a row exists; `t` is that row. */
const merges: Readonly<Record<Mode, (column: Column, larger: string) => string>> = {
  put: ({ name }) => `COALESCE(excluded."${name}", t."${name}")`,
  add({ name, combine }, larger) {
    const both =
      combine === 'max'
        ? `${larger}(t."${name}", excluded."${name}")`
        : `t."${name}" + excluded."${name}"`;
    return `COALESCE(${both}, excluded."${name}", t."${name}")`;
  },
  fill: ({ name }) => `COALESCE(t."${name}", excluded."${name}")`,
};

/** The end of an insert of rows with `key` and `time` into a table `t`. A row that stays as it is is not written. `larger` names a function. */
export function onConflict({ columns }: Series, mode: Mode, larger: string): string {
  const merged = columns.map((column) => [column.name, merges[mode](column, larger)] as const);
  if (mode === 'put') merged.push(['backfilled', 't.backfilled AND excluded.backfilled']);
  const [before, after] = [merged.map(([name]) => `t."${name}"`), merged.map(([, value]) => value)];
  return `ON CONFLICT (key, time) DO UPDATE SET ${merged.map(([name, value]) => `"${name}" = ${value}`).join(', ')}
    WHERE (${before.join(', ')}) IS DISTINCT FROM (${after.join(', ')})`;
}
