/** How a venue lists its markets: lines of a table, each a sort of market against one quote. */
import type { Kind } from '../../actors/topics/index.ts';
import { assetOf } from '../../config/assets/resolve.ts';
import { quarters, yymmdd } from './calendar.ts';
import { lotDecimals, priceDecimals } from './format.ts';
import type { MarketSpec } from './market.ts';
import type { Asset } from './symbols.ts';

/** What the markets of one sort have in common. */
export interface Sort {
  /** The name of the sort when absent. */
  group?: string;
  /** Perpetual but for the group `spot` when absent. */
  kind?: Kind;
  /** The venue's id; `base` has the scale before it. */
  id(base: string, quote: string, asset: Asset): string;
  /** The base as the venue writes it; `1000PEPE` when absent. */
  base?(asset: Asset, scale: number): string;
  scale?(asset: Asset): number;
  /** Where contracts have a size, quantities are whole. */
  contract?(asset: Asset, scale: number): number;
  inverse?: true;
  /** Most decimals of a price; 12 when absent. */
  digits?: number;
  /** Decimals of a price and of a quantity where they are others than those that their size asks for. */
  decimals?(asset: Asset, quote: string): number;
  lot?(asset: Asset): number;
}

/** Base units per contract: a power of ten worth about so many dollars, but for the coins that are named: `10,BTC:0.001`. */
function worth(value: string): Required<Sort>['contract'] {
  const [dollars, ...named] = value.split(',');
  const known = new Map(named.map((one) => one.split(':')).map(([name, units]) => [name, units]));
  return ({ symbol, price }, scale) =>
    Number(known.get(symbol)) || 10 ** Math.round(Math.log10(Number(dollars) / (price * scale)));
}
/** Cheap coins are counted by the thousand: those below a price, or those that are named. */
function thousands(value: string): Required<Sort>['scale'] {
  const names = value.split(',');
  return ({ symbol, price }) => (price < Number(value) || names.includes(symbol) ? 1000 : 1);
}

const members: Readonly<Record<string, (value: string) => Partial<Sort>>> = {
  group: (group) => ({ group }),
  spot: (group) => ({ group, kind: 'spot' }),
  other: (group) => ({ group, kind: 'other' }),
  digits: (value) => ({ digits: Number(value) }),
  decimals: (value) => ({ decimals: () => Number(value) }),
  lot: (value) => ({ lot: () => Number(value) }),
  worth: (value) => ({ contract: worth(value) }),
  thousands: (value) => ({ scale: thousands(value) }),
  inverse: () => ({ inverse: true }),
  /** Contracts of 100 dollars of BTC, and of 10 of other coins. */
  dollars: () => ({ contract: ({ symbol }) => (symbol === 'BTC' ? 100 : 10), inverse: true }),
};

/**
 * A sort as a table: its ids, such as `{base}_{quote}`, and what else its markets have in common: `group=futures`, `spot=all` and
 * `other=spot` for the group with the kind, `worth=10,BTC:0.001`, `thousands=1e-4`, `dollars`, and the names of the other members.
 */
export function sortOf(table: string): Sort {
  const [form = '', ...parts] = table.split(' ');
  const id: Sort['id'] = (base, quote) => form.replace('{base}', base).replace('{quote}', quote);
  const made = parts.map((part) => {
    const [name = '', value = ''] = part.split('=');
    const member = members[name];
    if (!member) throw new RangeError(`no such word of a sort: ${name}`);
    return member(value);
  });
  return Object.assign({ id }, ...made);
}

/** Assets of a line, out of the coins that the venue lists and of all that there are. */
export type Which = (coins: readonly Asset[], all: readonly Asset[]) => readonly Asset[];

interface Place {
  asset: Asset;
  /** Place within the line, and how many there are. */
  i: number;
  count: number;
}
/** What is otherwise in a market of a line; a list makes several of it. */
export type More = (
  market: MarketSpec,
  place: Place,
) => Partial<MarketSpec> | Partial<MarketSpec>[];

/** The markets of a venue. */
export interface Listed {
  id: string;
  /** Whether it has a coin; all of them when absent. */
  lists?(coin: Asset): boolean;
  sorts?: Readonly<Record<string, Sort | string>>;
  /**
   * Lines of `sort quote share which more`: the share of the asset's turnover; the coins from one place to another (`0..24`,
   * `-1..`), of which `>0.1` leaves out those with a lower price, a part of them (`80%`), assets by name (`BTC,ETH`), `stables`,
   * `equities` or all (`*`); and what is otherwise: `halted`, `preopen`, `halted@15` at a place only, or a word of `more`. No markets when absent.
   */
  lines?: string;
  which?: Readonly<Record<string, Which>>;
  more?: Readonly<Record<string, More>>;
}

/** Decimals of prices and of quantities; `price` is that of one native unit in the quote. */
const precision = (sort: Sort, asset: Asset, [quote, price]: readonly [string, number]) => ({
  decimals:
    sort.decimals?.(asset, quote) ??
    priceDecimals(quote === 'BTC' ? price / 1e5 : price, sort.digits ?? 12),
  lot: sort.lot?.(asset) ?? (sort.contract || sort.inverse ? 0 : lotDecimals(price, 6)),
});

function marketOf(venue: string, [name, sort]: [string, Sort], asset: Asset, quote: string) {
  const group = sort.group ?? name;
  const scale = sort.scale?.(asset) ?? 1;
  const base = sort.base?.(asset, scale) ?? `${scale > 1 ? scale : ''}${asset.symbol}`;
  const usual = sort.kind ?? (group === 'spot' ? 'spot' : 'perpetual');
  const market: MarketSpec = {
    venue,
    id: sort.id(base, quote, asset),
    group,
    kind: usual,
    asset: asset.kind,
    symbol: asset.symbol,
    quote,
    scale,
    contract: sort.contract?.(asset, scale) ?? 1,
    inverse: sort.inverse ?? false,
    ...precision(sort, asset, [quote, asset.price * scale]),
    share: 0,
    listed: asset.listed,
    state: 'live',
  };
  return market;
}

/** The assets that a word of a line names. */
function whichOf(word: string): Which {
  if (word === '*') return (coins) => coins;
  if (word === 'stables') return (_, all) => all.filter(({ kind }) => kind === 'stable');
  if (word === 'equities') return (_, all) => all.filter(({ kind }) => kind === 'equity');
  const part = /^(\d+)%$/.exec(word);
  if (part) return (coins) => coins.slice(0, Math.ceil((coins.length * Number(part[1])) / 100));
  const [, from = '', end = '', least = '0'] =
    /^(-?\d*)\.\.(-?\d*)(?:>([\d.]+))?$/.exec(word) ?? [];
  if (word.includes('..'))
    return (coins) =>
      coins
        .slice(Number(from), end === '' ? undefined : Number(end))
        .filter(({ price }) => price > Number(least));
  return (_, all) => all.filter(({ symbol }) => word.split(',').includes(symbol));
}

const states = {
  halted: { state: 'halted' },
  preopen: { state: 'preopen' },
  gone: { state: 'halted', share: 0 },
} as const satisfies Record<string, Partial<MarketSpec>>;

/** What a word of a line changes; with a place behind it in the market there, or in the last one, only. */
function moreOf(word: string): More {
  const [name = '', at] = word.split('@');
  const state = Object.entries(states).find(([known]) => known === name)?.[1];
  if (!state) throw new RangeError(`no such word: ${word}`);
  return (_, { i, count }) =>
    at === undefined || i === Math.min(Number(at), count - 1) ? state : {};
}

/** The markets of a venue, out of the assets that there are. */
export function listing({
  id: venue,
  lists = () => true,
  sorts = {},
  lines = '',
  which = {},
  more = {},
}: Listed) {
  const rows = lines
    .trim()
    .split(/\s*\n\s*/)
    .filter((line) => line !== '')
    .map((line) => {
      const [name = '', quote = '', share, some = '*', rest] = line.split(' ');
      const stated = sorts[name];
      if (!stated) throw new RangeError(`${venue}: no such sort: ${name}`);
      const sort = typeof stated === 'string' ? sortOf(stated) : stated;
      const change: More = rest === undefined ? () => ({}) : (more[rest] ?? moreOf(rest));
      const of = which[some] ?? whichOf(some);
      return {
        named: [name, sort] satisfies [string, Sort],
        quote,
        share: Number(share),
        of,
        change,
      };
    });
  return (assets: readonly Asset[]): MarketSpec[] => {
    const coins = assets.filter((asset) => asset.kind === 'coin' && lists(asset));
    return rows.flatMap(({ named, quote, share, of, change }) => {
      // None whose ticker is another coin's there.
      const chosen = of(coins, assets).filter(
        ({ symbol }) => assetOf(symbol, { venue }).symbol === symbol,
      );
      return chosen.flatMap((asset, i) => {
        const market = { ...marketOf(venue, named, asset, quote), share };
        const found = change(market, { asset, i, count: chosen.length });
        return (Array.isArray(found) ? found : [found]).map((one) => ({ ...market, ...one }));
      });
    });
  };
}

/** All but each `n`th coin, counted from the rank `which`. */
export const without =
  (n: number, which: number) =>
  ({ rank }: Asset) =>
    rank % n !== which;

/** Quarterly contracts in the place of each market; each is listed half a year before it expires. */
export const dated =
  (idOf: (market: MarketSpec, expires: number) => string, group?: string): More =>
  (market) =>
    quarters().map((expires) => ({
      id: idOf(market, expires),
      kind: 'future',
      listed: Math.max(market.listed, expires - 182 * 86_400_000),
      expires,
      basis: 0.012,
      group: group ?? market.group,
    }));
/** The id with a date in the place of its end. */
export const date =
  (join: string, from = '') =>
  (market: MarketSpec, expires: number) =>
    `${market.id.replace(from, '')}${join}${yymmdd(expires)}`;
