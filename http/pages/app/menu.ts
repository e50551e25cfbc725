/** Menus that a button opens, and lists of what was chosen in them. */
import { h } from './dom.ts';
import { keyedRows, type View } from './rows.ts';

/** A button, and under it a menu; `opened` is called each time that it opens. */
export function menuUnder(
  button: HTMLButtonElement,
  menu: HTMLElement,
  opened: () => void = () => {},
): HTMLElement {
  button.setAttribute('popovertarget', menu.id);
  menu.setAttribute('popover', 'auto');
  menu.addEventListener('toggle', () => {
    if (menu.matches(':popover-open')) opened();
  });
  return h('div', { class: 'columns' }, button, menu);
}

/** What takes something away from a list. */
export const removeButton = (name: string, remove: () => void): HTMLButtonElement =>
  h('button', { class: 'quiet', 'aria-label': `Remove ${name}`, click: remove }, '×');

/** A box with the colour of something on the chart. */
export const colourMark = (): HTMLElement => h('span', { class: 'mark-of', 'aria-hidden': 'true' });

/** What is on the chart, side by side with what takes it away, and `more` behind it; hidden while there is nothing. */
export function chips<R>(
  label: string,
  form: { name(row: R): string; make(row: R): View<R> },
  ...more: HTMLElement[]
): { node: HTMLElement; show(rows: readonly R[]): void } {
  const list = h('ul', {});
  const show = keyedRows(list, form);
  const node = h('div', { class: 'chips', role: 'group', 'aria-label': label }, list, ...more);
  return {
    node,
    show(rows) {
      show(rows);
      node.hidden = rows.length === 0;
    },
  };
}
