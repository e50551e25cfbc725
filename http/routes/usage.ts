import type { ListedKey } from '../auth/listed.ts';
import { daysKept } from '../auth/scripts.ts';
import type { AccountUsage } from '../quota/quota.ts';
import { apiError, isApiError, kit, params, s } from './kit.ts';

const answer = s.object({
  account: s.string('The subject that the identity provider states.'),
  plan: s.string('Plan of the account.'),
  limit: s.integerOrNull('Requests a minute, over all keys of the account; null for no limit.'),
  used: s.integerOrNull('Admitted in this window, as far as reported; null without a limit.'),
  remaining: s.integerOrNull('Still admitted, as in the header `RateLimit`; null without a limit.'),
  resets_at: s.integerOrNull('End of the window, Unix ms; null when there is none.'),
  keys: s.list(
    s.object({
      id: s.string('Id of the key.'),
      name: s.stringOrNull('Null while the key store cannot be read.'),
      used: s.integerOrNull('Requests admitted in the window; null without a limit.'),
      requests_today: s.integerOrNull(
        'Since 00:00 UTC, as reported by the processes so far; null while the key store cannot be read.',
      ),
    }),
    'Active keys of the account, and others used in the window; requests with a bearer token are in `used` only.',
  ),
});

const unknown = apiError('not_found', 'nothing is counted here: access is open, without accounts');
const away = apiError('overloaded', 'the count cannot be read at the moment, try again shortly', {
  retryAfter: 5,
});

/** The active keys of an account with their use, and those that were used in the window and are not listed. */
function keysOf(
  { limit, keys }: Pick<AccountUsage, 'limit' | 'keys'>,
  listed: readonly ListedKey[],
): s.Static<typeof answer>['keys'] {
  const usedBy = (id: string) => (limit === null ? null : (keys.get(id) ?? 0));
  const active = listed
    .filter(({ id, revoked }) => !revoked || keys.has(id))
    .map(({ id, name, requests_today }) => ({ id, name, used: usedBy(id), requests_today }));
  const named = new Set(active.map(({ id }) => id));
  const others = [...keys.keys()].filter((id) => !named.has(id));
  const unnamed = { name: null, requests_today: null };
  return [...active, ...others.map((id) => ({ id, ...unnamed, used: usedBy(id) }))];
}

const history = s.object({
  timestamps: s.list(s.unixMs(), 'Beginnings of UTC days, Unix milliseconds, the earliest first.'),
  keys: s.list(
    s.object({
      id: s.string('Id of the key.'),
      name: s.string('Name of the key.'),
      requests: s.list(s.integer(), 'Of each day, whatever came of them, at most 10 s late.'),
    }),
    'Active keys of the account.',
  ),
});

const historyRoute = ({ keys }: kit.Needs<'keys'>) =>
  kit.route({
    path: '/v1/usage/history',
    fails: ['not_found'],
    summary: 'Requests with each active key of the account by UTC day',
    params: {
      days: params.limit(daysKept, daysKept, 'Number of days, the last of which is today.'),
    },
    answer: history,
    from: {
      async act({ caller, values }) {
        if (caller === null || keys === null) return unknown;
        const found = await keys.history(caller, values.days);
        return isApiError(found) ? found : { status: 200 as const, data: found };
      },
    },
  });

/** The use of the quota of an account. It does not count, so that a used up account can ask. */
export const usageRoutes = ({ quota, keys, clock }: kit.Needs<'quota' | 'keys' | 'clock'>) => [
  kit.route({
    path: '/v1/usage',
    fails: ['not_found'],
    summary: "The account's use of its quota in the current window, in all and per key",
    answer,
    free: true,
    from: {
      async act({ caller }) {
        if (caller === null || quota === null) return unknown;
        const [usage, known] = await Promise.all([quota.usage(caller), keys?.list(caller) ?? []]);
        if (usage === null) return away;
        const { limit, used, remaining, resetIn } = usage;
        const { account, plan } = caller;
        const resets = resetIn === null ? null : clock.now() + resetIn;
        const byKey = keysOf(usage, isApiError(known) ? [] : known);
        const data = { account, plan, limit, used, remaining, resets_at: resets, keys: byKey };
        return { status: 200 as const, data };
      },
    },
  }),
  historyRoute({ keys }),
];
