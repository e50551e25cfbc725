/** All assets in one table, live. */
import { ageLine } from '../age.ts';
import { choice, h, setText } from '../dom.ts';
import { csvButton, curlButton, empty, wordsFor } from '../panel.ts';
import { choose } from '../place.ts';
import { kept, watched } from '../settings.ts';
import { type Choices, choicesOf, chosenRows, classes, turnovers } from './choices.ts';
import { columnMenu } from './column-menu.ts';
import { shownColumns } from './columns.ts';
import { type Asset, followRows, type Kind, pathOf } from './data.ts';
import { LineReader } from './lines.ts';
import { Table } from './table.ts';

/** Columns that the reader has chosen; null for the usual ones. */
const chosenColumns = kept<readonly string[] | null>('columns', null);
const wide = matchMedia('(min-width: 48rem)');

const kinds = [
  ['perpetual', 'Perpetuals'],
  ['spot', 'Spot'],
] as const;

/** A choice among few as buttons side by side. */
function switchOf(current: Kind, change: (kind: Kind) => void): HTMLElement {
  const buttons = kinds.map(([kind, shown]) => {
    const press = () => {
      for (const [at, button] of buttons.entries())
        button.setAttribute('aria-pressed', String(kinds[at]?.[0] === kind));
      change(kind);
    };
    return h(
      'button',
      { type: 'button', 'aria-pressed': String(kind === current), click: press },
      shown,
    );
  });
  return h('div', { class: 'switch', role: 'group', 'aria-label': 'Kind of market' }, ...buttons);
}

function searchBox(text: string, change: (text: string) => void): HTMLInputElement {
  const box = h('input', {
    type: 'search',
    placeholder: 'Search  /',
    'aria-label': 'Search symbols',
    'aria-keyshortcuts': '/',
    autocomplete: 'off',
    spellcheck: 'false',
    input: () => change(box.value),
  });
  box.value = text;
  return box;
}

/** The page while it is open. */
class Markets {
  readonly #choices: Choices;
  readonly #status = h('span', { class: 'soft count', role: 'status' });
  readonly #age = ageLine(1_000);
  readonly #nothing = h('div', { class: 'nothing' });
  readonly #table: Table;
  readonly #lines: LineReader;
  readonly #search: HTMLInputElement;
  #rows: readonly Asset[] | null = null;
  #unfollow = () => {};
  #timer: ReturnType<typeof setInterval>;

  constructor(into: HTMLElement, chosen: URLSearchParams) {
    this.#choices = choicesOf(chosen);
    this.#lines = new LineReader(() => this.#show());
    this.#table = new Table({
      sort: (by) => this.#sort(by),
      star: (symbol) => this.#star(symbol),
      kind: () => this.#choices.kind,
      seen: (rows) =>
        this.#lines.see(
          this.#choices.kind,
          rows.map(({ symbol }) => symbol),
        ),
    });
    this.#search = searchBox(this.#choices.search, (search) => this.#change({ search }));
    into.append(
      h('h1', { class: 'unseen' }, 'Markets'),
      this.#bar(),
      this.#table.node,
      this.#nothing,
    );
    this.#nothing.append(empty('Markets are on their way', 'The first rows come in a moment.'));
    this.#columns();
    this.#follow();
    wide.addEventListener('change', this.#columns);
    document.addEventListener('keydown', this.#key);
    // Ages grow while nothing comes.
    this.#timer = setInterval(() => this.#show(), 5_000);
  }

  end(): void {
    this.#unfollow();
    this.#table.end();
    this.#lines.end();
    this.#age.end();
    clearInterval(this.#timer);
    wide.removeEventListener('change', this.#columns);
    document.removeEventListener('keydown', this.#key);
  }

  #bar(): HTMLElement {
    const { kind, of, turnover, isWatched } = this.#choices;
    const star = h(
      'button',
      { type: 'button', 'aria-pressed': String(isWatched), title: 'Only the symbols with a star' },
      '★ Watch list',
    );
    star.addEventListener('click', () => {
      this.#change({ isWatched: !this.#choices.isWatched });
      star.setAttribute('aria-pressed', String(this.#choices.isWatched));
    });
    return h(
      'div',
      { class: 'bar' },
      switchOf(kind, (next) => {
        this.#change({ kind: next });
        this.#rows = null;
        this.#columns();
        this.#follow();
      }),
      this.#search,
      star,
      choice('Class', classes, { chosen: of, choose: (next) => this.#change({ of: next }) }),
      choice('Volume', turnovers, {
        chosen: turnover,
        choose: (next) => this.#change({ turnover: next }),
      }),
      this.#age.node,
      this.#status,
      columnMenu(chosenColumns, () => this.#columns()),
      csvButton('markets', () => this.#csv()),
      curlButton(() => pathOf(this.#choices.kind)),
    );
  }

  /** `/` leads to the search, Escape empties it. */
  readonly #key = (event: KeyboardEvent): void => {
    const isField =
      event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
    if (event.key === '/' && !isField && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      this.#search.focus();
      this.#search.select();
    }
    if (event.key === 'Escape' && event.target === this.#search) {
      this.#search.value = '';
      this.#change({ search: '' });
    }
  };

  readonly #columns = (): void => {
    const { kind, sorting } = this.#choices;
    this.#table.columns(shownColumns(kind === 'spot', chosenColumns.get(), wide.matches), sorting);
    this.#show();
  };

  #follow(): void {
    this.#unfollow();
    this.#unfollow = followRows(this.#choices.kind, {
      rows: (rows, at) => {
        this.#rows = rows;
        this.#age.onData(null, at);
        this.#show();
      },
      missing: (message, code) => {
        if (this.#rows === null)
          this.#nothing.replaceChildren(empty('No markets yet', wordsFor(code, message)));
      },
    });
  }

  #change(changes: Partial<Choices>): void {
    Object.assign(this.#choices, changes);
    const { kind, of, search, isWatched, turnover, sorting } = this.#choices;
    choose({
      kind: kind === 'perpetual' ? '' : kind,
      class: of,
      search,
      watched: isWatched ? '1' : '',
      turnover: turnover === '0' ? '' : turnover,
      sort: sorting.by === 'volume' ? '' : sorting.by,
      order: sorting.falling ? '' : 'rising',
    });
    this.#show();
  }

  #sort(by: string): void {
    const { sorting } = this.#choices;
    const falling = sorting.by === by ? !sorting.falling : by !== 'symbol';
    this.#change({ sorting: { by, falling } });
    this.#columns();
  }

  #star(symbol: string): void {
    const list = watched.get();
    watched.set(list.includes(symbol) ? list.filter((one) => one !== symbol) : [...list, symbol]);
    this.#show();
  }

  #show(): void {
    const all = this.#rows;
    const rows = all === null ? [] : chosenRows(all, this.#choices, watched.get());
    this.#table.rows(rows);
    this.#table.node.hidden = rows.length === 0;
    this.#nothing.hidden = rows.length > 0;
    if (all === null) return;
    setText(
      this.#status,
      rows.length === all.length
        ? `${all.length} symbols`
        : `${rows.length} of ${all.length} symbols`,
    );
    if (rows.length > 0) return;
    const { isWatched } = this.#choices;
    const words = isWatched
      ? 'Press the star beside a symbol to put it on the watch list.'
      : 'Try another word, or a lower volume.';
    this.#nothing.replaceChildren(
      empty(isWatched ? 'No symbol of the watch list is here' : 'No symbol matches', words),
    );
  }

  #csv(): unknown[][] {
    const { kind } = this.#choices;
    const shown = shownColumns(kind === 'spot', chosenColumns.get(), wide.matches).filter(
      ({ id }) => id !== 'line',
    );
    const rows = chosenRows(this.#rows ?? [], this.#choices, watched.get());
    return [
      shown.map(({ id, field = id }) => field),
      ...rows.map((row) => shown.map((column) => column.value(row))),
    ];
  }
}

/** Shows the page in an element; ends with the function that is returned. */
export function open(into: HTMLElement, _about: string, chosen: URLSearchParams): () => void {
  const page = new Markets(into, chosen);
  return () => page.end();
}
