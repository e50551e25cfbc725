import type { Static, TSchema } from '../../actors/topics/schema.ts';
import type { BudgetName } from '../../config/plans.ts';
import type { JsonText } from '../answers/json-text.ts';
import type { LogQuery } from '../answers/numbered-log.ts';
import type { Question } from '../answers/queries.ts';
import { isPaged, type RowStep, withNextIn } from '../answers/ranges.ts';
import type { Body } from '../answers/response-body.ts';
import type { Snapshot } from '../answers/snapshots.ts';
import type { Memory } from '../answers/source.ts';
import type { RowsFile } from '../answers/tables/file.ts';
import type { Caller } from '../auth/caller.ts';
import type { ApiError, ErrorCode } from '../wire/errors.ts';
import { type Group, groupOf } from './groups.ts';

/** A JSON Schema (draft 2020-12), as `/openapi.json` shows it. */
export type Schema = Readonly<Record<string, unknown>>;

/** One query or path parameter: JSON Schema keywords and those of OpenAPI. */
export interface Param {
  type: 'string' | 'integer' | 'number';
  description: string;
  required?: true;
  default?: string | number;
  /** Allowed words, accepted in any case; the handler gets them as written here. */
  enum?: readonly string[];
  /** The error code for a word that is not in `enum`; `bad_parameter` when absent. */
  unlisted?: ErrorCode;
  /** Documented, not enforced: the handler of the row checks the value, and whether it is present. */
  lenient?: true;
  minimum?: number;
  maximum?: number;
  /** A moment, in Unix ms or seconds; a client may send it as an ISO 8601 text too (`isoTime`). */
  time?: 'ms' | 's';
  /** Of `from` in a range of rows: the least time between two of them. */
  step?: RowStep;
  pattern?: string;
  maxLength?: number;
  example?: string | number;
  /**
   * What the values mean at present, in a row of a factory: fields that its handler gets beside the values or in their place, or why
   * they mean nothing. It is called when an answer is made, after the check.
   */
  resolve?(values: CheckedValues): object | ApiError;
}
/** The checked values of any row. */
export type CheckedValues = Readonly<Record<string, string | number | undefined>>;
export type Params = Readonly<Record<string, Param>>;

type ValueOf<P extends Param> = P extends { type: 'integer' | 'number' }
  ? number
  : P extends { lenient: true }
    ? string
    : P extends { enum: readonly (infer E)[] }
      ? E
      : string;

/** The checked values of a parameter table. */
export type Values<Ps extends Params> = {
  readonly [K in keyof Ps]: Ps[K] extends { default: string | number }
    ? ValueOf<Ps[K]>
    : Ps[K] extends { lenient: true }
      ? string | undefined
      : Ps[K] extends { required: true }
        ? ValueOf<Ps[K]>
        : ValueOf<Ps[K]> | undefined;
};

/** The fields that a parameter resolves to. */
type FoundBy<P> = P extends { resolve(values: CheckedValues): infer F }
  ? Exclude<F, ApiError>
  : unknown;

/** The checked values of a parameter table with what they mean (`resolve`). */
export type Resolved<Ps extends Params> = Values<Ps> &
  ({ [K in keyof Ps]-?: (found: FoundBy<Ps[K]>) => void }[keyof Ps] extends (found: infer F) => void
    ? F
    : never);

/** An answer outside the envelope: `/metrics`, `/openapi.json`, the pages. */
export interface Raw {
  contentType: string;
  /** A `Body` is compressed, and answered with 304 to its tag. */
  body: string | Buffer | Body;
  /** Value of `cache-control`; `no-store` when absent. */
  cache?: string;
  /** Further headers, names in lower case. */
  headers?: Readonly<Record<string, string>>;
}

/** The form of answers outside the envelope: the body is the data alone, and errors have a form of their own. */
export interface NoEnvelope {
  /** The status and the JSON text of an error. */
  error(error: ApiError): { status: number; body: string };
  /** JSON Schema of these bodies. */
  errors: TSchema;
  /** Further header lines, made of those of the quota; each follows a line break. */
  lines?(quota: string): string;
  /** A header in which clients of this form send their API key, beside `x-api-key`. */
  keyHeader?: ArrayBuffer;
}

/** What several paths answer as of one moment. */
export interface Batch {
  snapshot_id: string;
  /** Unix ms. */
  at: number;
  count: number;
  answers: readonly { path: string; status: number }[];
}

/** An answer, or an event of a log, as it is now. */
export interface Looked {
  /** Its own path, without an asterisk. */
  path: string;
  data: unknown;
  /** When its newest reading was received, Unix ms; null where that is not known. */
  asOf: number | null;
}

/** A request for an act: the caller and the body. */
export interface Call<V, B = unknown> {
  values: V;
  /** Checked by the `body` schema of the row; undefined for a row without one. */
  body: B;
  /** Null on rows with open access, and on every row of a server without a gate. */
  caller: Caller | null;
  /** As `askerId` gives it. */
  account: string;
  /** The header of this name; empty when absent. */
  idempotencyKey: string;
  /** A browser sees the service by https: its own `Origin` header says so, also behind a proxy that ends TLS. */
  isHttps: boolean;
  /** The caller whom the session of the browser names; null without one. Never rejects. */
  session(): Promise<Caller | ApiError | null>;
  /** The error where the answer at a path cannot be followed, or its events where `mode` is `log`; null where it can. */
  follow(path: string, mode: 'full' | 'log'): ApiError | null;
  /** The answers at a path as they are now, of a pattern some; of a log its newest event. */
  look(path: string, mode: 'full' | 'log'): Promise<readonly Looked[]>;
  /** Counts further requests like this one; the error when the quota does not have them all, of which none is counted then. */
  count(times: number): Promise<ApiError | null>;
  /** Reads paths of GET rows as of one moment. */
  batch(paths: readonly string[]): Promise<JsonText<Batch>>;
}

/** The result of an act: `data` of the envelope. The answer is never cached. */
export interface Done<D = unknown> {
  status: 200 | 201;
  data: D | JsonText<D>;
  /** Value of `set-cookie`; absent for none. */
  cookie?: string;
}

/** An answer of events. */
interface Logged<V> {
  /** The log whose newest events the answer has, for clients that want each event. `account` as `askerId` gives it. */
  log?(values: V, account: string): LogQuery | ApiError;
}

/** The origin of an answer with data of type `D`, for values of type `V` and a body of type `B`. */
export type From<V, D = unknown, B = unknown> =
  /** Bytes in memory. */
  | (Memory<V, D> & Logged<V>)
  /** A query to a source; an answer at once where there is nothing to ask. */
  | ({ query(values: V): Question<D> | Snapshot<D> | ApiError } & Logged<V>)
  /** An act for this caller alone; `signal` aborts when the client disconnects. */
  | ({ act(call: Call<V, B>, signal: AbortSignal): Promise<Done<D> | ApiError> } & Logged<V>)
  /** A page of the server itself. */
  | { raw(values: V): Promise<Raw | ApiError> | Raw | ApiError };

/** The type of the data of an answer. */
export type DataOf<A extends TSchema | null> = A extends TSchema ? Static<A> : unknown;

/** One endpoint: the route, the validation, the OpenAPI entry and the tests are made from this row. */
export interface Route {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With `{name}` for a path parameter. */
  path: string;
  /** The group in the documentation. */
  group: Group;
  summary: string;
  params: Params;
  /** JSON Schema of the request's JSON body, for acts; an act without one refuses a body. */
  body?: TSchema;
  /** Largest body, bytes; 64 KiB when absent. */
  bodyCap?: number;
  /** A body that works, for the documentation. */
  bodyExample?: object;
  /** Errors that do not follow from the rest of the row (`http/openapi/failures.ts`), for the documentation. */
  fails?: readonly ErrorCode[];
  /** How far back its answers go, a sentence, for the documentation. */
  reach?: string | undefined;
  /** It has an answer before any reading was received, for the documentation. */
  answersBeforeData?: true;
  /** Failures of the query are answered with 200, status `error` and empty data, for the documentation. */
  errorsAs200?: true;
  /** The act answers 201, for the documentation. */
  creates?: true;
  /** Schema of the envelope's `data`; of the whole body for raw and bare answers, null when that is not JSON. */
  answer: TSchema | null;
  /** The answers stand outside the envelope, in this form; there is no CSV of them. */
  noEnvelope?: NoEnvelope;
  /** The property of `data` whose list is the answer as CSV, one for each form, optional lists before others; not needed where there is one list. */
  list?: string | readonly string[];
  /** The same rows as a file, for requests in a format of files. */
  file?(values: CheckedValues): RowsFile | ApiError;
  /** A raw answer with a tag, by which it is a 304, for the documentation. */
  tagged?: true;
  /** Media type of a raw answer that is not JSON, for the documentation; text/plain when absent. */
  produces?: string;
  access: 'open' | 'key' | 'bearer';
  /** Counts against this budget of the account as well. */
  budget?: BudgetName;
  /** Counts against no quota. Other open rows count against the address of the client. */
  free?: true;
  /** The answer holds no market data that could become too old. */
  noMarketData?: true;
  /** Only for clients on this machine, unless the server is configured otherwise. */
  local?: true;
  /** Time until an answer of this row that is followed is asked for again, ms, by its data as JSON text; 5,000 when absent. */
  followEvery?(data: string): number;
  /** The answer is an order book, whose changes clients can follow level by level. */
  levels?: true;
  from: From<CheckedValues>;
  /** Of a row from memory: the question about its recorded state, for requests with the parameter `at`. */
  past?(values: CheckedValues): Question | ApiError;
  /** `past` has the question of requests with `explain=1` too. */
  explainAsked?: true;
}

/**
 * Declares a row. Its handler is typed by its own parameter table, body schema and answer schema: a handler that builds
 * another shape does not compile. The server calls it only with values and bodies that the row has checked, which makes
 * the wider type of `Route` safe.
 */
export function route<
  const Ps extends Params = Record<never, never>,
  A extends TSchema | null = TSchema,
  B extends TSchema = TSchema,
>(
  row: Omit<Route, 'params' | 'answer' | 'body' | 'from' | 'method' | 'access' | 'group'> & {
    /** GET when absent. */
    method?: Route['method'];
    /** By key when absent. */
    access?: Route['access'];
    /** None when absent. */
    params?: Ps;
    answer: A;
    body?: B;
    from: From<Values<Ps>, DataOf<A>, Static<B>>;
  },
): Route {
  const { answer, params = {} } = row;
  const isRange = answer !== null && isPaged({ ...row, params });
  return {
    method: 'GET',
    access: 'key',
    ...row,
    group: groupOf(row.path),
    params,
    answer: isRange ? withNextIn(answer) : answer,
  };
}
