/** What the simulated exchanges share: their declaration, and lists, books and trades as rows. */
import { bookOf } from './book.ts';
import { newestTrades } from './events.ts';
import type { Market } from './market.ts';
import type { At, Row } from './rows.ts';
import { type Frame, objectOf } from './streams.ts';
import type { Ask, Refusal, Route, SimulatedVenue } from './venue.ts';

export type Answer = Route['answer'];

/** Answers by path; a part in braces is a parameter of the request. */
export type Routes = Readonly<Record<string, Answer>>;

/** A simulated exchange as it is declared. */
interface Declared extends Omit<SimulatedVenue, 'route' | 'refusals' | 'reply'> {
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
export function exchange({ routes, refusals, reply, ...declared }: Declared): SimulatedVenue {
  const [rate_limit, ban, server_error] = refusals;
  return {
    ...declared,
    route: routeOf(routes),
    refusals: { rate_limit, ban, server_error },
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

export const isLive = ({ state }: Market): boolean => state === 'live';

/** The row of each market that an exchange lists now. */
export const marketRows = <Made>(
  row: Row<Made>,
  ask: At,
  {
    venue,
    group,
    keep = () => true,
  }: { venue: string; group?: string | undefined; keep?(market: Market): boolean },
): Made[] =>
  ask.model
    .markets(venue, ask.now, group)
    .filter(keep)
    .map((market) => row(market, ask));

/** The newest trades of a market as rows, newest first. */
export const tradeRows = <Made>(
  row: Row<Made>,
  market: Market,
  { model, now }: At,
  limit: number,
) => newestTrades(market, now, limit).map((trade) => row(market, { model, now, trade }));

/** The order book of a market with its levels as rows. */
export function bookRows<Made>(level: Row<Made>, market: Market, at: At, depth: number) {
  const { bids, asks, updateId } = bookOf(market, at.now, depth);
  const rows = (side: typeof bids) => side.map((one) => level(market, at, undefined, one));
  return { bids: rows(bids), asks: rows(asks), updateId };
}
