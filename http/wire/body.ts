import type { HttpResponse } from 'uWebSockets.js';
import { type ApiError, apiError } from '../errors.ts';

/** How many bytes of bodies are held now, and may be at most. */
export interface BodyBudget {
  held: number;
  readonly most: number;
}

/** The body of a request that has none. */
export const noBody = Buffer.alloc(0);

export const tooLarge = (cap: number): ApiError =>
  apiError('too_large', `the request body is larger than ${Math.floor(cap / 1024)} KiB`);

const overloaded = apiError('overloaded', 'too many request bodies are being read, try again', {
  retryAfter: 1,
});
const gone = apiError('internal', 'the client has gone');

/**
 * Reads a body; an error as soon as it is larger than `cap` or the process holds too many. uWebSockets.js itself
 * cuts a client off that sends less than 16 KiB a second for ten seconds. Never rejects.
 */
export function collectBody(
  res: HttpResponse,
  budget: BodyBudget,
  { cap, declared, signal }: { cap: number; declared: number; signal: AbortSignal },
): Promise<Buffer | ApiError> {
  if (declared > cap) return Promise.resolve(tooLarge(cap));
  const { promise, resolve } = Promise.withResolvers<Buffer | ApiError>();
  const chunks: Buffer[] = [];
  let [size, open] = [0, true];
  const end = (outcome: Buffer | ApiError) => {
    open = false;
    budget.held -= size;
    chunks.length = 0;
    resolve(outcome);
  };
  signal.addEventListener('abort', () => open && end(gone), { once: true });
  res.onData((chunk, last) => {
    if (!open) return;
    size += chunk.byteLength;
    budget.held += chunk.byteLength;
    if (size > cap) return end(tooLarge(cap));
    if (budget.held > budget.most) return end(overloaded);
    // The chunk is the server's memory, and gone when this returns.
    chunks.push(Buffer.from(Buffer.from(chunk)));
    if (last) end(Buffer.concat(chunks));
  });
  return promise;
}

/** Reads a body and drops it; `done` is called, corked, at its end or as soon as it is larger than `cap`. */
export function skipBody(res: HttpResponse, cap: number, done: (fits: boolean) => void): void {
  let [size, open] = [0, true];
  res.onAborted(() => {
    open = false;
  });
  res.onData((chunk, last) => {
    size += chunk.byteLength;
    if (!open || (!last && size <= cap)) return;
    open = false;
    res.cork(() => done(size <= cap));
  });
}
