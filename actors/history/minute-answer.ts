/** Answers that are made of the record once a minute, if anybody asks. */
import { minute } from '../../config/time.ts';
import { stepAt } from '../../indicators/market/buckets.ts';
import type { Result } from '../failure.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Reply } from '../topics/index.ts';
import { replyOf } from './reply.ts';

/** Time after the end of a minute when its rows are written, ms. */
const settling = 2_000;

/**
 * A handler of the bus that gives what `make` makes for the end of a minute, Unix ms, until the next one has ended.
 * `unavailable` where the store fails: the next question tries again.
 */
export function oncePerMinute<T>(
  clock: Clock,
  make: (end: number) => Promise<T>,
): () => Promise<Result<Reply<T>>> {
  let held: { end: number; value: Promise<T> } | null = null;
  return async () => {
    const received = clock.now();
    const end = stepAt(received - settling, minute);
    if (held?.end !== end) held = { end, value: make(end) };
    const own = held;
    own.value.catch(() => {
      if (held === own) held = null;
    });
    return replyOf({ received, until: end + minute + settling }, () => own.value);
  };
}
