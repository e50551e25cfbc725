/** The search for a symbol that every page opens with `/`: type, arrows, Enter. */
import { credentials } from './access.ts';
import { call } from './api.ts';
import { h, setText } from './dom.ts';
import { compact, price } from './format.ts';
import { hashOf } from './place.ts';
import { at } from './request.ts';
import { type Found, matching, nearest } from './symbol-search.ts';

/** Rows that are shown at once. */
const most = 12;
/** A list of symbols is asked for again after so long, ms. */
const listAge = 60_000;

let listed: { at: number; all: Promise<readonly Found[]> } | null = null;

/** The symbols with a market of a kind, by volume. */
const listOf = async (kind: 'futures' | 'spot') => {
  const { data } = await call(at(`/v1/${kind}/coins-markets`, { limit: 500 }), {
    headers: credentials(),
  });
  return data.items;
};

async function ask(): Promise<readonly Found[]> {
  const [futures, spot, season] = await Promise.all([
    listOf('futures'),
    listOf('spot'),
    // Without the names symbols are still found by their tickers.
    call(at('/v1/indicators/altcoin-season', {}), { headers: credentials() }).catch(() => null),
  ]);
  const names = new Map(season?.data.coins.map(({ symbol, name }) => [symbol, name]));
  names.set('BTC', 'Bitcoin');
  const found = new Map<string, Found>();
  for (const { symbol, price, volume_24h_usd: volume } of [...futures, ...spot]) {
    const known = found.get(symbol)?.volume ?? 0;
    found.set(symbol, { symbol, name: names.get(symbol) ?? '', price, volume: known + volume });
  }
  return [...found.values()];
}

/** All symbols; they are asked for again once the list is a minute old. Rejects with a Refusal. */
export function symbols(): Promise<readonly Found[]> {
  if (listed === null || Date.now() - listed.at > listAge) {
    const all = ask();
    listed = { at: Date.now(), all };
    all.catch(() => {
      listed = null;
    });
  }
  return listed.all;
}

/** The dialog; it is made once. */
class Switcher {
  readonly #list = h('ul', { id: 'found', role: 'listbox', 'aria-label': 'Symbols' });
  readonly #words = h('p', { class: 'soft', role: 'status' });
  readonly #box = h('input', {
    type: 'search',
    role: 'combobox',
    placeholder: 'BTC, bitcoin …',
    'aria-label': 'Symbol or name of a coin',
    'aria-controls': 'found',
    'aria-expanded': 'true',
    autocomplete: 'off',
    spellcheck: 'false',
    input: () => this.#show(),
    keydown: (event) => this.#key(event),
  });
  readonly #dialog = h(
    'dialog',
    { class: 'switcher', 'aria-label': 'Open a symbol' },
    this.#box,
    this.#words,
    this.#list,
  );
  #all: readonly Found[] = [];
  #shown: readonly Found[] = [];
  #chosen = 0;

  constructor() {
    document.body.append(this.#dialog);
    // A press beside it closes it.
    this.#dialog.addEventListener('click', ({ target }) => {
      if (target === this.#dialog) this.#dialog.close();
    });
  }

  open(): void {
    if (this.#dialog.open) return;
    this.#box.value = '';
    this.#dialog.showModal();
    this.#show();
    symbols().then(
      (all) => {
        this.#all = all;
        this.#show();
      },
      (error: Error) => setText(this.#words, error.message),
    );
  }

  #key(event: Event): void {
    if (!(event instanceof KeyboardEvent)) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) this.#choose(this.#chosen + step);
    else if (event.key === 'Enter') this.#go(this.#shown[this.#chosen]);
    else return;
    event.preventDefault();
  }

  #go(found: Found | undefined): void {
    if (found === undefined) return;
    this.#dialog.close();
    location.hash = hashOf({
      page: 'symbol',
      about: found.symbol,
      chosen: new URLSearchParams(),
    });
  }

  #choose(next: number): void {
    const count = this.#shown.length;
    this.#chosen = count === 0 ? 0 : (next + count) % count;
    for (const [place, row] of [...this.#list.children].entries()) {
      row.setAttribute('aria-selected', String(place === this.#chosen));
      if (place === this.#chosen) row.scrollIntoView({ block: 'nearest' });
    }
    this.#box.setAttribute('aria-activedescendant', count === 0 ? '' : `found-${this.#chosen}`);
  }

  #show(): void {
    const text = this.#box.value;
    const found = matching(this.#all, text);
    const near = found.length > 0 || text.trim() === '' ? [] : nearest(this.#all, text);
    this.#shown = [...found, ...near].slice(0, most);
    setText(this.#words, this.#wordsFor(found.length, near.length));
    this.#list.replaceChildren(
      ...this.#shown.map((one, place) =>
        h(
          'li',
          { id: `found-${place}`, role: 'option', click: () => this.#go(one) },
          h('strong', {}, one.symbol),
          h('span', { class: 'soft' }, one.name),
          h('span', { class: 'number' }, price(one.price)),
          h('span', { class: 'number soft' }, compact(one.volume)),
        ),
      ),
    );
    this.#choose(0);
  }

  #wordsFor(found: number, near: number): string {
    if (this.#all.length === 0) return 'The symbols come in a moment.';
    if (found > most) return `${most} of ${found} symbols, by volume of 24 h`;
    if (found > 0) return '';
    return near > 0 ? 'No symbol has this name. Did you mean:' : 'No symbol has this name.';
  }
}

let made: Switcher | null = null;

/** Opens the search. */
export function openSwitcher(): void {
  made ??= new Switcher();
  made.open();
}
