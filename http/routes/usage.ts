import * as s from '../../actors/topics/schema.ts';
import { apiError } from '../errors.ts';
import type { RoutesContext } from './context.ts';
import { type Route, route } from './route.ts';

const answer = s.object({
  account: s.string(),
  plan: s.string(),
  limit: s.integerOrNull('Requests a minute, over all keys of the account; null for no limit.'),
  used: s.integerOrNull(
    'Requests admitted in the current window, as far as reported by every process; null without a limit.',
  ),
  remaining: s.integerOrNull(
    'Requests that would still be admitted, as in the header `RateLimit`; null without a limit.',
  ),
  resets_at: s.integerOrNull(
    'End of the current window, Unix milliseconds; null when there is none.',
  ),
  keys: s.list(
    s.object({ id: s.string(), used: s.integer() }),
    'Keys used in the window; requests with a bearer token are in `used` only.',
  ),
});

const unknown = apiError('not_found', 'nothing is counted here: access is open, without accounts');
const away = apiError('overloaded', 'the count cannot be read at the moment, try again shortly', {
  retryAfter: 5,
});

/** The use of the quota of an account. It does not count, so that a used up account can ask. */
export const usageRoutes = ({ quota, clock }: Pick<RoutesContext, 'quota' | 'clock'>): Route[] => [
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
        const { limit, used, remaining, resetIn, keys } = usage;
        const { account, plan } = caller;
        const resets = resetIn === null ? null : clock.now() + resetIn;
        const byKey = [...keys].map(([id, count]) => ({ id, used: count }));
        const data = { account, plan, limit, used, remaining, resets_at: resets, keys: byKey };
        return { status: 200 as const, data };
      },
    },
  }),
];
