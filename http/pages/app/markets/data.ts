/** The rows of the markets page: the first page of a table of assets as a stream, and the others, which are asked for now and then. */
import { askAgain } from '../ask.ts';
import { follow } from '../stream.ts';

export type Kind = 'perpetual' | 'spot';

/** An asset in `/v1/futures/coins-markets` or `/v1/spot/coins-markets`; what one of them lacks is undefined. */
export interface Asset {
  symbol: string;
  price: number;
  price_change_1h_percent?: number | null;
  price_change_24h_percent: number | null;
  volume_24h_usd: number;
  open_interest_usd?: number | null;
  open_interest_change_1h_percent?: number | null;
  open_interest_change_24h_percent?: number | null;
  funding_rate_8h?: number | null;
  oi_volume_ratio?: number | null;
  liquidation_usd_24h?: number | null;
  long_liquidation_usd_24h?: number | null;
  short_liquidation_usd_24h?: number | null;
  long_short_ratio?: number | null;
  exchange_count: number;
  updated_at: number;
  /** The exchanges differ by more than 10 %, or no majority of them agrees. */
  disputed?: true;
  /** By the name of a number the exchanges that are left out of it. */
  outliers?: Readonly<Record<string, readonly string[]>>;
  /** By the name of a number that is old when it was received, Unix ms. */
  old_since?: Readonly<Record<string, number>>;
}

/** Rows of a page of the table. */
const most = 500;
/** Between two questions for a page that is not followed, ms. */
const restEvery = 15_000;

/** The request for the first page, which is followed. */
export const pathOf = (kind: Kind): string =>
  `/v1/${kind === 'perpetual' ? 'futures' : 'spot'}/coins-markets?limit=${most}`;

interface Heard {
  rows(rows: readonly Asset[]): void;
  missing(message: string, code: string): void;
}

const itemsOf = <T>(data: unknown): readonly T[] => (data as { items?: readonly T[] }).items ?? [];

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
export function followRows(kind: Kind, heard: Heard): () => void {
  const path = pathOf(kind);
  const assets = new Assets();
  const ends: (() => void)[] = [];
  const asked = new Set<number>();
  const take = (offset: number, data: unknown) => {
    const page = itemsOf<Asset>(data);
    assets.page(offset, page);
    heard.rows(assets.all());
    const next = offset + most;
    if (page.length < most || asked.has(next)) return;
    asked.add(next);
    const follower = { data: (more: unknown) => take(next, more), missing: () => {} };
    ends.push(askAgain(`${path}&offset=${next}`, restEvery, follower));
  };
  ends.push(
    follow(path, {
      data: (data) => take(0, data),
      missing: (...why) => heard.missing(...why),
    }),
  );
  return () => {
    for (const end of ends) end();
  };
}
