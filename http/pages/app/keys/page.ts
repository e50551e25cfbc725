/** The keys of the account that is signed in: its plan, its requests by day, and every key. */
import { endOfSession, hasSession } from '../access.ts';
import { ageLine } from '../age.ts';
import { base } from '../api.ts';
import { askOnce } from '../ask.ts';
import { choice, h, setText } from '../dom.ts';
import { factList } from '../facts.ts';
import { dash, fixed, time } from '../format.ts';
import { csvButton, curlButton, empty, type Rows } from '../panel.ts';
import { showParts } from '../part.ts';
import {
  type AuthKey,
  type AuthMe,
  at,
  type Path,
  type PostAuthKeys,
  type PostAuthKeysByIdRotate,
  type Sending,
  to,
} from '../request.ts';
import { cell, headed, headRow, keyedRows, rowHead, scroller } from '../rows.ts';
import { requestsPart } from './requests.ts';

const path = at('/v1/auth/keys', {});

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

const fileOf = (keys: readonly AuthKey[]): Rows => [
  columns,
  ...keys.map((key) => columns.map((name) => key[name])),
];

/** The page while it is open. */
class Keys {
  readonly #account = factList();
  readonly #age = ageLine(Infinity);
  readonly #body = h('tbody', {});
  readonly #words = h('div', { class: 'made', role: 'status' });
  /** A key that has changed has a new row. */
  readonly #showKeys = keyedRows<AuthKey>(this.#body, {
    name: (key) => JSON.stringify(key),
    make: (key) => ({ node: this.#row(key), show: () => {} }),
  });
  #keys: readonly AuthKey[] = [];
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
      this.#account.node,
      this.#form(),
      this.#words,
      headed(
        overlap,
        this.#age.node,
        csvButton('keys', () => fileOf(this.#keys)),
        curlButton(() => path),
      ),
      scroller('Keys', headRow(names, 4), this.#body),
    );
    void this.#show();
  }

  end(): void {
    this.#age.end();
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
    let kind: AuthKey['kind'] = 'live';
    const kinds = [
      ['live', 'A program, in a header'],
      ['link', 'A spreadsheet, in the URL'],
    ] as const;
    const choose = (value: AuthKey['kind']) => {
      kind = value;
      reads.hidden = value === 'live';
      paths.required = value === 'link';
    };
    const submit = (event: Event) => {
      event.preventDefault();
      const named = paths.value.split('\n').flatMap((line) => line.trim() || []);
      const link = kind === 'link' ? { kind, paths: named } : {};
      void this.#make(to('POST /v1/auth/keys', {}, { name: name.value, ...link })).then(
        (isMade) => {
          if (isMade) name.value = '';
        },
      );
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

  #ask<D>(asked: Path<D> | Sending<D>): Promise<D | null> {
    return askOnce(this.#words, asked);
  }

  async #show(): Promise<void> {
    const [account, keys] = await Promise.all([this.#ask(at('/v1/auth/me', {})), this.#ask(path)]);
    if (account !== null) this.#showAccount(account);
    if (keys === null) return;
    this.#keys = keys;
    this.#age.heard(keys, null);
    this.#showKeys(keys.toReversed());
  }

  #showAccount({ id, email, plan, limits, key_count }: AuthMe): void {
    const { requests_per_minute: requests, api_keys: most, connections } = limits;
    const ends = endOfSession();
    this.#account.show([
      ['Account', email ?? id],
      ['Plan', plan],
      ['Requests a minute', limit(requests)],
      ['Keys', most === null ? `${key_count}, no limit` : `${key_count} of ${most}`],
      ['Waiting requests', limit(connections)],
      ['Session ends', ends === null ? dash : `${time(ends, 'day')}, ${time(ends, 'hour')}`],
    ]);
  }

  /** Makes a key and shows it; whether it was made. */
  async #make(asked: Sending<PostAuthKeys | PostAuthKeysByIdRotate>): Promise<boolean> {
    const made = await this.#ask(asked);
    if (made === null) return false;
    const { kind, paths } = made;
    const key = made.key ?? '';
    const [first] = kind === 'link' ? (paths ?? []) : [];
    this.#words.replaceChildren(
      h('p', {}, 'The key, shown this once: ', h('code', {}, key)),
      ...(first === undefined
        ? []
        : [h('p', {}, 'In a sheet: ', h('code', {}, linked(first, key)))]),
      ...('replaces' in made
        ? [h('p', {}, `The one it replaces works until ${time(made.replaces.ends_at, 'minute')}.`)]
        : []),
    );
    await this.#show();
    return true;
  }

  #row(key: AuthKey): HTMLElement {
    const { id, name, prefix, paths, ends_at: ends } = key;
    const isActive = key.status === 'active';
    const revoke = sureButton('Revoke', 'Revoke for good?', `Revoke ${name}, ${prefix}`, () => {
      void this.#ask(to('DELETE /v1/auth/keys/{id}', { id })).then(() => this.#show());
    });
    const replace = sureButton('Replace', 'Make a new one?', `Replace ${name}, ${prefix}`, () => {
      const overlap_hours = Number(this.#overlap);
      void this.#make(to('POST /v1/auth/keys/{id}/rotate', { id }, { overlap_hours }));
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
  const keys = hasSession() ? new Keys(into) : null;
  if (keys === null)
    into.append(
      empty(
        'Keys need a session',
        'A key cannot manage keys. Sign out, and sign in with the link that npm start prints or with a token of your identity provider.',
      ),
    );
  const end = showParts(into, [requestsPart()]);
  return () => {
    end();
    keys?.end();
  };
}
