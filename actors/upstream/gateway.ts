/** Turns the hosts a source names into the addresses that are really asked. */

/** Where one host of an API is reached. */
export interface Target {
  /** Scheme, host and port to connect to. */
  origin: string;
  /** Goes before the path of every request. */
  prefix: string;
  /** Host and port as the source names it: all that messages and states show. */
  name: string;
}

const withoutSlash = (path: string) => path.replace(/\/$/, '');

/**
 * The target of `host` (`https://host[:port]`), through `gateway` when there is one: `https://HOST/PATH` is
 * then asked as `GATEWAY/HOST/PATH`. Throws TypeError for a host that is not an http(s) URL.
 */
export function httpTarget(host: string, gateway: string | null): Target {
  if (!URL.canParse(host)) throw new TypeError('a host of an API must be a URL');
  const { protocol, origin, host: name, pathname } = new URL(host);
  if (protocol !== 'https:' && protocol !== 'http:') {
    throw new TypeError(`the URL of host ${name} must begin with https:// or http://`);
  }
  const path = withoutSlash(pathname);
  if (gateway === null) return { origin, prefix: path, name };
  const base = new URL(gateway);
  return { origin: base.origin, prefix: `${withoutSlash(base.pathname)}/${name}${path}`, name };
}

/** The URL to open for `wss://HOST/PATH`: itself, or `ws://GATEWAY/HOST/PATH` (wss behind an https gateway). */
export function socketUrl(url: string, gateway: string | null): string {
  if (gateway === null) return url;
  const { host, pathname, search } = new URL(url);
  const base = new URL(gateway);
  const scheme = base.protocol === 'https:' ? 'wss:' : 'ws:';
  return `${scheme}//${base.host}${withoutSlash(base.pathname)}/${host}${pathname}${search}`;
}

/**
 * True for an absolute path that means the same to every server: no query, no fragment, no dot segments, no
 * second slash in front. A client's words can be part of a path; this keeps them from changing the endpoint.
 */
export const isPlainPath = (path: string): boolean =>
  /^\/(?!\/)[\w\-.~!$&'()*+,;=:@%/]*$/.test(path) && !/\/(\.|%2e){1,2}(\/|$)/i.test(path);
