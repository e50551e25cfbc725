import { onDemand, roster } from '../actors/desks/roster.ts';
import { venues as registry } from '../actors/venues/registry.ts';
import type { Venue } from '../actors/venues/venue.ts';
import { StartError } from './process.ts';

/** What a process runs, or expects others to run. */
export interface Chosen {
  venues: ReadonlyMap<string, Venue>;
  /** Ids of desks, and of what is asked on demand. */
  others: ReadonlySet<string>;
}

/** What `SOURCES` names, all when it names nothing. Throws StartError for an id that does not exist. */
export function chosenSources(sources: readonly string[]): Chosen {
  const venues = new Map<string, Venue>(Object.entries(registry));
  const others = new Set<string>([...roster.keys(), ...onDemand]);
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

/** Duties of the chosen desks, as `desk/duty`. */
export const dutiesOf = ({ others }: Pick<Chosen, 'others'>): string[] =>
  [...roster].flatMap(([desk, duties]) =>
    others.has(desk) ? duties.map((duty) => `${desk}/${duty}`) : [],
  );
