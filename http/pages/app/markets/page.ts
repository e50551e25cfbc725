/** All assets in one table or map, live. */
import { ageLine } from '../age.ts';
import { choice, h, refill, setText } from '../dom.ts';
import { csvButton, curlButton, empty, wordsFor } from '../panel.ts';
import { choose } from '../place.ts';
import { kept, watched } from '../settings.ts';
import {
  type Choices,
  choicesOf,
  chosenRows,
  classes,
  turnovers,
  usualColour,
  views,
} from './choices.ts';
import { columnMenu } from './column-menu.ts';
import { colouring, moved, shownColumns } from './columns.ts';
import { searchBox, switchOf, viewsButton } from './controls.ts';
import { type Asset, followRows, pathOf } from './data.ts';
import { LineReader } from './lines.ts';
import type { MarketMap } from './map.ts';
import { fillingWords, followRecorded, noteOf, type Recorded } from './recorded.ts';
import { Table } from './table.ts';

/** Columns that the reader has chosen; null for the usual ones. */
const chosenColumns = kept<readonly string[] | null>('columns', null);
const wide = matchMedia('(min-width: 48rem)');

/** The page while it is open. */
class Markets {
  readonly #choices: Choices;
  readonly #status = h('span', { class: 'soft count', role: 'status' });
  readonly #age = ageLine(1_000);
  readonly #nothing = h('div', { class: 'nothing' });
  readonly #table: Table;
  /** Loaded when it is asked for first. */
  #map: MarketMap | null = null;
  /** What colours the map. */
  readonly #colour = h('span', { class: 'view' });
  /** Which columns fill when. Under the table: it comes later, and nothing moves. */
  readonly #filling = h('p', { class: 'soft filling', role: 'status' });
  readonly #lines: LineReader;
  #recorded: Recorded = new Map();
  readonly #unrecord: () => void;
  readonly #search: HTMLInputElement;
  #rows: readonly Asset[] | null = null;
  #unfollow = () => {};
  #isEnded = false;
  #timer: ReturnType<typeof setInterval>;

  constructor(into: HTMLElement, chosen: URLSearchParams) {
    this.#choices = choicesOf(chosen);
    this.#lines = new LineReader(() => this.#show());
    this.#table = new Table({
      sort: (by) => this.#sort(by),
      move: (id, to) => {
        const ids = this.#shown().map((one) => one.id);
        chosenColumns.set(moved(ids, id, to));
        this.#columns();
      },
      noteOf: (id) => noteOf(id, this.#recorded, Date.now()),
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
      this.#filling,
    );
    this.#nothing.append(empty('Markets are on their way', 'The first rows come in a moment.'));
    this.#columns();
    this.#follow();
    this.#unrecord = followRecorded((recorded) => {
      const isSame = [...recorded].join() === [...this.#recorded].join();
      this.#recorded = recorded;
      if (!isSame) this.#columns();
    });
    wide.addEventListener('change', this.#columns);
    document.addEventListener('keydown', this.#key);
    // Ages grow while nothing comes.
    this.#timer = setInterval(() => this.#show(), 5_000);
  }

  end(): void {
    this.#isEnded = true;
    this.#unfollow();
    this.#unrecord();
    this.#table.end();
    this.#map?.end();
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
      { 'aria-pressed': String(isWatched), title: 'Only the symbols with a star' },
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
      h('span', { class: 'view' }, this.#viewChoice()),
      this.#colour,
      this.#age.node,
      this.#status,
      viewsButton(chosenColumns),
      columnMenu(chosenColumns, () => this.#columns()),
      csvButton('markets', () => this.#csv()),
      curlButton(() => pathOf(this.#choices.kind)),
    );
  }

  #viewChoice(): HTMLElement {
    const { view } = this.#choices;
    return choice('View', views, {
      chosen: view,
      choose: (next) => {
        this.#change({ view: next });
        this.#columns();
      },
    });
  }

  #shown() {
    return shownColumns(this.#choices.kind === 'spot', chosenColumns.get(), wide.matches);
  }

  /** The columns that can colour the map of this kind. */
  #colours() {
    const { kind } = this.#choices;
    return colouring.filter(({ perpetual }) => kind === 'perpetual' || !perpetual);
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
    const { sorting, view, colour } = this.#choices;
    const shown = this.#shown();
    this.#table.columns(shown, sorting);
    setText(this.#filling, fillingWords(shown, this.#recorded, Date.now()));
    this.#colour.hidden = view === '';
    const options = this.#colours().map((one) => [one.id, one.shown] as const);
    const choose = (next: string) => this.#change({ colour: next });
    refill(this.#colour, () =>
      this.#colour.replaceChildren(choice('Colour', options, { chosen: colour, choose })),
    );
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
    const { kind, of, search, isWatched, turnover, sorting, view, colour } = this.#choices;
    choose({
      view,
      colour: colour === usualColour ? '' : colour,
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
    const shown = this.#draw(rows);
    this.#nothing.hidden = rows.length > 0;
    if (all === null) return;
    setText(
      this.#status,
      shown === all.length ? `${all.length} symbols` : `${shown} of ${all.length} symbols`,
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

  /** Shows rows as a table or a map; the number of those that have room. */
  #draw(rows: readonly Asset[]): number {
    const { view, colour } = this.#choices;
    const isTable = view === '';
    this.#table.node.hidden = rows.length === 0 || !isTable;
    if (this.#map !== null) this.#map.node.hidden = rows.length === 0 || isTable;
    if (isTable) {
      this.#table.rows(rows);
      return rows.length;
    }
    const colours = this.#colours();
    const by = colours.find(({ id }) => id === colour) ?? colours[0];
    if (by !== undefined && this.#map !== null) return this.#map.show(rows, view, by);
    void this.#loadMap();
    return rows.length;
  }

  async #loadMap(): Promise<void> {
    const { MarketMap } = await import('./map.ts');
    if (this.#map !== null || this.#isEnded) return;
    this.#map = new MarketMap(() => this.#show());
    this.#table.node.after(this.#map.node);
  }

  #csv(): unknown[][] {
    const shown = this.#shown().filter(({ id }) => id !== 'line');
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
