/** The indicators of a chart: which, as the address keeps them, and their values, asked for when a candle closes. */
import { intervals as lengths } from '../../../../indicators/market/intervals.ts';
import type { Refusal } from '../api.ts';
import { wordsFor } from '../panel.ts';
import { choose } from '../place.ts';
import type { Candle, Market } from './candles.ts';
import type { Computed, Shown } from './indicator-form.ts';
import { catalogue, compute, shownIn } from './indicators.ts';

interface Listener {
  /** Others are shown. */
  changed(): void;
  computed(all: ReadonlyMap<string, Computed>): void;
  /** Why there are no values; null where there are. */
  problem(words: string | null): void;
}

/** After this time the values of a candle that has just closed are asked for again, ms. */
const pause = 4_000;
const mostTries = 5;

export class Indicators {
  shown: readonly Shown[] = [];
  all: ReadonlyMap<string, Computed> = new Map();
  readonly #listener: Listener;
  #market: Market | null = null;
  #candles: readonly Candle[] = [];
  /** Starts of the first and the last candle. */
  #reach = '';
  #asked = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(link: string, listener: Listener) {
    this.#listener = listener;
    if (link !== '') void this.#read(link);
  }

  end(): void {
    this.#asked.abort();
    clearTimeout(this.#timer);
  }

  set(shown: readonly Shown[]): void {
    this.shown = shown;
    choose({ indicators: shown.map(({ text }) => text).join(';') });
    this.#listener.changed();
    this.#ask();
  }

  /** The chart shows these candles now. */
  follow(market: Market, candles: readonly Candle[]): void {
    const isSame = JSON.stringify(market) === JSON.stringify(this.#market);
    const reach = `${candles[0]?.time} ${candles.at(-1)?.time}`;
    this.#candles = candles;
    if (isSame && reach === this.#reach) return;
    if (!isSame) this.all = new Map();
    this.#market = { ...market };
    this.#reach = reach;
    this.#ask();
  }

  async #read(link: string): Promise<void> {
    const all = await catalogue().catch(() => []);
    if (this.#asked.signal.aborted && this.#market === null) return;
    this.shown = shownIn(link, all);
    this.#listener.changed();
    this.#ask();
  }

  #ask(tries = mostTries): void {
    this.end();
    this.#asked = new AbortController();
    const { signal } = this.#asked;
    const [market, candles] = [this.#market, this.#candles];
    const newest = candles.at(-1)?.time;
    if (market === null || newest === undefined || this.shown.length === 0) {
      this.#listener.problem(null);
      return;
    }
    const again = () => {
      if (tries > 0) this.#timer = setTimeout(() => this.#ask(tries - 1), pause);
    };
    compute(market, this.shown, { candles, signal }).then(
      ({ all, last }) => {
        if (signal.aborted) return;
        this.all = all;
        this.#listener.problem(null);
        this.#listener.computed(all);
        // The candle before the newest has closed, and is not there yet.
        if (last < newest - lengths[market.interval]) again();
      },
      ({ code, message }: Refusal) => {
        if (signal.aborted) return;
        this.#listener.problem(`Indicators: ${wordsFor(code, message)}`);
        again();
      },
    );
  }
}
