/** The control endpoint `/_control/*`: faults, clock and the truth. */
import type { Reply } from './delivery.ts';
import { json } from './delivery.ts';
import type { Faults } from './faults.ts';
import { FaultError } from './faults.ts';
import type { Model } from './model.ts';
import type { SimulatorClock } from './simulator-clock.ts';

export interface Controlled {
  model: Model;
  faults: Faults;
  clock: SimulatorClock;
  /** Ids of the simulated venues. */
  venues: readonly string[];
}

interface Call {
  query: URLSearchParams;
  body: string;
}

const bad = (message: string): Reply => json({ error: message }, 400);

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function setFaults({ faults }: Controlled, { body }: Call): Reply {
  const list = parsed(body);
  if (!Array.isArray(list)) return bad('the body must be a JSON array of faults');
  try {
    return json(faults.set(list));
  } catch (error) {
    if (error instanceof FaultError) return bad(error.message);
    throw error;
  }
}

function setClock({ clock }: Controlled, { body }: Call): Reply {
  const value = parsed(body);
  const now = typeof value === 'object' && value !== null && 'now' in value ? value.now : undefined;
  if (now !== null && (typeof now !== 'number' || !(now >= 0 && now < 4e12))) {
    return bad('now must be Unix milliseconds, or null to let the clock run');
  }
  clock.freeze(now);
  return json({ now: clock.now(), frozen: clock.frozen });
}

function truth({ model, venues }: Controlled, { query }: Call): Reply {
  const venue = query.get('venue') ?? '';
  return venues.includes(venue)
    ? json(model.truths(venue))
    : bad(`venue must be one of ${venues.join(', ')}`);
}

const actions: Readonly<Record<string, (controlled: Controlled, call: Call) => Reply>> = {
  'GET /faults': ({ faults }) => json(faults.list()),
  'POST /faults': setFaults,
  'DELETE /faults': ({ faults }) => {
    faults.clear();
    return json([]);
  },
  'GET /clock': ({ clock }) => json({ now: clock.now(), frozen: clock.frozen }),
  'POST /clock': setClock,
  'GET /truth': truth,
};

/** Answers `METHOD /_control/…`; unknown ones get 404 with the list of those there are. */
export function control(
  controlled: Controlled,
  call: Call & { method: string; path: string },
): Reply {
  const name = `${call.method} ${call.path}`;
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  return action
    ? action(controlled, call)
    : json({ error: 'unknown', known: Object.keys(actions) }, 404);
}
