import type { BudgetName } from '../../config/plans.ts';
import type { Caller } from '../caller.ts';
import type { ApiError } from '../errors.ts';
import type { Snapshot } from '../snapshots.ts';

/** A JSON Schema (draft 2020-12), as it stands in `/openapi.json`. */
export type Schema = Readonly<Record<string, unknown>>;

/** One query or path parameter: JSON Schema keywords plus what OpenAPI wants. */
export interface Param {
  type: 'string' | 'integer' | 'number';
  description: string;
  required?: true;
  default?: string | number;
  enum?: readonly string[];
  /** Words of the enum are taken in any case, and handed on as the enum has them. */
  anyCase?: true;
  /** Documented, not enforced: the row's handler judges the value itself, and whether it is there. */
  lenient?: true;
  minimum?: number;
  maximum?: number;
  pattern?: string;
  maxLength?: number;
  example?: string | number;
}
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

/** An answer outside the envelope: `/metrics`, `/openapi.json`, the files of `/docs`. */
export interface Raw {
  contentType: string;
  body: string | Buffer;
  /** Value of `cache-control`; `no-store` when absent. */
  cache?: string;
  /** Further headers, names in lower case. */
  headers?: Readonly<Record<string, string>>;
}

/** A request that is more than a question: who makes it, and what it carries. */
export interface Call<V> {
  values: V;
  /** As the row's `body` schema has checked it; undefined for a row without one. */
  body: unknown;
  /** Null on rows with open access, and on every row of a server that has no gate. */
  caller: Caller | null;
  /** The header of the name, as sent; empty when it was not. */
  idempotencyKey: string;
}

/** What an act leads to: `data` goes into the envelope, and the answer is never cached. */
export interface Done {
  status: 200 | 201;
  data: unknown;
}

/** Where an answer comes from. */
export type From<V> =
  /** Bytes that are already there. */
  | { view(values: V): Snapshot | ApiError }
  /** A question to the actors; `signal` aborts when the client has gone. */
  | { ask(values: V, signal: AbortSignal): Promise<Snapshot | ApiError> }
  /** Something to do for this caller alone; `signal` aborts when the client has gone. */
  | { act(call: Call<V>, signal: AbortSignal): Promise<Done | ApiError> }
  /** The server's own pages. */
  | { raw(): Promise<Raw | ApiError> | Raw | ApiError };

/** One endpoint. The server's route, its validation, its OpenAPI entry and its tests are all made from this row. */
export interface Route {
  method: 'GET' | 'POST' | 'DELETE';
  /** With `{name}` for a path parameter. */
  path: string;
  /** The group heading in the documentation. */
  group: string;
  summary: string;
  params: Params;
  /** JSON Schema of the request's JSON body, for acts; an act without one refuses a body. */
  body?: Schema;
  /** Largest body, bytes; 64 KiB when absent. */
  bodyCap?: number;
  /** Statuses of its errors that do not follow from the rest of the row, for the documentation. */
  fails?: readonly (422 | 502)[];
  /** Failures of the question itself answer 200 with status `error` and empty data, for the documentation. */
  soft?: true;
  /** The act answers 201, for the documentation. */
  creates?: true;
  /** Schema of the envelope's `data`; of the whole body for raw answers, null when that is not JSON. */
  answer: Schema | null;
  access: 'open' | 'key' | 'bearer';
  /** Counts against this budget as well, which every account has for itself. */
  budget?: BudgetName;
  /** Counts against no quota; an open row otherwise counts against its client's address. */
  free?: true;
  /** Only for clients on this machine, unless the server is told otherwise. */
  local?: true;
  from: From<Record<string, string | number | undefined>>;
}

/**
 * Declares a row with its handler typed by its own parameter table. The server calls it only with values that
 * the row's schema has checked, which is what makes the wider type of `Route` safe.
 */
export function route<const Ps extends Params>(
  row: Omit<Route, 'params' | 'from'> & { params: Ps; from: From<Values<Ps>> },
): Route {
  return row;
}
