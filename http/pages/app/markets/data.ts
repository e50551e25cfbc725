/** The rows of the markets page: the tables of assets, and whose price is disputed, as streams. */
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
}

/** A row of the table. */
export interface Row {
  asset: Asset;
  /** Two exchanges differ by more than 10 %, or no majority of them agrees. */
  disputed: boolean;
}

/** The request whose answer the table shows. */
export const pathOf = (kind: Kind): string =>
  `/v1/${kind === 'perpetual' ? 'futures' : 'spot'}/coins-markets?limit=500`;

interface Heard {
  rows(rows: readonly Row[], asOf: number | null): void;
  missing(message: string, code: string): void;
}

const itemsOf = <T>(data: unknown): readonly T[] => (data as { items?: readonly T[] }).items ?? [];

/** Follows the rows of a kind until the function that is returned is called. A row that has not changed is the same object. */
export function followRows(kind: Kind, heard: Heard): () => void {
  let assets: readonly Asset[] = [];
  let asOf: number | null = null;
  let disputed = new Set<string>();
  const rows = new Map<Asset, Row>();

  const tell = () => {
    const made = assets.map((asset) => {
      const known = rows.get(asset);
      const isDisputed = disputed.has(asset.symbol);
      if (known !== undefined && known.disputed === isDisputed) return known;
      return { asset, disputed: isDisputed };
    });
    rows.clear();
    for (const row of made) rows.set(row.asset, row);
    heard.rows(made, asOf);
  };

  const ends = [
    follow(pathOf(kind), {
      data(data, at) {
        assets = itemsOf<Asset>(data);
        asOf = at;
        tell();
      },
      missing: (...why) => heard.missing(...why),
    }),
    follow(
      '/v1/prices',
      {
        data(data) {
          const all = Object.entries(Object(data) as Record<string, { disputed?: true }>);
          disputed = new Set(all.flatMap(([symbol, of]) => (of.disputed ? [symbol] : [])));
        },
        missing: () => {},
      },
      { every: 15_000 },
    ),
  ];
  return () => {
    for (const end of ends) end();
  };
}
