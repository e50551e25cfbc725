/** The numbers of the chart in words, and as rows of a table or a file. */
import { h } from '../dom.ts';
import { compact, percent, price, signOf, time } from '../format.ts';
import type { Rows } from '../panel.ts';
import type { Candle } from './candles.ts';
import type { Computed } from './indicators.ts';

/** Values beside those of the candles, by the start of a candle, Unix ms. */
export interface Column {
  name: string;
  at(time: number): number | null;
}

/** The numbers of a candle with their letters, and those of what is compared. */
export function wordsOf(
  { time: at, open, high, low, close, volume_usd: volume }: Candle,
  others: readonly Column[],
): HTMLElement[] {
  const change = open === null || close === null ? null : (close / open - 1) * 100;
  const numbers = [
    ['O', price(open)],
    ['H', price(high)],
    ['L', price(low)],
    ['C', price(close)],
    ['Vol', compact(volume)],
  ] as const;
  const named = ([name, text]: readonly [string, string]) =>
    h('span', {}, `${name} `, h('b', {}, text));
  return [
    h('span', {}, time(at, 'minute')),
    ...numbers.map(named),
    h('span', { class: signOf(change) }, percent(change)),
    ...others.map((other) => named([other.name, price(other.at(at))])),
  ];
}

/** The values of the indicators. */
export const columnsOf = (indicators: ReadonlyMap<string, Computed>): Column[] =>
  [...indicators].flatMap(([text, { times, columns }]) => {
    const places = new Map(times.map((time, place) => [time, place]));
    return Object.entries(columns).map(([output, values]) => ({
      name: `${text} ${output}`,
      at: (time: number) => values[places.get(time) ?? -1] ?? null,
    }));
  });

/** All that is drawn: the candles with what is recorded beside them, and further columns; null where there is no value. */
export function rowsOf(candles: readonly Candle[], columns: readonly Column[]): Rows {
  const names = Object.keys(candles[0] ?? {}) as (keyof Candle)[];
  return [
    [...names, ...columns.map(({ name }) => name)],
    ...candles.map((one) => [
      ...names.map((name) => one[name]),
      ...columns.map(({ at }) => at(one.time)),
    ]),
  ];
}
