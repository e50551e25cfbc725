/** Other markets on the chart: the choice of them, their closes, and these as lines over the candles. */
import { type IChartApi, LineSeries } from 'lightweight-charts';
import { hueOf } from '../colours.ts';
import { formOf, h, labelled, setText, submitButton, textField } from '../dom.ts';
import { exchangeName } from '../exchange-names.ts';
import { price } from '../format.ts';
import { chips, colourMark, menuUnder, removeButton } from '../menu.ts';
import { wordsFor } from '../panel.ts';
import { Candles, type Market } from './candles.ts';
import { type Drawn, lineOf, put, startOf } from './panes.ts';

/** Beside the market of the page. */
const mostOthers = 4;

/** A market of the same kind as that of the page. */
export type Other = Pick<Market, 'symbol' | 'exchange'>;

export const nameOf = ({ symbol, exchange }: Other): string =>
  `${symbol} ${exchangeName(exchange)}`;

/** The markets of a link, such as `ETH@okx,BTC@bybit`; each once. */
export function othersIn(link: string): Other[] {
  const found = link.split(',').flatMap((text): Other[] => {
    const [symbol = '', exchange = ''] = text.split('@');
    return symbol === '' || exchange === '' ? [] : [{ symbol: symbol.toUpperCase(), exchange }];
  });
  const byName = new Map(found.map((one) => [nameOf(one), one]));
  return [...byName.values()].slice(0, mostOthers);
}

export const linkOf = (others: readonly Other[]): string =>
  others.map(({ symbol, exchange }) => `${symbol}@${exchange}`).join();

/** Closes of a market by the start of their interval, Unix ms. */
export type Closes = ReadonlyMap<number, number | null>;

interface Listener {
  /** A market has other closes. `since`: as in `Candles`. */
  closes(name: string, since: number | null): void;
  /** Why a market has none; null where all have some. */
  problem(words: string | null): void;
}

interface Followed {
  candles: Candles;
  closes: Closes;
  problem: string | null;
}

/** Follows the closes of other markets. */
export class Comparison {
  readonly #listener: Listener;
  #followed = new Map<string, Followed>();
  /** Start of the first candle of the market of the page. */
  #first: number | null = null;

  constructor(listener: Listener) {
    this.#listener = listener;
  }

  end(): void {
    for (const { candles } of this.#followed.values()) candles.end();
    this.#followed = new Map();
  }

  closesOf(name: string): Closes {
    return this.#followed.get(name)?.closes ?? new Map();
  }

  /** Shows these beside a market, in its interval. */
  follow(others: readonly Other[], market: Market): void {
    this.end();
    this.#first = null;
    for (const other of others) this.#add(other, market);
    this.#tell();
  }

  /** The market of the page goes back to here: the others go as far. */
  reach(first: number): void {
    this.#first = first;
    for (const one of this.#followed.values()) this.#lengthen(one);
  }

  #add(other: Other, market: Market): void {
    const name = nameOf(other);
    const candles = new Candles(
      { ...market, ...other },
      {
        candles: (all, since) => {
          made.closes = new Map(all.map(({ time, close }) => [time, close]));
          made.problem = null;
          this.#lengthen(made);
          this.#listener.closes(name, since);
          this.#tell();
        },
        missing: (message, code) => {
          made.problem = `${name}: ${wordsFor(code, message)}`;
          this.#tell();
        },
      },
      ['close'],
    );
    const made: Followed = { candles, closes: new Map(), problem: null };
    this.#followed.set(name, made);
  }

  #lengthen({ candles, closes }: Followed): void {
    const [first] = closes.keys();
    if (first !== undefined && this.#first !== null && first > this.#first) candles.older();
  }

  #tell(): void {
    const problems = [...this.#followed.values()].flatMap(({ problem }) => problem ?? []);
    this.#listener.problem(problems.length === 0 ? null : problems.join(' '));
  }
}

/** Their colours are neither those of candles nor those of the first indicators. */
const firstHue = 6;

const colourOf = (place: number): string => hueOf(firstHue + place);

/**
 * A line over the candles for each of the others. In percent, and for the asset of the page, it is on the scale of the candles; other
 * assets have a scale each, which is not shown.
 */
export function seriesOf(
  chart: IChartApi,
  others: readonly Other[],
  {
    symbol,
    isPercent,
    closesOf,
  }: Pick<Market, 'symbol'> & {
    isPercent: boolean;
    closesOf(name: string): Closes;
  },
): Map<string, Drawn> {
  return new Map(
    others.map((other, place) => {
      const name = nameOf(other);
      const own = isPercent || other.symbol === symbol ? {} : { priceScaleId: name };
      const series = chart.addSeries(LineSeries, {
        ...own,
        title: name,
        color: colourOf(place),
        lineWidth: 2,
        priceLineVisible: false,
        crosshairMarkerVisible: false,
        priceFormat: { type: 'custom', formatter: price, minMove: 1e-9 },
      });
      const set: Drawn['set'] = (all, isTail) => {
        const closes = closesOf(name);
        const points = all.map((one) => [startOf(one), closes.get(startOf(one)) ?? null] as const);
        put(series, lineOf(points), isTail);
      };
      return [name, { set }];
    }),
  );
}

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
    exchange.replaceChildren(
      ...exchanges().map((id) => h('option', { value: id }, exchangeName(id))),
    );
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
