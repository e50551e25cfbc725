/** Bodies and series for the tests of the market's upstreams and formulas. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { PollContext } from '../../../actors/sources/define.ts';
import { type DayClose, dayLength, dayOf } from '../../../indicators/market/days.ts';

/** 2025-06-15 15:06:40 UTC. */
export const now = 1_750_000_000_000;
export const context = (plan: Partial<PollContext['plan']> = {}): PollContext => ({
  received: now,
  plan: { now, ...plan },
});

const read = (name: string) =>
  readFileSync(new URL(`../../fixtures/${name}`, import.meta.url), 'utf8');

/** A body of our own making in the documented format: `test/fixtures/<upstream>/<figure>.json`. */
export const body = (name: string): unknown => JSON.parse(read(`${name}.json`));
export const table = (name: string): string => read(`${name}.csv`);

/** Closes of consecutive days from 2020-01-01. */
export const closesOf = (prices: readonly number[], from = dayOf('2020-01-01')): DayClose[] =>
  prices.map((close, at) => ({ day: from + at * dayLength, close }));

const folder = fileURLToPath(new URL('../../../../shared/data', import.meta.url));

/** Why a test on closes of other markets, which are not ours to give away, is skipped, or false. */
export const noData: string | false = existsSync(folder) ? false : `no daily closes in ${folder}`;

/** A file of closes of other markets as rows of text by column. */
export const csvRows = (name: string): Record<string, string>[] =>
  rowsOf(readFileSync(`${folder}/${name}`, 'utf8'));

function rowsOf(text: string): Record<string, string>[] {
  const [head = '', ...lines] = text
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('#'));
  const columns = head.split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? '']));
  });
}

/** Bitcoin's closes from 2010-08-16 to 2024-05-24, the one missing day filled with the day before. */
export function realCloses(): DayClose[] {
  const found: DayClose[] = [];
  for (const row of rowsOf(table('bitcoin/daily-closes'))) {
    const day = dayOf(row.date);
    const last = found.at(-1);
    for (let hole = (last?.day ?? day) + dayLength; last && hole < day; hole += dayLength) {
      found.push({ day: hole, close: last.close });
    }
    found.push({ day, close: Number(row.close) });
  }
  return found;
}

/** The closes up to and with a date. */
export const upTo = (closes: readonly DayClose[], date: string): DayClose[] =>
  closes.filter(({ day }) => day <= dayOf(date));

/** True when two numbers differ by at most this part of the wanted one. */
export const near = (found: number | null | undefined, wanted: number, part = 1e-7): boolean =>
  typeof found === 'number' && Math.abs(found - wanted) <= Math.abs(wanted) * part;
