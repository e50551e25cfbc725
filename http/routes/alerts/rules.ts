/** Alert rules of an account. */
import { randomBytes } from 'node:crypto';
import type { AlertRule } from '../../../actors/topics/index.ts';
import type { RuleBody } from '../../../alerts/rules/read.ts';
import { eventText } from '../../../alerts/rules/text.ts';
import type { AlertsContext } from '../context.ts';
import { apiError, isApiError, kit, s } from '../kit.ts';
import { bodyOf, checked, isOther, shownRule } from './checks.ts';
import {
  bodyFields,
  event as eventSchema,
  forCaller,
  idParam,
  noSuchRule,
  path,
  rule as ruleSchema,
} from './common.ts';
import { answerOf, idFor, repeated, withSecret } from './made.ts';

const changedMeanwhile = apiError(
  'overloaded',
  'the alert was changed at the same time: look at it and repeat the request',
  { retryAfter: 1 },
);
const unconfirmed = apiError(
  'store_unavailable',
  'the change was not confirmed in time: look at the list before you repeat it',
);

async function stored(
  context: AlertsContext,
  rule: AlertRule,
  { most, isReset }: { most: number | null; isReset: boolean },
): Promise<kit.ApiError | null> {
  const done = await context.store.put(rule, { most, isReset });
  if (done === 'full') {
    return apiError('forbidden', `your plan allows ${most ?? 0} alerts: delete one first`);
  }
  if (done === 'changed') return changedMeanwhile;
  return done === 'unconfirmed' ? unconfirmed : null;
}

const bodyExample = {
  name: 'Bitcoin above 100,000',
  path: '/v1/prices?symbol=BTC',
  pointer: '/average_price',
  condition: { type: 'above', value: 100_000 },
  for: 10,
  hysteresis: 500,
  cooldown: 600,
  deliver: [{ type: 'webhook', url: 'https://hooks.example.com/tidemark' }],
};

const optionalFields = () => {
  const { name: _name, path: _path, condition: _condition, ...others } = bodyFields;
  return Object.fromEntries(
    Object.entries(others).map(([field, schema]) => [field, s.optional(schema)]),
  );
};

const createBody = s.unchecked<RuleBody>(
  s.object({
    name: bodyFields.name,
    path: bodyFields.path,
    condition: bodyFields.condition,
    ...optionalFields(),
  }),
);

const createRoute = (context: AlertsContext): kit.Route =>
  kit.route({
    method: 'POST',
    path,
    summary:
      'Make an alert. With an Idempotency-Key header a repeated request gives the alert that was made, while there is it',
    params: {},
    creates: true,
    // The plan allows so many; an Idempotency-Key belongs to one name.
    fails: ['forbidden', 'not_found', 'not_enough_data', 'unknown_symbol', 'unknown_exchange'],
    body: createBody,
    bodyExample,
    answer: withSecret,
    from: {
      act: forCaller(context, async (caller, call) => {
        const { clock, plans, reach } = context;
        const now = clock.now();
        const { account } = caller;
        const before = await repeated(context, account, call);
        if (before !== null) return before;
        const { deliver } = call.body;
        const found = await checked(call.body, call, { now, reach, deliver, looks: true });
        if (isApiError(found)) return found;
        const { fields } = found;
        const id = idFor(account, call.idempotencyKey);
        const times = { created_at: now, updated_at: now };
        const rule: AlertRule = { id, account, revision: 1, ...fields, ...times };
        const most = plans.of(caller.plan).alerts ?? null;
        const fault = await stored(context, rule, { most, isReset: false });
        if (fault !== null) return fault;
        return { status: 201, data: await answerOf(context, rule, found) };
      }),
    },
  });

const listRoute = (context: AlertsContext): kit.Route =>
  kit.route({
    path,
    summary: 'The alerts of the account, the oldest first',
    params: {},
    answer: s.object({
      count: s.count,
      limit: s.integerOrNull('Alerts that the plan allows; null for no limit.'),
      alerts: s.list(ruleSchema, 'The oldest first.'),
    }),
    list: 'alerts',
    from: {
      act: forCaller(context, async ({ account, plan }) => {
        const { store } = context;
        const [rules, failing] = await Promise.all([store.list(account), store.receivers(account)]);
        const alerts = rules.map((rule) => shownRule(context, rule, failing));
        const limit = context.plans.of(plan).alerts ?? null;
        return { status: 200, data: { count: alerts.length, limit, alerts } };
      }),
    },
  });

const oneRoute = (context: AlertsContext): kit.Route =>
  kit.route({
    path: `${path}/{id}`,
    summary: 'One alert',
    params: { id: idParam },
    fails: ['not_found'],
    answer: ruleSchema,
    from: {
      act: forCaller(context, async ({ account }, { values }) => {
        const { store } = context;
        const rule = await store.find(account, values.id);
        if (rule === null) return noSuchRule;
        const failing = await store.receivers(account);
        return { status: 200, data: shownRule(context, rule, failing) };
      }),
    },
  });

const changeBody = s.unchecked<Partial<RuleBody>>({
  ...s.object({
    ...Object.fromEntries(
      Object.entries(bodyFields).map(([field, schema]) => [field, s.optional(schema)]),
    ),
  }),
  minProperties: 1,
  additionalProperties: false,
});

async function changed(
  context: AlertsContext,
  account: string,
  call: kit.Call<{ id: string }, Partial<RuleBody>>,
): Promise<kit.Done<s.Static<typeof withSecret>> | kit.ApiError> {
  const { store, clock, reach } = context;
  const { values, body } = call;
  const now = clock.now();
  const known = await store.find(account, values.id);
  if (known === null) return noSuchRule;
  const before = bodyOf(known);
  // A rule that has expired keeps its end until another one is given.
  const isOver =
    known.expires_at !== null && known.expires_at <= now && body.expires_at === undefined;
  const { path: newPath, pointer, condition, deliver } = body;
  const looks = newPath !== undefined || pointer !== undefined || condition !== undefined;
  const next = { ...before, ...(isOver && { expires_at: null }), ...body };
  const found = await checked(next, call, { now, reach, deliver, looks });
  if (isApiError(found)) return found;
  const { fields } = found;
  const rule: AlertRule = {
    ...known,
    ...fields,
    expires_at: isOver ? known.expires_at : fields.expires_at,
    deliver: deliver === undefined ? known.deliver : fields.deliver,
    revision: known.revision + 1,
    updated_at: now,
  };
  const fault = await stored(context, rule, { most: null, isReset: isOther(known, rule) });
  if (fault !== null) return fault;
  return { status: 200, data: await answerOf(context, rule, found) };
}

const changeRoute = (context: AlertsContext): kit.Route =>
  kit.route({
    method: 'PATCH',
    path: `${path}/{id}`,
    summary: 'Change fields of an alert; with another path, pointer or condition it begins anew',
    params: { id: idParam },
    fails: ['not_found', 'unknown_symbol', 'unknown_exchange'],
    body: changeBody,
    bodyExample: { paused: true },
    answer: withSecret,
    from: { act: forCaller(context, ({ account }, call) => changed(context, account, call)) },
  });

const deleteRoute = (context: AlertsContext): kit.Route =>
  kit.route({
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Delete an alert',
    params: { id: idParam },
    fails: ['not_found'],
    answer: s.object({
      id: s.string('Id of the alert.'),
      status: s.literal('deleted', 'It does not fire any more.'),
    }),
    from: {
      act: forCaller(context, async ({ account }, { values: { id } }) => {
        const rule = await context.store.find(account, id);
        const done = rule === null ? 'gone' : await context.store.delete(rule);
        if (done === 'gone') return noSuchRule;
        if (done === 'unconfirmed') return unconfirmed;
        return { status: 200, data: { id, status: done } };
      }),
    },
  });

const testRoute = (context: AlertsContext): kit.Route =>
  kit.route({
    method: 'POST',
    path: `${path}/{id}/test`,
    summary: 'Send a sample to the receivers of an alert',
    params: { id: idParam },
    fails: ['not_found'],
    answer: eventSchema,
    from: {
      act: forCaller(context, async ({ account }, { values: { id } }) => {
        const rule = await context.store.find(account, id);
        if (rule === null) return noSuchRule;
        const now = context.clock.now();
        const about = { kind: 'test', subject: null, value: null } as const;
        const event = {
          id: `evt_${randomBytes(18).toString('base64url')}`,
          ...{ alert_id: id, name: rule.name, ...about, fired_at: now, data_time: null },
          ...{ path: rule.path, pointer: rule.pointer, previous: null, condition: rule.condition },
          text: eventText(rule, about),
        };
        await context.store.test(rule, { ...event, account });
        return { status: 200, data: event };
      }),
    },
  });

export const ruleRoutes = (context: AlertsContext): kit.Route[] => [
  listRoute(context),
  createRoute(context),
  oneRoute(context),
  changeRoute(context),
  deleteRoute(context),
  testRoute(context),
];
