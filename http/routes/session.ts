/** Sessions of browsers, for the dashboard: an API key that ends by itself, in a cookie that scripts cannot read. */
import * as s from '../../actors/topics/schema.ts';
import type { Keys } from '../auth/keys.ts';
import { sessionLife } from '../auth/scripts.ts';
import { type Route, route } from '../endpoints/route.ts';
import { isApiError } from '../wire/errors.ts';
import { sessionCookie } from '../wire/session-cookie.ts';

interface SessionContext {
  keys: Pick<Keys, 'signIn' | 'revoke'>;
}

const group = 'Keys' as const;
const path = '/v1/auth/session';

const account = s.stringOrNull('Whose session it is; null without one.');

const signIn = ({ keys }: SessionContext): Route =>
  route({
    method: 'POST',
    path,
    group,
    summary:
      'Sign this browser in with the code of the link that the service prints: a session in a cookie that scripts cannot read',
    params: {},
    creates: true,
    fails: ['unauthorized'],
    body: s.object({
      code: s.string('Behind `#code=` in the link; it works once, within an hour.'),
    }),
    bodyExample: { code: 'dGhlIGNvZGUgb2YgYSBsaW5rIGhlcmUh' },
    answer: s.object({ account, expires_at: s.unixMs() }),
    access: 'open',
    from: {
      async act({ body, isHttps }) {
        const made = await keys.signIn(body.code);
        if (isApiError(made)) return made;
        const { key, account: owner, expires_at } = made;
        const data = { account: owner, expires_at };
        return { status: 201, data, cookie: sessionCookie(key, sessionLife / 1000, isHttps) };
      },
    },
  });

const whose = (): Route =>
  route({
    method: 'GET',
    path,
    group,
    summary: 'Whose session this browser has',
    params: {},
    answer: s.object({ account }),
    access: 'open',
    free: true,
    from: {
      async act({ session, isHttps }) {
        const caller = await session();
        if (caller === null) return { status: 200, data: { account: null } };
        if (!isApiError(caller)) return { status: 200, data: { account: caller.account } };
        // Redis is away: the session may be a good one.
        if (caller.error !== 'unauthorized') return caller;
        return { status: 200, data: { account: null }, cookie: sessionCookie('', 0, isHttps) };
      },
    },
  });

const signOut = ({ keys }: SessionContext): Route =>
  route({
    method: 'DELETE',
    path,
    group,
    summary: 'Sign this browser out: its session ends, and its streams',
    params: {},
    answer: s.object({ account }),
    access: 'open',
    free: true,
    from: {
      async act({ session, isHttps }) {
        const caller = await session();
        if (caller !== null && !isApiError(caller) && caller.key !== null) {
          const revoked = await keys.revoke(caller, caller.key);
          if (isApiError(revoked) && revoked.error !== 'not_found') return revoked;
        }
        return { status: 200, data: { account: null }, cookie: sessionCookie('', 0, isHttps) };
      },
    },
  });

/** Signing a browser in and out. */
export const sessionRoutes = (context: SessionContext): Route[] => [
  signIn(context),
  whose(),
  signOut(context),
];
