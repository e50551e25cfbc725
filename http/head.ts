/**
 * The name of the header that every answer begins with; the blocks below are its value and the lines that follow. As
 * bytes, since uWebSockets.js encodes a name that is a string anew at every call.
 */
export const firstHeader: ArrayBuffer = new TextEncoder().encode('x-content-type-options').buffer;

/**
 * Header lines that are the same for every answer of a kind, joined once: one native call writes them all.
 * Nothing from a request goes into them except an origin that the configuration lists.
 */
export interface Head {
  /** 200 from a snapshot. */
  readonly data: string;
  /** 304, and the reply to OPTIONS less what `preflight` adds. */
  readonly unchanged: string;
  /** JSON that nobody keeps: errors, and what an act has led to. */
  readonly unkept: string;
  /** 200 outside the envelope; content type and cache control are the page's own. */
  readonly page: string;
  /** What a browser asks before a request with our headers; the methods are the path's own. */
  readonly preflight: string;
}

const json = 'content-type: application/json';
const revalidate = 'cache-control: no-cache';
const never = 'cache-control: no-store';
const exposed =
  'access-control-expose-headers: etag, retry-after, x-ratelimit-after, ratelimit, ratelimit-policy';
/** Ten minutes: what the configuration allows may change at a restart. */
const maxAge = 'access-control-max-age: 600';
const allowedHeaders =
  'access-control-allow-headers: x-api-key, authorization, content-type, if-none-match, idempotency-key';

function headFor(cors: readonly string[]): Head {
  const block = (...lines: string[]) => ['nosniff', ...lines, ...cors].join('\r\n');
  return {
    data: block(json, revalidate),
    unchanged: block(revalidate),
    unkept: block(json, never),
    page: block(),
    preflight: block(allowedHeaders, maxAge),
  };
}

/** The heads of a server: which one a request gets depends on its `Origin` only. */
export interface Heads {
  /** Every origin may read: `of` need not be asked with the request's own. */
  readonly anyOrigin: boolean;
  of(origin: string): Head;
}

/** Heads for the origins that browsers may read from; `*` among them allows every origin. */
export function createHeads(origins: readonly string[]): Heads {
  const allow = (origin: string) => [`access-control-allow-origin: ${origin}`, exposed];
  if (origins.includes('*')) {
    const head = headFor(allow('*'));
    return { anyOrigin: true, of: () => head };
  }
  const stranger = headFor(['vary: origin']);
  const known = new Map(
    origins.map((origin) => [origin, headFor(['vary: origin', ...allow(origin)])]),
  );
  return { anyOrigin: false, of: (origin) => known.get(origin) ?? stranger };
}
