/** Sessions of browsers, for the dashboard: an API key that ends by itself, in a cookie that scripts cannot read. */
import type { Keys } from '../auth/keys.ts';
import { badKey, noSession, noToken } from '../auth/refusals.ts';
import { sessionCookie } from '../wire/session-cookie.ts';
import { isApiError, kit, s } from './kit.ts';

interface SessionContext {
  keys: Pick<Keys, 'sessions' | 'revoke'>;
}

const path = '/v1/auth/session';

const account = s.stringOrNull('Whose session it is; null without one.');

const made = s.object({ account, expires_at: s.unixMs() });

function signedIn(
  session: Awaited<ReturnType<Keys['sessions']['byCode']>>,
  isHttps: boolean,
): kit.Done<s.Static<typeof made>> | kit.ApiError {
  if (isApiError(session)) return session;
  const { key, life, account: owner, expires_at } = session;
  const cookie = sessionCookie(key, Math.floor(life / 1000), isHttps);
  return { status: 201, data: { account: owner, expires_at }, cookie };
}

const signIn = ({ keys }: SessionContext) =>
  kit.route({
    method: 'POST',
    path,
    summary:
      'Sign this browser in with the code of the link that the service prints: a session in a cookie that scripts cannot read',
    creates: true,
    fails: ['unauthorized'],
    body: s.object({
      code: s.string('Behind `#code=` in the link; works once, within an hour.'),
    }),
    bodyExample: { code: 'dGhlIGNvZGUgb2YgYSBsaW5rIGhlcmUh' },
    answer: made,
    access: 'open',
    from: {
      async act({ body, isHttps }) {
        return signedIn(await keys.sessions.byCode(body.code), isHttps);
      },
    },
  });

const signInByToken = ({ keys }: SessionContext) =>
  kit.route({
    method: 'POST',
    path: `${path}/token`,
    summary:
      'Sign this browser in with a bearer token: a session in a cookie that scripts cannot read, which ends with the token',
    creates: true,
    answer: made,
    access: 'bearer',
    from: {
      async act({ caller, isHttps }) {
        if (caller === null) return noToken;
        return signedIn(await keys.sessions.byToken(caller), isHttps);
      },
    },
  });

const whose = () =>
  kit.route({
    path,
    summary: 'Whose session this browser has, and when it ends',
    answer: s.object({
      account,
      expires_at: s.integerOrNull('When it ends by itself, Unix milliseconds; null without one.'),
    }),
    access: 'open',
    free: true,
    from: {
      async act({ session, isHttps }) {
        const caller = await session();
        const nobody = { account: null, expires_at: null };
        if (caller === null) return { status: 200, data: nobody };
        if (!isApiError(caller)) {
          const { account: owner, until = null } = caller;
          return { status: 200, data: { account: owner, expires_at: until } };
        }
        // Redis is away: the session may be a good one.
        if (caller.error !== 'unauthorized') return caller;
        return { status: 200, data: nobody, cookie: sessionCookie('', 0, isHttps) };
      },
    },
  });

const signOut = ({ keys }: SessionContext) =>
  kit.route({
    method: 'DELETE',
    path,
    summary: 'Sign this browser out: its session ends, and its streams',
    answer: s.object({ account }),
    access: 'open',
    free: true,
    fails: ['unauthorized'],
    from: {
      async act({ session, isHttps }) {
        const caller = await session();
        if (caller === null) return noSession;
        // Redis is away: the session would go on.
        if (isApiError(caller) && caller.error !== 'unauthorized') return caller;
        if (!isApiError(caller) && caller.key !== null) {
          const revoked = await keys.revoke(caller, caller.key);
          if (isApiError(revoked) && revoked.error !== 'not_found') return revoked;
        }
        return { status: 200, data: { account: null }, cookie: sessionCookie('', 0, isHttps) };
      },
    },
  });

/** Tickets for streams of web pages: a browser's EventSource and WebSocket send no headers. */
const ticket = ({ keys }: SessionContext) =>
  kit.route({
    method: 'POST',
    path: '/v1/auth/ticket',
    summary:
      'Make a ticket that opens one stream (/v1/ws, /v1/stream) in place of the key, within a minute',
    creates: true,
    answer: s.object({
      ticket: s.string('For `ticket` in the query of the stream, or in its first message.'),
      expires_at: s.unixMs(),
    }),
    from: {
      async act({ caller }) {
        if (caller === null) return badKey;
        const made = await keys.sessions.ticket(caller);
        return isApiError(made) ? made : { status: 201, data: made };
      },
    },
  });

/** Signing a browser in and out, and tickets. */
export const sessionRoutes = (context: SessionContext) => [
  signIn(context),
  signInByToken(context),
  whose(),
  signOut(context),
  ticket(context),
];
