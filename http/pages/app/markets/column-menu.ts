/** The choice of columns. */
import { h } from '../dom.ts';
import { columns, shownColumns } from './columns.ts';

interface Kept {
  get(): readonly string[] | null;
  set(value: readonly string[] | null): void;
}

/** A button, and under it a box for each column. */
export function columnMenu(kept: Kept, changed: () => void): HTMLElement {
  const list = h('div', { class: 'menu', id: 'columns', popover: 'auto' });
  const fill = () => {
    const idsNow = () => shownColumns(false, kept.get(), true).map(({ id }) => id);
    const shown = idsNow();
    const boxes = columns
      .filter(({ id }) => id !== 'symbol')
      .map(({ id, shown: name, about }) => {
        const box = h('input', { type: 'checkbox', checked: shown.includes(id) });
        box.addEventListener('change', () => {
          const others = idsNow().filter((one) => one !== id);
          kept.set(box.checked ? [...others, id] : others);
          changed();
        });
        return h('label', { title: about }, box, name);
      });
    const usual = h('button', { class: 'quiet' }, 'The usual columns');
    usual.addEventListener('click', () => {
      kept.set(null);
      fill();
      changed();
    });
    list.replaceChildren(...boxes, usual);
  };
  fill();
  const button = h('button', { class: 'quiet', popovertarget: 'columns' }, 'Columns');
  return h('div', { class: 'columns' }, button, list);
}
