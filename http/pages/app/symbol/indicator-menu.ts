/** The choice of indicators: the catalogue to add from, and those that are shown, to change and to take away. */
import { hueOf } from '../colours.ts';
import { h, selectOf, setText } from '../dom.ts';
import { chips, colourMark, menuUnder, removeButton } from '../menu.ts';
import type {
  IndicatorsCatalogueIndicator as Indicator,
  IndicatorsCatalogueIndicatorParameter as Parameter,
} from '../request.ts';
import type { View } from '../rows.ts';
import { huesOf } from './indicator-series.ts';
import { catalogue, type Shown, shownAs } from './indicators.ts';

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
  const words = h('p', { class: 'soft', role: 'status' });
  const menu = h('div', { class: 'menu picker', id: 'indicators' }, search, words, list);
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
  const pick = (one: Indicator) => {
    const press = { class: 'quiet', title: one.formula, click: () => add(one) };
    return h('li', {}, h('button', press, h('strong', {}, one.name), ` ${one.title}`));
  };
  const fill = async () => {
    if (list.children.length > 0) return;
    setText(words, 'The list comes in a moment.');
    const all = await catalogue().catch(() => null);
    setText(words, all === null ? 'The list did not come. Open it again to ask again.' : '');
    list.replaceChildren(...(all ?? []).map(pick));
  };
  return menuUnder(h('button', {}, 'Indicators +'), menu, () => {
    void fill().then(filter);
    search.focus();
  });
}

/** A field for a parameter; what the catalogue does not allow is not taken. */
function fieldOf(of: Parameter, take: (value: number | string) => void) {
  if (of.type === 'word') {
    const select = selectOf(of.allowed ?? [], { change: () => take(select.value) });
    return select;
  }
  const input = h('input', {
    type: 'number',
    min: String(of.minimum ?? ''),
    max: String(of.maximum ?? ''),
    step: of.type === 'integer' ? '1' : 'any',
    required: true,
    change: () => input.reportValidity() && take(Number(input.value)),
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
  const fields = indicator.parameters.map((of) => {
    const take = (value: number | string) =>
      change(now, shownAs(indicator, { ...now.values, [of.name]: value }));
    return { of, field: fieldOf(of, take) };
  });
  const away = removeButton('', () => remove(now));
  const mark = colourMark();
  const button = h('button', { class: 'quiet', title: indicator.title });
  const menu = h(
    'div',
    { class: 'menu edit', id: `edit-${menus}` },
    ...fields.map(({ of, field }) =>
      h('label', { title: of.description }, h('span', {}, of.name), field),
    ),
    h('p', { class: 'soft' }, indicator.formula),
  );
  const node = h('li', {}, mark, menuUnder(button, menu), away);
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
export function indicatorChips({ get, set }: Choice, last: HTMLElement) {
  const change = (from: Shown, to: Shown) =>
    set(get().map((one) => (one.text === from.text ? to : one)));
  const remove = ({ text }: Shown) => {
    set(get().filter((one) => one.text !== text));
    const next = node.querySelector<HTMLElement>('li button');
    (next ?? document.querySelector<HTMLElement>('[popovertarget="indicators"]'))?.focus();
  };
  const form = {
    name: ({ indicator }: Shown) => indicator.name,
    make: (shown: Shown) => chipOf(shown, { change, remove }),
  };
  const { node, show } = chips('Indicators on the chart', form, last);
  return {
    node,
    show() {
      const hues = huesOf(get());
      show(get().map((one) => ({ ...one, hue: hues.get(one.text) ?? 0 })));
    },
  };
}
