/** The one form of an upstream (an exchange, a chain, a data provider): what it offers, as data and pure functions. */
import { failed, type Result, ShapeError, success } from '../failure.ts';
import { asRow, isRow, type WireRow } from '../read.ts';
import type { Instrument, MarketRows, MarketTopic } from '../topics/index.ts';
import type { Reason } from '../topics/reasons.ts';
import type { Api, UpstreamRequest } from '../upstream/request.ts';

/** The APIs of a source, by name. */
export type Apis = Readonly<Record<string, Api>>;

/** A request to one of these APIs. The name of an API or of a budget that it lacks is a compile error. */
export type RequestOf<A extends Apis, Api extends keyof A = keyof A> = {
  [Name in Api & string]: UpstreamRequest<Name, keyof A[Name]['budgets'] & string>;
}[Api & string];

/** Instruments of one part, by the exchange's own id. */
export type InstrumentMap = ReadonlyMap<string, Instrument>;

/** The context of a parser besides the bodies. */
export interface ParseContext {
  /** When the last byte arrived, Unix ms. */
  received: number;
  /** The known instruments of the part that is parsed. */
  instruments: InstrumentMap;
}

/**
 * Rows read from the bodies of one poll. Markets that are not followed are left out without a count; a row that should
 * have been readable is named in `dropped`, so that the machinery keeps its last good value and counts it.
 */
export interface Parsed<Row> {
  rows: Row[];
  dropped: { key: string; code: Reason }[];
  /**
   * Why there is nothing to trade in this part now, in words of ours, where the exchange itself states it (all its
   * markets are paused): there are no rows then, and that is not a failure.
   */
  closed?: string;
}

/** The rows of several topics in one reading. */
export type RowsOf<T extends MarketTopic> = { readonly [K in T]: Parsed<MarketRows[K]> };

/** A row as the machinery sees it: its market, and the time received if it is from an earlier reading. */
export interface AnyRow {
  market: string;
  received?: number;
}

/** Unix ms at which a request is made, for upstreams that require a time in it; the machinery always gives it. */
export interface Now {
  now?: number;
}

/** The markets that a poll covers. */
export interface Plan extends Now {
  /**
   * For a part that rotates, the native ids to ask in this poll: the most traded ones every time, the others in
   * turn. Of the others what the poll `names`, or empty: they get everything in bulk.
   */
  markets: readonly string[];
}

/**
 * One request group, polled, failed and published by itself; its bodies may hold the rows of several topics, under each of which
 * the same object is named. Every poll but those of `instruments` waits until the instrument list of its part is known: an id alone
 * does not state whether `BTC3L-USDT` is a coin.
 */
export interface MarketPoll<T extends MarketTopic, Request = UpstreamRequest> {
  /** The requests in the order in which `parse` gets their bodies. */
  requests(plan: Plan): readonly Request[];
  /**
   * Undefined stands for a request about one market that failed, or that was about a market the exchange does not know, and for
   * an `optional` request that failed. Throws ShapeError (or any error) when a body is not of the documented form.
   */
  parse(bodies: readonly unknown[], context: ParseContext): RowsOf<T>;
  /** True when the venue has no bulk answer: `requests` asks market by market (`Plan.markets`), within the budget. */
  rotates?: boolean;
  /** What `Plan.markets` of a poll that does not rotate has, out of the list of its part, such as the groups that markets are asked by. */
  names?(listed: InstrumentMap): readonly string[];
  /** With `rotates` or `names`: the most of them that one poll may ask within the budget; as many as it takes when absent. */
  most?: number;
  /** Milliseconds from the end of this poll to its next start, where that is not the interval of its feed. */
  every?: number;
}

/** The polls of a topic by part. */
export interface Feed<T extends MarketTopic, Request = UpstreamRequest> {
  /** Milliseconds between the end of a poll and the start of the next. */
  every: number;
  parts: Readonly<Record<string, MarketPoll<T, Request>>>;
}

/** The parameters of a poll of a job. Days are those of days.ts, both ends included. */
export interface PollPlan {
  /** Unix ms at which the requests are made. */
  now: number;
  /** First day wanted, where the upstream can begin somewhere. */
  from?: number;
  /** Last day wanted; the last one that is over when absent. */
  to?: number;
  /** Names to ask one by one (symbols, assets), where the upstream has no bulk answer. */
  items?: readonly string[];
}

/** The context of a parser of a job's poll besides the bodies. */
export interface PollContext {
  /** When the last byte arrived, Unix ms. */
  received: number;
  /** The plan that the requests were made from. */
  plan: PollPlan;
}

/** Requests made together and the reader of their answers: of a job, unless another plan and context are named. */
export interface Poll<Row, Request = UpstreamRequest, Ask = PollPlan, Context = PollContext> {
  /** The requests in the order in which `parse` gets their bodies. */
  requests(plan: Ask): readonly Request[];
  /**
   * Undefined stands for a request about one `market` or item that failed, or that was about a market the upstream does
   * not know: its row is left out without a count. Undefined as well for an `optional` request that failed: its values
   * are unknown. Throws ShapeError (or any error) when a body is not of the documented form.
   */
  parse(bodies: readonly unknown[], context: Context): Parsed<Row>;
}

/** A source of any kind. Its queries, polls and jobs are read by name by those who use them. */
export interface Source<A extends Apis = Apis> {
  id: string;
  name: string;
  apis: A;
  /** Polls that jobs use, of this source or of several in order; each has its own row, plan and context. */
  polls?: Readonly<Record<string, Poll<unknown, RequestOf<A>, never, never>>>;
}

/** Keeps the literal type of a source, so that the use of a capability or of a name that it lacks is a compile error. */
export const defineSource = <const A extends Apis, const S extends Source<A>>(
  source: S & { apis: A },
): S => source;

/** The value as a row to read, or ShapeError. */
export function record(value: unknown, what: string): WireRow {
  if (!isRow(value)) throw new ShapeError(`${what}: not an object`);
  return value;
}

/** `left_out` for a row that the upstream itself marks as empty, which is not a fault. */
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
export function singleRow<Row>(row: Row | null, what: string): Parsed<Row> {
  if (row === null) throw new ShapeError(`${what}: unreadable`);
  return { rows: [row], dropped: [] };
}

/** Several readings as one. */
export function joined<Row>(parts: readonly Parsed<Row>[]): Parsed<Row> {
  return { rows: parts.flatMap((p) => p.rows), dropped: parts.flatMap((p) => p.dropped) };
}

/** Requests per minute. */
export const perMinute = (weight: number) => ({ default: { weight, per: 60_000 } });

/** A body of which more than this share of the rows is bad is rejected whole. */
export const maxDroppedShare = 0.2;

/** The result of `parse`; a failure where it throws or too many rows are unreadable. */
export function validRows<Row>(parse: () => Parsed<Row>): Result<Parsed<Row>> {
  try {
    const parsed = parse();
    const bad = parsed.dropped.filter((drop) => drop.code === 'bad_row').length;
    const all = parsed.rows.length + bad;
    if (bad > maxDroppedShare * all) return failed('shape', `${bad} of ${all} rows are unreadable`);
    return success(parsed);
  } catch (error) {
    return failed('shape', error instanceof Error ? error.message : 'unreadable body');
  }
}
