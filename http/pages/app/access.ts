/** Who asks: the session of this browser, a key that this tab was given, or nobody. */
import { base, call, type Refusal } from './api.ts';
import { time } from './format.ts';
import { at, to } from './request.ts';
import { kept } from './settings.ts';

/** No caller needs a key. */
export const isOpen = document.documentElement.dataset.access === 'open';

const place = 'tidemark.key';
/** A key that was typed in; it is forgotten with the tab. */
let key = sessionStorage.getItem(place) ?? '';
/** The session of this browser; `ends` is Unix ms. Null without one. */
interface Session {
  account: string;
  ends: number | null;
}

/** That of the last visit; its cookie is out of the reach of scripts. */
const last = kept<Session | null>('session', null);
let session = (last.get()?.ends ?? Infinity) > Date.now() ? last.get() : null;
/** Why the reader has to sign in again, or could not; null when there is nothing to say. */
let problem: string | null = null;

const listeners = new Set<() => void>();

/** Calls back when somebody has signed in or out. */
export const onAccess = (listener: () => void): void => {
  listeners.add(listener);
};

/** Whether data that need a key can be asked for. */
export const mayRead = (): boolean => isOpen || key !== '' || session !== null;
/** Whether this browser has a session: with it keys can be managed. */
export const hasSession = (): boolean => session !== null;
/** When the session ends, Unix ms; null without one. */
export const endOfSession = (): number | null => session?.ends ?? null;
/** Who is signed in, as people read it; null for nobody. */
export const who = (): string | null =>
  session?.account ?? (key === '' ? null : `${key.slice(0, 12)}…`);
/** The key that this tab was given; empty without one. */
export const typedKey = (): string => key;
/** What the way in has to say. */
export const problemOfAccess = (): string | null => problem;

/** Names the session: the word stands for the cookie, which scripts cannot read. */
const named = { 'x-api-key': 'session' };
/** The headers of a request. */
export const credentials = (): Record<string, string> =>
  isOpen || !mayRead() ? {} : session === null ? { 'x-api-key': key } : named;

const notify = (): void => {
  for (const listener of listeners) listener();
};

/** Longest delay of a timer, ms. */
const longest = 2 ** 31 - 1;
let ending: ReturnType<typeof setTimeout> | undefined;

/** Leads back to the way in when the session ends. */
function watchEnd(ends: number): void {
  clearTimeout(ending);
  const left = ends - Date.now();
  ending = setTimeout(
    () => {
      if (left > longest) watchEnd(ends);
      else forget(`Your session ended at ${time(ends, 'minute')}. Sign in again.`);
    },
    Math.min(Math.max(left, 0), longest),
  );
}

function take(account: string, ends: number | null): void {
  session = { account, ends };
  last.set(session);
  problem = null;
  if (ends !== null) watchEnd(ends);
}

/** Nobody is signed in any more, and why. */
function forget(why: string | null): void {
  clearTimeout(ending);
  sessionStorage.removeItem(place);
  key = '';
  session = null;
  last.set(null);
  problem = why;
  notify();
}

/**
 * Signs in with the code of the address, once, and finds out whose session this browser has. With a key, or the session of the last
 * visit, nobody waits for that: they are good until the service says otherwise.
 */
export async function enter(): Promise<void> {
  if (isOpen) return;
  const code = /^#code=([\w-]+)$/.exec(location.hash)?.[1];
  if (code !== undefined) {
    history.replaceState(null, '', `${base}app`);
    problem = await call(to('POST /v1/auth/session', {}, { code }), {}).then(
      () => null,
      ({ message }: Error) => `The link did not work: ${message}.`,
    );
  }
  const asked = call(at('/v1/auth/session', {}), { headers: named }).then(
    ({ data: { account, expires_at: ends } }) => {
      if (account) take(account, ends);
      else if (session !== null) refused();
    },
    () => {},
  );
  if (code !== undefined || !mayRead()) await asked;
}

const tokenForm = /^[\w-]+\.([\w-]+)\.[\w-]+$/;

/** When a token says that it ends, Unix ms; null where it is none, or says nothing. */
function endOf(token: string): number | null {
  const claims = tokenForm.exec(token)?.[1];
  if (claims === undefined) return null;
  try {
    const { exp } = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/')));
    return typeof exp === 'number' ? exp * 1000 : null;
  } catch {
    return null;
  }
}

/** Trades a token of the identity provider for a session, which ends with it. Rejects with the reason. */
async function useToken(token: string): Promise<void> {
  const ends = endOf(token);
  if (ends !== null && ends <= Date.now()) {
    const when = time(ends, 'minute');
    throw new Error(`This token ended at ${when}. Get a new one from your identity provider`);
  }
  const headers = { authorization: `Bearer ${token}` };
  const { data } = await call(to('POST /v1/auth/session/token', {}), { headers });
  take(data.account ?? '', data.expires_at);
}

/** Takes a key for this tab, once the service knows it. Rejects with the reason. */
async function useKey(text: string): Promise<void> {
  if (text.startsWith('tm_link_'))
    throw new Error(
      'A link key reads its own paths and nothing else: use a key that begins with tm_live_',
    );
  await call(at('/v1/usage', {}), { headers: { 'x-api-key': text } }).catch((error: Refusal) => {
    if (error.status === 401) throw new Error('This key is mistyped, or was revoked');
    // A service that counts nothing has no usage, and knows the key all the same.
    if (error.status !== 404) throw error;
  });
  key = text;
  problem = null;
  sessionStorage.setItem(place, key);
}

/** Signs in with a key or a token; the reason where it is refused. */
export async function signIn(text: string): Promise<string> {
  const given = text.trim().replace(/^bearer +/i, '');
  try {
    await (tokenForm.test(given) ? useToken(given) : useKey(given));
  } catch (error) {
    const { message } = error as Error;
    return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
  }
  notify();
  return '';
}

/** Ends the session of this browser, and forgets the key of this tab. */
export async function leave(): Promise<void> {
  if (session !== null)
    await call(to('DELETE /v1/auth/session', {}), { headers: named }).catch((error: Refusal) => {
      // It is over already.
      if (error.status !== 401) throw error;
    });
  forget(null);
}

/** The service has refused the credential: it was revoked, or is over. */
export function refused(): void {
  if (!mayRead() || isOpen) return;
  forget(
    session === null
      ? 'The service refuses the key: it was revoked. Sign in with another one.'
      : 'Your session has ended: it was revoked, or its time is over. Sign in again.',
  );
}
