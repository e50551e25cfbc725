/** From what a client sends to a rule, and back. */
import type { AlertReceiver, AlertRule } from '../../../actors/topics/index.ts';
import { answerName, readPointer, subjectOf, valuesAt } from '../../../alerts/rules/pointer.ts';
import { type ReachOptions, reachFault } from '../../../alerts/rules/reach.ts';
import { type RuleBody, RuleFault, type RuleFields, readRule } from '../../../alerts/rules/read.ts';
import { type ReceiverState, receiverKey, targetOf } from '../../../alerts/store/queued.ts';
import type { AlertsContext } from '../context.ts';
import { apiError, isApiError, type kit } from '../kit.ts';
import type { receiverStatuses } from './common.ts';

type Failing = ReadonlyMap<string, ReceiverState>;

/** A receiver as its owner sees it, without secrets. */
function shownReceiver(receiver: AlertReceiver, failing: Failing, now: number) {
  const state = failing.get(receiverKey(receiver));
  const former = receiver.type === 'telegram' ? receiver.former_chat_id : undefined;
  return {
    type: receiver.type,
    target: targetOf(receiver),
    former_target: former === undefined ? null : `chat ${former}`,
    status: statusOf(state, now),
    error: state?.error ?? null,
    failing_since: state?.since ?? null,
    next_attempt: state !== undefined && state.until > now ? state.until : null,
  };
}

function statusOf(
  state: ReceiverState | undefined,
  now: number,
): (typeof receiverStatuses)[number] {
  if (state === undefined) return 'ok';
  if (state.refused) return 'refused';
  return state.until > now ? 'paused' : 'failing';
}

/** A rule as its owner sees it, with those of its receivers that fail. */
export function shownRule(
  { clock, faultOf }: Pick<AlertsContext, 'clock' | 'faultOf'>,
  { account: _, deliver, ...rule }: AlertRule,
  failing: Failing,
) {
  const now = clock.now();
  const isExpired = rule.expires_at !== null && rule.expires_at <= now;
  const status: 'active' | 'paused' | 'expired' = isExpired
    ? 'expired'
    : rule.paused
      ? 'paused'
      : 'active';
  const fault = status === 'active' ? faultOf(rule.id) : null;
  const receivers = deliver.map((one) => shownReceiver(one, failing, now));
  return { ...rule, status, fault, deliver: receivers };
}

/** A value that a rule watches, as it is now. */
export interface WatchedValue {
  /** What events of it call it; null where the rule watches one value. */
  subject: string | null;
  value: number | null;
  /** When it was received, Unix ms; null where that is not known. */
  data_time: number | null;
}

/** A rule that was checked, and what it watches; null where that was not looked at. */
export interface Checked {
  fields: RuleFields;
  values: readonly WatchedValue[] | null;
}

const modeOf = ({ condition }: Pick<RuleFields, 'condition'>): 'full' | 'log' =>
  condition.type === 'event' ? 'log' : 'full';

/** Checks a rule, and that its path can be followed. Throws RuleFault. */
function readable(
  body: RuleBody,
  { follow }: Pick<kit.Call<unknown>, 'follow'>,
  now: number,
): RuleFields | kit.ApiError {
  const fields = readRule(body, now);
  if (/^\/v1\/alerts([/?]|$)/.test(fields.path))
    return apiError('bad_parameter', 'path must not be one of alerts');
  const fault = follow(fields.path, modeOf(fields));
  return fault === null ? fields : { ...fault, message: `path: ${fault.message}` };
}

/** Throws RuleFault for a receiver that can never be reached. */
async function checkReach(deliver: RuleBody['deliver'], reach: ReachOptions): Promise<void> {
  const faults = (deliver ?? []).map(({ type, url = '' }) =>
    type === 'webhook' ? reachFault(url, reach) : null,
  );
  for (const [place, fault] of (await Promise.all(faults)).entries())
    if (fault !== null) throw new RuleFault(`deliver[${place}].url: ${fault}`);
}

/** Most values of an answer. */
export const mostValues = 20;
/** Most names of an error. */
const mostNames = 20;

/** The names in an answer that a pointer may begin with. */
function namesIn(data: unknown): string {
  if (typeof data !== 'object' || data === null) return 'which has no fields';
  if (Array.isArray(data)) return 'which is a list: * stands for each of its rows';
  const names = Object.keys(data);
  const more = names.length > mostNames ? ', ...' : '';
  return `which has ${names.slice(0, mostNames).join(', ')}${more}`;
}

/**
 * What a rule watches now; nothing where its answer cannot be had at present. Throws RuleFault for a pointer that finds neither a
 * number nor a null.
 */
async function watched(
  fields: RuleFields,
  { look }: Pick<kit.Call<unknown>, 'look'>,
): Promise<WatchedValue[]> {
  const { path, pointer } = fields;
  if (pointer === '') return [];
  const isPattern = /\*|%2a/i.test(path);
  const answers = await look(path, modeOf(fields));
  const parts = readPointer(pointer) ?? [];
  const found = answers.flatMap(({ path: own, data, asOf }) => {
    const name = isPattern ? answerName(own) : null;
    return [...valuesAt(data, parts, asOf)].map((one) => ({
      ...one,
      subject: subjectOf(name, one.subject),
    }));
  });
  const [first] = answers;
  if (first !== undefined && !found.some(({ value, isNull }) => value !== null || isNull))
    throw new RuleFault(
      `pointer: there is no number at ${JSON.stringify(pointer)} in the answer, ${namesIn(first.data)}`,
    );
  return found
    .filter(({ value, isNull }) => value !== null || isNull)
    .slice(0, mostValues)
    .map(({ subject, value, at }) => ({ subject, value, data_time: at }));
}

/** Checks a rule: itself, its path, the receivers in `deliver`, and where `looks` that its pointer finds something. */
export async function checked(
  body: RuleBody,
  call: Pick<kit.Call<unknown>, 'follow' | 'look'>,
  {
    now,
    reach,
    deliver,
    looks,
  }: { now: number; reach: ReachOptions; deliver: RuleBody['deliver']; looks: boolean },
): Promise<Checked | kit.ApiError> {
  try {
    const fields = readable(body, call, now);
    if (isApiError(fields)) return fields;
    await checkReach(deliver, reach);
    return { fields, values: looks ? await watched(fields, call) : null };
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
