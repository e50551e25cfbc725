/** The choice of indicators: the catalogue to add from, and those that are shown, to change and to take away. */
import { hueOf } from '../colours.ts';
import { h, setText } from '../dom.ts';
import { keyedRows, type View } from '../rows.ts';
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
            { class: 'quiet', title: one.formula, click: () => add(one) },
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
  const button = h('button', { popovertarget: 'indicators' }, 'Indicators +');
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

/** Numbers the menus of the page: each has an id. */
let menus = 0;

/** One indicator on the chart: its colour, its parameters in a list that a button opens, and what takes it away. */
function chipOf(
  { indicator }: Shown,
  { change, remove }: { change(from: Shown, to: Shown): void; remove(shown: Shown): void },
): View<Shown & { hue: number }> {
  let now: Shown;
  menus += 1;
  const id = `edit-${menus}`;
  const fields = indicator.parameters.map((one) => {
    const take = (value: number | string) =>
      change(now, shownAs(indicator, { ...now.values, [one.name]: value }));
    return { of: one, field: fieldOf(one, one.default, take) };
  });
  const away = h('button', { class: 'quiet', click: () => remove(now) }, '×');
  const mark = h('span', { class: 'mark-of', 'aria-hidden': 'true' });
  const attributes = { class: 'quiet', popovertarget: id, title: indicator.title };
  const button = h('button', attributes);
  const node = h(
    'li',
    {},
    mark,
    button,
    h(
      'div',
      { class: 'menu edit', id, popover: 'auto' },
      ...fields.map(({ of, field }) =>
        h('label', { title: of.description }, h('span', {}, of.name), field),
      ),
      h('p', { class: 'soft' }, indicator.formula),
    ),
    away,
  );
  node.addEventListener('keydown', ({ key, target }) => {
    if (key === 'Delete' && target instanceof HTMLButtonElement) remove(now);
  });
  return {
    node,
    show(next) {
      now = next;
      mark.style.backgroundColor = hueOf(next.hue);
      setText(button, next.text);
      away.setAttribute('aria-label', `Remove ${next.text}`);
      for (const { of, field } of fields) field.value = String(next.values[of.name] ?? of.default);
    },
  };
}

/** The indicators that are shown, each to change and to take away (Delete does too). `last` stands behind them. */
export function indicatorChips(
  { get, set }: Choice,
  last: HTMLElement,
): { node: HTMLElement; show(): void } {
  const list = h('ul', {});
  const group = { class: 'chips', role: 'group', 'aria-label': 'Indicators on the chart' };
  const node = h('div', group, list, last);
  const show = keyedRows<Shown & { hue: number }>(list, {
    name: ({ indicator }) => indicator.name,
    make: (shown) =>
      chipOf(shown, {
        change: (from, to) => set(get().map((one) => (one.text === from.text ? to : one))),
        remove({ text }) {
          set(get().filter((one) => one.text !== text));
          const next =
            list.querySelector('button') ?? document.querySelector('[popovertarget="indicators"]');
          if (next instanceof HTMLElement) next.focus();
        },
      }),
  });
  return {
    node,
    show() {
      const hues = huesOf(get());
      show(get().map((one) => ({ ...one, hue: hues.get(one.text) ?? 0 })));
      node.hidden = get().length === 0;
    },
  };
}
