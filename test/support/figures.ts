/** The charts of the dashboard: what they have drawn, as their tables of values say it. */
import type { Page } from './chromium.ts';
import { until } from './until.ts';

/** Waits for what a page shows, in looks that leave the machine to the page. */
export const untilSeen = (condition: () => Promise<boolean>, what: string): Promise<void> =>
  until(condition, what, 90_000, 200);

/** A table of values: the names, and each row by them. */
export interface Values {
  names: string[];
  rows: Record<string, string>[];
}

/** A number as the table of values writes it, with up to eight digits. */
export const digitsOf = (text = ''): number => Number(text.replaceAll(',', '').replace('−', '-'));

/** The part of a page with a heading, as an expression of the page. It is brought into sight: elsewhere it asks for nothing. */
export const part = (heading: string): string => `((of) => {
  of?.scrollIntoView({ block: 'center', behavior: 'instant' });
  return of;
})([...document.querySelectorAll('section')].find((one) => one.querySelector('h2')?.textContent === ${JSON.stringify(heading)}))`;

/** The table of the part with a heading: of a chart its values, which are opened, and those of another closed; empty while there are no numbers. */
export async function valuesIn(page: Page, heading: string): Promise<Values> {
  const text = await page.read(`(() => {
    const of = ${part(heading)};
    const details = of?.querySelector('details');
    for (const one of document.querySelectorAll('.values[open]')) one.open = one === details;
    if (details) details.open = !details.hidden;
    return JSON.stringify([...((details ?? of)?.querySelectorAll('tr') ?? [])].map((row) => [...row.children].map((one) => one.textContent)));
  })()`);
  const [names = [], ...rows]: string[][] = JSON.parse(text);
  const byName = (row: string[]) =>
    Object.fromEntries(names.map((name, at) => [name, row[at] ?? '']));
  return { names, rows: rows.map(byName) };
}

/** What a chart says of the place that its cursor is at, after some keys. */
export async function saidIn(
  page: Page,
  heading: string,
  keys: readonly string[],
): Promise<string> {
  await page.read(`(${part(heading)}.querySelector('[tabindex="0"]').focus(), 1)`);
  for (const key of keys)
    for (const type of ['keyDown', 'keyUp'])
      await page.send('Input.dispatchKeyEvent', { type, key });
  return page.read(`${part(heading)}.querySelector('.legend').textContent`);
}

/** Equal to six digits. */
export const isSame = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-6 * Math.abs(b);
