import type { Clock } from '../../actors/kernel/clock.ts';
import type { Logger } from '../../config/log.ts';
import type { Table } from '../answers/csv.ts';
import { jsonOf } from '../answers/json.ts';
import { JsonText } from '../answers/json-text.ts';
import type { LogQuery } from '../answers/numbered-log.ts';
import type { FrontQueries } from '../answers/queries.ts';
import { isCounted, isPaged, paged, pageOf } from '../answers/ranges.ts';
import type { Kept, Snapshot } from '../answers/snapshots.ts';
import type { Listener, Unsubscribe } from '../answers/source.ts';
import { type ApiError, apiError, isApiError } from '../wire/errors.ts';
import { type CheckBody, createBodyCheck } from './body-check.ts';
import type { Counters } from './counters.ts';
import { tableOf } from './csv-rows.ts';
import type { Call, From, Raw, Route } from './route.ts';
import { type Check, createCheck, pathNames } from './validate.ts';

/** The result of an act; `json` is the text of `data` in the envelope, and empty for no body at all. */
export interface ActResult {
  status: number;
  json: string;
  /** Value of `set-cookie`. */
  cookie: string | undefined;
}

/** Every kind of answer to a request. */
export type Answer = Snapshot | Raw | ActResult | ApiError;

/** Checked values of a request. */
export type Values = Readonly<Record<string, string | number | undefined>>;

/** The clock, log and counters of an endpoint. */
export interface EndpointContext {
  clock: Clock;
  log: Pick<Logger, 'info' | 'error'>;
  counters: Counters;
  queries: Pick<FrontQueries, 'read' | 'known' | 'once'>;
}

/** How a handler answers: synchronously, or later to a client that may disconnect before. */
export type Run =
  | {
      now(values: Values): Snapshot | ApiError;
      /** The data of the same answer, without bytes. */
      data(values: Values): JsonText | ApiError;
      /** As `From` has it. */
      listen(values: Values, listener: Listener): Unsubscribe;
      log?: ((values: Values, account: string) => LogQuery | ApiError) | undefined;
    }
  | {
      /** What an equal request was given, where it still holds; else `later` must be called. `now` is when the request arrived, Unix ms. */
      ready(kept: Kept, now: number): Snapshot | null;
      /** `account` as `askerId` gives it. */
      later(values: Values, account: string): Promise<Answer>;
      log?: ((values: Values, account: string) => LogQuery | ApiError) | undefined;
    }
  | {
      act(call: Call<Values>, signal: AbortSignal): Promise<Answer>;
      log?: ((values: Values, account: string) => LogQuery | ApiError) | undefined;
    };

/** Largest request body of a row without `bodyCap`, bytes. */
export const defaultBodyCap = 64 * 1024;

const jsonIn = (found: Snapshot | ApiError): JsonText | ApiError =>
  isApiError(found) ? found : found.json;

const textOf = (data: unknown): string => (data instanceof JsonText ? data.text : jsonOf(data));

/**
 * A row with its compiled checks and a safe handler: when the handler throws or rejects, that is logged and counted,
 * and the answer is `internal`. It knows no sockets.
 */
export class Endpoint {
  readonly row: Route;
  readonly slot: number;
  /** Number of path parameters. */
  readonly segments: number;
  readonly check: Check;
  readonly checkBody: CheckBody;
  /** Bytes. */
  readonly bodyCap: number;
  readonly run: Run;
  /** How requests about the past are answered; null where the row does not take them. */
  readonly past: Extract<Run, { ready: unknown }> | null;
  /** Writes the answers as CSV; null where they are not lists of rows. */
  readonly table: Table | null;
  readonly #around: EndpointContext;
  readonly #name: string;

  constructor(row: Route, around: EndpointContext) {
    this.#around = around;
    this.#name = `${row.method} ${row.path}`;
    this.row = row;
    this.slot = around.counters.slotOf(row);
    this.segments = pathNames(row.path).length;
    this.check = createCheck(row);
    this.checkBody = createBodyCheck(row.body, row.method);
    this.bodyCap = row.bodyCap ?? defaultBodyCap;
    this.run = this.#runOf(row.from);
    this.past = row.past === undefined ? null : this.#asked(row.past);
    this.table = tableOf(row);
  }

  #runOf(from: Route['from']): Run {
    if ('view' in from) {
      const { view, data = (values: Values) => jsonIn(view(values)), listen, log } = from;
      return { now: this.#guarded(view), data: this.#guarded(data), listen, log };
    }
    if ('query' in from) return { ...this.#asked(from.query), log: from.log };
    if ('raw' in from) {
      return {
        ready: () => null,
        later: this.#awaited(async (values: Values) => from.raw(values), false),
      };
    }
    const { act, log } = from;
    const made = async (call: Call<Values>, signal: AbortSignal): Promise<Answer> => {
      const done = await act(call, signal);
      if (isApiError(done)) return done;
      return { status: done.status, json: textOf(done.data), cookie: done.cookie };
    };
    return { act: this.#awaited(made, false), log };
  }

  #asked(query: Extract<From<Values>, { query: unknown }>['query']) {
    const ready = (kept: Kept, now: number) => this.#known(kept, now);
    return { ready, later: this.#awaited(this.#asking(query), true) };
  }

  #known(kept: Kept, now: number): Snapshot | null {
    const { queries, counters } = this.#around;
    const found = queries.known(kept, now);
    if (found !== null) counters.asked(this.slot, 0);
    return found;
  }

  #asking(query: Extract<From<Values>, { query: unknown }>['query']) {
    const { queries, clock } = this.#around;
    const { params } = this.row;
    const inPages = isPaged(this.row);
    return async (values: Values, account: string): Promise<Answer> => {
      const page = inPages ? pageOf(values, { now: clock.now(), params }) : null;
      const whole = query(values);
      if (!('source' in whole)) return whole;
      // What is answered beside a history, such as a ranking, has no range.
      if (page === null || !('from' in whole.params)) return queries.read(whole, account);
      const question = isCounted(whole) ? whole : query({ ...values, to: page.to });
      if (!('source' in question)) return question;
      return queries.read(paged(question, page), account);
    };
  }

  #guarded<Found>(read: (values: Values) => Found) {
    return (values: Values): Found | ApiError => {
      try {
        return read(values);
      } catch (error) {
        return this.#threw(error);
      }
    };
  }

  #awaited<I, W>(work: (input: I, who: W) => Promise<Answer>, timed: boolean) {
    const { clock, counters } = this.#around;
    return async (input: I, who: W): Promise<Answer> => {
      const started = clock.monotonic();
      try {
        return await work(input, who);
      } catch (error) {
        return this.#threw(error);
      } finally {
        if (timed) counters.asked(this.slot, clock.monotonic() - started);
      }
    };
  }

  #threw(error: unknown): ApiError {
    const { log, counters } = this.#around;
    counters.threw(this.slot);
    log.error({ route: this.#name, err: error }, 'handler threw');
    return apiError('internal');
  }
}
