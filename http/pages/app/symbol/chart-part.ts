/** The chart of the page with its controls, its words and its table of values. */
import { ageLine } from '../age.ts';
import { h, setText } from '../dom.ts';
import { compact, percent, price, signOf, time } from '../format.ts';
import { csvButton, curlButton, pngButton, type Rows, wordsFor } from '../panel.ts';
import { choose } from '../place.ts';
import { valuesOf } from '../values.ts';
import { type Candle, followCandles, type Market, rowsPath } from './candles.ts';
import { Chart } from './chart.ts';
import { indicatorChips, indicatorMenu } from './indicator-menu.ts';
import { Indicators } from './indicator-state.ts';
import { questionOf } from './indicators.ts';
import { emptyPanes } from './panes.ts';
import { linkOf, type Toggled, toggleButtons, toggledIn } from './toggles.ts';

/** Height of the candles and of each pane under them, rem. */
const heights = { candles: 24, pane: 7, least: 38 };
/** The newest candle is a minute or longer, ms. */
const cadence = 60_000;
/** Rows of the table of values: the newest. */
const mostRows = 60;

/** The numbers of a candle, with their letters. */
function wordsOf({ time: at, open, high, low, close, volume_usd: volume }: Candle): HTMLElement[] {
  const change = open === null || close === null ? null : (close / open - 1) * 100;
  const numbers = [
    ['O', price(open)],
    ['H', price(high)],
    ['L', price(low)],
    ['C', price(close)],
    ['Vol', compact(volume)],
  ] as const;
  return [
    h('span', {}, time(at, 'minute')),
    ...numbers.map(([name, text]) => h('span', {}, `${name} `, h('b', {}, text))),
    h('span', { class: signOf(change) }, percent(change)),
  ];
}

export class ChartPart {
  readonly bar: HTMLElement;
  readonly node: HTMLElement;
  readonly #market: Market;
  readonly #frame = h('div', { class: 'chart', role: 'img', 'aria-label': 'Candles' });
  readonly #place: HTMLElement;
  readonly #words = h('p', { class: 'soft', role: 'status' });
  readonly #age = ageLine(cadence);
  /** The candle under the cursor, else the newest. */
  readonly #readout = h('div', { class: 'readout-of', 'aria-hidden': 'true' });
  #pointed: Candle | undefined;
  /** It has its room also while it says nothing. */
  readonly #empty = h('p', { class: 'soft without', role: 'status' });
  readonly #problem = h('p', { class: 'problem', role: 'status', hidden: true });
  readonly #values: ReturnType<typeof valuesOf>;
  readonly #indicators: Indicators;
  readonly #chips: ReturnType<typeof indicatorChips>;
  #toggled: Toggled;
  #chart: Chart | null = null;
  #candles: readonly Candle[] = [];
  #unfollow = () => {};

  /** The market may change; `follow` shows it then. `choices` stand first in the bar. */
  constructor(market: Market, chosen: URLSearchParams, choices: readonly HTMLElement[]) {
    this.#market = market;
    this.#toggled = toggledIn(chosen.get('panes') ?? 'volume,interest,marks');
    this.#indicators = new Indicators(chosen.get('indicators') ?? '', {
      changed: () => {
        this.#chips.show();
        this.draw();
      },
      computed: (all) => {
        this.#chart?.computed(all);
        this.#values.news();
      },
      problem: (words) => {
        this.#problem.hidden = words === null;
        setText(this.#problem, words ?? '');
      },
    });
    const { get, set } = {
      get: () => this.#indicators.shown,
      set: (shown: Indicators['shown']) => this.#indicators.set(shown),
    };
    const curl = curlButton(
      () => questionOf(this.#market, this.#indicators.shown).path,
      () => questionOf(this.#market, this.#indicators.shown).body ?? '',
    );
    this.#chips = indicatorChips({ get, set }, curl);
    this.#chips.show();
    this.bar = h('div', { class: 'bar' }, h('h1', {}, market.symbol), ...choices);
    this.#values = valuesOf('chart', () => {
      const [names = [], ...rows] = this.#rows();
      return [names, ...rows.slice(-mostRows).reverse()];
    });
    this.#place = h('div', { class: 'main-of' }, this.#words, this.#frame, this.#readout);
    this.#place.style.height = `${heights.least}rem`;
    this.node = h(
      'section',
      {},
      h('h2', { class: 'unseen' }, 'Chart'),
      this.#tools(indicatorMenu({ get, set })),
      this.#chips.node,
      this.#place,
      this.#empty,
      this.#problem,
      this.#values.node,
    );
    setText(this.#words, 'Candles come in a moment.');
  }

  end(): void {
    this.#unfollow();
    this.#age.end();
    this.#indicators.end();
    this.#chart?.end();
  }

  /** Reads and follows the candles of the market as it is now. */
  follow(): void {
    this.#unfollow();
    this.#candles = [];
    this.#chart?.end();
    this.#chart = null;
    this.#words.hidden = false;
    setText(this.#words, 'Candles come in a moment.');
    this.#unfollow = followCandles(this.#market, {
      whole: (candles) => {
        this.#candles = candles;
        this.draw();
        this.#onData();
      },
      onData: (rows, at) => this.#age.onData(rows, at),
      news: (candles) => {
        const [first] = candles;
        if (first === undefined) return;
        this.#candles = [...this.#candles.filter(({ time }) => time < first.time), ...candles];
        this.#chart?.news(candles);
        this.#onData();
      },
      missing: (message, code) => {
        this.#words.hidden = false;
        setText(this.#words, wordsFor(code, message));
      },
    });
  }

  /** Draws all anew: with other panes and indicators, or in other colours. */
  readonly draw = (): void => {
    const range = this.#chart?.range() ?? null;
    this.#chart?.end();
    this.#chart = null;
    if (this.#candles.length === 0) return;
    this.#words.hidden = true;
    const { shown: indicators, all } = this.#indicators;
    const { panes } = this.#toggled;
    const { interval } = this.#market;
    this.#chart = new Chart(this.#frame, {
      ...this.#toggled,
      indicators,
      interval,
      range,
      pointed: (candle) => {
        this.#pointed = candle;
        this.#read();
      },
    });
    const { candles, pane, least } = heights;
    const height = Math.max(least, candles + pane * (this.#chart.paneCount - 1));
    this.#place.style.height = `${height}rem`;
    this.#chart.whole(this.#candles);
    this.#chart.computed(all);
    const names = emptyPanes(panes, this.#candles);
    const which = `Not known of this market on ${this.#market.exchange}: ${names.join(', ')}.`;
    setText(this.#empty, names.length === 0 ? '' : which);
    this.#values.news();
  };

  /** What is drawn, and how to take it along. */
  #tools(menu: HTMLElement): HTMLElement {
    const name = `${this.#market.symbol}-candles`;
    const toggles = toggleButtons(
      () => this.#toggled,
      (next) => {
        this.#toggled = next;
        choose({ panes: linkOf(next) });
        this.draw();
      },
    );
    return h(
      'div',
      { class: 'bar tools-of' },
      toggles,
      menu,
      this.#age.node,
      pngButton(name, () => this.#chart?.picture() ?? null),
      csvButton(name, () => this.#rows()),
      curlButton(() => rowsPath(this.#market)),
    );
  }

  /** The candles have changed. */
  #onData(): void {
    const { symbol, exchange, interval } = this.#market;
    const last = this.#candles.at(-1);
    if (last === undefined) return;
    this.#frame.setAttribute(
      'aria-label',
      `${interval} candles of ${symbol} on ${exchange}; the last price is ${last.close}`,
    );
    this.#read();
    this.#indicators.follow(this.#market, last.time);
    this.#values.news();
  }

  #read(): void {
    const candle = this.#pointed ?? this.#candles.at(-1);
    this.#readout.replaceChildren(...(candle === undefined ? [] : wordsOf(candle)));
  }

  /** All that is drawn: the candles with what is recorded beside them, and the values of the indicators, null where there are none. */
  #rows(): Rows {
    const [first] = this.#candles;
    const names = Object.keys(first ?? {}) as (keyof Candle)[];
    const columns = [...this.#indicators.all].flatMap(([text, { times, columns: all }]) => {
      const places = new Map(times.map((time, place) => [time, place]));
      return Object.entries(all).map(([output, values]) => ({
        name: `${text} ${output}`,
        at: (time: number) => values[places.get(time) ?? -1] ?? null,
      }));
    });
    return [
      [...names, ...columns.map(({ name }) => name)],
      ...this.#candles.map((one) => [
        ...names.map((name) => one[name]),
        ...columns.map(({ at }) => at(one.time)),
      ]),
    ];
  }
}
