/** What a reader has chosen of the markets, as the address keeps it, and the rows that are left. */
import { colouring, columns } from './columns.ts';
import type { Asset, Kind } from './data.ts';
import type { Sorting } from './table.ts';

export interface Choices {
  kind: Kind;
  /** What the markets are about; '' for all. */
  of: string;
  search: string;
  isWatched: boolean;
  /** Least turnover of 24 hours, US dollars. */
  turnover: string;
  sorting: Sorting;
  /** As a table or a map. */
  view: (typeof views)[number][0];
  /** Id of the column that colours the map. */
  colour: string;
}

export type MapKind = 'treemap' | 'heatmap';

export const views = [
  ['', 'table'],
  ['treemap', 'treemap'],
  ['heatmap', 'heatmap'],
] as const satisfies readonly (readonly ['' | MapKind, string])[];

export const turnovers = [
  ['0', 'all'],
  ['1000000', 'from 1 M'],
  ['10000000', 'from 10 M'],
  ['100000000', 'from 100 M'],
  ['1000000000', 'from 1 B'],
] as const satisfies readonly (readonly [string, string])[];

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

export const usualColour = '24h';

/** A word that no choice has is as none. */
export function choicesOf(chosen: URLSearchParams): Choices {
  const by = chosen.get('sort') ?? '';
  const turnover = chosen.get('turnover') ?? '';
  const of = chosen.get('class') ?? '';
  const view = views.find(([value]) => value === chosen.get('view'))?.[0] ?? '';
  const colour = chosen.get('colour') ?? '';
  return {
    view,
    colour: colouring.some(({ id }) => id === colour) ? colour : usualColour,
    kind: chosen.get('kind') === 'spot' ? 'spot' : 'perpetual',
    of: classes.some(([value]) => value === of) ? of : '',
    search: chosen.get('search') ?? '',
    isWatched: chosen.get('watched') === '1',
    turnover: turnovers.some(([value]) => value === turnover) ? turnover : '0',
    sorting: {
      by: columns.some(({ id }) => id === by) ? by : 'volume',
      falling: chosen.get('order') !== 'rising',
    },
  };
}

/** Numbers by size and words by their letters; what is not known comes last, whichever way. */
function compare(a: number | string | null, b: number | string | null, falling: boolean): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  const order = typeof a === 'string' ? a.localeCompare(String(b)) : a - Number(b);
  return falling ? -order : order;
}

/** The rows that match, sorted; those of equal value in the order in which they came. */
export function chosenRows(
  rows: readonly Asset[],
  { of, search, isWatched, turnover, sorting }: Choices,
  watched: readonly string[],
): Asset[] {
  const word = search.trim().toUpperCase();
  const least = Number(turnover);
  const column = columns.find(({ id }) => id === sorting.by);
  const left = rows.filter(({ symbol, class: own, volume_24h_usd: volume }) => {
    if (of !== '' && own !== of) return false;
    if (isWatched && !watched.includes(symbol)) return false;
    return volume >= least && symbol.includes(word);
  });
  if (column === undefined) return left;
  return left.sort((a, b) => compare(column.value(a), column.value(b), sorting.falling));
}
