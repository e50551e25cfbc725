/** The alerts of the account: made, tested, paused and deleted here, with what they have fired and its delivery. */
import { askOnce } from '../ask.ts';
import { h, labelled, setText } from '../dom.ts';
import { time } from '../format.ts';
import { csvButton, curlButton } from '../panel.ts';
import { emptyRow, headed, headRow, rowHead, scroller } from '../rows.ts';

interface Condition {
  type: string;
  [field: string]: unknown;
}

interface Alert {
  id: string;
  name: string;
  status: 'active' | 'paused' | 'expired';
  fault: string | null;
  path: string;
  pointer: string;
  condition: Condition;
  deliver: readonly { type: string; target: string }[];
}

interface Delivery {
  at: number;
  target: string;
  attempt: number;
  outcome: string;
  error: string | null;
}

interface Fired {
  fired_at: number;
  kind: string;
  text: string;
}

const path = '/v1/alerts';
const eventsPath = `${path}/events?limit=20`;

const conditionText = ({ type, ...fields }: Condition): string =>
  [type, ...Object.values(fields).filter((value) => value !== null && value !== 'any')].join(' ');

const textInput = (value: string, about = ''): HTMLInputElement =>
  h('input', { value, placeholder: about, autocomplete: 'off', spellcheck: 'false' });

const none = {
  alerts: 'No alert yet. Make the first one above.',
  fired: 'No alert has fired yet.',
  deliveries: 'Press Deliveries of an alert to see the attempts to reach its webhook.',
  attempts: 'Nothing was sent to a webhook of it yet.',
};

/** The page while it is open. */
class Alerts {
  readonly #body = h('tbody', {});
  readonly #words = h('p', { role: 'status' });
  readonly #fired = h('tbody', {});
  readonly #attempts = h('tbody', {});
  readonly #about = h('h2', {}, 'Deliveries');
  #alerts: readonly Alert[] = [];
  #events: readonly Fired[] = [];
  #deliveries: readonly Delivery[] = [];
  #deliveriesPath = `${path}/{id}/deliveries?limit=20`;

  constructor(into: HTMLElement) {
    into.append(
      h('h1', {}, 'Alerts'),
      this.#form(),
      this.#words,
      headed(
        'All alerts',
        csvButton('alerts', () => [
          ['id', 'name', 'status', 'fault', 'path', 'pointer', 'condition', 'deliver'],
          ...this.#alerts.map(({ condition, deliver, ...one }) => [
            ...[
              one.id,
              one.name,
              one.status,
              one.fault,
              one.path,
              one.pointer,
              conditionText(condition),
            ],
            deliver.map(({ target }) => target).join(' '),
          ]),
        ]),
        curlButton(() => path),
      ),
      scroller(
        'Alerts',
        headRow(['Name', 'State', 'Watches', 'When', 'Sent to', ''], 6),
        this.#body,
      ),
      headed(
        'Fired',
        csvButton('alerts-fired', () => [
          ['fired_at', 'kind', 'text'],
          ...this.#events.map(({ fired_at, kind, text }) => [fired_at, kind, text]),
        ]),
        curlButton(() => eventsPath),
      ),
      scroller('Fired', headRow(['When', 'Kind', 'What'], 3), this.#fired),
      headed(
        this.#about,
        csvButton('alerts-deliveries', () => [
          ['at', 'target', 'attempt', 'outcome', 'error'],
          ...this.#deliveries.map((one) => [
            ...[one.at, one.target, one.attempt, one.outcome, one.error],
          ]),
        ]),
        curlButton(() => this.#deliveriesPath),
      ),
      scroller('Deliveries', headRow(['When', 'To', 'Attempt', 'Outcome'], 4), this.#attempts),
    );
    this.#body.append(emptyRow(6, none.alerts));
    this.#fired.append(emptyRow(3, none.fired));
    this.#attempts.append(emptyRow(4, none.deliveries));
    void this.#list();
  }

  #form(): HTMLElement {
    const name = textInput('', 'BTC above 100,000');
    const watched = textInput('/v1/prices?symbol=BTC');
    const pointer = textInput('/average_price');
    const options = ['above', 'below', 'crosses'].map((word) => h('option', {}, word));
    const type = h('select', {}, ...options);
    const value = h('input', {
      type: 'number',
      step: 'any',
      required: true,
      placeholder: '100000',
    });
    const url = textInput('', 'https://…');
    url.type = 'url';
    name.required = true;
    const form = h(
      'form',
      { class: 'bar' },
      labelled('Name', name),
      labelled('Watch', watched),
      labelled('Field', pointer),
      labelled('When', type),
      labelled('Value', value),
      labelled('Webhook, if any', url),
      h('button', { type: 'submit', class: 'main' }, 'Make an alert'),
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const deliver = url.value.trim() === '' ? [] : [{ type: 'webhook', url: url.value.trim() }];
      const condition = { type: type.value, value: Number(value.value) };
      const rule = { name: name.value, path: watched.value, pointer: pointer.value, condition };
      void this.#make({ ...rule, deliver });
    });
    return form;
  }

  #ask(at: string, init?: { method?: string; body?: string }): Promise<unknown> {
    return askOnce(this.#words, at, init);
  }

  async #list(): Promise<void> {
    const found = (await this.#ask(path)) as { alerts: readonly Alert[] } | null;
    if (found === null) return;
    this.#alerts = found.alerts;
    const rows = found.alerts.toReversed().map((alert) => this.#row(alert));
    this.#body.replaceChildren(...(rows.length === 0 ? [emptyRow(6, none.alerts)] : rows));
    const { events } = ((await this.#ask(eventsPath)) ?? { events: [] }) as {
      events: readonly Fired[];
    };
    this.#events = events;
    const lines = events.map(({ fired_at, kind, text }) =>
      h('tr', {}, rowHead(time(fired_at, 'minute')), h('td', {}, kind), h('td', {}, text)),
    );
    this.#fired.replaceChildren(...(lines.length === 0 ? [emptyRow(3, none.fired)] : lines));
  }

  async #make(rule: object): Promise<void> {
    const made = (await this.#ask(path, { method: 'POST', body: JSON.stringify(rule) })) as {
      secret: string | null;
    } | null;
    if (made === null) return;
    const { secret } = made;
    if (secret === null) setText(this.#words, 'Made.');
    else
      this.#words.replaceChildren(
        'The secret of your webhooks, shown this once: ',
        h('code', {}, secret),
      );
    await this.#list();
  }

  async #showDeliveries({ id, name }: Alert): Promise<void> {
    this.#deliveriesPath = `${path}/${id}/deliveries?limit=20`;
    const found = (await this.#ask(this.#deliveriesPath)) as {
      deliveries: readonly Delivery[];
    } | null;
    setText(this.#about, `Deliveries of ${name}`);
    this.#deliveries = found?.deliveries ?? [];
    const rows = this.#deliveries.map(({ at, target, attempt, outcome, error }) =>
      h(
        'tr',
        {},
        rowHead(time(at, 'minute')),
        h('td', {}, target),
        h('td', {}, String(attempt)),
        h('td', {}, error === null ? outcome : `${outcome}: ${error}`),
      ),
    );
    this.#attempts.replaceChildren(...(rows.length === 0 ? [emptyRow(4, none.attempts)] : rows));
  }

  #row(alert: Alert): HTMLElement {
    const { id, name, status, fault } = alert;
    const isEvaluated = status === 'active' && fault === null;
    const state = fault === null ? status : `${status}, not evaluated: ${fault}`;
    const isPaused = status === 'paused';
    const act = (label: string, work: () => Promise<unknown>) =>
      h(
        'button',
        { type: 'button', 'aria-label': `${label} ${name}`, click: () => void work() },
        label,
      );
    const change = async (init: { method: string; body?: string }, at = '') => {
      const done = await this.#ask(`${path}/${id}${at}`, init);
      if (done !== null) await this.#list();
    };
    const body = JSON.stringify({ paused: !isPaused });
    return h(
      'tr',
      {},
      rowHead(name),
      h('td', { class: isEvaluated ? 'up' : 'soft' }, state),
      h('td', {}, h('code', {}, `${alert.path} ${alert.pointer}`)),
      h('td', {}, conditionText(alert.condition)),
      h('td', {}, alert.deliver.map(({ target }) => target).join(', ') || 'the stream'),
      h(
        'td',
        {},
        act('Test', () => change({ method: 'POST' }, '/test')),
        act(isPaused ? 'Resume' : 'Pause', () => change({ method: 'PATCH', body })),
        act('Deliveries', () => this.#showDeliveries(alert)),
        act('Delete', () => change({ method: 'DELETE' })),
      ),
    );
  }
}

/** Shows the page in an element; ends with the function that is returned. */
export function open(into: HTMLElement): () => void {
  new Alerts(into);
  return () => {};
}
