/** All assets in one table or map, live. */
import { ageLine } from '../age.ts';
import { choice, h, refill, setText } from '../dom.ts';
import { csvButton, curlButton, empty, wordsFor } from '../panel.ts';
import { choose, keptChoice } from '../place.ts';
import { kept, watched } from '../settings.ts';
import {
  type Choices,
  choicesOf,
  chosenRows,
  classes,
  type MapKind,
  turnovers,
  views,
  wordsOf,
} from './choices.ts';
import { colouring, moved, shownColumns } from './columns.ts';
import { columnMenu, searchBox, switchOf, viewsButton } from './controls.ts';
import { type Asset, followRows, pathOf } from './data.ts';
import { LineReader } from './lines.ts';
import type { marketMap } from './map.ts';
import { fillingWords, followRecorded, noteOf, type Recorded } from './recorded.ts';
import { Table } from './table.ts';

/** Columns that the reader has chosen; null for the usual ones. */
const chosenColumns = kept<readonly string[] | null>('columns', null);
const wide = matchMedia('(min-width: 48rem)');

/** The page while it is open. */
class Markets {
  readonly #choices: Choices;
  readonly #class = keptChoice('Class', classes, { name: 'class' });
  readonly #turnover = keptChoice('Volume', turnovers, { name: 'turnover' });
  readonly #view = keptChoice('View', views, { name: 'view' });
  /** Id of the column that colours the map. */
  #colour: string;
  readonly #status = h('span', { class: 'soft count', role: 'status' });
  readonly #age = ageLine(1_000);
  readonly #nothing = h('div', { class: 'nothing' });
  readonly #table: Table;
  /** Loaded when it is asked for first. */
  #map: ReturnType<typeof marketMap> | null = null;
  readonly #colours = h('span', { class: 'view' });
  /** What the numbers are, and which columns fill when. */
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
    this.#colour = chosen.get('colour') ?? '24h';
    this.#class.changed = () => this.#show();
    this.#turnover.changed = () => this.#show();
    this.#view.changed = () => this.#columns();
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
    const { kind, isWatched } = this.#choices;
    const press = () => {
      this.#change({ isWatched: !this.#choices.isWatched });
      star.setAttribute('aria-pressed', String(this.#choices.isWatched));
    };
    const title = 'Only the symbols with a star';
    const pressed = String(isWatched);
    const star = h('button', { 'aria-pressed': pressed, title, click: press }, '★ Watch list');
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
      this.#class.node,
      this.#turnover.node,
      h('span', { class: 'view' }, this.#view.node),
      this.#colours,
      this.#age.node,
      this.#status,
      viewsButton(chosenColumns),
      columnMenu(chosenColumns, () => this.#columns()),
      csvButton('markets', () => this.#csv()),
      curlButton(() => pathOf(this.#choices.kind)),
    );
  }

  #shown() {
    return shownColumns(this.#choices.kind === 'spot', chosenColumns.get(), wide.matches);
  }

  /** The rows that are left, in their order. */
  #chosen(): Asset[] {
    return chosenRows(this.#rows ?? [], this.#choices, {
      of: this.#class.get(),
      least: Number(this.#turnover.get()),
      watched: this.#choices.isWatched ? watched.get() : null,
    });
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
    const shown = this.#shown();
    this.#table.columns(shown, this.#choices.sorting);
    setText(this.#filling, fillingWords(shown, this.#recorded, Date.now()));
    this.#colours.hidden = this.#view.get() === '';
    const all = colouring(this.#choices.kind === 'spot');
    const options = all.map((one) => [one.id, one.shown] as const);
    const take = (next: string) => {
      this.#colour = next;
      choose({ colour: next === '24h' ? '' : next });
      this.#show();
    };
    refill(this.#colours, () =>
      this.#colours.replaceChildren(
        choice('Colour', options, { chosen: this.#colour, choose: take }),
      ),
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
    choose(wordsOf(this.#choices));
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
    const rows = this.#chosen();
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
    const view = this.#view.get();
    const isEmpty = rows.length === 0;
    this.#table.node.hidden = isEmpty || view !== '';
    if (this.#map !== null) this.#map.node.hidden = isEmpty || view === '';
    if (view !== '') return this.#drawMap(rows, view);
    this.#table.rows(rows);
    return rows.length;
  }

  #drawMap(rows: readonly Asset[], kind: MapKind): number {
    const all = colouring(this.#choices.kind === 'spot');
    const by = all.find(({ id }) => id === this.#colour) ?? all.find(({ id }) => id === '24h');
    if (by !== undefined && this.#map !== null) return this.#map.show(rows, kind, by);
    void this.#loadMap();
    return rows.length;
  }

  async #loadMap(): Promise<void> {
    const { marketMap } = await import('./map.ts');
    if (this.#map !== null || this.#isEnded) return;
    this.#map = marketMap(() => this.#show());
    this.#table.node.after(this.#map.node);
  }

  #csv(): unknown[][] {
    const shown = this.#shown().filter(({ id }) => id !== 'line');
    return [
      shown.map(({ id, field = id }) => field),
      ...this.#chosen().map((row) => shown.map((column) => column.value(row))),
    ];
  }
}

/** Shows the page in an element; ends with the function that is returned. */
export function open(into: HTMLElement, _about: string, chosen: URLSearchParams): () => void {
  const page = new Markets(into, chosen);
  return () => page.end();
}
