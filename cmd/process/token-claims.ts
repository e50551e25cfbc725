/** The arguments of `npm run token`. */
import type { Plans } from '../../config/plans.ts';
import { Given } from './command.ts';
import type { TokenClaims } from './issuer.ts';

export const usage = `usage: npm run -s token -- --sub ACCOUNT [--plan PLAN] [--email ADDRESS] [--expires 1h]`;

/** Seconds of each unit, and the longest life. */
const units = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 3_600],
  ['d', 86_400],
]);
const longest = 365 * 86_400;

/** The claims that the arguments ask for. Throws StartError when they do not say. */
export function claimsOf(args: readonly string[], plans: Plans): TokenClaims {
  const given = new Given(args, usage, { values: ['sub', 'plan', 'email', 'expires'] });
  const sub = given.get('sub') ?? '';
  const plan = given.get('plan');
  const expires = secondsOf(given.get('expires') ?? '1h');
  if (sub === '' || sub.length > 255) throw given.fault('--sub must be 1 to 255 characters');
  if (plan !== undefined && !plans.has(plan))
    throw given.fault(`--plan must be one of ${plans.names.join(', ')}`);
  if (expires === null)
    throw given.fault('--expires must be a time such as 30s, 15m, 1h or 7d, at most 365d');
  return { sub, plan, email: given.get('email'), expires };
}

function secondsOf(text: string): number | null {
  const [, count, unit = ''] = /^(\d+)([smhd])$/.exec(text) ?? [];
  const seconds = Number(count) * (units.get(unit) ?? Number.NaN);
  return seconds > 0 && seconds <= longest ? seconds : null;
}
