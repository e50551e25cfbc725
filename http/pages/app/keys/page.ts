/** The keys of the account that is signed in: its plan, its requests by day, and every key. */
import { endOfSession, hasSession } from '../access.ts';
import { base } from '../api.ts';
import { askAgain, askOnce } from '../ask.ts';
import { plotPart } from '../charts.ts';
import { choice, formOf, h, labelled, submitButton } from '../dom.ts';
import { type Fact, factList } from '../facts.ts';
import { count, dash, moment, time } from '../format.ts';
import { empty } from '../panel.ts';
import { fill, type LivePart, minute, type Part } from '../part.ts';
import type { Line } from '../plot.ts';
import {
  type AuthKey,
  type AuthMe,
  at,
  type PostAuthKeys,
  type PostAuthKeysByIdRotate,
  type Sending,
  to,
  type UsageHistory,
  type UsageHistoryKey,
} from '../request.ts';
import { type Act, tablePart } from '../table-part.ts';

type Named = Pick<UsageHistoryKey, 'name' | 'requests'>;

const sum = (of: readonly number[]): number => of.reduce((all, one) => all + one, 0);

/** The days of all keys added up. */
const added = ({ timestamps }: UsageHistory, keys: readonly Named[]): number[] =>
  timestamps.map((_, day) => sum(keys.map(({ requests }) => requests[day] ?? 0)));

/** Most keys with a line of their own. */
const most = 5;

/** The names with the most requests: keys of one name count together. */
function busiest(history: UsageHistory): Named[] {
  const byName = Map.groupBy(history.keys, ({ name }) => name);
  return [...byName]
    .map(([name, keys]) => ({ name, requests: added(history, keys) }))
    .filter(({ requests }) => sum(requests) > 0)
    .sort((a, b) => sum(b.requests) - sum(a.requests))
    .slice(0, most);
}

const all: Line = { name: 'All keys', colour: 'soft', as: 'bars' };

const requestsPart = (): Part =>
  plotPart({
    title: 'Requests',
    about: 'Of active keys, by UTC day; keys of one name count together',
    name: 'requests',
    label: 'Requests of active keys by UTC day',
    path: at('/v1/usage/history', { days: 30 }),
    every: minute,
    source: askAgain,
    isWide: true,
    lines: [all],
    form: count,
    data(history) {
      const named = busiest(history);
      return {
        x: history.timestamps,
        values: [added(history, history.keys), ...named.map(({ requests }) => requests)],
        lines: [all, ...named],
      };
    },
    none: 'No active key has requests.',
  });

const limit = (value: number | null): string => (value === null ? 'no limit' : count(value));

/** A path with a link key behind it, for a spreadsheet. */
const linked = (at: string, key: string): string =>
  `${base}${at.slice(1)}${at.includes('?') ? '&' : '?'}link=${key}`;

const isActive = ({ status }: AuthKey): boolean => status === 'active';

/** All keys of the account, the newest first, with what can be done with one. */
const keysPart = (controls: readonly Node[], acts: readonly Act<AuthKey>[]): LivePart =>
  tablePart({
    title: 'All keys',
    name: 'keys',
    path: at('/v1/auth/keys', {}),
    every: minute,
    source: askAgain,
    isWide: true,
    controls,
    rows: (keys) => keys.toReversed(),
    key: ({ id }) => id,
    columns: [
      { head: 'Name', of: 'name' },
      { head: 'Begins with', of: ({ prefix }) => `${prefix}…` },
      {
        head: 'Reads',
        of: ({ paths }) => paths?.join(', ') ?? 'everything',
        hint: ({ paths }) => paths?.join('\n') ?? '',
      },
      {
        head: 'State',
        of: (key) =>
          isActive(key) && key.ends_at !== null ? `ends ${moment(key.ends_at)}` : key.status,
        tone: (key) => (isActive(key) ? 'up' : 'soft'),
      },
      { head: 'Made', of: 'created_at', as: moment },
      { head: 'Last used', of: 'last_used_at', as: moment },
      { head: 'Today', of: 'requests_today', as: count },
    ],
    acts,
    none: 'No key yet. Make the first one above.',
  });

/** The fields of a new key; `make` says whether it was made. */
function keyForm(make: (asked: Sending<PostAuthKeys>) => Promise<boolean>): HTMLElement {
  const name = h('input', { id: 'name', maxlength: '64', required: true, autocomplete: 'off' });
  const paths = h('textarea', {
    id: 'paths',
    rows: '2',
    spellcheck: 'false',
    placeholder: '/v1/bars?symbol=BTC&interval=1d&format=csv',
  });
  const reads = labelled('Paths, one a line', paths);
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
  const submit = async () => {
    const named = paths.value.split('\n').flatMap((line) => line.trim() || []);
    const link = kind === 'link' ? { kind, paths: named } : {};
    if (await make(to('POST /v1/auth/keys', {}, { name: name.value, ...link }))) name.value = '';
  };
  return formOf(
    { class: 'bar' },
    () => void submit(),
    h('label', { for: 'name' }, 'Name'),
    name,
    choice('For', kinds, { chosen: kind, choose }),
    reads,
    submitButton('Make a key'),
  );
}

/** What is said of a key that was made: the key, and how it is used. */
function madeWords(made: PostAuthKeys | PostAuthKeysByIdRotate): HTMLElement[] {
  const { kind, paths } = made;
  const key = made.key ?? '';
  const [first] = kind === 'link' ? (paths ?? []) : [];
  const words = [h('p', {}, 'The key, shown this once: ', h('code', {}, key))];
  if (first !== undefined)
    words.push(h('p', {}, 'In a sheet: ', h('code', {}, linked(first, key))));
  if ('replaces' in made) {
    const until = moment(made.replaces.ends_at);
    words.push(h('p', {}, `The one it replaces works until ${until}.`));
  }
  return words;
}

/** The account with its limits. */
function accountFacts({ id, email, plan, limits, key_count: keys }: AuthMe): Fact[] {
  const { requests_per_minute: requests, api_keys: most, connections } = limits;
  const ends = endOfSession();
  return [
    ['Account', email ?? id],
    ['Plan', plan],
    ['Requests a minute', limit(requests)],
    ['Keys', most === null ? `${keys}, no limit` : `${keys} of ${most}`],
    ['Waiting requests', limit(connections)],
    ['Session ends', ends === null ? dash : `${time(ends, 'day')}, ${time(ends, 'hour')}`],
  ];
}

/** All about the keys of an account that has a session. */
function showKeys(into: HTMLElement): () => void {
  const account = factList();
  const words = h('div', { class: 'made', role: 'status' });
  let overlap = 24;
  const readAccount = async () => {
    const found = await askOnce(words, at('/v1/auth/me', {}));
    if (found !== null) account.show(accountFacts(found));
  };
  /** Asks, and shows all keys anew where it was done. */
  const change = async <D>(asked: Sending<D>): Promise<D | null> => {
    const done = await askOnce(words, asked);
    if (done === null) return null;
    keys.again();
    void readAccount();
    return done;
  };
  const make = async (asked: Sending<PostAuthKeys | PostAuthKeysByIdRotate>) => {
    const made = await change(asked);
    if (made !== null) words.replaceChildren(...madeWords(made));
    return made !== null;
  };
  const hours = [
    ['1', '1 hour'],
    ['24', '1 day'],
    ['168', '7 days'],
  ] as const;
  const choose = (value: string) => {
    overlap = Number(value);
  };
  const tool = choice('A replaced key still works for', hours, { chosen: '24', choose });
  const keys = keysPart(
    [tool],
    [
      {
        label: (key) => (isActive(key) && key.ends_at === null ? 'Replace' : null),
        sure: 'Make a new one?',
        act({ id }) {
          void make(to('POST /v1/auth/keys/{id}/rotate', { id }, { overlap_hours: overlap }));
        },
      },
      {
        label: (key) => (isActive(key) ? 'Revoke' : null),
        sure: 'Revoke for good?',
        act: ({ id }) => void change(to('DELETE /v1/auth/keys/{id}', { id })),
      },
    ],
  );
  void readAccount();
  const head = [h('h1', {}, 'Keys'), account.node, keyForm(make), words];
  return fill(into, [...head, [keys, requestsPart()]]);
}

/** Shows the page in an element; ends with the function that is returned. */
export function open(into: HTMLElement): () => void {
  if (hasSession()) return showKeys(into);
  const words =
    'A key cannot manage keys. Sign out, and sign in with the link that npm start prints or with a token of your identity provider.';
  return fill(into, [empty('Keys need a session', words), [requestsPart()]]);
}
