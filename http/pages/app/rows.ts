/** Parts of plain tables. */
import { h } from './dom.ts';

/** A number at the right edge. */
export const cell = (text: string, tone = ''): HTMLElement =>
  h('td', { class: `number ${tone}` }, text);

/** The name of a row. */
export const rowHead = (text: string): HTMLElement => h('th', { scope: 'row' }, text);

/** Heads of columns; the first `words` of them are not numbers. */
export const headRow = (names: readonly string[], words: number): HTMLElement =>
  h(
    'thead',
    {},
    h(
      'tr',
      {},
      ...names.map((name, at) =>
        h('th', { scope: 'col', class: at < words ? false : 'number' }, name),
      ),
    ),
  );

/** A table that scrolls by itself where the screen is too narrow. */
export const scroller = (label: string, ...children: Node[]): HTMLElement =>
  h(
    'div',
    { class: 'wide', tabindex: '0', role: 'region', 'aria-label': label },
    h('table', {}, ...children),
  );

/** In the place of rows: why there are none. */
export const emptyRow = (columns: number, words: string): HTMLElement =>
  h('tr', {}, h('td', { class: 'soft none', colspan: String(columns) }, words));

/** The head of a table that is not in a panel, with what it offers. */
export const headed = (head: Node | string, ...tools: Node[]): HTMLElement =>
  h(
    'div',
    { class: 'bar' },
    typeof head === 'string' ? h('h2', {}, head) : head,
    h('span', { class: 'gap' }),
    ...tools,
  );
