/** What every panel of numbers offers: its data as a request and as a file, and words where there is nothing. */
import { csvLines } from '../../answers/csv-lines.ts';
import { isOpen, mayRead } from './access.ts';
import { curlOf } from './api.ts';
import { h, setText } from './dom.ts';
import { withTimes } from './format.ts';

/** Shows what a press did, for a moment. */
function flash(button: HTMLButtonElement, words: string): void {
  const usual = button.textContent ?? '';
  setText(button, words);
  setTimeout(() => setText(button, usual), 1_500);
}

/** A button that copies the request of a panel as a line for a shell; with a body it is a POST. */
export function curlButton(path: () => string, body?: () => string): HTMLButtonElement {
  const button = h(
    'button',
    { class: 'quiet', title: 'Copy this request as a line for a shell' },
    'curl',
  );
  button.addEventListener('click', () => {
    const line = curlOf(path(), !isOpen && mayRead(), body?.());
    // Only pages by https or of this machine have a clipboard.
    if (navigator.clipboard === undefined) prompt('The request', line);
    else void navigator.clipboard.writeText(line).then(() => flash(button, 'Copied'));
  });
  return button;
}

/** Hands a file to the reader. */
function save(name: string, parts: BlobPart[], type: string): void {
  const url = URL.createObjectURL(new Blob(parts, { type }));
  const link = h('a', { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Rows of a file; the first has the names. */
export type Rows = readonly (readonly unknown[])[];

/** The values of a row by their names, those of objects in it with dots. */
const cellsOf = (row: object, before = ''): [string, unknown][] =>
  Object.entries(row).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? cellsOf(value, `${before}${name}.`)
      : [[before + name, value]],
  );

/** Rows as a file has them: the fields of the answer in its units, not the words of the page. */
export function fileOf(rows: readonly object[]): Rows {
  const all = rows.map((row) => new Map(cellsOf(row)));
  const names = [...new Set(all.flatMap((row) => [...row.keys()]))];
  return [names, ...all.map((row) => names.map((name) => row.get(name)))];
}

/** A button that saves rows as CSV (RFC 4180). */
export function csvButton(name: string, rows: () => Rows): HTMLButtonElement {
  // Without the mark spreadsheets read names in Chinese as letters of their own locale.
  const press = () => save(`${name}.csv`, ['\ufeff', csvLines(rows())], 'text/csv');
  return h('button', { class: 'quiet', title: 'Save what is shown as CSV', click: press }, 'CSV');
}

/** A button that saves a chart as a picture; null where there is nothing to save yet. */
export function pngButton(
  name: string,
  picture: () => HTMLCanvasElement | null,
): HTMLButtonElement {
  const press = () =>
    picture()?.toBlob((blob) => {
      if (blob) save(`${name}.png`, [blob], 'image/png');
    });
  return h('button', { class: 'quiet', title: 'Save the chart as a picture', click: press }, 'PNG');
}

/** In the place of numbers that are not there. */
export const empty = (heading: string, words: string): HTMLElement =>
  h('div', { class: 'empty' }, h('h2', {}, heading), h('p', {}, words));

/** What a refusal means for the reader. */
export function wordsFor(code: string, message: string): string {
  if (code === 'warming_up')
    return 'The service has just started and collects its first data. This fills by itself.';
  if (code === 'away') return 'The service does not answer. This page tries again by itself.';
  return withTimes(message);
}
