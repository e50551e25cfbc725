/** The recorded series in the tables of markets: the newest rows, folded when they come. */
import * as topics from '../../actors/topics/index.ts';
import { day, hour, minute } from '../../config/time.ts';
import { longShortRatio } from '../../indicators/derivatives/order-flow.ts';
import { stepAt } from '../../indicators/market/buckets.ts';
import { changeOfParts, sumOfWindow } from '../../indicators/market/recorded.ts';
import { changePct } from '../../indicators/market/statistics.ts';

/** Rows older than this are not shown, ms: three steps of the slowest series. */
const maxAge = 15 * minute;
/** Days of the open interest of options that are shown, 32 at most. */
const optionDays = 30;
/** Exchange whose takers and accounts are recorded. */
const exchange = 'binance';

/** A question of the view to the history, and what takes its reply. */
export interface RecordedQuestion {
  params: topics.RecordedAtParams;
  accept(reply: topics.RecordedAt, received: number): void;
}

/** The values of one key, by its place, in one column: one at each time. */
const valuesOf = ({ columns }: topics.RecordedAt, name: string, place: number): (number | null)[] =>
  (columns[name] ?? []).map((row) => row[place] ?? null);

/** What `of` gives of the place of each key, by the key without its beginning. */
const byKey = <T>({ keys }: topics.RecordedAt, of: (place: number) => T, beginning = '') =>
  new Map(keys.map((key, place) => [key.slice(beginning.length), of(place)]));

/** The values of one column at each time, by key. */
const columnOf = (reply: topics.RecordedAt, name: string) =>
  byKey(reply, (place) => valuesOf(reply, name, place));

/** The values of each asset by its exchanges and margins. Keys are exchange/margin/symbol. */
function partsOf(reply: topics.RecordedAt) {
  const parts = [...columnOf(reply, 'usd')].map(([key, usd]) => {
    const [id, , symbol] = key.split('/');
    return { exchange: id, symbol, usd };
  });
  return Map.groupBy(parts, ({ symbol }) => symbol);
}

/** Amounts that takers bought and sold, US dollars; null where it is not recorded. */
export interface TakerSums {
  buy: number | null;
  sell: number | null;
}
const noTakers: TakerSums = { buy: null, sell: null };

/** The changes that are recorded of an asset, percent. */
export interface InterestChanges {
  hour: number | null;
  day: number | null;
}
const noChanges: InterestChanges = { hour: null, day: null };

/** The beginnings of the keys of takers and of accounts. */
const [ofTakers, ofAccounts] = [`${topics.recordedKey(exchange, 'spot')}/`, `${exchange}/`];

const takersOf = (reply: topics.RecordedAt) => {
  const sumOf = (name: string, place: number) => sumOfWindow(valuesOf(reply, name, place));
  return byKey<TakerSums>(
    reply,
    (place) => ({ buy: sumOf('buy_usd', place), sell: sumOf('sell_usd', place) }),
    ofTakers,
  );
};

const ratioAt = (reply: topics.RecordedAt, place: number) => {
  const [long = null] = valuesOf(reply, 'long', place);
  const [short = null] = valuesOf(reply, 'short', place);
  return long === null || short === null ? null : longShortRatio(long, short);
};
const ratiosOf = (reply: topics.RecordedAt) =>
  byKey(reply, (place) => ratioAt(reply, place), ofAccounts);

/** What is asked for at any time: the newest whole step, and others some time before it. */
interface Asked extends Omit<topics.RecordedAtParams, 'times'> {
  /** How long before it they are, ms. */
  backs: readonly number[];
  /** How long after its end a step is complete, ms; 0 when absent. */
  late?: number;
  /** For how long the reply counts, ms; `maxAge` when absent. */
  age?: number;
}
const hours = Array.from({ length: 24 }, (_, i) => i * hour);
const days = Array.from({ length: optionDays }, (_, i) => (optionDays - 1 - i) * day);

export class RecordedView {
  readonly #onChange: () => void;
  readonly #questions: ((now: number) => RecordedQuestion)[] = [];
  #now = 0;
  readonly #prices = this.#kept(
    { series: 'price', step: '1m', backs: [0, hour, day], carry: 2 },
    (reply) => columnOf(reply, 'price'),
  );
  readonly #interest = this.#kept(
    { series: 'open-interest', step: '5m', backs: [0, hour, day], carry: 3 },
    partsOf,
  );
  readonly #takers = this.#kept(
    { series: 'taker-flow', step: '1h', backs: hours, late: 10 * minute, prefix: ofTakers },
    takersOf,
  );
  readonly #ratios = this.#kept(
    { series: 'account-ratio', step: '5m', backs: [0], carry: 6, prefix: ofAccounts },
    ratiosOf,
  );
  // Days that are over stay what they are.
  readonly #options = this.#kept(
    { series: 'options-open-interest', step: '1d', backs: days, age: Infinity },
    (reply) => ({ times: reply.times, usd: columnOf(reply, 'usd') }),
  );

  /** `onChange` is called when rows have come. */
  constructor(onChange: () => void = () => {}) {
    this.#onChange = onChange;
  }

  /** Lets rows become too old. Call it about every second. */
  expire(now: number): void {
    this.#now = now;
  }

  /** Change of the mean price in one hour, or in a day, percent. */
  priceChange(
    kind: 'spot' | 'perpetual',
    symbol: string,
    window: 'hour' | 'day' = 'hour',
  ): number | null {
    const [now = null, hourAgo, dayAgo] =
      this.#prices()?.get(topics.recordedKey(kind, symbol)) ?? [];
    return now === null ? null : changePct(window === 'hour' ? hourAgo : dayAgo, now);
  }

  /** Changes of the open interest of an asset, over all exchanges or on one. */
  interestChanges(symbol: string, on?: string): InterestChanges {
    const all = this.#interest()?.get(symbol) ?? [];
    const parts = all.filter((part) => on === undefined || part.exchange === on);
    if (parts.length === 0) return noChanges;
    const at = (time: number) => parts.map(({ usd }) => usd[time]);
    return { hour: changeOfParts(at(0), at(1)), day: changeOfParts(at(0), at(2)) };
  }

  /** Amounts that takers of spot markets bought and sold in 24 whole hours; of one exchange alone where they are its own. */
  takers(symbol: string, on: string = exchange): TakerSums {
    if (on !== exchange) return noTakers;
    return this.#takers()?.get(symbol) ?? noTakers;
  }

  /** Accounts that are long over those that are short. */
  accountRatio(symbol: string, on: string = exchange): number | null {
    if (on !== exchange) return null;
    return this.#ratios()?.get(symbol) ?? null;
  }

  /**
   * Open interest of the options on an asset, or on all, at the end of each day: by exchange, US dollars. Days of which
   * nothing is recorded are left out; empty while the history has not answered.
   */
  optionsByDay(symbol?: string): { time: number; exchanges: Record<string, number> }[] {
    const found = this.#options();
    if (found === null) return [];
    const wanted = [...found.usd].map(([key, usd]) => ({ parts: key.split('/'), usd }));
    const own = wanted.filter(({ parts }) => symbol === undefined || parts[1] === symbol);
    return found.times.flatMap((time, i) => {
      const exchanges: Record<string, number> = {};
      for (const { parts, usd } of own) {
        const [id = ''] = parts;
        const value = usd[i] ?? null;
        if (value !== null) exchanges[id] = (exchanges[id] ?? 0) + value;
      }
      return Object.keys(exchanges).length === 0 ? [] : [{ time, exchanges }];
    });
  }

  /** The questions of the view to the history, each repeated when its answer ends. */
  questions(): readonly ((now: number) => RecordedQuestion)[] {
    return this.#questions;
  }

  /** Adds a question; gives what is kept of its last reply, null without one that is young. */
  #kept<T>(
    { backs, late = 0, age = maxAge, ...asked }: Asked,
    fold: (reply: topics.RecordedAt) => T,
  ): () => T | null {
    let kept: { value: T; received: number } | null = null;
    const step = topics.intervals[asked.step];
    this.#questions.push((now) => ({
      params: { ...asked, times: backs.map((back) => stepAt(now - late, step) - step - back) },
      accept: (reply, received) => {
        kept = { value: fold(reply), received };
        this.#onChange();
      },
    }));
    return () => (kept === null || this.#now - kept.received > age ? null : kept.value);
  }
}
