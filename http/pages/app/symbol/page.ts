/** One asset: candles of any exchange with indicators, its books, its markets side by side, and what is known beside them. */
import { dark } from '../colours.ts';
import { choice, h } from '../dom.ts';
import { heatPart, mapPart } from '../liquidations/map.ts';
import type { Part } from '../part.ts';
import { choose } from '../place.ts';
import { Slot } from '../slot.ts';
import { bookPanel } from './book.ts';
import { bookHeatPart } from './book-heat.ts';
import { type Interval, intervals, type Market } from './candles.ts';
import { ChartPart } from './chart-part.ts';
import { depthPart } from './depth.ts';
import { exchangesPanel, marketName, type Pair } from './exchanges.ts';
import { footprintPart } from './footprint.ts';
import { largeOrdersPart } from './large-orders.ts';
import { optionsPart } from './options.ts';
import { referencePart } from './reference.ts';

/** Notice that the licence of the library asks for. */
const notice = () =>
  h(
    'p',
    { class: 'soft notice-of' },
    'Charts: ',
    h(
      'a',
      { href: 'https://www.tradingview.com/', rel: 'noreferrer' },
      'TradingView Lightweight Charts™',
    ),
    ', © TradingView, Inc., Apache License 2.0; uPlot, MIT.',
  );

class SymbolPage {
  readonly #market: Market;
  readonly #exchanges = h('span', {});
  readonly #bookPlace = h('div', { class: 'book-place' });
  readonly #chart: ChartPart;
  readonly #parts: Part[];
  /** Parts about the exchange that is chosen, and about all of them; they begin when the reader comes near. */
  readonly #own = { depth: new Slot('tall'), map: new Slot('tall'), footprint: new Slot('tall') };
  readonly #all = {
    books: new Slot('tall'),
    orders: new Slot('tall'),
    heat: new Slot('tall'),
    options: new Slot('tall'),
  };
  #book: Part | null = null;
  #listed = '';

  constructor(into: HTMLElement, symbol: string, chosen: URLSearchParams) {
    const interval = intervals.find((one) => one === chosen.get('interval')) ?? '1h';
    const kind = chosen.get('kind') === 'spot' ? 'spot' : 'perpetual';
    this.#market = { symbol, exchange: chosen.get('exchange') ?? '', kind, interval };
    const exchanges = exchangesPanel(this.#market, (pairs) => this.#list(pairs));
    this.#chart = new ChartPart(this.#market, chosen, this.#choices());
    const reference = referencePart(symbol);
    this.#parts = [exchanges, reference];
    const { depth, map, footprint } = this.#own;
    const { books, orders, heat, options } = this.#all;
    const isPerpetual = kind === 'perpetual';
    if (!isPerpetual) for (const { node } of [map, heat]) node.hidden = true;
    into.append(
      this.#chart.bar,
      h('div', { class: 'split' }, this.#chart.node, this.#bookPlace),
      h('div', { class: 'halves' }, depth.node, books.node),
      exchanges.node,
      h('div', { class: 'halves' }, footprint.node, orders.node),
      h('div', { class: 'halves' }, map.node, heat.node),
      options.node,
      reference.node,
      notice(),
    );
    options.show(() => optionsPart(symbol));
    orders.show(() => largeOrdersPart(this.#market));
    if (isPerpetual) heat.show(() => heatPart(symbol));
    dark.addEventListener('change', this.#chart.draw);
    if (this.#market.exchange !== '') this.#chart.follow();
  }

  end(): void {
    this.#chart.end();
    this.#book?.end();
    for (const part of this.#parts) part.end();
    for (const slot of [...Object.values(this.#own), ...Object.values(this.#all)]) slot.end();
    dark.removeEventListener('change', this.#chart.draw);
  }

  #choices(): HTMLElement[] {
    const { interval, kind } = this.#market;
    const kinds = [
      ['perpetual', 'Perpetual'],
      ['spot', 'Spot'],
    ] as const;
    const go = (next: string) => {
      choose({ kind: next === 'spot' ? 'spot' : '', exchange: '' });
      dispatchEvent(new HashChangeEvent('hashchange'));
    };
    return [
      choice('Kind', kinds, { chosen: kind, choose: go }),
      this.#exchanges,
      choice(
        'Interval',
        intervals.map((one) => [one, one] as const),
        { chosen: interval, choose: (next) => this.#change({ interval: next }) },
      ),
    ];
  }

  /** The exchanges that list the asset, the largest turnover first. */
  #list(pairs: readonly Pair[]): void {
    const ids = [...new Set(pairs.map(({ exchange }) => exchange))];
    const { exchange } = this.#market;
    const market = pairs.find((one) => one.exchange === (exchange || ids[0]));
    const listed = `${ids.toSorted().join()} ${market && marketName(market)}`;
    if (listed === this.#listed) return;
    this.#listed = listed;
    if (exchange === '') this.#market.exchange = ids[0] ?? '';
    const options = ids.map((id) => [id, id] as const);
    const chosen = this.#market.exchange;
    this.#exchanges.replaceChildren(
      choice('Exchange', options, { chosen, choose: (next) => this.#change({ exchange: next }) }),
    );
    this.#showBook(market);
    this.#showOwn(market);
    if (exchange === '') this.#chart.follow();
  }

  #showBook(market: Pair | undefined): void {
    this.#book?.end();
    if (market === undefined) return;
    this.#book = bookPanel(this.#market.exchange, marketName(market));
    this.#bookPlace.replaceChildren(this.#book.node);
  }

  /** The parts about one exchange. */
  #showOwn(market: Pair | undefined): void {
    const { symbol, exchange, kind } = this.#market;
    if (market === undefined) return;
    const { depth, map, footprint } = this.#own;
    depth.show(() => depthPart(exchange, marketName(market)));
    footprint.show(() => footprintPart(this.#market));
    this.#all.books.show(() => bookHeatPart(this.#market));
    if (kind === 'perpetual') map.show(() => mapPart(symbol, exchange));
  }

  #change(changes: { exchange?: string; interval?: Interval }): void {
    Object.assign(this.#market, changes);
    const { exchange, interval } = this.#market;
    choose({ exchange, interval: interval === '1h' ? '' : interval });
    this.#listed = '';
    this.#chart.follow();
  }
}

/** Shows the page in an element; ends with the function that is returned. */
export function open(into: HTMLElement, about: string, chosen: URLSearchParams): () => void {
  const page = new SymbolPage(into, about === '' ? 'BTC' : about.toUpperCase(), chosen);
  return () => page.end();
}
