/** Files of rows, one a day, each of them whole or not there. */
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { day } from '../../../config/time.ts';
import { tableFormats } from '../../../http/answers/tables/formats.ts';
import { StartError } from '../process.ts';
import type { ExportOptions } from './options.ts';

/** Time after the end of a day until its rows are complete, ms: exchanges state some values minutes late. */
const settling = 600_000;

/** A day, or what is asked for of it. Unix ms; `to` is not included. */
export interface Day {
  /** Such as `2026-01-31`. */
  name: string;
  from: number;
  to: number;
}

/** The days of a range, in UTC. */
export function daysIn({ from, to }: { from: number; to: number }): Day[] {
  const days: Day[] = [];
  for (let start = Math.floor(from / day) * day; start < to; start += day) {
    days.push({
      name: new Date(start).toISOString().slice(0, 10),
      from: Math.max(start, from),
      to: Math.min(start + day, to),
    });
  }
  return days;
}

/** Notes in the folder what its files are of. Throws StartError where it has files of another request. */
export async function claim(folder: string, { format, query }: ExportOptions): Promise<void> {
  const path = join(folder, 'export.json');
  const own = JSON.stringify({ format, ...query }, null, 2);
  await mkdir(folder, { recursive: true });
  const known = await readFile(path, 'utf8').catch(() => null);
  if (known === null) await writeFile(path, own);
  else if (known !== own) throw new StartError(`${folder} has an export of another form: ${known}`);
}

/** Where the file of a day stands: a layout that DuckDB, Spark and polars read as partitions. */
export const fileOf = (folder: string, { name }: Day, { format }: Pick<ExportOptions, 'format'>) =>
  join(folder, `date=${name}`, `rows.${tableFormats[format].extension}`);

/** Whether a file has a whole day: it was asked from the first to the last moment, and written when all was known. */
export async function isWhole(path: string, { from, to }: Day): Promise<boolean> {
  const written = await stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => null,
  );
  return written !== null && to - from === day && written >= to + settling;
}
