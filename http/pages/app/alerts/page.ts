/** The alerts of the account: made, tested, paused and deleted here, with what they have fired and its delivery. */
import { askAgain, askOnce } from '../ask.ts';
import { h, setText } from '../dom.ts';
import { duration, moment, plain } from '../format.ts';
import { blank, fill, type LivePart, minute, Slot } from '../part.ts';
import {
  type Alert,
  type AlertCondition,
  at,
  type PostAlertsRequest,
  type Sending,
  to,
} from '../request.ts';
import { type Act, tablePart } from '../table-part.ts';
import { alertForm, makeAlert } from './form.ts';

const eventsEvery = 10_000;

/** A condition in words, its values in the unit of the API. */
function conditionText({ type, direction = 'any', ...of }: AlertCondition): string {
  const number = (value: number | null | undefined) => plain(value ?? 0);
  const way = direction === 'any' ? '' : ` ${direction}`;
  switch (type) {
    case 'above':
    case 'below':
      return `is ${type} ${number(of.value)}`;
    case 'crosses':
      return `crosses ${number(of.value)}${way}`;
    case 'change':
      return `moves${way} by ${number(of.percent)} % in ${duration((of.within ?? 0) * 1000)}`;
    case 'outside':
      return `is below ${number(of.low)} or above ${number(of.high)}`;
    case 'stale':
      return `is older than ${duration((of.after ?? 0) * 1000)}`;
    case 'event': {
      const limits = (['above', 'below'] as const).filter((name) => typeof of[name] === 'number');
      return `each event${limits.map((name) => ` ${name} ${number(of[name])}`).join('')}`;
    }
  }
}

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
      { head: 'Name', of: 'name' },
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
      { head: 'When', of: (one) => moment(one.fired_at) },
      { head: 'Kind', of: 'kind' },
      { head: 'What', of: 'text' },
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
      { head: 'When', of: (one) => moment(one.at) },
      { head: 'To', of: 'target' },
      { head: 'Attempt', of: 'attempt', as: String },
      {
        head: 'Outcome',
        of: ({ outcome, error }) => (error === null ? outcome : `${outcome}: ${error}`),
      },
    ],
    none: 'Nothing was sent to a webhook of it yet.',
  });

/** Shows the page in an element; ends with the function that is returned. */
export function open(into: HTMLElement, _about: string, chosen: URLSearchParams): () => void {
  const words = h('p', { role: 'status' });
  const again = () => {
    alerts.again();
    fired.again();
  };
  /** Asks, and shows all alerts and events anew where it was done. */
  const change = async (asked: Sending<unknown>): Promise<void> => {
    if ((await askOnce(words, asked)) === null) return;
    setText(words, '');
    again();
  };
  const make = async (rule: PostAlertsRequest, isTested: boolean) => {
    const made = await makeAlert(words, rule);
    if (made === null) return;
    if (isTested) await askOnce(words, to('POST /v1/alerts/{id}/test', { id: made.id }));
    again();
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
  return fill(into, [
    h('h1', {}, 'Alerts'),
    alertForm(chosen, (rule, isTested) => void make(rule, isTested)),
    words,
    [alerts, fired, deliveries],
  ]);
}
