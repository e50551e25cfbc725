import type { Clock } from '../actors/kernel/clock.ts';
import type { Logger } from '../config/log.ts';
import type { Counters } from './counters.ts';
import { type ApiError, apiError } from './errors.ts';
import type { From, Raw, Route } from './routes/route.ts';
import type { Snapshot } from './snapshots.ts';
import { type Check, createCheck, pathNames } from './validate.ts';

/** Anything that a request can be answered with. */
export type Answer = Snapshot | Raw | ApiError;

/** Checked values of a request. */
export type Values = Readonly<Record<string, string | number | undefined>>;

/** What an endpoint reports to. */
export interface Surroundings {
  clock: Clock;
  log: Pick<Logger, 'info' | 'error'>;
  counters: Counters;
}

/** How a handler gives its answer: on the spot, or in its own time for a client that may leave before. */
type Run =
  | { now(values: Values): Snapshot | ApiError }
  | { later(values: Values, signal: AbortSignal): Promise<Answer> };

/**
 * A row put to work: its check, and its handler made safe: one that throws or rejects is logged and counted, and
 * its answer is `internal`. It knows no sockets.
 */
export class Endpoint {
  readonly slot: number;
  /** How many path parameters the path has. */
  readonly segments: number;
  readonly check: Check;
  readonly run: Run;
  readonly #around: Surroundings;
  readonly #name: string;

  constructor(row: Route, around: Surroundings) {
    this.#around = around;
    this.#name = `${row.method} ${row.path}`;
    this.slot = around.counters.slotOf(row);
    this.segments = pathNames(row.path).length;
    this.check = createCheck(row);
    const { from } = row;
    if ('view' in from) this.run = { now: this.#guarded(from.view) };
    else if ('ask' in from) this.run = { later: this.#awaited(from.ask, true) };
    else this.run = { later: this.#awaited(async () => from.raw(), false) };
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

  #awaited(work: (values: Values, signal: AbortSignal) => Promise<Answer>, timed: boolean) {
    const { clock, counters } = this.#around;
    return async (values: Values, signal: AbortSignal): Promise<Answer> => {
      const started = clock.now();
      try {
        return await work(values, signal);
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
