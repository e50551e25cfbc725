/**
 * A process of its own whose memory is measured: asks every price list of every exchange at once, through each of the gateways
 * that are its arguments in turn. Prints for each how the requests ended and what the memory was at its peak by then, MB, after a
 * line with what it was before.
 */

import type { Venue } from '../../actors/sources/venue.ts';
import { createHttpClient } from '../../actors/upstream/client.ts';
import { venues } from '../../actors/venues/registry.ts';

const all: readonly Venue[] = Object.values(venues);
const megabytes = (bytes: number) => Math.round(bytes / 1e6);

/** How many requests ended in each way. */
async function round(gateway: string): Promise<Record<string, number>> {
  const outcomes: Record<string, number> = {};
  const clients = all.map((venue) => ({
    venue,
    client: createHttpClient({
      source: venue.id,
      apis: venue.apis,
      gateway,
      limits: { retries: 0 },
    }),
  }));
  const asked = clients.flatMap(({ venue, client }) =>
    Object.values(venue.feeds.prices.parts)
      .flatMap((part) => part.requests({ markets: [venue.example], now: Date.now() }).slice(0, 1))
      .map((request) => client.send(request, { deadline: 60_000 })),
  );
  for (const result of await Promise.all(asked)) {
    const outcome = result.ok ? 'ok' : result.failure.code;
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
  await Promise.all(clients.map(({ client }) => client.close()));
  return outcomes;
}

// The timers of the clients alone keep no process alive.
const alive = setInterval(() => {}, 1_000);
process.stdout.write(`${megabytes(process.memoryUsage.rss())}\n`);
for (const gateway of process.argv.slice(2)) {
  const outcomes = await round(gateway);
  // In kilobytes: https://nodejs.org/api/process.html#processresourceusage
  const peak = megabytes(process.resourceUsage().maxRSS * 1024);
  process.stdout.write(`${JSON.stringify({ outcomes, peak })}\n`);
}
clearInterval(alive);
