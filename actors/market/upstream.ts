/** The form of an upstream of the market indicators: what it offers, as data and pure functions. */
import { ShapeError } from '../failure.ts';
import type { Api, UpstreamRequest } from '../upstream/request.ts';
import { asRow, isRow, type WireRow } from '../venues/rows.ts';
import type { Parsed } from '../venues/venue.ts';

/** What a figure is asked for. Days are those of days.ts, both ends included. */
export interface FigurePlan {
  /** Unix ms at which the requests are made. */
  now: number;
  /** First day wanted, where the upstream can begin somewhere. */
  from?: number;
  /** Last day wanted; the last one that is over when absent. */
  to?: number;
  /** What to ask one by one (symbols, assets), where the upstream has no bulk answer. */
  items?: readonly string[];
}

/** What a parser may know besides the bodies. */
export interface FigureContext {
  /** When the last byte arrived, Unix ms. */
  received: number;
  /** The plan that the requests were made from. */
  plan: FigurePlan;
}

/** One figure of an upstream. */
export interface Figure<Row> {
  /** The requests in the order in which `parse` gets their bodies. */
  requests(plan: FigurePlan): readonly UpstreamRequest[];
  /**
   * Rows, and those that should have been readable in `dropped`. Undefined as a body stands for a failed request
   * about one item. Throws ShapeError when a body is not what the upstream documents.
   */
  parse(bodies: readonly unknown[], context: FigureContext): Parsed<Row>;
}

/** An upstream: one of these per file in upstreams/. */
export interface MarketUpstream {
  id: string;
  name: string;
  apis: Readonly<Record<string, Api>>;
  /** By name; the row type of each is its own. */
  figures: Readonly<Record<string, Figure<unknown>>>;
}

/** Checks an upstream at load and keeps its literal type, so that a figure it lacks is a compile error. */
export function defineUpstream<const U extends MarketUpstream>(upstream: U): U {
  for (const api of Object.values(upstream.apis)) {
    if (api.hosts.length === 0) throw new Error(`upstream ${upstream.id}: an api without hosts`);
    if (!api.budgets.default) {
      throw new Error(`upstream ${upstream.id}: an api without a default budget`);
    }
  }
  return upstream;
}

/** The value as a row to read, or ShapeError. */
export function record(value: unknown, what: string): WireRow {
  if (!isRow(value)) throw new ShapeError(`${what}: not an object`);
  return value;
}

/** `left_out` for a row that the upstream itself marks as empty: no fault of anybody. */
export type Reading<Row> = Row | null | 'left_out';

/** Reads rows one by one; null drops the row under the name that `key` gives it. */
export function readRows<Row extends object>(
  values: readonly unknown[],
  key: (row: WireRow) => string,
  read: (row: WireRow) => Reading<Row>,
): Parsed<Row> {
  const parsed: Parsed<Row> = { rows: [], dropped: [] };
  for (const value of values) {
    const row = asRow(value);
    const found = read(row);
    if (found === 'left_out') continue;
    if (found) parsed.rows.push(found);
    else parsed.dropped.push({ key: key(row), code: 'bad_row' });
  }
  return parsed;
}

/** The one row of a body that is about one thing, or ShapeError when it is unreadable. */
export function only<Row>(row: Row | null, what: string): Parsed<Row> {
  if (row === null) throw new ShapeError(`${what}: unreadable`);
  return { rows: [row], dropped: [] };
}

/** Several readings as one. */
export function joined<Row>(parts: readonly Parsed<Row>[]): Parsed<Row> {
  return { rows: parts.flatMap((p) => p.rows), dropped: parts.flatMap((p) => p.dropped) };
}

/** For an upstream that documents no errors of its own: the HTTP status decides. */
export const noFaults: Api['fault'] = () => null;

/** Requests per minute. */
export const perMinute = (weight: number) => ({ default: { weight, per: 60_000 } });
