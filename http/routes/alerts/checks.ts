/** From what a client sends to a rule, and back. */
import type { AlertRule } from '../../../actors/topics/index.ts';
import { type RuleBody, RuleFault, type RuleFields, readRule } from '../../../alerts/rules/read.ts';
import { targetOf } from '../../../alerts/store/queued.ts';
import type { Call } from '../../endpoints/route.ts';
import { type ApiError, apiError } from '../../wire/errors.ts';

/** A rule as its owner sees it. */
export function shownRule({ account: _, deliver, ...rule }: AlertRule, now: number) {
  const isExpired = rule.expires_at !== null && rule.expires_at <= now;
  const status: 'active' | 'paused' | 'expired' = isExpired
    ? 'expired'
    : rule.paused
      ? 'paused'
      : 'active';
  const shown = deliver.map((one) => ({ type: one.type, target: targetOf(one) }));
  return { ...rule, status, deliver: shown };
}

/** Checks a rule, and that its path can be followed. */
export function checked(
  body: RuleBody,
  { follow }: Pick<Call<unknown>, 'follow'>,
  now: number,
): RuleFields | ApiError {
  try {
    const fields = readRule(body, now);
    if (/^\/v1\/alerts([/?]|$)/.test(fields.path))
      return apiError('bad_parameter', 'path must not be one of alerts');
    const fault = follow(fields.path, fields.condition.type === 'event' ? 'log' : 'full');
    return fault === null ? fields : { ...fault, message: `path: ${fault.message}` };
  } catch (error) {
    if (error instanceof RuleFault) return apiError('bad_parameter', error.message);
    throw error;
  }
}

/** What a rule says, as a client sends it. */
export function bodyOf({ condition, deliver, ...rule }: AlertRule): RuleBody {
  const given = Object.entries(condition).filter(([, value]) => value !== null);
  const { name, path, pointer, hysteresis, cooldown, expires_at, resolved, paused } = rule;
  const others = { name, path, pointer, hysteresis, cooldown, expires_at, resolved, paused };
  return {
    ...others,
    for: rule.for,
    condition: Object.fromEntries(given) as unknown as RuleBody['condition'],
    deliver,
  };
}

/** Whether states of the rule before say nothing about the rule now. */
export const isOther = (one: AlertRule, other: AlertRule): boolean => {
  const watched = ({ path, pointer, condition }: AlertRule) =>
    JSON.stringify([path, pointer, condition]);
  return watched(one) !== watched(other);
};
