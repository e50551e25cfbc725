/** The rows of the markets page: the first page of a table of assets as a stream, and the others, which are asked for now and then. */
import { askAgain } from '../ask.ts';
import {
  at,
  type FuturesCoinsMarketsItem,
  type Path,
  type SpotCoinsMarketsItem,
} from '../request.ts';
import { follow } from '../stream.ts';

export type Kind = 'perpetual' | 'spot';

type Item = FuturesCoinsMarketsItem | SpotCoinsMarketsItem;
/** What a table says of an asset; what spot markets lack is undefined. */
export type Asset = Pick<Item, keyof Item> &
  Partial<Omit<FuturesCoinsMarketsItem, keyof SpotCoinsMarketsItem>>;

/** Rows of a page of the table. */
const most = 500;
/** Between two questions for a page that is not followed, ms. */
const restEvery = 15_000;

/** The request for a page; the first one is followed. */
export const pathOf = (kind: Kind, offset = 0): Path<{ items: readonly Asset[] }> =>
  at(`/v1/${kind === 'perpetual' ? 'futures' : 'spot'}/coins-markets`, {
    limit: most,
    offset: offset || undefined,
  });

interface Listener {
  /** `at`: when the newest reading was received, Unix ms. */
  rows(rows: readonly Asset[], at: number | null): void;
  missing(message: string, code: string): void;
}

/** The rows of a kind: those of the first page, and of each other symbol the one that was heard last. */
class Assets {
  #first: readonly Asset[] = [];
  readonly #pages = new Map<number, readonly Asset[]>();
  /** Rows that have left the first page since the second one was asked for. */
  readonly #left = new Map<string, Asset>();

  page(offset: number, assets: readonly Asset[]): void {
    if (offset === 0) {
      for (const asset of this.#first) this.#left.set(asset.symbol, asset);
      this.#first = assets;
    } else this.#pages.set(offset, assets);
    if (offset === most || this.#first.length < most) this.#left.clear();
  }

  all(): Asset[] {
    const found = new Map(this.#first.map((asset) => [asset.symbol, asset]));
    const others = [...[...this.#pages.values()].flat(), ...this.#left.values()];
    for (const asset of others) if (!found.has(asset.symbol)) found.set(asset.symbol, asset);
    return [...found.values()];
  }
}

/**
 * Gives the rows of a kind until the function that is returned is called. A row that has not changed is the same object. The page
 * after one that is full is asked for as well.
 */
export function followRows(kind: Kind, listener: Listener): () => void {
  const assets = new Assets();
  const ends: (() => void)[] = [];
  const asked = new Set<number>();
  let newest: number | null = null;
  const take = (offset: number, page: readonly Asset[]) => {
    assets.page(offset, page);
    listener.rows(assets.all(), newest);
    const next = offset + most;
    if (page.length < most || asked.has(next)) return;
    asked.add(next);
    ends.push(askAgain(pathOf(kind, next), restEvery, { data: ({ items }) => take(next, items) }));
  };
  ends.push(
    follow(pathOf(kind), {
      data({ items }, at) {
        newest = at;
        take(0, items);
      },
      missing: (...why) => listener.missing(...why),
    }),
  );
  return () => {
    for (const end of ends) end();
  };
}
