/** Who asks: the session of this browser, a key that this tab was given, or nobody. */
import { base, call } from './api.ts';

/** No caller needs a key. */
export const isOpen = document.documentElement.dataset.access === 'open';

const place = 'tidemark.key';
/** A key that was typed in; it is forgotten with the tab. */
let key = sessionStorage.getItem(place) ?? '';
/** The account of the session of this browser; null without one. */
let account: string | null = null;

const listeners = new Set<() => void>();

/** Calls back when somebody has signed in or out. */
export const onAccess = (listener: () => void): void => {
  listeners.add(listener);
};

/** Whether data that need a key can be asked for. */
export const mayRead = (): boolean => isOpen || key !== '' || account !== null;
/** Whether this browser has a session: with it keys can be managed. */
export const hasSession = (): boolean => account !== null;
/** Who is signed in, as people read it; null for nobody. */
export const who = (): string | null => account ?? (key === '' ? null : `${key.slice(0, 12)}…`);

/** The headers of a request. The word `session` stands for the cookie, which scripts cannot read. */
export const credentials = (): Record<string, string> =>
  isOpen || !mayRead() ? {} : { 'x-api-key': key === '' ? 'session' : key };

const tell = (): void => {
  for (const listener of listeners) listener();
};

/** Signs in with the code of the address, once, and finds out whose session this browser has. */
export async function enter(): Promise<string | null> {
  if (isOpen) return null;
  const code = /^#code=([\w-]+)$/.exec(location.hash)?.[1];
  let problem: string | null = null;
  if (code !== undefined) {
    history.replaceState(null, '', `${base}app`);
    const body = JSON.stringify({ code });
    problem = await call('/v1/auth/session', { method: 'POST', body }).then(
      () => null,
      (error: Error) => error.message,
    );
  }
  const found = await call('/v1/auth/session', {}).catch(() => null);
  account = found === null ? null : (found.data as { account: string | null }).account;
  return account === null ? problem : null;
}

/** Takes a key for this tab. */
export function useKey(text: string): void {
  key = text.trim();
  sessionStorage.setItem(place, key);
  tell();
}

/** Ends the session of this browser, and forgets the key of this tab. */
export async function leave(): Promise<void> {
  sessionStorage.removeItem(place);
  key = '';
  if (account !== null) await call('/v1/auth/session', { method: 'DELETE' });
  account = null;
  tell();
}

/** The service has refused the credential: it was revoked, or is over. */
export function refused(): void {
  if (!mayRead() || isOpen) return;
  sessionStorage.removeItem(place);
  key = '';
  account = null;
  tell();
}
