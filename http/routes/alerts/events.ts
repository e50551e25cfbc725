/** What alerts have fired, and what could not be delivered. */
import { type AlertEvent, historySource } from '../../../actors/topics/index.ts';
import { newSecret } from '../../../alerts/rules/signature.ts';
import { targetOf } from '../../../alerts/store/queued.ts';
import { overlap } from '../../../alerts/store/rule-store.ts';
import { accountIdOf } from '../../auth/caller.ts';
import { fromStore } from '../../wire/errors.ts';
import type { AlertsContext } from '../context.ts';
import { apiError, kit, params, s } from '../kit.ts';
import { event, forCaller, idParam, noSuchRule, path } from './common.ts';

/** An event without the account that it is of. */
function shownEvent({ account: _, ...shown }: AlertEvent): Omit<AlertEvent, 'account'> {
  return shown;
}

const wanted = {
  alert_id: {
    type: 'string',
    maxLength: 64,
    description: 'Of this alert alone; of all when absent.',
  },
  limit: params.limit(50, 500, 'Most events.'),
} as const;

const eventsRoute = (context: AlertsContext): kit.Route =>
  kit.route({
    path: `${path}/events`,
    summary: 'What the alerts of the account have fired; each event by a stream with mode=log',
    params: wanted,
    answer: s.object({ count: s.count, events: s.list(event, 'Newest first.') }),
    list: 'events',
    from: {
      log({ alert_id, limit: most }, owner) {
        const isIts = (of: AlertEvent) =>
          (alert_id === undefined || of.alert_id === alert_id) &&
          accountIdOf({ account: of.account }, '') === owner;
        const item = (of: object) => (isEvent(of) && isIts(of) ? shownEvent(of) : null);
        return { log: context.events, limit: most, item };
      },
      act: forCaller(context, async ({ account }, { values }) => {
        await context.events.ready();
        const { alert_id, limit: most } = values;
        const events = context.events
          .newest(account, most, (of) => (alert_id ?? of.alert_id) === of.alert_id)
          .map(shownEvent);
        return { status: 200, data: { count: events.length, events } };
      }),
    },
  });

const isEvent = (event: object): event is AlertEvent => 'alert_id' in event && 'account' in event;

const letter = s.named(
  'AlertDeadLetter',
  s.object({
    id: s.string('Of the dead letter.'),
    receiver: s.string('Kind of receiver.'),
    target: s.string('Its host or its chat.'),
    attempts: s.integer('Attempts before it was given up.'),
    given_up_at: s.unixMs(),
    error: s.string('The fault of the last attempt, in words.'),
    event,
  }),
);

const deadRoute = (context: AlertsContext): kit.Route =>
  kit.route({
    path: `${path}/dead-letters`,
    summary: 'Events that could not be delivered, 1,000 at most, the newest first',
    params: {},
    answer: s.object({ count: s.count, letters: s.list(letter, 'Newest first.') }),
    list: 'letters',
    from: {
      act: forCaller(context, async ({ account }) => {
        const found = await context.store.deadLetters(account);
        const letters = found.map(({ id, queued, attempts, at, error }) => ({
          ...{ id, receiver: queued.receiver.type, target: targetOf(queued.receiver), attempts },
          ...{ given_up_at: at, error, event: shownEvent(queued.event) },
        }));
        return { status: 200, data: { count: letters.length, letters } };
      }),
    },
  });

const noSuchLetter = apiError('not_found', 'you have no dead letter with this id');

const resendRoute = (context: AlertsContext): kit.Route =>
  kit.route({
    method: 'POST',
    path: `${path}/dead-letters/{id}/resend`,
    summary: 'Deliver a dead letter again, for another 24 hours',
    params: {
      id: {
        type: 'string',
        required: true,
        pattern: '^\\d{1,15}-\\d{1,9}$',
        description: 'Id of the dead letter, as the list gives it.',
        example: '1700000000000-0',
      },
    },
    fails: ['not_found'],
    answer: s.object({
      id: s.string('Of the dead letter, which leaves the list.'),
      status: s.literal('queued', 'It is being delivered.'),
    }),
    from: {
      act: forCaller(context, async ({ account }, { values: { id } }) => {
        if (!(await context.store.resend(account, id))) return noSuchLetter;
        return { status: 200, data: { id, status: 'queued' as const } };
      }),
    },
  });

const secretRoute = (context: AlertsContext): kit.Route =>
  kit.route({
    method: 'POST',
    path: `${path}/secret`,
    summary:
      'Make another secret for the signatures of webhooks: the former one signs too for 24 hours',
    params: {},
    creates: true,
    answer: s.object({
      secret: s.string('`whsec_` and 32 bytes in base64, in this answer and never again.'),
      former_until: s.unixMs('Until when webhooks are signed with the former secret as well.'),
    }),
    from: {
      act: forCaller(context, async ({ account }) => {
        const now = context.clock.now();
        const secret = newSecret();
        await context.store.setSecret(account, secret, { now, isFirst: false });
        return { status: 201, data: { secret, former_until: now + overlap } };
      }),
    },
  });

const delivery = s.named(
  'AlertDelivery',
  s.object({
    event_id: s.string('Of the event.'),
    receiver: s.string('Kind of receiver.'),
    target: s.string('Its host or its chat.'),
    attempt: s.integer('Number of the attempt, from 1.'),
    at: s.unixMs('When it ended.'),
    took_ms: s.integer('How long the receiver took, ms.'),
    outcome: s.oneOf(
      ['delivered', 'failed', 'dead'],
      'Failed: it is tried again. Dead: it was given up.',
    ),
    status: s.integerOrNull('HTTP status; null without an answer.'),
    error: s.stringOrNull('The fault, in words; null without one.'),
  }),
);

const deliveriesRoute = (context: AlertsContext): kit.Route =>
  kit.route({
    path: `${path}/{id}/deliveries`,
    summary: 'Attempts to deliver what an alert has fired, of the last 30 days',
    params: { id: idParam, limit: params.limit(50, 500, 'Most attempts.') },
    fails: ['not_found', 'store_unavailable'],
    answer: s.object({ count: s.count, deliveries: s.list(delivery, 'Newest first.') }),
    list: 'deliveries',
    from: {
      act: forCaller(context, async ({ account }, { values }) => {
        const rule = await context.store.find(account, values.id);
        if (rule === null) return noSuchRule;
        const params = { alert_id: rule.id, limit: values.limit };
        const asked = { source: historySource, name: 'alertDeliveries', params } as const;
        const reply = await context.bus.query(asked);
        if (!reply.ok) return fromStore(reply.failure, 'the history of deliveries');
        const deliveries = reply.value.value.map(
          ({ account: _account, alert_id: _id, ...shown }) => shown,
        );
        return { status: 200, data: { count: deliveries.length, deliveries } };
      }),
    },
  });

export const eventRoutes = (context: AlertsContext): kit.Route[] => [
  eventsRoute(context),
  deadRoute(context),
  resendRoute(context),
  secretRoute(context),
  deliveriesRoute(context),
];
