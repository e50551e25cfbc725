/** The alerts of the account: made, tested, paused and deleted here, with what they have fired and its delivery. */
import { askOnce } from '../ask.ts';
import { h, labelled, setText } from '../dom.ts';
import { time } from '../format.ts';
import { cell, headRow, rowHead, scroller } from '../rows.ts';

interface Condition {
  type: string;
  [field: string]: unknown;
}

interface Alert {
  id: string;
  name: string;
  status: 'active' | 'paused' | 'expired';
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

const conditionText = ({ type, ...fields }: Condition): string =>
  [type, ...Object.values(fields).filter((value) => value !== null && value !== 'any')].join(' ');

const textInput = (value: string): HTMLInputElement =>
  h('input', { value, autocomplete: 'off', spellcheck: 'false' });

/** The page while it is open. */
class Alerts {
  readonly #body = h('tbody', {});
  readonly #words = h('p', { role: 'status' });
  readonly #fired = h('tbody', {});
  readonly #attempts = h('tbody', {});
  readonly #about = h('h2', {}, 'Deliveries');

  constructor(into: HTMLElement) {
    into.append(
      h('h1', {}, 'Alerts'),
      this.#form(),
      this.#words,
      scroller(
        'Alerts',
        headRow(['Name', 'State', 'Watches', 'When', 'Sent to', ''], 6),
        this.#body,
      ),
      h('h2', {}, 'Fired'),
      scroller('Fired', headRow(['When', 'Kind', 'What'], 3), this.#fired),
      this.#about,
      scroller('Deliveries', headRow(['When', 'To', 'Attempt', 'Outcome'], 4), this.#attempts),
    );
    void this.#list();
  }

  #form(): HTMLElement {
    const name = textInput('');
    const watched = textInput('/v1/prices?symbol=BTC');
    const pointer = textInput('/average_price');
    const options = ['above', 'below', 'crosses'].map((word) => h('option', {}, word));
    const type = h('select', {}, ...options);
    const value = h('input', { type: 'number', step: 'any', required: true });
    const url = textInput('');
    name.required = true;
    const form = h(
      'form',
      { class: 'bar' },
      labelled('Name', name),
      labelled('Path', watched),
      labelled('Pointer', pointer),
      labelled('When', type),
      labelled('Value', value),
      labelled('Webhook', url),
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
    this.#body.replaceChildren(...found.alerts.toReversed().map((alert) => this.#row(alert)));
    const { events } = ((await this.#ask(`${path}/events?limit=20`)) ?? { events: [] }) as {
      events: readonly Fired[];
    };
    this.#fired.replaceChildren(
      ...events.map(({ fired_at, kind, text }) =>
        h('tr', {}, rowHead(time(fired_at, 'minute')), h('td', {}, kind), h('td', {}, text)),
      ),
    );
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
    const found = (await this.#ask(`${path}/${id}/deliveries?limit=20`)) as {
      deliveries: readonly Delivery[];
    } | null;
    setText(this.#about, `Deliveries of ${name}`);
    this.#attempts.replaceChildren(
      ...(found?.deliveries ?? []).map(({ at, target, attempt, outcome, error }) =>
        h(
          'tr',
          {},
          rowHead(time(at, 'minute')),
          h('td', {}, target),
          cell(String(attempt)),
          h('td', {}, error === null ? outcome : `${outcome}: ${error}`),
        ),
      ),
    );
  }

  #row(alert: Alert): HTMLElement {
    const { id, name, status } = alert;
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
      h('td', { class: status === 'active' ? 'up' : 'soft' }, status),
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
