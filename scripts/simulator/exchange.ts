/** What the simulated exchanges share: their declaration, and lists, books and trades as rows. */
import { bookOf } from './book.ts';
import { newestTrades } from './events.ts';
import type { Market } from './market.ts';
import type { At, Row } from './rows.ts';
import type { Ask, Bucket, Refusal, Route, SimulatedVenue } from './venue.ts';

export type Answer = Route['answer'];

/**
 * An answer with what it costs where that is not 1 in the bucket of the exchange, or in one of its own; `most` is the documented
 * limit of this path alone.
 */
export type Endpoint =
  | Answer
  | { answer: Answer; bucket?: string; weight?: number | Route['weight']; most?: number };

/** An answer of which so many are given in the window of the exchange. */
export const per = (most: number, answer: Answer): Endpoint => ({ answer, most });
/** An answer with its weight, in a bucket where it is not the usual one. */
export const costs = (
  weight: number | Route['weight'],
  answer: Answer,
  bucket = 'all',
): Endpoint => ({ answer, weight, bucket });

/** A simulated exchange as it is declared. */
interface Declared
  extends Omit<SimulatedVenue, 'route' | 'buckets' | 'refusals' | 'reply' | 'channels'> {
  /** Answers by path; a part in braces is a parameter of the request. */
  routes: Readonly<Record<string, Endpoint>>;
  /** The documented limit of all requests together, or of each path. */
  limit: Bucket & { each?: true };
  /** Further limits by name. */
  limits?: Readonly<Record<string, Bucket>>;
  /** How it refuses for its limits, an address that is locked out, and while it is down. */
  refusals: readonly [limited: Refusal, banned: Refusal, down: Refusal];
  reply?: SimulatedVenue['reply'];
  channels?: SimulatedVenue['channels'];
}

/** The same answers below a prefix, with what they cost. */
export const under = (
  prefix: string,
  answers: Readonly<Record<string, Endpoint>>,
  cost: { bucket?: string; weight?: number } = {},
): Record<string, Endpoint> =>
  Object.fromEntries(
    Object.entries(answers).map(([path, endpoint]) => {
      const own = typeof endpoint === 'function' ? { answer: endpoint } : endpoint;
      return [`${prefix}${path}`, { ...cost, ...own }];
    }),
  );

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
function routeOf(all: Readonly<Record<string, Route>>): (path: string) => Route | undefined {
  const forms = Object.entries(all)
    .filter(([form]) => form.includes('{'))
    .map(([form, route]) => ({ route, read: parametersIn(form) }));
  return (path) => {
    if (Object.hasOwn(all, path)) return all[path];
    for (const { route, read } of forms) {
      const found = read(path);
      if (!found) continue;
      const answer = (ask: Ask) => {
        const query = new URLSearchParams(ask.query);
        for (const [name, value] of Object.entries(found)) query.set(name, value);
        return route.answer({ ...ask, query });
      };
      return { ...route, answer };
    }
    return undefined;
  };
}

/** The routes of a declaration, and the buckets that they take from. */
function routesOfAll({ routes, limit, limits = {} }: Declared) {
  const buckets: Record<string, Bucket> = { all: limit, ...limits };
  const all: Record<string, Route> = {};
  for (const [path, endpoint] of Object.entries(routes)) {
    const own = typeof endpoint === 'function' ? { answer: endpoint } : endpoint;
    const { answer, most, weight = 1 } = own;
    const bucket = own.bucket ?? (limit.each || most !== undefined ? path : 'all');
    if (bucket === path) buckets[path] = { ...limit, weight: most ?? limit.weight };
    all[path] = { answer, bucket, weight: typeof weight === 'number' ? () => weight : weight };
  }
  return { all, buckets };
}

/** The simulated exchange of a declaration. */
export function exchange(declared: Declared): SimulatedVenue {
  const { all, buckets } = routesOfAll(declared);
  const { id, hosts, markets, refusals, reply, channels } = declared;
  const [rate_limit, ban, server_error] = refusals;
  return {
    id,
    hosts,
    markets,
    route: routeOf(all),
    buckets,
    refusals: { rate_limit, ban, server_error },
    ...(reply && { reply }),
    ...(channels && { channels }),
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
