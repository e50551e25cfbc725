/**
 * The session of a browser: an API key in a cookie that scripts cannot read. It counts only in requests that name it in place of
 * their key (`X-API-Key: session`), which no page of another origin can send with the cookie: the header needs a preflight, whose
 * answer never allows credentials.
 */
import type { HttpRequest } from 'uWebSockets.js';

/** The value of `X-API-Key` that stands for the cookie. */
export const namesSession = 'session';

const cookie = 'tidemark_session';
const form = new RegExp(`(?:^|;\\s*)${cookie}=(\\w{20,100})(?:;|$)`);

/** The key in the cookie; empty without one, and for a request that another site or origin has caused. */
export function sessionOf(req: Pick<HttpRequest, 'getHeader'>): string {
  // Browsers state it by https and to this machine; where it is absent the header above protects alone.
  const site = req.getHeader('sec-fetch-site');
  if (site !== '' && site !== 'same-origin') return '';
  return form.exec(req.getHeader('cookie'))?.[1] ?? '';
}

/**
 * The value of `set-cookie` that keeps a key for `seconds`; none and 0 end the session. A browser that sees the service by https
 * never sends it by http.
 */
export const sessionCookie = (key: string, seconds: number, isHttps: boolean): string =>
  `${cookie}=${key}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${seconds}${isHttps ? '; Secure' : ''}`;
