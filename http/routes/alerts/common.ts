/** What the rows of alerts share. */

import { alertEventKinds } from '../../../actors/topics/index.ts';
import { conditionTypes, directions, longest, receiverTypes } from '../../../alerts/rules/read.ts';
import type { Caller } from '../../auth/caller.ts';
import type { AlertsContext } from '../context.ts';
import { apiError, type kit, s } from '../kit.ts';

export const path = '/v1/alerts';

const unavailable = apiError('store_unavailable');
export const noSuchRule = apiError('not_found', 'you have no alert with this id');

/** An act for a caller with a key. Where the store fails, the answer is that it cannot be reached. */
export const forCaller =
  <V, B, D>(
    { log }: Pick<AlertsContext, 'log'>,
    act: (caller: Caller, call: kit.Call<V, B>) => Promise<kit.Done<D> | kit.ApiError>,
  ) =>
  async (call: kit.Call<V, B>): Promise<kit.Done<D> | kit.ApiError> => {
    if (call.caller === null) return apiError('unauthorized');
    try {
      return await act(call.caller, call);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      log.warn({ error: why }, 'the store of alerts failed');
      return unavailable;
    }
  };

export const idParam = {
  type: 'string',
  required: true,
  maxLength: 64,
  description: 'Id of the alert, as the list gives it.',
  example: 'al_3fYk2mQpX7bN9sLd0aWc',
} as const;

const type = s.oneOf(conditionTypes, 'Kind of condition.');
const direction = s.oneOf(directions, 'Which way counts.');

/** Fields of a condition; which of them there are depends on its type. */
const conditionFields = {
  value: s.number('Level of `above`, `below` and `crosses`, in the unit of the watched value.'),
  direction,
  percent: s.number('Of `change`: by how many percent the value must have changed.'),
  within: s.integer('Of `change`: in how many seconds.'),
  low: s.number('Of `outside`: lowest value of the band, in the unit of the watched value.'),
  high: s.number('Of `outside`: highest value of the band, in the unit of the watched value.'),
  after: s.integer('Of `stale`: seconds without news.'),
};

/** As a client sends it. */
export const conditionBody = s.unchecked<never>({
  type: 'object',
  required: ['type'],
  additionalProperties: false,
  properties: {
    type,
    ...conditionFields,
    above: s.number(
      'Of `event`: the value of the event must be greater, in the unit of the watched value.',
    ),
    below: s.number(
      'Of `event`: the value of the event must be smaller, in the unit of the watched value.',
    ),
  },
  description:
    '`above` and `below` with `value`; `crosses` with `value` and `direction`; `change` with `percent`, `within` and `direction`; `outside` with `low` and `high`; `stale` with `after`; `event` of a log with `above` or `below`.',
});

/** As answers have it. */
export const condition = s.named(
  'AlertCondition',
  s.unchecked<object>({
    type: 'object',
    required: ['type'],
    properties: {
      type,
      ...conditionFields,
      above: s.numberOrNull(
        'Of `event`: the value of the event must be greater, in the unit of the watched value; null for any.',
      ),
      below: s.numberOrNull(
        'Of `event`: the value of the event must be smaller, in the unit of the watched value; null for any.',
      ),
    },
    description: 'When the alert fires.',
  }),
);

export const receiverBody = s.unchecked<never>({
  type: 'object',
  required: ['type'],
  additionalProperties: false,
  properties: {
    type: s.oneOf(receiverTypes, 'Kind of receiver.'),
    url: s.string('Of `webhook`, `discord` and `slack`: where it takes messages.'),
    token: s.string('Of `telegram`: the token of a bot.'),
    chat_id: s.either(
      s.string('As text.'),
      s.integer('As number.'),
      'Of `telegram`: the number of a chat, or @ and the name of a channel.',
    ),
    message_thread_id: s.integer(
      'Of `telegram`: the topic of a group; its general one when absent.',
    ),
  },
  description: 'A webhook signed by Standard Webhooks, or a chat.',
});

/** How a receiver does. */
export const receiverStatuses = ['ok', 'failing', 'paused', 'refused'] as const;

const receiver = s.named(
  'AlertReceiver',
  s.object({
    type: s.oneOf(receiverTypes, 'Kind of receiver.'),
    target: s.string('Its host or its chat; URLs and tokens are never shown again.'),
    former_target: s.stringOrNull(
      'The chat that was given, where Telegram has said that its group is another one now; else null.',
    ),
    status: s.oneOf(
      receiverStatuses,
      '`ok`; `failing`: the last attempt failed; `paused`: nothing is sent until `next_attempt`; `refused`: it says that it will never take this.',
    ),
    error: s.stringOrNull('The fault of the last attempt, in words; null without one.'),
    failing_since: s.unixMsOrNull('Its first failure since the last delivery; null without one.'),
    next_attempt: s.unixMsOrNull('Until when nothing is sent to it; null for no pause.'),
  }),
);

export const rule = s.named(
  'Alert',
  s.object({
    id: s.string('Id of the alert.'),
    name: s.string('As given.'),
    status: s.oneOf(['active', 'paused', 'expired'], 'Whether it is evaluated.'),
    fault: s.stringOrNull(
      'Why it cannot be evaluated at present although it is active: the code of an error of this API, `no_value` where the answer has no number at the pointer, `not_running` without a process that evaluates; null where it can, at most some seconds late.',
    ),
    path: s.string('Path of the API whose answer is watched.'),
    pointer: s.string('JSON Pointer into `data` of the answer; `*` for every row or name.'),
    condition,
    for: s.integer('Seconds for which the condition must hold.'),
    hysteresis: s.number(
      'By how much the value must go back until the alert can fire again, in the unit of the watched value.',
    ),
    cooldown: s.integer('Seconds after a firing in which it does not fire again.'),
    expires_at: s.unixMsOrNull('When it ends; null for never.'),
    deliver: s.list(receiver, 'Where it is sent.'),
    resolved: s.boolean('Whether the end of the condition is sent too.'),
    paused: s.boolean('It is not evaluated.'),
    revision: s.integer('One more with each change.'),
    created_at: s.unixMs(),
    updated_at: s.unixMs(),
  }),
);

export const event = s.named(
  'AlertEvent',
  s.object(
    {
      id: s.string('The same however often it is sent: the `webhook-id`.'),
      alert_id: s.string('Of the alert.'),
      name: s.string('Of the alert.'),
      kind: s.oneOf(
        alertEventKinds,
        'The condition was fulfilled, it ended, or somebody has asked for a sample.',
      ),
      fired_at: s.unixMs(),
      data_time: s.unixMsOrNull('When the value was received; null where that is not known.'),
      path: s.string('As of the alert.'),
      pointer: s.string('As of the alert.'),
      subject: s.stringOrNull(
        'The symbol, row or name of several; null where one value is watched.',
      ),
      value: s.numberOrNull(
        'The value, in the unit that the answer has it in; of `stale` seconds without news.',
      ),
      previous: s.numberOrNull(
        'The value before, or that which a change is measured from, in the unit of the watched value; null where none is known.',
      ),
      condition,
      text: s.string('For people.'),
    },
    'What an alert has fired.',
  ),
);

export const bodyFields = {
  name: s.string(`1 to ${longest.name} characters.`),
  path: s.string(
    'Path of the API with its query, of an answer that can be followed; `symbol=*` for all symbols.',
  ),
  pointer: s.string(
    'JSON Pointer into `data` of the answer, such as `/average_price`; `*` for every row or name.',
  ),
  condition: conditionBody,
  for: s.integer('Seconds for which the condition must hold; 0 when absent.'),
  hysteresis: s.number(
    'By how much the value must go back until the alert can fire again, in the unit of the watched value; 0 when absent.',
  ),
  cooldown: s.integer('Seconds after a firing in which it does not fire again; 0 when absent.'),
  expires_at: s.integerOrNull('When it ends, Unix ms; null, or absent, for never.'),
  deliver: s.list(receiverBody, `Where it is sent, ${longest.deliver} at most.`),
  resolved: s.boolean('Whether the end of the condition is sent too; false when absent.'),
  paused: s.boolean('Whether it is not evaluated; false when absent.'),
};
