import type { Clock } from '../../actors/kernel/clock.ts';
import type { FeedStatus } from '../../actors/topics/index.ts';
import { type Chosen, jobsOf } from './sources.ts';
import { feedsOf } from './venues.ts';
import type { Views } from './views.ts';

/** Time, ms, that a worker waits for every feed before a sufficient number of them is enough. */
const patience = 6_000;

export interface ReadinessOptions {
  /** Feeds to be tried once, as `source/topic` or `source/topic/part`. */
  wanted: readonly string[];
  /** Exchanges whose prices are served. */
  venues: ReadonlySet<string>;
  feeds(): Iterable<
    { source: string; topic: string; part: string; last_success: number | null } & {
      state: FeedStatus['state'] | 'silent';
    }
  >;
  /** Whether any price is served. */
  priced(): boolean;
  clock: Clock;
}

/**
 * Tells whether a worker is ready: at first when every wanted feed was tried and there is a price; after 6 s when at
 * least half of the exchanges have prices. A worker that was ready stays ready, also when all is polled again after another
 * process has started again.
 */
export function createReadiness({ wanted, venues, feeds, priced, clock }: ReadinessOptions) {
  const since = clock.monotonic();
  let ready = false;
  return (): { ready: boolean; missing: string[] } => {
    if (ready) return { ready, missing: [] };
    const all = [...feeds()];
    const tried = new Set(
      all
        .filter(({ state }) => state !== 'waiting')
        .flatMap(({ source, topic, part }) => [`${source}/${topic}`, `${source}/${topic}/${part}`]),
    );
    const missing = wanted.filter((feed) => !tried.has(feed));
    if (venues.size > 0 && !priced()) missing.push('any price');
    const answered = new Set(
      all.flatMap(({ source, topic, last_success }) =>
        topic === 'prices' && last_success !== null && venues.has(source) ? [source] : [],
      ),
    );
    const enough = answered.size >= venues.size / 2 && (venues.size === 0 || priced());
    ready = missing.length === 0 || (enough && clock.monotonic() - since >= patience);
    return { ready, missing: ready ? [] : missing };
  };
}

/** The readiness of a worker that serves these sources from these views. */
export const readinessOf = (
  chosen: Chosen,
  { prices, status }: Pick<Views, 'prices' | 'status'>,
  clock: Clock,
) =>
  createReadiness({
    wanted: [...feedsOf(chosen.venues, ['instruments', 'prices']), ...jobsOf(chosen)],
    venues: new Set(chosen.venues.keys()),
    feeds: () => status.feeds(),
    priced: () => prices.newest() !== null,
    clock,
  });
