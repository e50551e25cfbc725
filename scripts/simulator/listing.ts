/** How a venue lists its markets: rows of a table, each a sort of market against one quote. */

import type { Kind } from '../../actors/topics/index.ts';
import { assetOf } from '../../config/assets/resolve.ts';
import { quarters, yymmdd } from './calendar.ts';
import { lotDecimals, priceDecimals } from './format.ts';
import type { MarketSpec } from './market.ts';
import type { Asset } from './symbols.ts';

/** What the markets of one sort have in common. */
export interface Sort {
  group: string;
  /** Perpetual else, but for the group `spot`. Shares of companies are `other` in every perpetual sort. */
  kind?: Kind;
  /** The venue's id; `base` has the scale before it. */
  id(base: string, quote: string, asset: Asset): string;
  /** The base as the venue writes it; `1000PEPE` else. */
  base?(asset: Asset, scale: number): string;
  scale?(asset: Asset): number;
  contract?(asset: Asset, scale: number): number;
  inverse?: true;
  /** Most decimals of a price, and those of a price in BTC where they are fixed. */
  digits?: number;
  crossed?: number;
  decimals?(asset: Asset, quote: string): number;
  /** Most decimals of a quantity, or the decimals themselves. */
  lots?: number;
  lot?: number | ((asset: Asset) => number);
}

/** Assets of a row, out of the coins that the venue lists and of all that there are. */
export type Which = (coins: readonly Asset[], all: readonly Asset[]) => readonly Asset[];

interface Place {
  asset: Asset;
  /** Place within the row, and how many there are. */
  i: number;
  count: number;
  /** Coins that the venue lists. */
  coins: number;
}
/** What is otherwise in some markets of a row; a list makes several of each. */
export type More =
  | Partial<MarketSpec>
  | ((market: MarketSpec, place: Place) => Partial<MarketSpec> | Partial<MarketSpec>[]);

/** Sort, quote, share of the asset's turnover; all coins else. */
export type Row<Name extends string> = readonly [
  sort: Name,
  quote: string,
  share: number,
  which?: Which,
  more?: More,
];

/** Decimals of prices and of quantities; `price` is that of one native unit. */
function precision(sort: Sort, asset: Asset, quote: string, price: number) {
  const { digits = 0, lots = 0, lot } = sort;
  const crossed = quote === 'BTC' ? sort.crossed : undefined;
  const own = sort.decimals?.(asset, quote) ?? crossed;
  return {
    decimals: own ?? priceDecimals(price, digits),
    lot: (typeof lot === 'function' ? lot(asset) : lot) ?? lotDecimals(price, lots),
  };
}

function kindOf({ kind, group }: Sort, asset: Asset): Kind {
  if (asset.kind === 'equity') return 'other';
  return kind ?? (group === 'spot' ? 'spot' : 'perpetual');
}

function marketOf(venue: string, sort: Sort, asset: Asset, quote: string): MarketSpec {
  const scale = sort.scale?.(asset) ?? 1;
  const base = sort.base?.(asset, scale) ?? `${scale > 1 ? scale : ''}${asset.symbol}`;
  return {
    ...{ venue, id: sort.id(base, quote, asset), group: sort.group, kind: kindOf(sort, asset) },
    ...{ symbol: asset.symbol, quote, scale },
    contract: sort.contract?.(asset, scale) ?? 1,
    inverse: sort.inverse ?? false,
    ...precision(sort, asset, quote, asset.price * scale),
    ...{ share: 0, listed: asset.listed, state: 'live' },
  };
}

/** The markets of a venue. `lists` tells which coins it has. */
export const listing =
  <Name extends string>(
    venue: string,
    lists: (coin: Asset) => boolean,
    sorts: Readonly<Record<Name, Sort>>,
    rows: readonly Row<Name>[],
  ) =>
  (assets: readonly Asset[]): MarketSpec[] => {
    const coins = assets.filter((asset) => asset.kind === 'coin' && lists(asset));
    return rows.flatMap(([name, quote, share, which = (some) => some, more = {}]) => {
      // None whose ticker is another coin's there.
      const chosen = which(coins, assets).filter(
        ({ symbol }) => assetOf(symbol, { venue }).symbol === symbol,
      );
      return chosen.flatMap((asset, i) => {
        const market = { ...marketOf(venue, sorts[name], asset, quote), share };
        const place = { asset, i, count: chosen.length, coins: coins.length };
        const found = typeof more === 'function' ? more(market, place) : more;
        return (Array.isArray(found) ? found : [found]).map((one) => ({ ...market, ...one }));
      });
    });
  };

export const every = () => true;
/** All but each `n`th coin, counted from the rank `which`. */
export const without =
  (n: number, which: number) =>
  ({ rank }: Asset) =>
    rank % n !== which;

export const slice =
  (from: number, end?: number): Which =>
  (coins) =>
    coins.slice(from, end);
/** The most traded part of the coins. */
export const part =
  (share: number, end?: number): Which =>
  (coins) =>
    coins.slice(0, Math.ceil(coins.length * share)).slice(0, end);
export const ranks =
  (from: number, end: number, least = 0): Which =>
  (coins) =>
    coins.filter(({ rank, price }) => rank >= from && rank < end && price > least);
/** Coins that have pairs against Bitcoin. */
export const crossed = (end: number) => ranks(1, end, 0.1);
export const named =
  (...symbols: string[]): Which =>
  (_, all) =>
    all.filter(({ symbol }) => symbols.includes(symbol));
export const stables: Which = (_, all) => all.filter(({ kind }) => kind === 'stable');
export const equities: Which = (_, all) => all.filter(({ kind }) => kind === 'equity');

export const halted = { state: 'halted' } as const;
export const preopen = { state: 'preopen' } as const;
/** The market at a place is halted, or the last one. */
export const haltAt =
  (place: number, more: Partial<MarketSpec> = halted): More =>
  (_, { i, count }) =>
    i === Math.min(place, count - 1) ? { ...halted, ...more } : {};

/** Quarterly contracts in the place of each market; each is listed half a year before it expires. */
export const dated =
  (idOf: (market: MarketSpec, expires: number) => string, more: Partial<MarketSpec> = {}): More =>
  (market) =>
    quarters().map((expires) => ({
      id: idOf(market, expires),
      kind: 'future',
      listed: Math.max(market.listed, expires - 182 * 86_400_000),
      expires,
      basis: 0.012,
      ...more,
    }));

/** Base units per contract: a power of ten worth about so many dollars, but for the coins that are named. */
export const worth =
  (dollars: number, known: Readonly<Record<string, number>> = {}) =>
  ({ symbol, price }: Asset, scale: number): number =>
    known[symbol] ?? 10 ** Math.round(Math.log10(dollars / (price * scale)));
/** Dollars per inverse contract. */
export const hundredOrTen = ({ symbol }: Asset): number => (symbol === 'BTC' ? 100 : 10);
/** Cheap coins are counted by the thousand. */
export const thousands =
  (below: number) =>
  ({ price }: Asset): number =>
    price < below ? 1000 : 1;

/** Ids: `BTC-USDT` with a hyphen between, and so on. */
export const joined =
  (between: string, end = '') =>
  (base: string, quote: string) =>
    `${base}${between}${quote}${end}`;
/** `BTCUSDT`. */
export const plain = joined('');
/** A spot pair: most decimals of prices and of quantities. */
export const spot = (digits: number, lots: number, id = plain, crossed = 9): Sort => ({
  ...{ group: 'spot', id, digits, lots, crossed },
});
/** A market that is older than the others. */
export const since = (id: string, listed: number) => (market: MarketSpec) =>
  market.id === id ? { listed } : {};
/** The id with a date in the place of its end. */
export const date =
  (join: string, from = '') =>
  (market: MarketSpec, expires: number) =>
    `${market.id.replace(from, '')}${join}${yymmdd(expires)}`;
