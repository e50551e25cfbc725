/** The API keys of the account that is signed in. */
import { hasSession } from '../access.ts';
import { askOnce } from '../ask.ts';
import { h, setText } from '../dom.ts';
import { fixed, time } from '../format.ts';
import { empty } from '../panel.ts';
import { cell, headRow, rowHead, scroller } from '../rows.ts';

interface Key {
  id: string;
  name: string;
  prefix: string;
  created_at: number;
  last_used_at: number | null;
  requests_today: number;
  status: 'active' | 'revoked';
}

const path = '/v1/auth/keys';

/** The page while it is open. */
class Keys {
  readonly #body = h('tbody', {});
  readonly #words = h('p', { role: 'status' });

  constructor(into: HTMLElement) {
    const name = h('input', { id: 'name', maxlength: '64', required: true, autocomplete: 'off' });
    const form = h(
      'form',
      { class: 'bar' },
      h('label', { for: 'name' }, 'Name'),
      name,
      h('button', { type: 'submit', class: 'main' }, 'Make a key'),
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#make(name.value).then(() => {
        name.value = '';
      });
    });
    const names = ['Name', 'Begins with', 'State', 'Made', 'Last used', 'Requests today', ''];
    into.append(
      h('h1', {}, 'Keys'),
      form,
      this.#words,
      scroller('Keys', headRow(names, 3), this.#body),
    );
    void this.#list();
  }

  #ask(at: string, init?: { method?: string; body?: string }): Promise<unknown> {
    return askOnce(this.#words, at, init);
  }

  async #list(): Promise<void> {
    const keys = (await this.#ask(path)) as readonly Key[] | null;
    if (keys !== null)
      this.#body.replaceChildren(...keys.toReversed().map((key) => this.#row(key)));
  }

  async #make(name: string): Promise<void> {
    const made = (await this.#ask(path, { method: 'POST', body: JSON.stringify({ name }) })) as {
      key: string;
    } | null;
    if (made === null) return;
    this.#words.replaceChildren('The key, shown this once: ', h('code', {}, made.key));
    await this.#list();
  }

  #row(key: Key): HTMLElement {
    const isActive = key.status === 'active';
    const button = h(
      'button',
      { type: 'button', 'aria-label': `Revoke ${key.name}, ${key.prefix}` },
      'Revoke',
    );
    let isSure = false;
    button.addEventListener('click', () => {
      if (isSure)
        void this.#ask(`${path}/${key.id}`, { method: 'DELETE' }).then(() => this.#list());
      isSure = true;
      setText(button, 'Revoke for good?');
    });
    return h(
      'tr',
      {},
      rowHead(key.name),
      h('td', {}, h('code', {}, `${key.prefix}…`)),
      h('td', { class: isActive ? 'up' : 'soft' }, key.status),
      cell(time(key.created_at, 'minute')),
      cell(key.last_used_at === null ? 'never' : time(key.last_used_at, 'minute')),
      cell(fixed(key.requests_today, 0)),
      h('td', { class: 'number' }, isActive ? button : null),
    );
  }
}

/** Shows the page in an element; ends with the function that is returned. */
export function open(into: HTMLElement): () => void {
  if (hasSession()) new Keys(into);
  else
    into.append(
      empty(
        'Keys need a session',
        'A key cannot manage keys. Sign in with the link that npm start prints, or use a bearer token at /v1/auth/keys.',
      ),
    );
  return () => {};
}
