/** The choice of the markets that are compared: a form to add one, and those that are shown, to take away. */
import { formOf, h, labelled, setText, submitButton, textField } from '../dom.ts';
import { chips, colourMark, menuUnder, removeButton } from '../menu.ts';
import { colourOf, mostOthers, nameOf, type Other } from './compare.ts';

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
  const symbol = textField({ size: '8', required: true });
  const exchange = h('select', {});
  const words = h('p', { class: 'soft', role: 'status' });
  const submit = () => {
    const made = { symbol: symbol.value.trim().toUpperCase(), exchange: exchange.value };
    const isThere = [market, ...get()].some((one) => nameOf(one) === nameOf(made));
    if (isThere) setText(words, `${nameOf(made)} is on the chart.`);
    else if (get().length >= mostOthers) setText(words, 'Take one away first.');
    else {
      menu.hidePopover();
      set([...get(), made]);
    }
  };
  const menu = formOf(
    { class: 'menu edit', id: 'compare' },
    submit,
    labelled('Symbol', symbol),
    labelled('Exchange', exchange),
    words,
    submitButton('Compare'),
  );
  return menuUnder(h('button', {}, 'Compare +'), menu, () => {
    symbol.value = market.symbol;
    exchange.replaceChildren(...exchanges().map((id) => h('option', { value: id }, id)));
    exchange.value = market.exchange;
    setText(words, `Another asset, or this one elsewhere; ${mostOthers} at most.`);
    symbol.select();
  });
}

/** The markets that are compared, each with its colour and what takes it away; `show` draws them anew. */
export function compareChips({ get, set }: Pick<Choice, 'get' | 'set'>) {
  const { node, show } = chips<Other & { place: number }>('Compared markets', {
    name: nameOf,
    make(other) {
      const mark = colourMark();
      const remove = removeButton(nameOf(other), () => {
        set(get().filter((one) => nameOf(one) !== nameOf(other)));
        document.querySelector<HTMLElement>('[popovertarget="compare"]')?.focus();
      });
      return {
        node: h('li', {}, mark, nameOf(other), remove),
        show({ place }) {
          mark.style.backgroundColor = colourOf(place);
        },
      };
    },
  });
  return { node, show: () => show(get().map((one, place) => ({ ...one, place }))) };
}
