/** The keys of the account that is signed in: its plan, its requests by day, and every key. */
import { endOfSession, hasSession } from '../access.ts';
import { base } from '../api.ts';
import { askOnce } from '../ask.ts';
import { choice, fact, h, setText } from '../dom.ts';
import { dash, fixed, time } from '../format.ts';
import { csvButton, curlButton, empty, type Rows } from '../panel.ts';
import { showParts } from '../part.ts';
import { cell, headed, headRow, rowHead, scroller } from '../rows.ts';
import { requestsPart } from './requests.ts';

interface Key {
  id: string;
  name: string;
  prefix: string;
  kind: 'live' | 'link';
  paths: readonly string[] | null;
  created_at: number;
  last_used_at: number | null;
  requests_today: number;
  status: 'active' | 'revoked';
  ends_at: number | null;
}

interface MadeKey {
  kind: 'live' | 'link';
  paths: readonly string[] | null;
  key: string;
  replaces?: { ends_at: number };
}

interface Account {
  id: string;
  email?: string;
  plan: string;
  limits: {
    requests_per_minute: number | null;
    api_keys: number | null;
    connections: number | null;
  };
  key_count: number;
}

const path = '/v1/auth/keys';

const limit = (value: number | null): string => (value === null ? 'no limit' : fixed(value, 0));

/** A button that acts at the second press: the first one asks. */
function sureButton(words: string, sure: string, label: string, act: () => void): HTMLElement {
  const button = h('button', { type: 'button', 'aria-label': label }, words);
  let isSure = false;
  button.addEventListener('click', () => {
    if (isSure) act();
    isSure = true;
    setText(button, sure);
    button.setAttribute('aria-label', `${label}: ${sure}`);
  });
  return button;
}

/** A path with a link key behind it, for a spreadsheet. */
const linked = (at: string, key: string): string =>
  `${base}${at.slice(1)}${at.includes('?') ? '&' : '?'}link=${key}`;

const columns = [
  'id',
  'name',
  'prefix',
  'kind',
  'status',
  'created_at',
  'last_used_at',
  'requests_today',
  'ends_at',
] as const;

const fileOf = (keys: readonly Key[]): Rows => [
  columns,
  ...keys.map((key) => columns.map((name) => key[name])),
];

/** The page while it is open. */
class Keys {
  readonly #account = h('dl', { class: 'facts' });
  readonly #body = h('tbody', {});
  readonly #words = h('div', { class: 'made', role: 'status' });
  #keys: readonly Key[] = [];
  #overlap = '24';

  constructor(into: HTMLElement) {
    const names = ['Name', 'Begins with', 'Reads', 'State', 'Made', 'Last used', 'Today', ''];
    const hours = [
      ['1', '1 hour'],
      ['24', '1 day'],
      ['168', '7 days'],
    ] as const;
    const overlap = choice('A replaced key still works for', hours, {
      chosen: '24',
      choose: (value) => {
        this.#overlap = value;
      },
    });
    into.append(
      h('h1', {}, 'Keys'),
      this.#account,
      this.#form(),
      this.#words,
      headed(
        overlap,
        csvButton('keys', () => fileOf(this.#keys)),
        curlButton(() => path),
      ),
      scroller('Keys', headRow(names, 4), this.#body),
    );
    void this.#show();
  }

  #form(): HTMLElement {
    const name = h('input', { id: 'name', maxlength: '64', required: true, autocomplete: 'off' });
    const paths = h('textarea', {
      id: 'paths',
      rows: '2',
      spellcheck: 'false',
      placeholder: '/v1/bars?symbol=BTC&interval=1d&format=csv',
    });
    const reads = h(
      'label',
      { class: 'field', for: 'paths' },
      h('span', {}, 'Paths, one a line'),
      paths,
    );
    reads.hidden = true;
    let kind: Key['kind'] = 'live';
    const kinds = [
      ['live', 'A program, in a header'],
      ['link', 'A spreadsheet, in the URL'],
    ] as const;
    const choose = (value: Key['kind']) => {
      kind = value;
      reads.hidden = value === 'live';
      paths.required = value === 'link';
    };
    const submit = (event: Event) => {
      event.preventDefault();
      const named = paths.value.split('\n').flatMap((line) => line.trim() || []);
      const link = kind === 'link' ? { kind, paths: named } : {};
      void this.#make(path, { name: name.value, ...link }).then((isMade) => {
        if (isMade) name.value = '';
      });
    };
    return h(
      'form',
      { class: 'bar', submit },
      h('label', { for: 'name' }, 'Name'),
      name,
      choice('For', kinds, { chosen: kind, choose }),
      reads,
      h('button', { type: 'submit', class: 'main' }, 'Make a key'),
    );
  }

  #ask(at: string, init?: { method?: string; body?: string }): Promise<unknown> {
    return askOnce(this.#words, at, init);
  }

  async #show(): Promise<void> {
    const [account, keys] = await Promise.all([this.#ask('/v1/auth/me'), this.#ask(path)]);
    if (account !== null) this.#showAccount(account as Account);
    if (keys === null) return;
    this.#keys = keys as readonly Key[];
    this.#body.replaceChildren(...this.#keys.toReversed().map((key) => this.#row(key)));
  }

  #showAccount({ id, email, plan, limits, key_count }: Account): void {
    const { requests_per_minute: requests, api_keys: most, connections } = limits;
    const ends = endOfSession();
    this.#account.replaceChildren(
      fact('Account', email ?? id),
      fact('Plan', plan),
      fact('Requests a minute', limit(requests)),
      fact('Keys', most === null ? `${key_count}, no limit` : `${key_count} of ${most}`),
      fact('Waiting at once', limit(connections)),
      fact('Session ends', ends === null ? dash : `${time(ends, 'day')}, ${time(ends, 'hour')}`),
    );
  }

  /** Makes a key and shows it; whether it was made. */
  async #make(at: string, asked: object): Promise<boolean> {
    const made = (await this.#ask(at, { method: 'POST', body: JSON.stringify(asked) })) as MadeKey;
    if (made === null) return false;
    const { kind, paths, key, replaces } = made;
    const [first] = kind === 'link' ? (paths ?? []) : [];
    this.#words.replaceChildren(
      h('p', {}, 'The key, shown this once: ', h('code', {}, key)),
      ...(first === undefined
        ? []
        : [h('p', {}, 'In a sheet: ', h('code', {}, linked(first, key)))]),
      ...(replaces === undefined
        ? []
        : [h('p', {}, `The one it replaces works until ${time(replaces.ends_at, 'minute')}.`)]),
    );
    await this.#show();
    return true;
  }

  #row(key: Key): HTMLElement {
    const { id, name, prefix, paths, ends_at: ends } = key;
    const isActive = key.status === 'active';
    const revoke = sureButton('Revoke', 'Revoke for good?', `Revoke ${name}, ${prefix}`, () => {
      void this.#ask(`${path}/${id}`, { method: 'DELETE' }).then(() => this.#show());
    });
    const replace = sureButton('Replace', 'Make a new one?', `Replace ${name}, ${prefix}`, () => {
      void this.#make(`${path}/${id}/rotate`, { overlap_hours: Number(this.#overlap) });
    });
    const state = isActive && ends !== null ? `ends ${time(ends, 'minute')}` : key.status;
    return h(
      'tr',
      {},
      rowHead(name),
      h('td', {}, h('code', {}, `${prefix}…`)),
      h('td', { title: paths?.join('\n') ?? '' }, paths === null ? 'everything' : paths.join(', ')),
      h('td', { class: isActive ? 'up' : 'soft' }, state),
      cell(time(key.created_at, 'minute')),
      cell(key.last_used_at === null ? 'never' : time(key.last_used_at, 'minute')),
      cell(fixed(key.requests_today, 0)),
      h(
        'td',
        { class: 'number' },
        isActive && ends === null ? replace : null,
        isActive ? revoke : null,
      ),
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
        'A key cannot manage keys. Sign out, and sign in with the link that npm start prints or with a token of your identity provider.',
      ),
    );
  return showParts(into, [requestsPart()]);
}
