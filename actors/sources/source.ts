/** One upstream: whoever holds its lease runs its supervisor, whose children poll its feeds. */

import { contend } from '../kernel/lease.ts';
import type { HttpClient } from '../upstream/client.ts';
import type { Venue } from '../venues/venue.ts';
import type { SourceContext } from './context.ts';
import { Term } from './term.ts';

/** Offers to run a venue: its feeds are polled for as long as this process holds its lease. */
export function runSource(
  venue: Venue,
  client: HttpClient,
  context: SourceContext,
): { stop(): Promise<void> } {
  const log = context.log.child({ source: venue.id });
  let term: Term | null = null;
  const contention = contend({
    name: venue.id,
    holder: context.process,
    store: context.bus.leases(),
    clock: context.clock,
    random: context.random,
    onGained(fence) {
      log.info({ fence }, 'running this source');
      term = new Term(venue, client, { ...context, log, fence });
    },
    onLost() {
      log.info('no longer running this source');
      void term?.stop();
      term = null;
    },
    onError: (error) => log.warn({ err: error }, 'lease'),
  });
  return {
    async stop() {
      const ending = term?.stop();
      await contention.stop();
      await ending;
    },
  };
}
