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
 * A handler of the bus that gives what `make` makes for the end of the newest minute, Unix ms; while that is made, what it was a minute
 * before, where that is known. `unavailable` where the store fails: the next question tries again.
 */
export function oncePerMinute<T>(
  clock: Clock,
  make: (end: number) => Promise<T>,
): () => Promise<Result<Reply<T>>> {
  type Answer = Result<Reply<T>>;
  let last: { end: number; answer: Answer } | null = null;
  let making: Promise<Answer> | null = null;
  const begin = async (end: number): Promise<Answer> => {
    try {
      const times = { received: clock.now(), until: end + minute + settling };
      const answer = await replyOf(times, () => make(end));
      if (answer.ok) last = { end, answer };
      return answer;
    } finally {
      making = null;
    }
  };
  return async () => {
    const end = stepAt(clock.now() - settling, minute);
    const known = last;
    if (known?.end === end) return known.answer;
    making ??= begin(end);
    if (known === null || known.end < end - minute) return making;
    // Who asks next hears of it.
    making.catch(() => {});
    return known.answer;
  };
}
