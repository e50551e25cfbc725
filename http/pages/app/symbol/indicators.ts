/** Indicators by the catalogue of the service: their names in a link, their values, and which are on a chart. */
import { credentials } from '../access.ts';
import { call, type Refusal } from '../api.ts';
import { wordsFor } from '../panel.ts';
import { choose } from '../place.ts';
import {
  at,
  type IndicatorsCatalogueIndicator as Indicator,
  type IndicatorsCatalogueIndicatorParameter as Parameter,
  to,
} from '../request.ts';
import { type Candle, isOfDays, type Market, spanOf } from './candles.ts';

/** An indicator on the chart. */
export interface Shown {
  indicator: Indicator;
  values: Readonly<Record<string, number | string>>;
  /** Name and parameters, as links have them. */
  text: string;
}

/** Values by output, and the starts of their candles, Unix ms. */
export interface Computed {
  times: readonly number[];
  columns: Readonly<Record<string, readonly (number | null)[]>>;
}

let known: Promise<readonly Indicator[]> | null = null;

/** All indicators, asked for once; rejects with a Refusal. */
export function catalogue(): Promise<readonly Indicator[]> {
  known ??= call(at('/v1/indicators/catalogue', {}), {}).then(({ data }) => data.indicators);
  // After a failure the next reader asks again.
  known.catch(() => {
    known = null;
  });
  return known;
}

/**
 * The name of an indicator with its parameters in the order of the catalogue, as links have it: `macd:8,21,5`. The usual words at the
 * end are left out.
 */
function textOf({ name, parameters }: Indicator, values: Shown['values']): string {
  const last = parameters.findLastIndex(
    (one) => one.type !== 'word' || values[one.name] !== one.default,
  );
  const list = parameters.slice(0, last + 1).map((one) => values[one.name]);
  return list.length === 0 ? name : `${name}:${list.join(',')}`;
}

const defaultsOf = ({ parameters }: Indicator): Shown['values'] =>
  Object.fromEntries(parameters.map((one) => [one.name, one.default]));

/** An indicator with parameters; those that are absent are the usual ones. */
export function shownAs(indicator: Indicator, values: Shown['values'] = {}): Shown {
  const all = { ...defaultsOf(indicator), ...values };
  return { indicator, values: all, text: textOf(indicator, all) };
}

/** A word or a number as it stands in a link. */
const valueIn = ({ type }: Parameter, text: string): number | string =>
  type === 'word' ? text : Number(text);

/** The indicators of a link; names that the catalogue has not are left out. */
function shownIn(link: string, all: readonly Indicator[]): Shown[] {
  return link.split(';').flatMap((text) => {
    const [name, list = ''] = text.split(':');
    const indicator = all.find((one) => one.name === name);
    if (indicator === undefined) return [];
    const given = list.split(',').filter((one) => one !== '');
    const values = indicator.parameters.slice(0, given.length);
    const chosen = values.map((one, at) => [one.name, valueIn(one, given[at] ?? '')]);
    return [shownAs(indicator, Object.fromEntries(chosen))];
  });
}

/** Most candles whose values the service gives: of a market, and of candles that are sent. */
const most = { market: 1_000, sent: 5_000 };

/** Closed candles as they are sent; null where the service knows as many by itself: months begin on the same day everywhere. */
function sentOf(candles: readonly Candle[], interval: Market['interval']) {
  const isKnown = interval === '1M' || !isOfDays(interval);
  if (candles.length <= most.market && isKnown) return null;
  const now = Date.now();
  return candles
    .filter(({ time, volume }) => spanOf(time, interval)[1] <= now && volume !== null)
    .slice(-most.sent)
    .map(({ time, open, high, low, close, volume }) => [time, open, high, low, close, volume]);
}

/** The question for the values: of the closed candles that the chart shows, which are sent where they are many. */
export const questionOf = (
  { symbol, exchange, kind, interval }: Market,
  shown: readonly Shown[],
  candles: readonly Candle[] = [],
) => {
  const sent = sentOf(candles, interval);
  return to(
    'POST /v1/indicators/compute',
    {},
    {
      ...(sent === null ? { symbol, exchange, kind, limit: most.market } : { candles: sent }),
      interval,
      series: true,
      indicators: shown.map(({ text, indicator, values }) => ({
        name: indicator.name,
        id: text,
        params: values,
      })),
    },
  );
};

/** The values of indicators by their texts, with the start of the last closed candle. Rejects with a Refusal. */
export async function compute(
  market: Market,
  shown: readonly Shown[],
  { candles, signal }: { candles: readonly Candle[]; signal: AbortSignal },
): Promise<{ all: Map<string, Computed>; last: number }> {
  const { data } = await call(questionOf(market, shown, candles), {
    headers: credentials(),
    signal,
  });
  const all = new Map<string, Computed>();
  if (!('indicators' in data)) return { all, last: 0 };
  const { timestamps: times = [], indicators } = data;
  for (const [text, { series: columns = {} }] of Object.entries(indicators))
    all.set(text, { times, columns });
  return { all, last: times.at(-1) ?? 0 };
}

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

/** The indicators of a chart: which, as the address keeps them, and their values, asked for when a candle closes. */
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
        if (spanOf(last, market.interval)[1] < newest) again();
      },
      ({ code, message }: Refusal) => {
        if (signal.aborted) return;
        this.#listener.problem(`Indicators: ${wordsFor(code, message)}`);
        again();
      },
    );
  }
}
