import { hour } from '../../config/time.ts';
import { type KeyKind, keyKinds } from '../auth/api-key.ts';
import type { Caller } from '../auth/caller.ts';
import type { Keys, MadeKey } from '../auth/keys.ts';
import { badPaths, linkLimits } from '../auth/link.ts';
import { noToken } from '../auth/refusals.ts';
import { isApiError, kit, s } from './kit.ts';

/** The rows exist only where there are keys. */
interface AuthContext {
  keys: Keys;
}

const plan = s.string('As the newest token that states one has it; free when none has.');
const prefix = s.string('The first 12 characters of the key.');
const name = s.string('1 to 64 characters once trimmed, without control characters.');
const kind = s.oneOf(
  keyKinds,
  '`link`: it reads its `paths` and nothing else, and may stand in the URL (`link=`).',
);
const pathsText =
  'Paths that a key of the kind `link` reads: `/v1/bars` with any query, `/v1/bars?symbol=BTC` with exactly this one';
const paths = s.orNull(s.list(s.string()), `${pathsText}; null for other keys.`);
const uuid = s.unchecked<string>({
  type: 'string',
  description: 'Id of the key, a UUID.',
  pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
});

const keyFields = { id: uuid, name, prefix, kind, paths };
const madeFields = {
  ...keyFields,
  key: s.stringOrNull('The full key; null in an answer to a repeated Idempotency-Key (200).'),
  created_at: s.unixMs(),
};
const idParam = {
  type: 'string',
  required: true,
  description: 'Id of the key, as the list gives it.',
  example: '6f1c2d9e-8a4b-4c57-9d3e-2b7a10c5e8f4',
} as const;

/** An act for the account that the bearer token names. */
const forCaller =
  <V, B, D>(act: (caller: Caller, call: kit.Call<V, B>) => Promise<kit.Done<D> | kit.ApiError>) =>
  async (call: kit.Call<V, B>): Promise<kit.Done<D> | kit.ApiError> =>
    call.caller === null ? noToken : act(call.caller, call);

const done = <D extends object>(data: D | kit.ApiError, status: kit.Done['status'] = 200) =>
  isApiError(data) ? data : { status, data };

/** The answer with a new key, or with the one that an earlier request has made. */
const created = <D extends MadeKey>(made: D | kit.ApiError) =>
  done(made, isApiError(made) || made.key === null ? 200 : 201);

const profileRoute = ({ keys }: AuthContext) =>
  kit.route({
    path: '/v1/auth/me',
    summary: 'The account that the bearer token names, its plan and what the plan allows',
    answer: s.object({
      id: s.string('The subject that the identity provider states.'),
      email: s.optional(s.string('As the token states it; absent where it states none.')),
      plan,
      rate_limit: s.integerOrNull('Requests a minute; null for no limit.'),
      limits: s.object(
        {
          requests_per_minute: s.integerOrNull('Requests a minute, over all keys of the account.'),
          api_keys: s.integerOrNull('Active keys at once.'),
          connections: s.integerOrNull('Requests that may wait for upstreams or a body at once.'),
        },
        'Null for no limit.',
      ),
      key_count: s.integer('Active keys.'),
      created_at: s.integerOrNull('When its first token was seen, Unix ms; null while not noted.'),
    }),
    access: 'bearer',
    from: { act: forCaller(async (caller) => done(await keys.profile(caller))) },
  });

const listRoute = ({ keys }: AuthContext) =>
  kit.route({
    path: '/v1/auth/keys',
    summary:
      'The keys of the account, the oldest first, with the latest 100 revoked ones; never a full key',
    answer: s.list(
      s.object({
        ...keyFields,
        created_at: s.unixMs(),
        last_used_at: s.integerOrNull('Unix ms, at most 10 s late; null when never used.'),
        requests_today: s.integer('Since 00:00 UTC, whatever came of them, at most 10 s late.'),
        plan,
        status: s.oneOf(['active', 'revoked'], 'Revoked: it is refused.'),
        revoked: s.boolean('Whether `status` is `revoked`.'),
        ends_at: s.integerOrNull('When a session or replaced key ends, Unix ms; null for others.'),
        revoked_at: s.integerOrNull('Unix milliseconds; null while the key is active.'),
      }),
    ),
    access: 'bearer',
    from: { act: forCaller(async (caller) => done(await keys.list(caller))) },
  });

/** Makes a key of the kind that is asked for. */
async function make(
  keys: Keys,
  { caller, idempotencyKey }: { caller: Caller; idempotencyKey: string },
  asked: { name: string; kind?: KeyKind | undefined; paths?: readonly string[] | undefined },
): Promise<MadeKey | kit.ApiError> {
  const { name, kind: wanted = 'live', paths: own } = asked;
  if (wanted === 'link') return keys.createLink(caller, { name, paths: own ?? [] }, idempotencyKey);
  return own === undefined ? keys.create(caller, name, idempotencyKey) : badPaths;
}

const createRoute = ({ keys }: AuthContext) =>
  kit.route({
    method: 'POST',
    path: '/v1/auth/keys',
    // The plan allows so many keys; an Idempotency-Key belongs to one name.
    fails: ['forbidden', 'not_enough_data'],
    summary:
      'Make a key: the full key is in this answer and never again. With an Idempotency-Key header a repeated request gives the key that was made, without its text, for 24 h',
    creates: true,
    body: s.object({
      name,
      kind: s.optional(kind),
      paths: s.optional(s.list(s.string(), `${pathsText}; 1 to ${linkLimits.paths}.`)),
    }),
    bodyExample: { name: 'laptop' },
    answer: s.object(madeFields),
    access: 'bearer',
    from: {
      act: forCaller(async (caller, { body, idempotencyKey }) => {
        return created(await make(keys, { caller, idempotencyKey }, body));
      }),
    },
  });

const overlap = { usual: 24, most: 168 } as const;

const rotateRoute = ({ keys }: AuthContext) =>
  kit.route({
    method: 'POST',
    path: '/v1/auth/keys/{id}/rotate',
    fails: ['not_found', 'forbidden', 'not_enough_data'],
    summary:
      'Make a key in place of another one, with its name, kind and paths; the other works for the overlap longer and then ends',
    params: { id: idParam },
    creates: true,
    body: s.object({
      overlap_hours: s.optional(
        s.integer(`How long the other key still works, hours; ${overlap.usual} when absent.`, {
          minimum: 1,
          maximum: overlap.most,
        }),
      ),
    }),
    bodyExample: { overlap_hours: 24 },
    answer: s.object({
      ...madeFields,
      replaces: s.object({ id: uuid, ends_at: s.unixMs() }, 'The other key, and when it ends.'),
    }),
    access: 'bearer',
    from: {
      act: forCaller(async (caller, { values, body, idempotencyKey }) => {
        const { overlap_hours: hours = overlap.usual } = body;
        const asked = { id: values.id, overlap: hours * hour };
        return created(await keys.rotate(caller, asked, idempotencyKey));
      }),
    },
  });

const revokeRoute = ({ keys }: AuthContext) =>
  kit.route({
    method: 'DELETE',
    path: '/v1/auth/keys/{id}',
    fails: ['not_found'],
    summary: 'Revoke a key of the account, for good',
    params: { id: idParam },
    answer: s.object({ id: uuid, status: s.literal('revoked', 'It is refused from now on.') }),
    access: 'bearer',
    // Whoever has found a key can use up the quota, but cannot keep the owner from revoking it.
    free: true,
    from: {
      act: forCaller(async (caller, { values }) => {
        const revoked = await keys.revoke(caller, values.id);
        return done(isApiError(revoked) ? revoked : { ...revoked, status: 'revoked' as const });
      }),
    },
  });

/** Key management (specification 4.1). */
export const authRoutes = (context: AuthContext) => [
  profileRoute(context),
  listRoute(context),
  createRoute(context),
  rotateRoute(context),
  revokeRoute(context),
];
