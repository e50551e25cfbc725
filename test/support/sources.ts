/** What answering queries takes in tests of one source. */
import { QueryCaches } from '../../actors/queries/query-cache.ts';
import type { FakeClock } from './clock.ts';

export const around = (clock: FakeClock) => ({ caches: new QueryCaches(clock) });
