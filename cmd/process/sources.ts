import { jobNames, onDemand } from '../../actors/registry.ts';
import type { Venue } from '../../actors/sources/venue.ts';
import { venues as registry } from '../../actors/venues/registry.ts';
import type { Check } from '../../config/config.ts';
import { StartError } from './process.ts';

/** The sources that a process runs, or expects others to run. */
export interface Chosen {
  venues: ReadonlyMap<string, Venue>;
  /** Ids of sources and of on-demand services. */
  others: ReadonlySet<string>;
}

/** What `SOURCES` names, all when it names nothing. Throws StartError for an id that does not exist. */
export function chosenSources(sources: readonly string[]): Chosen {
  const venues = new Map<string, Venue>(Object.entries(registry));
  const others = new Set<string>([...jobNames.keys(), ...onDemand]);
  if (sources.length === 0) return { venues, others };
  const unknown = sources.filter((id) => !venues.has(id) && !others.has(id));
  if (unknown.length > 0) {
    const ids = [...venues.keys(), ...others].join(', ');
    throw new StartError(`SOURCES: ${unknown.join(', ')} unknown; there are ${ids}`);
  }
  return {
    venues: new Map([...venues].filter(([id]) => sources.includes(id))),
    others: new Set([...others].filter((id) => sources.includes(id))),
  };
}

/** Jobs of the chosen sources, as `source/job`. */
export const jobsOf = ({ others }: Pick<Chosen, 'others'>): string[] =>
  [...jobNames].flatMap(([source, jobs]) =>
    others.has(source) ? jobs.map((job) => `${source}/${job}`) : [],
  );

/** The rule for `LIVE`: `on`, `off`, or ids of exchanges. */
export const liveCheck: Check = {
  env: 'LIVE',
  check({ live }) {
    const words = new Set(['on', 'off', ...Object.keys(registry)]);
    const unknown = live.filter((word) => !words.has(word));
    if (unknown.length > 0)
      throw new StartError(
        `LIVE: ${unknown.join(', ')} unknown; it is on, off, or some of ${Object.keys(registry).join(', ')}`,
      );
  },
};

/** The rule for `SOURCES`. */
export const sourcesCheck: Check = {
  env: 'SOURCES',
  check: ({ sources }) => chosenSources(sources),
};
