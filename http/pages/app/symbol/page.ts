/** One asset: candles of any exchange, its book, its markets side by side, and its reference rate. */
import { dark } from '../colours.ts';
import { choice, h, setText } from '../dom.ts';
import { csvButton, curlButton, pngButton, wordsFor } from '../panel.ts';
import { choose } from '../place.ts';
import { bookPanel } from './book.ts';
import {
  type Candle,
  followCandles,
  type Interval,
  intervals,
  type Market,
  rowsPath,
} from './candles.ts';
import { Chart, emptyPanes, type Pane, paneNames, panes } from './chart.ts';
import { exchangesPanel, marketName, type Pair, referencePanel } from './exchanges.ts';

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
    ', © TradingView, Inc., Apache License 2.0.',
  );

interface Part {
  node: HTMLElement;
  end: () => void;
}

class SymbolPage {
  readonly #market: Market;
  #shown: Pane[];
  readonly #frame = h('div', { class: 'chart', role: 'img' });
  readonly #words = h('p', { class: 'soft', role: 'status' });
  readonly #empty = h('p', { class: 'soft', role: 'status', hidden: true });
  readonly #exchanges = h('span', {});
  readonly #bookPlace = h('div', { class: 'book-place' });
  readonly #parts: Part[];
  #chart: Chart | null = null;
  #candles: readonly Candle[] = [];
  #unfollow = () => {};
  #book: Part | null = null;
  #listed = '';

  constructor(into: HTMLElement, symbol: string, chosen: URLSearchParams) {
    const interval = intervals.find((one) => one === chosen.get('interval')) ?? '1h';
    const kind = chosen.get('kind') === 'spot' ? 'spot' : 'perpetual';
    this.#market = { symbol, exchange: chosen.get('exchange') ?? '', kind, interval };
    const wanted = (chosen.get('panes') ?? 'volume,interest').split(',');
    this.#shown = panes.filter((pane) => wanted.includes(pane));
    const exchanges = exchangesPanel(this.#market, (pairs) => this.#list(pairs));
    this.#parts = [exchanges, referencePanel(symbol)];
    into.append(
      h('div', { class: 'bar' }, h('h1', {}, symbol), ...this.#controls()),
      h(
        'div',
        { class: 'split' },
        h('div', { class: 'main-of' }, this.#words, this.#frame),
        this.#bookPlace,
      ),
      this.#empty,
      ...this.#parts.map(({ node }) => node),
      notice(),
    );
    setText(this.#words, 'Candles come in a moment.');
    dark.addEventListener('change', this.#draw);
    if (this.#market.exchange !== '') this.#follow();
  }

  end(): void {
    this.#unfollow();
    this.#chart?.end();
    this.#book?.end();
    for (const { end } of this.#parts) end();
    dark.removeEventListener('change', this.#draw);
  }

  #controls(): HTMLElement[] {
    const { interval, kind } = this.#market;
    const kinds = [
      ['perpetual', 'Perpetual'],
      ['spot', 'Spot'],
    ] as const;
    const go = (next: string) => {
      choose({ kind: next === 'spot' ? 'spot' : '', exchange: '' });
      dispatchEvent(new HashChangeEvent('hashchange'));
    };
    const toggles = panes.map((pane) => {
      const button = h(
        'button',
        { type: 'button', 'aria-pressed': String(this.#shown.includes(pane)) },
        paneNames[pane],
      );
      button.addEventListener('click', () => {
        const isShown = this.#shown.includes(pane);
        this.#shown = panes.filter((one) => (one === pane ? !isShown : this.#shown.includes(one)));
        button.setAttribute('aria-pressed', String(!isShown));
        choose({ panes: this.#shown.join() || 'none' });
        this.#draw();
      });
      return button;
    });
    return [
      choice('Kind', kinds, { chosen: kind, choose: go }),
      this.#exchanges,
      choice(
        'Interval',
        intervals.map((one) => [one, one] as const),
        { chosen: interval, choose: (next) => this.#change({ interval: next }) },
      ),
      h('div', { class: 'toggles', role: 'group', 'aria-label': 'Panes' }, ...toggles),
      h('span', { class: 'gap' }),
      pngButton(`${this.#market.symbol}-candles`, () => this.#chart?.picture() ?? null),
      csvButton(`${this.#market.symbol}-candles`, () => this.#csv()),
      curlButton(() => rowsPath(this.#market)),
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
    this.#showBook(pairs);
    if (exchange === '') this.#follow();
  }

  #showBook(pairs: readonly Pair[]): void {
    this.#book?.end();
    const of = pairs.find(({ exchange }) => exchange === this.#market.exchange);
    if (of === undefined) return;
    this.#book = bookPanel(this.#market.exchange, marketName(of));
    this.#bookPlace.replaceChildren(this.#book.node);
  }

  #change(changes: { exchange?: string; interval?: Interval }): void {
    Object.assign(this.#market, changes);
    const { exchange, interval } = this.#market;
    choose({ exchange, interval: interval === '1h' ? '' : interval });
    this.#listed = '';
    this.#follow();
  }

  #follow(): void {
    this.#unfollow();
    this.#candles = [];
    this.#chart?.end();
    this.#chart = null;
    this.#words.hidden = false;
    setText(this.#words, 'Candles come in a moment.');
    this.#unfollow = followCandles(this.#market, {
      whole: (candles) => {
        this.#candles = candles;
        this.#draw();
      },
      news: (candles) => {
        const [first] = candles;
        if (first === undefined) return;
        this.#candles = [...this.#candles.filter(({ time }) => time < first.time), ...candles];
        this.#chart?.news(candles);
        this.#label();
      },
      missing: (message, code) => {
        this.#words.hidden = false;
        setText(this.#words, wordsFor(code, message));
      },
    });
  }

  /** Draws all anew: with other panes, or in other colours. */
  readonly #draw = (): void => {
    this.#chart?.end();
    this.#chart = null;
    if (this.#candles.length === 0) return;
    this.#words.hidden = true;
    this.#chart = new Chart(this.#frame, { shown: this.#shown, interval: this.#market.interval });
    this.#chart.whole(this.#candles);
    const names = emptyPanes(this.#shown, this.#candles);
    this.#empty.hidden = names.length === 0;
    setText(
      this.#empty,
      `Not known of this market on ${this.#market.exchange}: ${names.join(', ')}.`,
    );
    this.#label();
  };

  /** What the chart shows, for those who do not see it. */
  #label(): void {
    const { symbol, exchange, interval } = this.#market;
    const last = this.#candles.at(-1);
    this.#frame.setAttribute(
      'aria-label',
      `${interval} candles of ${symbol} on ${exchange}; the last price is ${last?.close}`,
    );
  }

  #csv(): unknown[][] {
    const [first] = this.#candles;
    const names = Object.keys(first ?? {}) as (keyof Candle)[];
    return [names, ...this.#candles.map((one) => names.map((name) => one[name]))];
  }
}

/** Shows the page in an element; ends with the function that is returned. */
export function open(into: HTMLElement, about: string, chosen: URLSearchParams): () => void {
  const page = new SymbolPage(into, about === '' ? 'BTC' : about.toUpperCase(), chosen);
  return () => page.end();
}
