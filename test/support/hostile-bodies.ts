/**
 * A process of its own whose memory is measured: asks every price list of every exchange at once, `ROUNDS` times, through
 * the gateway at `GATEWAY`. Prints how the requests ended and what its memory was before and at its peak, MB.
 */

import type { Venue } from '../../actors/sources/venue.ts';
import { createHttpClient } from '../../actors/upstream/client.ts';
import { venues } from '../../actors/venues/registry.ts';

const { GATEWAY: gateway = '', ROUNDS: rounds = '1' } = process.env;
const all: readonly Venue[] = Object.values(venues);
const outcomes: Record<string, number> = {};
const megabytes = (bytes: number) => Math.round(bytes / 1e6);

async function round(): Promise<void> {
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
}

// The timers of the clients alone keep no process alive.
const alive = setInterval(() => {}, 1_000);
const before = process.memoryUsage.rss();
for (let i = 0; i < Number(rounds); i++) await round();
clearInterval(alive);
// In kilobytes: https://nodejs.org/api/process.html#processresourceusage
const peak = process.resourceUsage().maxRSS * 1024;
process.stdout.write(
  JSON.stringify({ outcomes, before: megabytes(before), peak: megabytes(peak) }),
);
