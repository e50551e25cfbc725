/** The choice of the markets that are compared: a form to add one, and those that are shown, to take away. */
import { h, labelled, setText } from '../dom.ts';
import { keyedRows } from '../rows.ts';
import { mostOthers, nameOf, type Other } from './compare.ts';
import { colourOf } from './compare-series.ts';

interface Choice {
  get(): readonly Other[];
  set(others: readonly Other[]): void;
  /** Exchanges that list the asset of the page. */
  exchanges(): readonly string[];
  /** The market of the page. */
  market: Readonly<Other>;
}

/** A button, and under it a form for another market. */
export function compareMenu({ get, set, exchanges, market }: Choice): HTMLElement {
  const symbol = h('input', {
    size: '8',
    required: true,
    spellcheck: 'false',
    autocomplete: 'off',
  });
  const exchange = h('select', {});
  const words = h('p', { class: 'soft', role: 'status' });
  const menu = h(
    'form',
    { class: 'menu edit', id: 'compare', popover: 'auto' },
    labelled('Symbol', symbol),
    labelled('Exchange', exchange),
    words,
    h('button', { type: 'submit', class: 'main' }, 'Compare'),
  );
  menu.addEventListener('toggle', () => {
    if (!menu.matches(':popover-open')) return;
    symbol.value = market.symbol;
    const options = exchanges().map((id) => h('option', { value: id }, id));
    exchange.replaceChildren(...options);
    exchange.value = market.exchange;
    setText(words, `Another asset, or this one elsewhere; ${mostOthers} at most.`);
    symbol.select();
  });
  menu.addEventListener('submit', (event) => {
    event.preventDefault();
    const made = { symbol: symbol.value.trim().toUpperCase(), exchange: exchange.value };
    const isThere = [market, ...get()].some((one) => nameOf(one) === nameOf(made));
    if (isThere) setText(words, `${nameOf(made)} is on the chart.`);
    else if (get().length >= mostOthers) setText(words, 'Take one away first.');
    else {
      menu.hidePopover();
      set([...get(), made]);
    }
  });
  const button = h('button', { popovertarget: 'compare' }, 'Compare +');
  return h('div', { class: 'columns' }, button, menu);
}

/** The markets that are compared, each with its colour and what takes it away; `show` draws them anew. */
export function compareChips({ get, set }: Pick<Choice, 'get' | 'set'>) {
  const list = h('ul', {});
  const group = { class: 'chips', role: 'group', 'aria-label': 'Compared markets' };
  const node = h('div', group, list);
  const show = keyedRows<Other & { place: number }>(list, {
    name: nameOf,
    make(other) {
      const remove = () => {
        set(get().filter((one) => nameOf(one) !== nameOf(other)));
        document.querySelector<HTMLElement>('[popovertarget="compare"]')?.focus();
      };
      const mark = h('span', { class: 'mark-of', 'aria-hidden': 'true' });
      const away = { class: 'quiet', 'aria-label': `Remove ${nameOf(other)}` };
      return {
        node: h('li', {}, mark, nameOf(other), h('button', { ...away, click: remove }, '×')),
        show({ place }) {
          mark.style.backgroundColor = colourOf(place);
        },
      };
    },
  });
  return {
    node,
    show() {
      show(get().map((one, place) => ({ ...one, place })));
      node.hidden = get().length === 0;
    },
  };
}
