/** Controls of the markets page. */
import { h, textField } from '../dom.ts';
import { menuUnder } from '../menu.ts';
import { type ChosenColumns, columns, shownColumns } from './columns.ts';
import type { Kind } from './data.ts';

const kinds = [
  ['perpetual', 'Perpetuals'],
  ['spot', 'Spot'],
] as const;

/** A choice among few as buttons side by side. */
export function switchOf(current: Kind, change: (kind: Kind) => void): HTMLElement {
  const buttons = kinds.map(([kind, shown]) => {
    const press = () => {
      for (const [at, button] of buttons.entries())
        button.setAttribute('aria-pressed', String(kinds[at]?.[0] === kind));
      change(kind);
    };
    return h('button', { 'aria-pressed': String(kind === current), click: press }, shown);
  });
  return h('div', { class: 'switch', role: 'group', 'aria-label': 'Kind of market' }, ...buttons);
}

/** A field whose text is searched for. */
export function searchBox(text: string, change: (text: string) => void): HTMLInputElement {
  const box = textField({
    type: 'search',
    value: text,
    placeholder: 'Search  /',
    'aria-label': 'Search symbols',
    'aria-keyshortcuts': '/',
    input: () => change(box.value),
  });
  return box;
}

/** A button that opens the saved views, which are loaded when they are asked for first. */
export function viewsButton(columns: ChosenColumns): HTMLElement {
  const button = h('button', { class: 'quiet', 'aria-haspopup': 'dialog' }, 'Views');
  const place = h('div', { class: 'columns' }, button);
  const open = async () => {
    const { viewsMenu } = await import('./views-menu.ts');
    const menu = viewsMenu(columns);
    place.append(menu);
    button.setAttribute('popovertarget', menu.id);
    menu.showPopover();
  };
  button.addEventListener('click', () => void open(), { once: true });
  return place;
}

/** A button, and under it a box for each column. */
export function columnMenu(kept: ChosenColumns, changed: () => void): HTMLElement {
  const list = h('div', { class: 'menu', id: 'columns' });
  const shown = () => shownColumns(false, kept.get(), true).map(({ id }) => id);
  const boxOf = ({ id, shown: name, about }: (typeof columns)[number]) => {
    const change = () => {
      const others = shown().filter((one) => one !== id);
      kept.set(box.checked ? [...others, id] : others);
      changed();
    };
    const box = h('input', { type: 'checkbox', checked: shown().includes(id), change });
    return h('label', { title: about }, box, name);
  };
  const usual = () => {
    kept.set(null);
    fill();
    changed();
  };
  const fill = () =>
    list.replaceChildren(
      ...columns.filter(({ id }) => id !== 'symbol').map(boxOf),
      h('button', { class: 'quiet', click: usual }, 'The usual columns'),
    );
  return menuUnder(h('button', { class: 'quiet' }, 'Columns'), list, fill);
}
