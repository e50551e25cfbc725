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

/** The newest whole step at a time, `back` ms before it. */
const stepsBefore = (now: number, step: number, backs: readonly number[]): number[] =>
  backs.map((back) => stepAt(now, step) - step - back);

/** The values of one key, by its place, in one column: one at each time. */
const valuesOf = ({ columns }: topics.RecordedAt, name: string, place: number): (number | null)[] =>
  (columns[name] ?? []).map((row) => row[place] ?? null);

/** The values of one column at each time, by key. */
const columnOf = (reply: topics.RecordedAt, name: string): Map<string, (number | null)[]> =>
  new Map(reply.keys.map((key, i) => [key, valuesOf(reply, name, i)]));

interface Part {
  exchange: string;
  /** Now, an hour ago and a day ago. */
  usd: readonly (number | null)[];
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

export class RecordedView {
  readonly #onChange: () => void;
  readonly #received = new Map<string, number>();
  #prices = new Map<string, (number | null)[]>();
  #interest = new Map<string, Part[]>();
  #takers = new Map<string, TakerSums>();
  #ratios = new Map<string, number | null>();
  #options: { times: readonly number[]; byKey: Map<string, (number | null)[]> } | null = null;
  #now = 0;

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
      this.#young('price', this.#prices)?.get(topics.recordedKey(kind, symbol)) ?? [];
    return now === null ? null : changePct(window === 'hour' ? hourAgo : dayAgo, now);
  }

  /** Changes of the open interest of an asset, over all exchanges or on one. */
  interestChanges(symbol: string, on?: string): InterestChanges {
    const all = this.#young('open-interest', this.#interest)?.get(symbol) ?? [];
    const parts = all.filter((part) => on === undefined || part.exchange === on);
    if (parts.length === 0) return noChanges;
    const at = (time: number) => parts.map(({ usd }) => usd[time]);
    return { hour: changeOfParts(at(0), at(1)), day: changeOfParts(at(0), at(2)) };
  }

  /** Amounts that takers of spot markets bought and sold in 24 whole hours; of one exchange alone where they are its own. */
  takers(symbol: string, on: string = exchange): TakerSums {
    if (on !== exchange) return noTakers;
    return this.#young('taker-flow', this.#takers)?.get(symbol) ?? noTakers;
  }

  /** Accounts that are long over those that are short. */
  accountRatio(symbol: string, on: string = exchange): number | null {
    if (on !== exchange) return null;
    return this.#young('account-ratio', this.#ratios)?.get(symbol) ?? null;
  }

  /**
   * Open interest of the options on an asset, or on all, at the end of each day: by exchange, US dollars. Days of which
   * nothing is recorded are left out; empty while the history has not answered.
   */
  optionsByDay(symbol?: string): { time: number; exchanges: Record<string, number> }[] {
    if (this.#options === null) return [];
    const { times, byKey } = this.#options;
    const wanted = [...byKey].map(([key, usd]) => ({ parts: key.split('/'), usd }));
    const own = wanted.filter(({ parts }) => symbol === undefined || parts[1] === symbol);
    return times.flatMap((time, i) => {
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
    return [
      (now) => {
        const times = stepsBefore(now, minute, [0, hour, day]);
        return this.#question({ series: 'price', step: '1m', times, carry: 2 }, (reply) => {
          this.#prices = columnOf(reply, 'price');
        });
      },
      (now) => {
        const times = stepsBefore(now, topics.intervals['5m'], [0, hour, day]);
        return this.#question({ series: 'open-interest', step: '5m', times, carry: 3 }, (reply) => {
          this.#interest = partsOf(columnOf(reply, 'usd'));
        });
      },
      (now) => {
        // The rows of an hour are complete some minutes after its end.
        const hours = Array.from({ length: 24 }, (_, i) => i * hour);
        const times = stepsBefore(now - 10 * minute, hour, hours);
        const prefix = `${topics.recordedKey(exchange, 'spot')}/`;
        return this.#question({ series: 'taker-flow', step: '1h', times, prefix }, (reply) => {
          this.#takers = takersOf(reply, prefix);
        });
      },
      (now) => {
        const times = stepsBefore(now, topics.intervals['5m'], [0]);
        const prefix = `${exchange}/`;
        const asked = { series: 'account-ratio', step: '5m', times, carry: 6, prefix } as const;
        return this.#question(asked, (reply) => {
          this.#ratios = ratiosOf(reply, prefix);
        });
      },
      (now) => {
        const days = Array.from({ length: optionDays }, (_, i) => (optionDays - 1 - i) * day);
        const times = stepsBefore(now, day, days);
        return this.#question({ series: 'options-open-interest', step: '1d', times }, (reply) => {
          this.#options = { times, byKey: columnOf(reply, 'usd') };
        });
      },
    ];
  }

  #question(
    params: topics.RecordedAtParams,
    fold: (reply: topics.RecordedAt) => void,
  ): RecordedQuestion {
    return {
      params,
      accept: (reply, received) => {
        fold(reply);
        this.#received.set(params.series, received);
        this.#onChange();
      },
    };
  }

  #young<T>(series: string, value: T): T | null {
    const received = this.#received.get(series);
    return received !== undefined && this.#now - received > maxAge ? null : value;
  }
}

/** Keys are exchange/margin/symbol. */
function partsOf(byKey: ReadonlyMap<string, (number | null)[]>): Map<string, Part[]> {
  const found = new Map<string, Part[]>();
  for (const [key, usd] of byKey) {
    const [id = '', , symbol = ''] = key.split('/');
    const parts = found.get(symbol);
    if (parts) parts.push({ exchange: id, usd });
    else found.set(symbol, [{ exchange: id, usd }]);
  }
  return found;
}

function takersOf(reply: topics.RecordedAt, prefix: string): Map<string, TakerSums> {
  const sumOf = (name: string, place: number) => sumOfWindow(valuesOf(reply, name, place));
  return new Map(
    reply.keys.map((key, i) => [
      key.slice(prefix.length),
      { buy: sumOf('buy_usd', i), sell: sumOf('sell_usd', i) },
    ]),
  );
}

function ratiosOf(reply: topics.RecordedAt, prefix: string): Map<string, number | null> {
  return new Map(
    reply.keys.map((key, i) => {
      const [long = null] = valuesOf(reply, 'long', i);
      const [short = null] = valuesOf(reply, 'short', i);
      const ratio = long === null || short === null ? null : longShortRatio(long, short);
      return [key.slice(prefix.length), ratio];
    }),
  );
}
