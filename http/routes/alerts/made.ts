/** The answer to a change of an alert: the alert, what it watches now, and the first secret. */
import { hash, randomBytes } from 'node:crypto';
import type { AlertRule } from '../../../actors/topics/index.ts';
import type { RuleBody } from '../../../alerts/rules/read.ts';
import { newSecret } from '../../../alerts/rules/signature.ts';
import { idempotencyForm } from '../../auth/keys.ts';
import { badIdempotencyKey, idempotencyMismatch } from '../../auth/refusals.ts';
import type { AlertsContext } from '../context.ts';
import { type kit, s } from '../kit.ts';
import { type Checked, mostValues, shownRule } from './checks.ts';
import { rule as ruleSchema } from './common.ts';

/** The secret of an account that has its first webhook, null where it has one. */
async function firstSecret(
  { store, clock }: AlertsContext,
  { account, deliver }: AlertRule,
): Promise<string | null> {
  if (!deliver.some(({ type }) => type === 'webhook')) return null;
  const secret = newSecret();
  const isNew = await store.setSecret(account, secret, { now: clock.now(), isFirst: true });
  return isNew ? secret : null;
}

/** The id of a new rule: of a request with an idempotency key the one that each repetition has. */
export const idFor = (account: string, idempotencyKey: string): string =>
  idempotencyKey === ''
    ? `al_${randomBytes(15).toString('base64url')}`
    : `al_${hash('sha256', JSON.stringify([account, idempotencyKey]), 'base64url').slice(0, 20)}`;

const secret = s.stringOrNull(
  'What webhooks of the account are signed with, in the answer to the first alert that has one and never again; null in all others.',
);
const watchedValue = s.named(
  'AlertValue',
  s.object({
    subject: s.stringOrNull(
      'The symbol, row or name of several, as events have it; null where one value is watched.',
    ),
    value: s.numberOrNull('The value, in the unit of the watched value; null without one.'),
    data_time: s.unixMsOrNull('When it was received; null where that is not known.'),
  }),
);
const value = s.numberOrNull(
  'What the pointer gives now, in the unit of the watched value; null where it gives several, where there is no answer at present, and in answers to changes that leave path, pointer and condition.',
);
const values = s.list(
  watchedValue,
  `What the pointer gives now, ${mostValues} values at most; empty where \`value\` is null for another cause than that there are several.`,
);
export const withSecret = s.named(
  'AlertWithSecret',
  s.object({ ...ruleSchema.properties, value, values, secret }),
);

/** The answer to a change of a rule. */
export async function answerOf(
  context: AlertsContext,
  rule: AlertRule,
  { values: found }: Pick<Checked, 'values'>,
): Promise<s.Static<typeof withSecret>> {
  const all = found ?? [];
  const [first] = all;
  const one = all.length === 1 && first?.subject === null ? first.value : null;
  const failing = await context.store.receivers(rule.account);
  const shown = shownRule(context, rule, failing);
  return { ...shown, value: one, values: [...all], secret: await firstSecret(context, rule) };
}

/** The answer to a request whose idempotency key has made a rule before; null where none has. */
export async function repeated(
  context: AlertsContext,
  account: string,
  { body: { name }, idempotencyKey }: Pick<kit.Call<unknown, RuleBody>, 'body' | 'idempotencyKey'>,
): Promise<kit.Done<s.Static<typeof withSecret>> | kit.ApiError | null> {
  if (idempotencyKey === '') return null;
  if (!idempotencyForm.test(idempotencyKey)) return badIdempotencyKey;
  const known = await context.store.find(account, idFor(account, idempotencyKey));
  if (known === null) return null;
  // A rule that was changed since may have another name.
  if (known.revision === 1 && known.name !== name.trim()) return idempotencyMismatch;
  return { status: 200, data: await answerOf(context, known, { values: null }) };
}
