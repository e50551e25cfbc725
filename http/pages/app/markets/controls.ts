/** Controls of the markets page. */
import { h } from '../dom.ts';
import type { Kind } from './data.ts';
import type { ChosenColumns } from './views-menu.ts';

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
  const box = h('input', {
    type: 'search',
    placeholder: 'Search  /',
    'aria-label': 'Search symbols',
    'aria-keyshortcuts': '/',
    autocomplete: 'off',
    spellcheck: 'false',
    input: () => change(box.value),
  });
  box.value = text;
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
