/**
 * The name of the first header of every answer; the blocks below are its value and the lines that follow. As bytes,
 * because uWebSockets.js encodes a string at every call.
 */
export const firstHeader: ArrayBuffer = new TextEncoder().encode('x-content-type-options').buffer;

/**
 * The constant header lines of each kind of answer, joined once: one native call writes them all. They contain nothing
 * of a request except an origin that the configuration lists.
 */
export interface Head {
  /** 200 from a snapshot. */
  readonly data: string;
  /** The same as CSV. */
  readonly csv: string;
  /** 304, and the reply to OPTIONS without the lines of `preflight`. */
  readonly unchanged: string;
  /** JSON that is not cached: errors and the results of acts. */
  readonly unkept: string;
  /** 200 outside the envelope; the page adds its content type and cache control. */
  readonly page: string;
  /** The reply to a preflight; the path adds its methods. */
  readonly preflight: string;
}

/** How long uWebSockets.js keeps an idle connection at least, s: a client that keeps it for less time never meets its end. */
const keepAlive = 'keep-alive: timeout=10';
const json = 'content-type: application/json';
const csv = 'content-type: text/csv; charset=utf-8; header=present';
const revalidate = 'cache-control: no-cache';
const never = 'cache-control: no-store';
const exposed =
  'access-control-expose-headers: etag, accept-ranges, content-range, retry-after, x-ratelimit-after, x-mbx-used-weight-1m, ratelimit, ratelimit-policy, ignored-parameters, preference-applied, age, x-request-id, x-tidemark-data';
/** Ten minutes: the configuration may change at a restart. */
const maxAge = 'access-control-max-age: 600';
const allowedHeaders =
  'access-control-allow-headers: x-api-key, x-mbx-apikey, authorization, content-type, if-none-match, idempotency-key, prefer, last-event-id, x-request-id, mcp-protocol-version, mcp-method, mcp-name';

function headFor(cors: readonly string[]): Head {
  const block = (...lines: string[]) => ['nosniff', keepAlive, ...lines, ...cors].join('\r\n');
  return {
    data: block(json, revalidate),
    csv: block(csv, revalidate),
    unchanged: block(revalidate),
    unkept: block(json, never),
    page: block(),
    preflight: block(allowedHeaders, maxAge),
  };
}

/** The heads of a server, by the `Origin` of the request. */
export interface Heads {
  /** The head for every origin, where every one may read; else null. */
  readonly any: Head | null;
  of(origin: string): Head;
}

/** The line of every answer whose data are made up. */
const simulatedData = 'x-tidemark-data: simulated';

/**
 * Heads for the origins that browsers may read from; `*` among them allows every origin. `simulated` says in each that the data
 * are.
 */
export function createHeads(origins: readonly string[], simulated = false): Heads {
  const always = simulated ? [simulatedData] : [];
  const allow = (origin: string) => [`access-control-allow-origin: ${origin}`, exposed, ...always];
  if (origins.includes('*')) {
    const head = headFor(allow('*'));
    return { any: head, of: () => head };
  }
  const stranger = headFor(['vary: origin', ...always]);
  const known = new Map(
    origins.map((origin) => [origin, headFor(['vary: origin', ...allow(origin)])]),
  );
  return { any: null, of: (origin) => known.get(origin) ?? stranger };
}
