import type { Keys } from '../auth/keys.ts';
import { noToken } from '../auth/refusals.ts';
import type { Caller } from '../caller.ts';
import { type ApiError, isApiError } from '../errors.ts';
import { type Call, type Done, type Route, route } from './route.ts';
import * as s from './schemas.ts';

/** What the rows of this group answer from. */
export interface AuthContext {
  keys: Keys;
}

const group = 'Keys';

const plan = s.of({ enum: ['free', 'pro'] }, 'What the newest token said; free when it said none.');
const prefix = s.of(s.string, 'The first 12 characters of the key.');
const name = {
  type: 'string',
  description: '1 to 64 characters once trimmed, without control characters.',
} as const;
const uuid = { type: 'string', pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' } as const;

/** An act for the account that the bearer token names. */
const forCaller =
  <V>(act: (caller: Caller, call: Call<V>) => Promise<Done | ApiError>) =>
  async (call: Call<V>): Promise<Done | ApiError> =>
    call.caller === null ? noToken : act(call.caller, call);

const done = (data: object, status: Done['status'] = 200): Done | ApiError =>
  isApiError(data) ? data : { status, data };

const profileRoute = ({ keys }: AuthContext): Route =>
  route({
    method: 'GET',
    path: '/v1/auth/me',
    group,
    summary: 'The account that the bearer token names, its plan and what the plan allows',
    params: {},
    answer: s.object(
      {
        id: s.of(s.string, 'The subject that the identity provider states.'),
        email: s.string,
        plan,
        limits: s.object({
          requests_per_minute: s.integer,
          api_keys: s.of(s.integerOrNull, 'Active keys at once; null for no limit.'),
        }),
        key_count: s.of(s.integer, 'Active keys.'),
      },
      ['email'],
    ),
    access: 'bearer',
    from: { act: forCaller(async (caller) => done(await keys.profile(caller))) },
  });

const listRoute = ({ keys }: AuthContext): Route =>
  route({
    method: 'GET',
    path: '/v1/auth/keys',
    group,
    summary: 'The active keys of the account, the oldest first; never a full key',
    params: {},
    answer: s.array(
      s.object({
        id: uuid,
        name,
        prefix,
        created_at: s.unixMs,
        last_used_at: s.of(
          s.integerOrNull,
          'Unix milliseconds, to about a minute; null when it was never used.',
        ),
        plan,
        status: { const: 'active' },
      }),
    ),
    access: 'bearer',
    from: { act: forCaller(async (caller) => done(await keys.list(caller))) },
  });

const createRoute = ({ keys }: AuthContext): Route =>
  route({
    method: 'POST',
    path: '/v1/auth/keys',
    group,
    summary:
      'Make a key: the full key is in this answer and never again. With an Idempotency-Key header a repeated request gives the key that was made, without its text, for 24 h',
    params: {},
    creates: true,
    body: s.object({ name }),
    answer: s.object({
      id: uuid,
      name,
      prefix,
      key: s.of(
        { type: ['string', 'null'] },
        'The full key; null in the answer (200) to a request that repeats an Idempotency-Key.',
      ),
      created_at: s.unixMs,
    }),
    access: 'bearer',
    from: {
      act: forCaller(async (caller, { body, idempotencyKey }) => {
        const made = await keys.create(caller, nameIn(body), idempotencyKey);
        return done(made, isApiError(made) || made.key === null ? 200 : 201);
      }),
    },
  });

const revokeRoute = ({ keys }: AuthContext): Route =>
  route({
    method: 'DELETE',
    path: '/v1/auth/keys/{id}',
    group,
    summary: 'Revoke a key of the account, for good',
    params: {
      id: { type: 'string', required: true, description: 'Id of the key, as the list gives it.' },
    },
    answer: s.object({ id: uuid, status: { const: 'revoked' } }),
    access: 'bearer',
    from: {
      act: forCaller(async (caller, { values }) => {
        const revoked = await keys.revoke(caller, values.id);
        return done(isApiError(revoked) ? revoked : { ...revoked, status: 'revoked' });
      }),
    },
  });

/** The row's schema has checked that it is there and a text. */
const nameIn = (body: unknown): string =>
  typeof body === 'object' && body !== null && 'name' in body ? String(body.name) : '';

/** Key management (specification 4.1). */
export const authRoutes = (context: AuthContext): Route[] => [
  profileRoute(context),
  listRoute(context),
  createRoute(context),
  revokeRoute(context),
];
