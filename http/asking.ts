import type { Result } from '../actors/failure.ts';
import type { Clock } from '../actors/kernel/clock.ts';
import { type Ask, type Asks, asks } from '../actors/topics.ts';
import { type ApiError, fromFailure } from './errors.ts';
import { Snapshot } from './snapshots.ts';

/** The part of the bus that questions go through. */
export interface AskBus {
  ask<A extends Ask>(service: A, request: Asks[A]['request']): Promise<Result<Asks[A]['reply']>>;
}

/** A question with how its reply becomes an answer. */
export interface Question<A extends Ask> {
  service: A;
  request: Asks[A]['request'];
  /** Names the thing in an error message, such as `the order book of binance`. */
  what: string;
  /** `data` of the answer. Kept with it for the ask's `ttl`, so it may depend on nothing but the question. */
  data(reply: Asks[A]['reply']): unknown;
  /** Replies that are no answer: the error that one of them is, null for the others. */
  refusal?(reply: Asks[A]['reply']): ApiError | null;
  /** Tells answers of one request in two forms apart. */
  form: string;
}

/** Most answers kept at once. */
const capacity = 2048;

/**
 * Asks the actors on behalf of clients: equal questions in flight share one call, and an answer is given again
 * for as long as its `ttl` says (never, for order books).
 */
export function createAsking(bus: AskBus, clock: Clock) {
  const open = new Map<string, Promise<Snapshot | ApiError>>();
  const kept = new Map<string, { snapshot: Snapshot; until: number }>();

  const keep = (key: string, snapshot: Snapshot, until: number) => {
    kept.delete(key);
    kept.set(key, { snapshot, until });
    const oldest = kept.size > capacity ? kept.keys().next().value : undefined;
    if (oldest !== undefined) kept.delete(oldest);
  };

  const call = async <A extends Ask>(key: string, question: Question<A>) => {
    const result = await bus.ask(question.service, question.request);
    if (!result.ok) return fromFailure(result.failure, question.what);
    const refusal = question.refusal?.(result.value) ?? null;
    if (refusal !== null) return refusal;
    const snapshot = new Snapshot(JSON.stringify(question.data(result.value)));
    const { ttl } = asks[question.service];
    if (ttl > 0) keep(key, snapshot, clock.now() + ttl);
    return snapshot;
  };

  return async <A extends Ask>(question: Question<A>): Promise<Snapshot | ApiError> => {
    const key = `${question.form} ${JSON.stringify(question.request)}`;
    const ready = kept.get(key);
    if (ready && ready.until > clock.now()) return ready.snapshot;
    const joined = open.get(key);
    if (joined !== undefined) return joined;
    const promise = call(key, question).finally(() => open.delete(key));
    open.set(key, promise);
    return promise;
  };
}
export type Asking = ReturnType<typeof createAsking>;
