/** Work with the key store. */
import type { ApiError } from '../wire/errors.ts';
import type { AuthLog } from './log.ts';
import { storeUnavailable } from './refusals.ts';

/** What the work gives; where the store fails, this is logged, and `failure` is given. Never rejects. */
export async function guarded<T>(
  log: Pick<AuthLog, 'warn'>,
  work: () => Promise<T | ApiError>,
  failure: ApiError = storeUnavailable,
): Promise<T | ApiError> {
  try {
    return await work();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    log.warn({ error: why }, 'the key store failed');
    return failure;
  }
}
