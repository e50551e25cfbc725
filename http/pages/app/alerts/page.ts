/** The alerts of the account: made, tested, paused and deleted here, with what they have fired and its delivery. */
import { ageLine } from '../age.ts';
import { askOnce } from '../ask.ts';
import { h, labelled, setAttribute, setText } from '../dom.ts';
import { time } from '../format.ts';
import { csvButton, curlButton } from '../panel.ts';
import {
  type Alert,
  type AlertCondition,
  type AlertDelivery,
  type AlertEvent,
  at,
  type Path,
  type PostAlertsRequest,
  type Sending,
  to,
} from '../request.ts';
import { emptyRow, headed, headRow, keyedRows, rowHead, scroller, type View } from '../rows.ts';

const path = at('/v1/alerts', {});
const eventsPath = at('/v1/alerts/events', { limit: 20 });
const deliveriesOf = (id: string) => at('/v1/alerts/{id}/deliveries', { id, limit: 20 });

const conditionText = ({ type, ...fields }: AlertCondition): string =>
  [type, ...Object.values(fields).filter((value) => value !== null && value !== 'any')].join(' ');

/** Conditions that the form offers. */
const kinds = ['above', 'below', 'crosses'] as const;

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
  readonly #age = ageLine(Infinity);
  readonly #showAlerts = keyedRows<Alert>(this.#body, {
    name: ({ id }) => id,
    make: () => this.#row(),
    empty: [emptyRow(6, none.alerts)],
  });
  readonly #words = h('p', { role: 'status' });
  readonly #fired = h('tbody', {});
  readonly #attempts = h('tbody', {});
  readonly #about = h('h2', {}, 'Deliveries');
  #alerts: readonly Alert[] = [];
  #events: readonly AlertEvent[] = [];
  #deliveries: readonly AlertDelivery[] = [];
  #deliveriesPath = deliveriesOf('ID');

  constructor(into: HTMLElement) {
    into.append(
      h('h1', {}, 'Alerts'),
      this.#form(),
      this.#words,
      headed(
        'All alerts',
        this.#age.node,
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
    this.#fired.append(emptyRow(3, none.fired));
    this.#attempts.append(emptyRow(4, none.deliveries));
    void this.#list();
  }

  #form(): HTMLElement {
    const name = textInput('', 'BTC above 100,000');
    const watched = textInput('/v1/prices?symbol=BTC');
    const pointer = textInput('/average_price');
    const options = kinds.map((word) => h('option', {}, word));
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
      const to = url.value.trim();
      void this.#make({
        name: name.value,
        path: watched.value,
        pointer: pointer.value,
        condition: { type: kinds[type.selectedIndex] ?? 'above', value: Number(value.value) },
        deliver: to === '' ? [] : [{ type: 'webhook', url: to }],
      });
    });
    return form;
  }

  #ask<D>(asked: Path<D> | Sending<D>): Promise<D | null> {
    return askOnce(this.#words, asked);
  }

  async #list(): Promise<void> {
    const found = await this.#ask(path);
    if (found === null) return;
    this.#alerts = found.alerts;
    this.#age.heard(found, null);
    this.#showAlerts(found.alerts.toReversed());
    const { events } = (await this.#ask(eventsPath)) ?? { events: [] };
    this.#events = events;
    const lines = events.map(({ fired_at, kind, text }) =>
      h('tr', {}, rowHead(time(fired_at, 'minute')), h('td', {}, kind), h('td', {}, text)),
    );
    this.#fired.replaceChildren(...(lines.length === 0 ? [emptyRow(3, none.fired)] : lines));
  }

  async #make(rule: PostAlertsRequest): Promise<void> {
    const made = await this.#ask(to('POST /v1/alerts', {}, rule));
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
    this.#deliveriesPath = deliveriesOf(id);
    const found = await this.#ask(this.#deliveriesPath);
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

  #row(): View<Alert> {
    let alert: Alert;
    const act = (work: () => Promise<unknown>) =>
      h('button', { type: 'button', click: () => void work() });
    const change = async (asked: Sending<unknown>) => {
      if ((await this.#ask(asked)) !== null) await this.#list();
    };
    const buttons = [
      act(() => change(to('POST /v1/alerts/{id}/test', { id: alert.id }))),
      act(() => {
        const paused = alert.status !== 'paused';
        return change(to('PATCH /v1/alerts/{id}', { id: alert.id }, { paused }));
      }),
      act(() => this.#showDeliveries(alert)),
      act(() => change(to('DELETE /v1/alerts/{id}', { id: alert.id }))),
    ];
    const [name, watched] = [rowHead(''), h('code', {})];
    const [state, when, receivers] = [h('td', {}), h('td', {}), h('td', {})];
    const cells = [name, state, h('td', {}, watched), when, receivers, h('td', {}, ...buttons)];
    return {
      node: h('tr', {}, ...cells),
      show(next) {
        alert = next;
        const { status, fault, path: of, pointer, condition, deliver } = next;
        const labels = ['Test', status === 'paused' ? 'Resume' : 'Pause', 'Deliveries', 'Delete'];
        for (const [place, button] of buttons.entries()) {
          setText(button, labels[place] ?? '');
          setAttribute(button, 'aria-label', `${labels[place]} ${next.name}`);
        }
        setText(name, next.name);
        setText(state, fault === null ? status : `${status}, not evaluated: ${fault}`);
        state.className = status === 'active' && fault === null ? 'up' : 'soft';
        setText(watched, `${of} ${pointer}`);
        setText(when, conditionText(condition));
        setText(receivers, deliver.map(({ target }) => target).join(', ') || 'the stream');
      },
    };
  }

  end(): void {
    this.#age.end();
  }
}

/** Shows the page in an element; ends with the function that is returned. */
export function open(into: HTMLElement): () => void {
  const page = new Alerts(into);
  return () => page.end();
}
