/** The form of a simulated data provider: a venue without markets. */
import type { Ask, Refusal, Route, SimulatedVenue } from '../venue.ts';

interface SourceFacts {
  id: string;
  hosts: readonly string[];
  /** Media type of its answers where they are text. */
  type?: Route['type'];
  /** Paths as regular expressions, the first that matches answers. */
  answers: readonly (readonly [path: RegExp, answer: Route['answer']])[];
}

const refusal = (status: number, body: unknown): Refusal => ({ status, body });

/** A source that can be given to the simulator as a venue. */
export function source({ id, hosts, type, answers }: SourceFacts): SimulatedVenue {
  return {
    id,
    hosts,
    markets: () => [],
    route(path) {
      const [, answer] = answers.find(([pattern]) => pattern.test(path)) ?? [];
      return answer && { answer, ...(type && { type }) };
    },
    refusals: {
      rate_limit: refusal(429, { message: 'Too Many Requests' }),
      ban: refusal(403, { message: 'Forbidden' }),
      server_error: refusal(502, { message: 'Bad gateway' }),
    },
  };
}

/** A whole number of the query, within bounds; `fallback` where it is absent or no number. */
export function count({ query }: Ask, name: string, [fallback, most]: readonly [number, number]) {
  const asked = Number(query.get(name) ?? fallback);
  return Number.isInteger(asked) && asked >= 1 ? Math.min(asked, most) : fallback;
}
