/** The chart of the page with its controls, its words and its table of values. */
import { ageLine } from '../age.ts';
import { h, setText } from '../dom.ts';
import { exchangeName } from '../exchange-names.ts';
import { time } from '../format.ts';
import { csvButton, curlButton, pngButton, type Rows, wordsFor } from '../panel.ts';
import { choose } from '../place.ts';
import { valuesOf } from '../values.ts';
import { type Candle, Candles, type Market, rowsPath } from './candles.ts';
import { Chart } from './chart.ts';
import {
  Comparison,
  compareChips,
  compareMenu,
  linkOf as linkOfOthers,
  nameOf,
  type Other,
  othersIn,
} from './compare.ts';
import { indicatorChips, indicatorMenu } from './indicator-menu.ts';
import { Indicators, questionOf } from './indicators.ts';
import { Levels } from './levels.ts';
import { emptyPanes, type Toggled, toggleButtons, toggledIn } from './panes.ts';
import { type Column, columnsOf, rowsOf, wordsOf } from './readout.ts';

/** Height of the candles and of each pane under them, rem. */
const heights = { candles: 24, pane: 7, least: 38 };
/** The newest candle is a minute or longer, ms. */
const cadence = 60_000;
/** Rows of the table of values: the newest. */
const mostRows = 60;

/** Candles by which a key moves what is in sight. */
const steps = new Map([
  ['ArrowLeft', -5],
  ['ArrowRight', 5],
  ['PageUp', -100],
  ['PageDown', 100],
  ['End', Number.POSITIVE_INFINITY],
]);

export class ChartPart {
  readonly bar: HTMLElement;
  readonly node: HTMLElement;
  readonly #market: Market;
  readonly #frame = h('div', {
    class: 'chart',
    role: 'img',
    tabindex: '0',
    'aria-label': 'Candles',
    keydown: (event) => event instanceof KeyboardEvent && this.#key(event),
  });
  readonly #levels: Levels;
  readonly #place: HTMLElement;
  readonly #words = h('p', { class: 'soft', role: 'status' }, 'Candles come in a moment.');
  readonly #age = ageLine(cadence);
  /** The candle under the cursor, else the newest. */
  readonly #readout = h('div', { class: 'readout-of', 'aria-hidden': 'true' });
  #pointed: Candle | undefined;
  /** It has its room also while it says nothing. */
  readonly #empty = h('p', { class: 'soft without', role: 'status' });
  readonly #problem = h('p', { class: 'problem', role: 'status', hidden: true });
  readonly #said = { indicators: '', comparison: '' };
  readonly #values: ReturnType<typeof valuesOf>;
  readonly #indicators: Indicators;
  readonly #chips: ReturnType<typeof indicatorChips>;
  readonly #comparison = new Comparison({
    closes: (name, since) => this.#chart?.compared(name, since),
    problem: (words) => this.#say('comparison', words),
  });
  readonly #otherChips: ReturnType<typeof compareChips>;
  #others: readonly Other[];
  #toggled: Toggled;
  #chart: Chart | null = null;
  #candles: readonly Candle[] = [];
  #followed: Candles | null = null;

  /** The market may change; `follow` shows it then. `choices` stand first in the bar; `exchanges` list the asset. */
  constructor(
    market: Market,
    chosen: URLSearchParams,
    { choices, exchanges }: { choices: readonly HTMLElement[]; exchanges(): readonly string[] },
  ) {
    this.#market = market;
    this.#others = othersIn(chosen.get('compare') ?? '');
    const others = {
      get: () => this.#others,
      set: (next: readonly Other[]) => this.#compare(next),
    };
    this.#levels = new Levels(market.symbol, {
      changed: () => this.#chart?.mark(this.#levels.marked),
      now: () => this.#candles.at(-1)?.close ?? null,
    });
    this.#otherChips = compareChips(others);
    this.#otherChips.show();
    const panes = chosen.get('panes') ?? 'volume,interest,marks';
    this.#toggled = toggledIn(panes);
    this.#indicators = this.#indicatorsOf(chosen.get('indicators') ?? '');
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
    this.bar = h(
      'div',
      { class: 'bar' },
      h('h1', {}, market.symbol),
      ...choices,
      compareMenu({ ...others, exchanges, market }),
      this.#levels.node,
      indicatorMenu({ get, set }),
    );
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
      this.#tools(panes),
      this.#chips.node,
      this.#otherChips.node,
      this.#place,
      this.#empty,
      this.#problem,
      this.#values.node,
    );
  }

  #indicatorsOf(text: string): Indicators {
    return new Indicators(text, {
      changed: () => {
        this.#chips.show();
        this.draw();
      },
      computed: (all) => {
        this.#chart?.computed(all);
        this.#values.news();
      },
      problem: (words) => this.#say('indicators', words),
    });
  }

  end(): void {
    this.#followed?.end();
    this.#age.end();
    this.#indicators.end();
    this.#comparison.end();
    this.#levels.end();
    this.#chart?.end();
  }

  /** Reads and follows the candles of the market as it is now. */
  follow(): void {
    this.#followed?.end();
    this.#candles = [];
    this.#chart?.end();
    this.#chart = null;
    this.#words.hidden = false;
    setText(this.#words, 'Candles come in a moment.');
    this.#comparison.follow(this.#others, this.#market);
    this.#followed = new Candles(this.#market, {
      candles: (all, since) => {
        this.#candles = all;
        this.#words.hidden = true;
        const [first] = all;
        if (since === null && first !== undefined) this.#comparison.reach(first.time);
        if (this.#chart === null) this.draw();
        else this.#chart.show(all, since);
        this.#onData();
      },
      onData: (rows, at) => this.#age.onData(rows, at),
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
    this.#chart = new Chart(this.#frame, {
      ...this.#toggled,
      ...this.#market,
      indicators,
      others: this.#others,
      closesOf: (name) => this.#comparison.closesOf(name),
      range,
      reached: () => this.#followed?.older(),
      pressed: (...pressed) => this.#levels.open(...pressed),
      pointed: (candle) => {
        this.#pointed = candle;
        this.#read();
      },
    });
    const { candles, pane, least } = heights;
    const height = Math.max(least, candles + pane * (this.#chart.paneCount - 1));
    this.#place.style.height = `${height}rem`;
    this.#chart.show(this.#candles, null);
    this.#chart.computed(all);
    this.#chart.mark(this.#levels.marked);
    const names = emptyPanes(panes, this.#candles);
    const which = `Not known of this market on ${exchangeName(this.#market.exchange)}: ${names.join(', ')}.`;
    setText(this.#empty, names.length === 0 ? '' : which);
    this.#values.news();
  };

  /** Arrows and Page Up and Down go through the time, End to the newest candle. */
  #key(event: KeyboardEvent): void {
    const step = steps.get(event.key);
    if (step === undefined) return;
    event.preventDefault();
    this.#chart?.scroll(step);
  }

  /** Others are compared. */
  #compare(others: readonly Other[]): void {
    this.#others = others;
    choose({ compare: linkOfOthers(others) });
    this.#otherChips.show();
    this.#comparison.follow(others, this.#market);
    const [first] = this.#candles;
    if (first !== undefined) this.#comparison.reach(first.time);
    this.draw();
  }

  #say(about: 'indicators' | 'comparison', words: string | null): void {
    this.#said[about] = words ?? '';
    const all = Object.values(this.#said).filter((text) => text !== '');
    this.#problem.hidden = all.length === 0;
    setText(this.#problem, all.join(' '));
  }

  /** What is drawn, and how to take it along. */
  #tools(panes: string): HTMLElement {
    const name = `${this.#market.symbol}-candles`;
    const toggles = toggleButtons(panes, (next) => {
      this.#toggled = toggledIn(next);
      choose({ panes: next });
      this.draw();
    });
    return h(
      'div',
      { class: 'bar tools-of' },
      toggles,
      this.#age.node,
      pngButton(name, () => this.#chart?.picture() ?? null),
      csvButton(name, () => this.#rows()),
      curlButton(() => rowsPath(this.#market)),
    );
  }

  /** The candles have changed. */
  #onData(): void {
    const { symbol, exchange, interval } = this.#market;
    const [first, last] = [this.#candles[0], this.#candles.at(-1)];
    if (first === undefined || last === undefined) return;
    const since = time(first.time, 'minute');
    this.#frame.setAttribute(
      'aria-label',
      `${interval} candles of ${symbol} on ${exchangeName(exchange)}; the last price is ${last.close}; since ${since}`,
    );
    this.#read();
    this.#indicators.follow(this.#market, this.#candles);
    this.#values.news();
  }

  #read(): void {
    const candle = this.#pointed ?? this.#candles.at(-1);
    if (candle === undefined) return;
    this.#readout.replaceChildren(...wordsOf(candle, this.#closes()));
  }

  /** The closes of what is compared. */
  #closes(): Column[] {
    return this.#others.map((other) => {
      const closes = this.#comparison.closesOf(nameOf(other));
      return { name: nameOf(other), at: (time: number) => closes.get(time) ?? null };
    });
  }

  #rows(): Rows {
    return rowsOf(this.#candles, [...this.#closes(), ...columnsOf(this.#indicators.all)]);
  }
}
