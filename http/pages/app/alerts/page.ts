/** The alerts of the account: made, tested, paused and deleted here, with what they have fired and its delivery. */
import { askAgain, askOnce } from '../ask.ts';
import { h, setText } from '../dom.ts';
import { time } from '../format.ts';
import { blank, type LivePart, Slot, showParts } from '../part.ts';
import {
  type Alert,
  type AlertCondition,
  at,
  type PostAlertsRequest,
  type Sending,
  to,
} from '../request.ts';
import { type Act, tablePart } from '../table-part.ts';
import { alertForm } from './form.ts';
import { makeAlert } from './make.ts';

const eventsEvery = 10_000;
const minute = 60_000;

const conditionText = ({ type, ...fields }: AlertCondition): string =>
  [type, ...Object.values(fields).filter((value) => value !== null && value !== 'any')].join(' ');

/** All alerts of the account, with what can be done with one. */
const alertsPart = (acts: readonly Act<Alert>[]): LivePart =>
  tablePart({
    title: 'All alerts',
    name: 'alerts',
    path: at('/v1/alerts', {}),
    every: minute,
    source: askAgain,
    isWide: true,
    rows: ({ alerts }) => alerts.toReversed(),
    key: ({ id }) => id,
    columns: [
      { head: 'Name', of: ({ name }) => name },
      {
        head: 'State',
        of: ({ status, fault }) => (fault === null ? status : `${status}, not evaluated: ${fault}`),
        tone: ({ status, fault }) => (status === 'active' && fault === null ? 'up' : 'soft'),
      },
      { head: 'Watches', of: ({ path, pointer }) => `${path} ${pointer}` },
      { head: 'When', of: ({ condition }) => conditionText(condition) },
      {
        head: 'Sent to',
        of: ({ deliver }) => deliver.map(({ target }) => target).join(', ') || 'the stream',
      },
    ],
    acts,
    none: 'No alert yet. Make the first one above.',
  });

const firedPart = (): LivePart =>
  tablePart({
    title: 'Fired',
    name: 'alerts-fired',
    path: at('/v1/alerts/events', { limit: 20 }),
    every: eventsEvery,
    source: askAgain,
    rows: ({ events }) => events,
    key: ({ id }) => id,
    columns: [
      { head: 'When', of: (one) => time(one.fired_at, 'minute') },
      { head: 'Kind', of: ({ kind }) => kind },
      { head: 'What', of: ({ text }) => text },
    ],
    none: 'No alert has fired yet.',
  });

const deliveriesPart = ({ id, name }: Alert): LivePart =>
  tablePart({
    title: `Deliveries of ${name}`,
    name: 'alerts-deliveries',
    path: at('/v1/alerts/{id}/deliveries', { id, limit: 20 }),
    every: eventsEvery,
    source: askAgain,
    rows: ({ deliveries }) => deliveries,
    key: (one) => `${one.event_id} ${one.target} ${one.attempt}`,
    columns: [
      { head: 'When', of: (one) => time(one.at, 'minute') },
      { head: 'To', of: ({ target }) => target },
      { head: 'Attempt', of: ({ attempt }) => attempt, as: String },
      {
        head: 'Outcome',
        of: ({ outcome, error }) => (error === null ? outcome : `${outcome}: ${error}`),
      },
    ],
    none: 'Nothing was sent to a webhook of it yet.',
  });

/** Shows the page in an element; ends with the function that is returned. */
export function open(into: HTMLElement): () => void {
  const words = h('p', { role: 'status' });
  /** Asks, and shows all alerts and events anew where it was done. */
  const change = async (asked: Sending<unknown>): Promise<void> => {
    if ((await askOnce(words, asked)) === null) return;
    setText(words, '');
    alerts.again();
    fired.again();
  };
  const make = async (rule: PostAlertsRequest) => {
    if (!(await makeAlert(words, rule))) return;
    alerts.again();
    fired.again();
  };
  const isPaused = ({ status }: Alert) => status === 'paused';
  const deliveries = new Slot(
    () => blank('Press Deliveries of an alert to see the attempts to reach its webhook.'),
    'small',
  );
  const fired = firedPart();
  const alerts = alertsPart([
    { label: () => 'Test', act: ({ id }) => void change(to('POST /v1/alerts/{id}/test', { id })) },
    {
      label: (alert) => (isPaused(alert) ? 'Resume' : 'Pause'),
      act(alert) {
        const { id } = alert;
        void change(to('PATCH /v1/alerts/{id}', { id }, { paused: !isPaused(alert) }));
      },
    },
    { label: () => 'Deliveries', act: (alert) => deliveries.show(() => deliveriesPart(alert)) },
    {
      label: () => 'Delete',
      sure: 'Delete it?',
      act: ({ id }) => void change(to('DELETE /v1/alerts/{id}', { id })),
    },
  ]);
  into.append(
    h('h1', {}, 'Alerts'),
    alertForm((rule) => void make(rule)),
    words,
  );
  return showParts(into, [alerts, fired, deliveries]);
}
