/** Rows whose answer is a list, with the number of its rows. */
import * as s from '../../../actors/topics/schema.ts';
import { jsonText } from '../../answers/json.ts';
import type { Fold } from '../../answers/source.ts';
import type { Params, Resolved, Route, Values } from '../../endpoints/route.ts';
import { type ApiError, isApiError } from '../../wire/errors.ts';
import type { Columns } from './columns.ts';
import { document, type Head, type Origin } from './document.ts';

/** The rows of a list, and their age. */
interface Rows<R> {
  /** In their order. */
  rows: readonly R[];
  /** When the newest of them was received, Unix ms; that of the source when absent. */
  asOf?: number | null;
}

/** The rows of a list, with the other fields of the answer where it has any. */
type Found<R, H extends s.TProperties> = keyof H extends never
  ? readonly R[]
  : s.Static<s.TObject<H>> & Rows<R>;

/** The rows with these values, in any case; one that is not given leaves all. */
export function matching<R extends object>(
  rows: readonly R[],
  wanted: Readonly<Record<string, string | undefined>>,
): readonly R[] {
  const asked = Object.entries(wanted).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value: value.toLowerCase() }],
  );
  if (asked.length === 0) return rows;
  return rows.filter((row) => {
    const cells = new Map<string, unknown>(Object.entries(row));
    return asked.every(({ name, value }) => String(cells.get(name)).toLowerCase() === value);
  });
}

/** The rows of an answer, of which `offset` leaves out the first ones and `limit` gives the most. */
function pageOf<R>(rows: readonly R[], { offset, limit }: Values<Params>): readonly R[] {
  const first = typeof offset === 'number' ? offset : 0;
  return typeof limit === 'number' ? rows.slice(first, first + limit) : rows.slice(first);
}

/**
 * Declares a row whose answer is a list: `{ ...fields, count, items }`. `find` gives all rows that are asked for, in their order,
 * or why there are none; the parameters `offset` and `limit` are applied here. As CSV the answer is the list.
 *
 *     table({ ...futures, path: '/v1/futures/pairs-markets', summary, params: filters, columns: pair,
 *       source: tables.source, find: (filter) => tables.read((now) => now.futures.markets(filter)) })
 */
export function table<
  const Ps extends Params,
  R,
  P extends s.TProperties,
  H extends s.TProperties = Record<never, never>,
>({
  columns,
  fields,
  order = 'The rows of the table.',
  list = 'items',
  find,
  ...row
}: Omit<Head, 'list'> &
  Origin<Resolved<Ps>> &
  Pick<Fold<Resolved<Ps>, unknown>, 'keysOf' | 'bound'> & {
    params: Ps;
    columns: Columns<R, P>;
    /** Further fields of the answer. */
    fields?: H;
    /** The name of the list, `items` when absent; null where the list is the whole answer, which then has no other fields. */
    list?: string | null;
    /** The order of the rows, in words. */
    order?: string;
    find(values: Resolved<Ps>): Found<NoInfer<R>, H> | ApiError | null;
  }): Route {
  const rowsList = s.list(columns.schema, order);
  return document<Ps, s.TSchema>({
    ...row,
    ...(list !== null && { list }),
    answer: list === null ? rowsList : s.object({ ...fields, count: s.count, [list]: rowsList }),
    build(values) {
      const found: readonly R[] | Rows<R> | ApiError | null = find(values);
      if (found === null || isApiError(found)) return found;
      const { rows, asOf = null, ...others } = 'rows' in found ? found : { rows: found };
      const items = columns.all(pageOf(rows, values));
      if (list === null) return items.length === 0 ? null : items;
      const data = { ...others, count: items.length, [list]: items };
      return asOf === null ? data : jsonText(data, asOf);
    },
  });
}
