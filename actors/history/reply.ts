/** Replies to questions on the bus. */
import { failed, type Result, success } from '../failure.ts';
import type { Reply } from '../topics/index.ts';
import { StoreError } from './store.ts';

/** What `make` makes of the store, as a reply that holds until a time (Unix ms); `unavailable` where the store fails. */
export async function replyOf<T>(
  { received, until = received }: { received: number; until?: number },
  make: () => Promise<T>,
): Promise<Result<Reply<T>>> {
  try {
    return success({ value: await make(), received, until });
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return failed('unavailable', error.message);
  }
}
