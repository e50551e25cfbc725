/** One asset: candles of any exchange with indicators, its books, its markets side by side, and what is known beside them. */
import { dark } from '../colours.ts';
import { choice, h } from '../dom.ts';
import { exchangeOption } from '../exchange-names.ts';
import { dash } from '../format.ts';
import { heatmapPart, mapPart } from '../liquidations/map.ts';
import { fill, Slot } from '../part.ts';
import { go, hashOf } from '../place.ts';
import { symbols } from '../switcher.ts';
import { type Found, matching, nearest } from '../symbol-search.ts';
import { bookPart } from './book.ts';
import { type Interval, intervals, type Market } from './candles.ts';
import { ChartPart } from './chart-part.ts';
import { exchangesPart, followPairs, marketName, type Pair } from './exchanges.ts';
import { footprintPart } from './footprint.ts';
import { headPart } from './head.ts';
import * as parts from './parts.ts';
import { tapePart } from './tape.ts';

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

/** A line that says that a symbol has no market of a kind; what to open in its place follows: it as the other kind, else the nearest names. */
function unknownSymbol(symbol: string, kind: Market['kind']): HTMLElement {
  const words = h('span', {});
  const linkTo = (name: string, as: Market['kind']) => {
    const chosen = new URLSearchParams(as === 'spot' ? { kind: as } : {});
    return h('a', { href: hashOf({ page: 'symbol', about: name, chosen }) }, name);
  };
  const offer = (all: readonly Found[]) => {
    const other = kind === 'spot' ? 'perpetual' : 'spot';
    if (all.some((one) => one.symbol === symbol)) {
      words.append('There is ', linkTo(symbol, other), ` as ${other}.`);
      return;
    }
    const found = [...matching(all, symbol), ...nearest(all, symbol)].slice(0, 5);
    for (const [at, one] of found.entries())
      words.append(at === 0 ? 'The nearest: ' : ', ', linkTo(one.symbol, kind));
  };
  // Without the list nothing is offered.
  void symbols().then(offer, () => {});
  const market = kind === 'spot' ? 'spot market' : 'perpetual';
  const attributes = { class: 'problem', role: 'alert' };
  return h('p', attributes, `No exchange has a ${market} of ${symbol}. `, words);
}

class SymbolPage {
  readonly #market: Market;
  readonly #exchanges = h('span', { class: 'later' });
  readonly #chart: ChartPart;
  readonly #head: ReturnType<typeof headPart>;
  /** What is wrong with what the address asks for. */
  readonly #notice = h('div', {});
  /** Parts about the exchange that is chosen. */
  readonly #own = {
    book: new Slot(null, 'tall'),
    tape: new Slot(),
    depth: new Slot(),
    books: new Slot(),
    map: new Slot(),
    footprint: new Slot(null, 'whole tall'),
  };
  readonly #endParts: () => void;
  readonly #unfollow: () => void;
  #listed = '';
  #listedOn: readonly string[] = [];

  constructor(into: HTMLElement, symbol: string, chosen: URLSearchParams) {
    const interval = intervals.find((one) => one === chosen.get('interval')) ?? '1h';
    const kind = chosen.get('kind') === 'spot' ? 'spot' : 'perpetual';
    this.#market = { symbol, exchange: chosen.get('exchange') ?? '', kind, interval };
    this.#chart = new ChartPart(this.#market, chosen, {
      choices: this.#choices(),
      exchanges: () => this.#listedOn,
    });
    this.#head = headPart(this.#market);
    const { book, tape, depth, books, map, footprint } = this.#own;
    const isPerpetual = kind === 'perpetual';
    const implied = parts.impliedPart(symbol);
    this.#endParts = fill(into, [
      this.#chart.bar,
      this.#notice,
      this.#head,
      h('div', { class: 'split' }, this.#chart.node, book.node),
      [
        tape,
        depth,
        books,
        isPerpetual ? map : implied,
        exchangesPart(this.#market),
        footprint,
        parts.largeOrdersPart(this.#market),
        ...(isPerpetual ? [heatmapPart(symbol), implied, parts.positionsPart(symbol)] : []),
        parts.maxPainPart(symbol),
        parts.referencePart(symbol),
      ],
      notice(),
    ]);
    this.#unfollow = followPairs(
      this.#market,
      (pairs) => this.#list(pairs),
      () => this.#notice.replaceChildren(unknownSymbol(symbol, kind)),
    );
    dark.addEventListener('change', this.#chart.draw);
    if (this.#market.exchange !== '') this.#chart.follow();
  }

  end(): void {
    this.#chart.end();
    this.#unfollow();
    this.#endParts();
    for (const slot of Object.values(this.#own)) slot.end();
    dark.removeEventListener('change', this.#chart.draw);
  }

  #choices(): HTMLElement[] {
    const { exchange, interval, kind } = this.#market;
    this.#offer([exchange || dash]);
    const kinds = [
      ['perpetual', 'Perpetual'],
      ['spot', 'Spot'],
    ] as const;
    const goTo = (next: string) => {
      go({ kind: next === 'spot' ? 'spot' : '', exchange: '' });
      dispatchEvent(new HashChangeEvent('hashchange'));
    };
    return [
      choice('Kind', kinds, { chosen: kind, choose: goTo }),
      this.#exchanges,
      choice('Interval', intervals, {
        chosen: interval,
        choose: (next) => this.#change({ interval: next }),
      }),
    ];
  }

  /** Exchanges to choose from. */
  #offer(ids: readonly string[]): void {
    const choose = (next: string) => this.#change({ exchange: next });
    const chosen = this.#market.exchange;
    this.#exchanges.replaceChildren(
      choice('Exchange', ids.map(exchangeOption), { chosen, choose }),
    );
  }

  /** The exchanges that list the asset, the largest turnover first. */
  #list(pairs: readonly Pair[]): void {
    const ids = [...new Set(pairs.map(({ exchange }) => exchange))];
    this.#listedOn = ids;
    const { exchange } = this.#market;
    const market = pairs.find((one) => one.exchange === (exchange || ids[0]));
    if (market !== undefined) this.#head.show(market);
    const listed = `${ids.toSorted().join()} ${market && marketName(market)}`;
    if (listed === this.#listed) return;
    this.#listed = listed;
    if (exchange === '') this.#market.exchange = ids[0] ?? '';
    this.#offer(ids);
    if (market !== undefined) this.#showOwn(market);
    if (exchange === '') this.#chart.follow();
  }

  /** The parts about one exchange. */
  #showOwn(market: Pair): void {
    const { symbol, exchange } = this.#market;
    const { book, tape, depth, books, map, footprint } = this.#own;
    tape.show(() => tapePart(exchange, marketName(market)));
    book.show(() => bookPart(exchange, marketName(market)));
    depth.show(() => parts.depthPart(exchange, marketName(market)));
    footprint.show(() => footprintPart(this.#market));
    books.show(() => parts.bookHeatPart(this.#market));
    map.show(() => mapPart(symbol, exchange));
  }

  #change(changes: { exchange?: string; interval?: Interval }): void {
    Object.assign(this.#market, changes);
    const { exchange, interval } = this.#market;
    go({ exchange, interval: interval === '1h' ? '' : interval });
    this.#listed = '';
    this.#chart.follow();
  }
}

/** Shows the page in an element; ends with the function that is returned. */
export function open(into: HTMLElement, about: string, chosen: URLSearchParams): () => void {
  const page = new SymbolPage(into, about === '' ? 'BTC' : about.toUpperCase(), chosen);
  return () => page.end();
}
