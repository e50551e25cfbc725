/** The choice of indicators: the catalogue to add from, and those that are shown, to change and to take away. */
import { hueOf } from '../colours.ts';
import { h, setText } from '../dom.ts';
import type { Indicator, Parameter, Shown } from './indicator-form.ts';
import { huesOf } from './indicator-series.ts';
import { catalogue, shownAs } from './indicators.ts';

/** Indicators on one chart at most. */
const most = 12;

interface Choice {
  get(): readonly Shown[];
  set(shown: readonly Shown[]): void;
}

/** A button, and under it all indicators with a search. */
export function indicatorMenu({ get, set }: Choice): HTMLElement {
  const search = h('input', {
    type: 'search',
    placeholder: 'Search',
    'aria-label': 'Search indicators',
    autocomplete: 'off',
    input: () => filter(),
  });
  const list = h('ul', { class: 'picks' });
  const words = h('p', { class: 'soft', role: 'status' }, '');
  const menu = h(
    'div',
    { class: 'menu picker', id: 'indicators', popover: 'auto' },
    search,
    words,
    list,
  );
  const add = (indicator: Indicator) => {
    const shown = get();
    const made = shownAs(indicator);
    menu.hidePopover();
    if (shown.length < most && !shown.some(({ text }) => text === made.text)) set([...shown, made]);
  };
  const filter = () => {
    const word = search.value.trim().toLowerCase();
    for (const one of list.children) {
      if (one instanceof HTMLElement) one.hidden = !one.textContent?.toLowerCase().includes(word);
    }
  };
  const fill = async () => {
    if (list.children.length > 0) return;
    setText(words, 'The list comes in a moment.');
    const all = await catalogue().catch(() => null);
    setText(words, all === null ? 'The list did not come. Open it again to ask again.' : '');
    list.replaceChildren(
      ...(all ?? []).map((one) =>
        h(
          'li',
          {},
          h(
            'button',
            { type: 'button', class: 'quiet', title: one.formula, click: () => add(one) },
            h('strong', {}, one.name),
            ` ${one.title}`,
          ),
        ),
      ),
    );
  };
  menu.addEventListener('toggle', () => {
    if (!menu.matches(':popover-open')) return;
    void fill().then(filter);
    search.focus();
  });
  const button = h('button', { type: 'button', popovertarget: 'indicators' }, 'Indicators +');
  return h('div', { class: 'columns' }, button, menu);
}

/** A field for a parameter; what the catalogue does not allow is not taken. */
function fieldOf(of: Parameter, value: number | string, take: (value: number | string) => void) {
  if (of.type === 'word') {
    const options = (of.allowed ?? []).map((one) =>
      h('option', { value: one, selected: one === value }, one),
    );
    const select = h('select', { change: () => take(select.value) }, ...options);
    return select;
  }
  const input = h('input', {
    type: 'number',
    value: String(value),
    min: String(of.minimum ?? ''),
    max: String(of.maximum ?? ''),
    step: of.type === 'integer' ? '1' : 'any',
    required: true,
  });
  input.addEventListener('change', () => {
    if (input.reportValidity()) take(Number(input.value));
  });
  return input;
}

/** The parameters of an indicator to change, in a list that a button opens. */
function editor(shown: Shown, change: (next: Shown) => void): HTMLElement[] {
  const { indicator, values, text } = shown;
  const id = `edit-${text.replaceAll(/\W/g, '-')}`;
  const fields = indicator.parameters.map((one) => {
    const take = (value: number | string) =>
      change(shownAs(indicator, { ...values, [one.name]: value }));
    const field = fieldOf(one, values[one.name] ?? one.default, take);
    return h('label', { title: one.description }, h('span', {}, one.name), field);
  });
  const about = h('p', { class: 'soft' }, indicator.formula);
  return [
    h(
      'button',
      { type: 'button', class: 'quiet', popovertarget: id, title: indicator.title },
      text,
    ),
    h('div', { class: 'menu edit', id, popover: 'auto' }, ...fields, about),
  ];
}

/** The indicators that are shown: each with its colour, its parameters, and what takes it away (Delete does too). `last` stands behind them. */
export function indicatorChips(
  { get, set }: Choice,
  last: HTMLElement,
): { node: HTMLElement; show(): void } {
  const node = h('ul', { class: 'chips', 'aria-label': 'Indicators on the chart' });
  const chip = (shown: Shown, hue: number): HTMLElement => {
    const { text } = shown;
    const remove = () => {
      set(get().filter((one) => one.text !== text));
      const next =
        node.querySelector('button') ?? document.querySelector('[popovertarget="indicators"]');
      if (next instanceof HTMLElement) next.focus();
    };
    const change = (next: Shown) => set(get().map((one) => (one.text === text ? next : one)));
    const mark = h('span', { class: 'mark-of', 'aria-hidden': 'true' });
    mark.style.backgroundColor = hueOf(hue);
    const away = h(
      'button',
      { type: 'button', class: 'quiet', 'aria-label': `Remove ${text}`, click: remove },
      '×',
    );
    const row = h('li', {}, mark, ...editor(shown, change), away);
    row.addEventListener('keydown', ({ key, target }) => {
      if (key === 'Delete' && target instanceof HTMLButtonElement) remove();
    });
    return row;
  };
  return {
    node,
    show() {
      const hues = huesOf(get());
      node.replaceChildren(
        ...get().map((one) => chip(one, hues.get(one.text) ?? 0)),
        h('li', {}, last),
      );
      node.hidden = get().length === 0;
    },
  };
}
