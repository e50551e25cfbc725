import type { Bus } from '../actors/bus/bus.ts';
import { failed } from '../actors/failure.ts';

/**
 * The queries of a bus, of which those to a source that `isAbsent` names fail at once: otherwise they would wait for their
 * deadline, since nothing reads them.
 */
export function withoutAbsent(
  bus: Pick<Bus, 'query'>,
  isAbsent: (source: string) => boolean,
): Pick<Bus, 'query'> {
  return {
    query: async (query, options) =>
      isAbsent(query.source)
        ? failed('unavailable', `no process answers for ${query.source}`)
        : bus.query(query, options),
  };
}
