/** How a simulated exchange is declared. */
import { type Listed, listing } from './listing.ts';
import { type Frame, objectOf, type Streams, streamsOf } from './streams.ts';
import type { Ask, Refusal, Route, SimulatedVenue } from './venue.ts';

export type Answer = Route['answer'];

/** Answers by path; a part in braces is a parameter of the request. */
export type Routes = Readonly<Record<string, Answer>>;

/** A simulated exchange as it is declared: what it lists, how it answers and refuses, and what it streams. */
interface Declared extends Listed, Partial<Streams> {
  id: string;
  /** Every host that answers for it, those of its streams among them. */
  hosts: readonly string[];
  routes: Routes;
  /** What it replies to a frame, which is given as an object and as it came: texts, and values that are sent as JSON. */
  reply?(message: Frame, frame: string): readonly unknown[];
  /** How it refuses for its limits, an address that is locked out, and while it is down. */
  refusals: readonly [limited: Refusal, banned: Refusal, down: Refusal];
}

/** The same answers below a prefix. */
export const under = (prefix: string, answers: Routes): Routes =>
  Object.fromEntries(Object.entries(answers).map(([path, answer]) => [`${prefix}${path}`, answer]));

/** Reads the parameters out of a path of this form; null for another path. */
function parametersIn(form: string): (path: string) => Record<string, string> | null {
  const names = [...form.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const pattern = new RegExp(`^${form.replace(/\{\w+\}/g, '([^/]+)')}$`);
  return (path) => {
    const found = pattern.exec(path);
    if (!found) return null;
    return Object.fromEntries(
      names.map((name, at) => [name, decodeURIComponent(found[at + 1] ?? '')]),
    );
  };
}

/** The route of a path whose parameters are those of the request besides. */
function routeOf(all: Routes): (path: string) => Route | undefined {
  const forms = Object.entries(all)
    .filter(([form]) => form.includes('{'))
    .map(([form, answer]) => ({ answer, read: parametersIn(form) }));
  return (path) => {
    const own = Object.hasOwn(all, path) ? all[path] : undefined;
    if (own) return { answer: own };
    for (const { answer, read } of forms) {
      const found = read(path);
      if (!found) continue;
      const asked = (ask: Ask) => {
        const query = new URLSearchParams(ask.query);
        for (const [name, value] of Object.entries(found)) query.set(name, value);
        return answer({ ...ask, query });
      };
      return { answer: asked };
    }
    return undefined;
  };
}

/** The simulated exchange of a declaration. */
export function exchange(declared: Declared): SimulatedVenue {
  const { id, hosts, routes, refusals, reply, topics, channels } = declared;
  const [rate_limit, ban, server_error] = refusals;
  return {
    id,
    hosts,
    markets: listing(declared),
    route: routeOf(routes),
    refusals: { rate_limit, ban, server_error },
    ...(topics && channels && { channels: streamsOf({ ...declared, topics, channels }) }),
    reply: (frame) =>
      (reply?.(objectOf(frame), frame) ?? []).map((one) =>
        typeof one === 'string' ? one : JSON.stringify(one),
      ),
  };
}

/** The documented refusals for limits, for an address that is locked out and while the exchange is down, in one form. */
export const refusalsOf = <Code>(
  form: (code: Code, message: string, status: number) => unknown,
  ...rows: readonly (readonly [status: number, code: Code, message: string])[]
): [Refusal, Refusal, Refusal] => {
  const [limited, banned, down] = rows.map(([status, code, message]) => ({
    status,
    body: form(code, message, status),
  }));
  if (!limited || !banned || !down) throw new RangeError('three refusals');
  return [limited, banned, down];
};
