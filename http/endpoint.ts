import type { Clock } from '../actors/kernel/clock.ts';
import type { Logger } from '../config/log.ts';
import { type CheckBody, createBodyCheck } from './body-check.ts';
import type { Counters } from './counters.ts';
import { type ApiError, apiError, isApiError } from './errors.ts';
import { JsonText } from './json-text.ts';
import type { Call, From, Raw, Route } from './routes/route.ts';
import type { Snapshot } from './snapshots.ts';
import { type Check, createCheck, pathNames } from './validate.ts';

/** What an act has led to; `json` is the text of the envelope's `data`. */
export interface Made {
  status: 200 | 201;
  json: string;
}

/** Anything that a request can be answered with. */
export type Answer = Snapshot | Raw | Made | ApiError;

/** Checked values of a request. */
export type Values = Readonly<Record<string, string | number | undefined>>;

/** What an endpoint reports to. */
export interface Surroundings {
  clock: Clock;
  log: Pick<Logger, 'info' | 'error'>;
  counters: Counters;
}

/** How a handler gives its answer: on the spot, or in its own time for a client that may leave before. */
export type Run =
  | { now(values: Values): Snapshot | ApiError }
  | { later(values: Values, signal: AbortSignal): Promise<Answer> }
  | { act(call: Call<Values>, signal: AbortSignal): Promise<Answer> };

/** Largest request body where the row does not say otherwise, bytes. */
export const defaultBodyCap = 64 * 1024;

const textOf = (data: unknown): string =>
  data instanceof JsonText ? data.text : JSON.stringify(data);

/**
 * A row put to work: its checks, and its handler made safe: one that throws or rejects is logged and counted, and
 * its answer is `internal`. It knows no sockets.
 */
export class Endpoint {
  readonly row: Route;
  readonly slot: number;
  /** How many path parameters the path has. */
  readonly segments: number;
  readonly check: Check;
  readonly checkBody: CheckBody;
  /** Bytes. */
  readonly bodyCap: number;
  readonly run: Run;
  readonly #around: Surroundings;
  readonly #name: string;

  constructor(row: Route, around: Surroundings) {
    this.#around = around;
    this.#name = `${row.method} ${row.path}`;
    this.row = row;
    this.slot = around.counters.slotOf(row);
    this.segments = pathNames(row.path).length;
    this.check = createCheck(row);
    this.checkBody = createBodyCheck(row.body);
    this.bodyCap = row.bodyCap ?? defaultBodyCap;
    this.run = this.#runOf(row.from);
  }

  #runOf(from: Route['from']): Run {
    if ('view' in from) return { now: this.#guarded(from.view) };
    if ('ask' in from) return { later: this.#awaited(from.ask, true) };
    if ('raw' in from) return { later: this.#awaited(async () => from.raw(), false) };
    const { act } = from;
    const made = async (call: Call<Values>, signal: AbortSignal): Promise<Answer> => {
      const done = await act(call, signal);
      return isApiError(done) ? done : { status: done.status, json: textOf(done.data) };
    };
    return { act: this.#awaited(made, false) };
  }

  #guarded(view: Extract<From<Values>, { view: unknown }>['view']) {
    return (values: Values): Snapshot | ApiError => {
      try {
        return view(values);
      } catch (error) {
        return this.#threw(error);
      }
    };
  }

  #awaited<I>(work: (input: I, signal: AbortSignal) => Promise<Answer>, timed: boolean) {
    const { clock, counters } = this.#around;
    return async (input: I, signal: AbortSignal): Promise<Answer> => {
      const started = clock.now();
      try {
        return await work(input, signal);
      } catch (error) {
        return this.#threw(error);
      } finally {
        if (timed) counters.asked(this.slot, clock.now() - started);
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
