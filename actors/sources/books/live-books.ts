/** The order books that this process keeps up to date, and the large orders in them. */
import { isFollowedKind } from '../../../indicators/market/market-names.ts';
import type { FollowedBook } from '../../../indicators/order-book/followed-book.ts';
import { floorOf, LargeOrders } from '../../../indicators/order-book/large-orders.ts';
import type { Instrument, LargeOrderRow } from '../../topics/index.ts';
import type { HolderTopics } from '../lease.ts';
import { KeptMarkets } from '../streams/trade-tape.ts';

/** A book with the data that reading it needs. */
export interface ReadableBook {
  instrument: Instrument;
  book: FollowedBook;
  /** When the last message about it came, Unix ms. */
  received: number;
}

export class LiveBooks extends KeptMarkets<ReadableBook> {
  /** The book of a market; null where it is not live. */
  read(source: string, part: string, market: string): ReadableBook | null {
    const found = this.find(source, part, market);
    return found?.book.live ? found : null;
  }
}

interface LiveOrdersOptions {
  source: string;
  part: string;
  topics: Pick<HolderTopics, 'publish' | 'last'>;
}

/** Interval between two checks of a book, ms. */
const every = 1_000;
/**
 * Between two publications, ms: of active orders where one was opened or closed, and where only values have changed; of
 * closed ones, of which there are many, and of both where nothing has changed.
 */
const pauses = { changed: 2_000, values: 10_000, closed: 60_000 } as const;

const kinds = ['spot', 'perpetual'] as const;
type Kind = (typeof kinds)[number];
type State = 'active' | 'closed';

interface Market {
  kind: Kind;
  symbol: string;
  large: LargeOrders;
}

/** Follows the large orders in the live books of one stream, every second, and publishes them. */
export class LiveOrders {
  readonly #options: LiveOrdersOptions;
  readonly #markets = new Map<string, Market>();
  /** Rows of an earlier process, until their book is live. */
  readonly #known = new Map<string, LargeOrderRow[]>();
  #looked = 0;
  #changed = false;
  #published = { active: 0, closed: 0 };

  constructor(options: LiveOrdersOptions) {
    this.#options = options;
  }

  /** Takes over the orders that an earlier process has published. */
  async adopt(): Promise<void> {
    const keys = kinds.flatMap((kind) => [this.#key(kind, 'active'), this.#key(kind, 'closed')]);
    const readings = await Promise.all(
      keys.map((key) => this.#options.topics.last('largeOrders', key)),
    );
    const rows = readings.flatMap((reading) => reading?.rows ?? []);
    for (const [market, own] of Map.groupBy(rows, (row) => row.market)) {
      if (!this.#markets.has(market)) this.#known.set(market, own);
    }
  }

  /** Checks the books, where that is due. `now` is Unix ms. */
  tick(books: Iterable<ReadableBook>, now: number): void {
    if (now - this.#looked < every) return;
    this.#looked = now;
    const seen = new Set<string>();
    for (const kept of books) {
      seen.add(kept.instrument.market);
      if (kept.book.live) this.#look(kept, now);
    }
    this.#forget(seen, now);
    const pause = this.#changed ? pauses.changed : pauses.values;
    if (now - this.#published.active >= pause) this.#publish('active', now);
    if (now - this.#published.closed >= pauses.closed) this.#publish('closed', now);
  }

  /** Markets whose books are not kept any more, and orders that no look has found. */
  #forget(kept: ReadonlySet<string>, now: number): void {
    for (const [market, { large }] of this.#markets) {
      if (!kept.has(market)) this.#markets.delete(market);
      else if (large.expire(now)) this.#changed = true;
    }
  }

  #look({ book, instrument }: ReadableBook, now: number): void {
    const { market, symbol, kind, scale } = instrument;
    if (!isFollowedKind(kind)) return;
    const { low, high } = book.takeReached();
    const one = this.#markets.get(market) ?? this.#begin(market, { kind, symbol });
    const reached = { low: low / scale, high: high / scale };
    if (one.large.take(book.book.ladders(instrument), now, reached)) this.#changed = true;
  }

  #begin(market: string, { kind, symbol }: { kind: Kind; symbol: string }): Market {
    const known = (this.#known.get(market) ?? []).map(
      ({ market: _, symbol: _of, ...order }) => order,
    );
    this.#known.delete(market);
    const begun = { kind, symbol, large: new LargeOrders(floorOf(symbol), known) };
    this.#markets.set(market, begun);
    return begun;
  }

  #publish(state: State, now: number): void {
    this.#published[state] = now;
    if (state === 'active') this.#changed = false;
    const { source, topics } = this.#options;
    const markets = [...this.#markets];
    for (const kind of new Set(markets.map(([, one]) => one.kind))) {
      const rows = markets.flatMap(([market, { symbol, large, kind: own }]) =>
        own !== kind
          ? []
          : large.orders
              .filter((order) => (order.state === 'active') === (state === 'active'))
              .map((order) => ({ ...order, symbol, market })),
      );
      const about = { source, part: kind, asked: now, received: now };
      // A reading that was not published is followed by the next one.
      void topics.publish('largeOrders', this.#key(kind, state), { ...about, rows });
    }
  }

  #key(kind: Kind, state: State): string {
    const { source, part } = this.#options;
    return `${source}/${kind}/${part}/${state}`;
  }
}
