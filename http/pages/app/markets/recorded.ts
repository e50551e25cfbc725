/** Since when the service records. */
import { watch } from '../part.ts';
import { at } from '../request.ts';
import type { Recorded } from './recorded-words.ts';

/** It changes seldom, ms. */
const every = 60_000;

/** Follows since when each series is recorded. */
export const followRecorded = (take: (recorded: Recorded) => void): (() => void) =>
  watch(at('/v1/history/coverage', {}), every, {
    data({ items }) {
      const known = items.flatMap(({ series, recorded_from: from }) =>
        from === null ? [] : [[series, from] as const],
      );
      take(new Map(known));
    },
  });
