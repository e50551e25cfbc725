/** A chart or a table on a page: a heading, its request, its files, and its values as a table for those who do not see it. */
import { h, setText } from './dom.ts';
import { fixed, time } from './format.ts';
import { csvButton, curlButton, pngButton } from './panel.ts';
import { scroller } from './rows.ts';

/** Rows for files and for the table of values: the first has the names. Times are Unix ms under a name that ends with `time`. */
export type Rows = readonly (readonly unknown[])[];

/** Rows of the table of values at most. */
const mostValues = 200;

/** A value as people read it: eight digits of a number, a moment as such. */
function shownValue(name: string, value: unknown): string {
  if (typeof value !== 'number') return value === null || value === undefined ? '–' : String(value);
  if (name.endsWith('time')) return time(value, 'minute');
  const size = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value)));
  const places = Math.max(0, Math.min(12, 7 - size));
  return Number.isInteger(value) ? fixed(value, 0) : fixed(Number(value.toPrecision(8)), places);
}

/** The values of a chart as a table that a reader opens: filled while it is open only. */
export function valuesOf(name: string, rows: () => Rows): { node: HTMLElement; news(): void } {
  const place = h('div', {});
  const node = h('details', { class: 'values' }, h('summary', {}, 'Values'), place);
  const fill = () => {
    if (!node.open) return;
    const [names = [], ...all] = rows();
    const heads = names.map((one) => h('th', { scope: 'col' }, String(one)));
    const lines = all
      .slice(0, mostValues)
      .map((row) =>
        h('tr', {}, ...row.map((one, at) => h('td', {}, shownValue(String(names[at]), one)))),
      );
    const table = [h('thead', {}, h('tr', {}, ...heads)), h('tbody', {}, ...lines)];
    // The place to which the reader has scrolled stays.
    const known = place.querySelector('table');
    if (known === null) place.replaceChildren(scroller(`Values: ${name}`, ...table));
    else known.replaceChildren(...table);
  };
  node.addEventListener('toggle', fill);
  return { node, news: fill };
}

export interface FigureForm {
  heading: string;
  /** Of its files. */
  name: string;
  /** Under the heading: units and rules. */
  about?: string;
  path(): string;
  rows(): Rows;
  /** Of a chart: what is drawn, for a file; its values stand in a table under it. */
  picture?(): HTMLCanvasElement | null;
  tools?: readonly HTMLElement[];
}

export interface Figure {
  node: HTMLElement;
  /** The place of what it shows. */
  body: HTMLElement;
  /** Shows words in the place of the body; null shows the body. */
  say(words: string | null): void;
  setAbout(words: string): void;
  /** Its rows have changed. */
  news(): void;
}

/** A figure with its request and its files, which shows words until there is something else. */
export function figure({
  heading,
  name,
  about = '',
  path,
  rows,
  picture,
  tools = [],
}: FigureForm): Figure {
  const small = h('p', { class: 'soft' }, about);
  const words = h('p', { class: 'soft', role: 'status' }, 'The numbers come in a moment.');
  const body = h('div', { class: 'body-of', hidden: true });
  const values = picture === undefined ? null : valuesOf(heading, rows);
  const files = [
    picture === undefined ? null : pngButton(name, picture),
    csvButton(name, rows),
    curlButton(path),
  ].filter((one) => one !== null);
  const head = h('div', { class: 'bar' }, h('h2', {}, heading), ...tools, ...files);
  const node = h('section', { class: 'figure' }, head, small, words, body, values?.node ?? null);
  if (values) values.node.hidden = true;
  return {
    node,
    body,
    say(text) {
      setText(words, text ?? '');
      words.hidden = text === null;
      body.hidden = text !== null;
      if (values) values.node.hidden = text !== null;
    },
    setAbout: (text) => setText(small, text),
    news: () => values?.news(),
  };
}
