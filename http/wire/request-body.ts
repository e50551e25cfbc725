import type { Clock } from '../../actors/kernel/clock.ts';
import { type ApiError, apiError } from './errors.ts';
import type { Held } from './held.ts';

/** The body of a request that has none. */
export const noBody = Buffer.alloc(0);

export const tooLarge = (cap: number): ApiError =>
  apiError('too_large', `the request body is larger than ${Math.floor(cap / 1024)} KiB`);

const overloaded = apiError('overloaded', 'too many request bodies are being read, try again', {
  retryAfter: 1,
});
const gone = apiError('internal', 'the client has gone');

/** The part of an HttpResponse that gives the body of its request. */
interface Source {
  onData(take: (chunk: ArrayBuffer, last: boolean) => void): unknown;
}

/** Limits of reading a body. */
interface Reading {
  /** Bytes. */
  cap: number;
  clock: Clock;
}

/** Milliseconds without a byte of a body after which reading fails; less than the idle timeout of uWebSockets.js. */
export const bodyPatience = 5_000;
const timedOut = apiError('request_timeout');

/** Calls `late` when `moved` was not called for `bodyPatience` ms, until `end` is called. */
function watchProgress(clock: Clock, late: () => void): { moved(): void; end(): void } {
  let cancel = clock.after(bodyPatience, late);
  return {
    moved() {
      cancel();
      cancel = clock.after(bodyPatience, late);
    },
    end: () => cancel(),
  };
}

/**
 * Reads a body; an error as soon as it is larger than `cap` or too many bytes are held, of `client` or in all. uWebSockets.js itself
 * disconnects a client that sends less than 16 KiB a second for ten seconds. Never rejects.
 */
export function collectBody(
  res: Source,
  held: Held,
  {
    cap,
    declared,
    client,
    signal,
    clock,
  }: Reading & { declared: number; client: string; signal: AbortSignal },
): Promise<Buffer | ApiError> {
  if (declared > cap) return Promise.resolve(tooLarge(cap));
  const { promise, resolve } = Promise.withResolvers<Buffer | ApiError>();
  const chunks: Buffer[] = [];
  let [size, open] = [0, true];
  const end = (outcome: Buffer | ApiError) => {
    open = false;
    progress.end();
    held.release(client, size);
    chunks.length = 0;
    resolve(outcome);
  };
  const progress = watchProgress(clock, () => end(timedOut));
  signal.addEventListener('abort', () => open && end(gone), { once: true });
  res.onData((chunk, last) => {
    if (!open) return;
    progress.moved();
    if (size + chunk.byteLength > cap) return end(tooLarge(cap));
    if (!held.hold(client, chunk.byteLength)) return end(overloaded);
    size += chunk.byteLength;
    // uWebSockets.js frees the chunk when this returns.
    chunks.push(Buffer.from(Buffer.from(chunk)));
    if (last) end(Buffer.concat(chunks));
  });
  return promise;
}

/**
 * Reads a body and drops it. Calls `done`, corked, at its end, or with an error as soon as it is larger than `cap` or
 * stops coming.
 */
export function skipBody(
  res: Source & { onAborted(note: () => void): unknown; cork(write: () => void): unknown },
  { cap, clock }: Reading,
  done: (fault: ApiError | null) => void,
): void {
  let [size, open] = [0, true];
  const end = (fault: ApiError | null) => {
    open = false;
    progress.end();
    res.cork(() => done(fault));
  };
  const progress = watchProgress(clock, () => end(timedOut));
  res.onAborted(() => {
    open = false;
    progress.end();
  });
  res.onData((chunk, last) => {
    if (!open) return;
    progress.moved();
    size += chunk.byteLength;
    if (size > cap) end(tooLarge(cap));
    else if (last) end(null);
  });
}
