import type { Clock } from '../../actors/kernel/clock.ts';
import { apiError } from '../errors.ts';
import type { Quota } from '../quota/quota.ts';
import { type Route, route } from './route.ts';
import * as s from './schemas.ts';

/** What the row answers from. */
export interface UsageContext {
  /** Null where nothing is counted. */
  quota: Pick<Quota, 'usage'> | null;
  /** Unix milliseconds. */
  clock: Clock;
}

const answer = s.object({
  account: s.string,
  plan: s.string,
  limit: s.of(s.integer, 'Requests a minute, over all keys of the account.'),
  used: s.of(
    s.integer,
    'Requests admitted in the current window, as far as told by every process.',
  ),
  remaining: s.integer,
  resets_at: s.of(
    s.integerOrNull,
    'End of the current window, Unix milliseconds; null when there is none.',
  ),
  keys: s.of(
    s.array(s.object({ id: s.string, used: s.integer })),
    'Keys used in the window; requests with a bearer token are in `used` only.',
  ),
});

const unknown = apiError('not_found', 'nothing is counted here: access is open, without accounts');
const away = apiError('overloaded', 'the count cannot be read at the moment, try again shortly', {
  retryAfter: 5,
});

/** How much of its quota an account has used. It costs nothing, so that a used up account can ask. */
export const usageRoutes = ({ quota, clock }: UsageContext): Route[] => [
  route({
    method: 'GET',
    path: '/v1/usage',
    group: 'Keys',
    summary: "The account's use of its quota in the current window, in all and per key",
    params: {},
    answer,
    access: 'key',
    free: true,
    from: {
      async act({ caller }) {
        if (caller === null || quota === null) return unknown;
        const usage = await quota.usage(caller);
        if (usage === null) return away;
        const { limit, used, resetIn, keys } = usage;
        const { account, plan } = caller;
        const resets = resetIn === null ? null : clock.now() + resetIn;
        const byKey = [...keys].map(([id, count]) => ({ id, used: count }));
        const remaining = Math.max(0, limit - used);
        const data = { account, plan, limit, used, remaining, resets_at: resets, keys: byKey };
        return { status: 200, data };
      },
    },
  }),
];
