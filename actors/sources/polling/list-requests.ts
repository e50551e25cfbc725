/** Requests to the process that polls a source, over the topic `listRequests`. */
import type { Bus } from '../../bus/bus.ts';
import type { Clock } from '../../kernel/clock.ts';

/** Interval, ms, of requests per source and process; the polling process reads a list once a minute at most. */
const pause = 5_000;

/** Asks for the lists of a source to be read again. A request that was not published is followed by the next one. */
export function listRequester(bus: Pick<Bus, 'publish'>, clock: Clock): (source: string) => void {
  const last = new Map<string, number>();
  return (source) => {
    const at = clock.now();
    if (at - (last.get(source) ?? Number.NEGATIVE_INFINITY) < pause) return;
    last.set(source, at);
    void bus.publish('listRequests', source, { source, at });
  };
}
