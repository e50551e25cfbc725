/** What a reader can choose of the markets, as the address keeps it, and the rows that are left. */
import { columns } from './columns.ts';
import type { Asset, Kind } from './data.ts';

export interface Sorting {
  by: string;
  falling: boolean;
}

/** Choices that have no list. */
export interface Choices {
  kind: Kind;
  search: string;
  isWatched: boolean;
  sorting: Sorting;
}

export type MapKind = 'treemap' | 'heatmap';

/** As a table or a map. */
export const views = [['', 'table'], 'treemap', 'heatmap'] as const;

/** Least turnover of 24 hours, US dollars. */
export const turnovers = [
  ['0', 'all'],
  ['1000000', 'from 1 M'],
  ['10000000', 'from 10 M'],
  ['100000000', 'from 100 M'],
  ['1000000000', 'from 1 B'],
] as const;

/** What markets are about. */
export const classes = [
  ['', 'all'],
  ['crypto', 'coins'],
  ['stock', 'shares and funds'],
  ['index', 'indices'],
  ['commodity', 'metals, energy'],
  ['fx', 'currencies'],
  ['pre_launch', 'not listed yet'],
  ['unknown', 'not stated'],
] as const satisfies readonly (readonly [Asset['class'] | '', string])[];

/** A word that no choice has is as none. */
export function choicesOf(chosen: URLSearchParams): Choices {
  const by = chosen.get('sort') ?? '';
  return {
    kind: chosen.get('kind') === 'spot' ? 'spot' : 'perpetual',
    search: chosen.get('search') ?? '',
    isWatched: chosen.get('watched') === '1',
    sorting: {
      by: columns.some(({ id }) => id === by) ? by : 'volume',
      falling: chosen.get('order') !== 'rising',
    },
  };
}

/** Choices as the address has them, the usual ones empty. */
export const wordsOf = ({ kind, search, isWatched, sorting }: Choices) => ({
  kind: kind === 'perpetual' ? '' : kind,
  search,
  watched: isWatched ? '1' : '',
  sort: sorting.by === 'volume' ? '' : sorting.by,
  order: sorting.falling ? '' : 'rising',
});

/** Numbers by size and words by their letters; what is not known comes last, whichever way. */
function compare(a: number | string | null, b: number | string | null, falling: boolean): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  const order = typeof a === 'string' ? a.localeCompare(String(b)) : a - Number(b);
  return falling ? -order : order;
}

/** The rows that match, sorted; those of equal value in the order in which they came. `watched`: symbols, null for all. */
export function chosenRows(
  rows: readonly Asset[],
  { search, sorting }: Choices,
  { of, least, watched }: { of: string; least: number; watched: readonly string[] | null },
): Asset[] {
  const word = search.trim().toUpperCase();
  const column = columns.find(({ id }) => id === sorting.by);
  const left = rows.filter(
    ({ symbol, class: own, volume_24h_usd: volume }) =>
      (of === '' || own === of) &&
      (watched === null || watched.includes(symbol)) &&
      volume >= least &&
      symbol.includes(word),
  );
  if (column === undefined) return left;
  return left.sort((a, b) => compare(column.value(a), column.value(b), sorting.falling));
}
