/** The form of a simulated data provider: a venue without markets. */
import { exchange, type Routes } from '../exchange.ts';
import type { Ask, SimulatedVenue } from '../venue.ts';

/** A source that can be given to the simulator as a venue, with its answers by path. */
export const source = (
  id: string,
  hosts: string | readonly string[],
  routes: Routes,
): SimulatedVenue =>
  exchange({
    id,
    hosts: [hosts].flat(),
    refusals: [
      { status: 429, body: { message: 'Too Many Requests' } },
      { status: 403, body: { message: 'Forbidden' } },
      { status: 502, body: { message: 'Bad gateway' } },
    ],
    routes,
  });

/** A whole number of the query, within bounds; `fallback` where it is absent or no number. */
export function count({ query }: Ask, name: string, [fallback, most]: readonly [number, number]) {
  const asked = Number(query.get(name) ?? fallback);
  return Number.isInteger(asked) && asked >= 1 ? Math.min(asked, most) : fallback;
}
