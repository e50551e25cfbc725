/** The columns of the markets table. */
import { compact, count, fixed, percent, price, rate, signOf } from '../format.ts';
import type { Asset } from './data.ts';

/** Columns that the reader has chosen; null for the usual ones. */
export interface ChosenColumns {
  get(): readonly string[] | null;
  set(columns: readonly string[] | null): void;
}

export interface Column {
  id: string;
  shown: string;
  /** What it is, for the title of its head. */
  about: string;
  /** Of the grid, px. */
  width: number;
  /** What it sorts by. */
  value(asset: Asset): number | string | null;
  text(asset: Asset): string;
  /** Its name in the answer, by which marks are. */
  field?: string;
  /** Class of its cell. */
  tone?(asset: Asset): string;
  /** It can colour a map, whose tiles have their full colour from this value on. */
  full?: number;
}

type Numbers = {
  [K in keyof Asset]: Asset[K] extends number | null | undefined ? K : never;
}[keyof Asset];

/** A column of a number of the answer. */
interface Form extends Pick<Column, 'id' | 'shown' | 'width' | 'full'> {
  field: NonNullable<Numbers>;
  /** In words; a change in percent without it. */
  as?(value: number | null): string;
  /** From here on a change has a colour. */
  least?: number;
}

const ratio = (value: number | null) => fixed(value, 2);

const forms: readonly Form[] = [
  { id: 'price', shown: 'Price', width: 116, field: 'price', as: price },
  { id: '1h', shown: '1 h', width: 84, field: 'price_change_1h_percent', full: 3 },
  { id: '24h', shown: '24 h', width: 88, field: 'price_change_24h_percent', full: 10 },
  { id: 'volume', shown: 'Volume', width: 104, field: 'volume_24h_usd', as: compact },
  { id: 'oi', shown: 'Open interest', width: 116, field: 'open_interest_usd', as: compact },
  { id: 'oi1h', shown: 'OI 1 h', width: 84, field: 'open_interest_change_1h_percent', full: 3 },
  { id: 'oi24h', shown: 'OI 24 h', width: 88, field: 'open_interest_change_24h_percent', full: 10 },
  {
    id: 'funding',
    shown: 'Funding 8 h',
    width: 104,
    field: 'funding_rate_8h',
    as: rate,
    full: 0.0003,
    least: 0.000_000_5,
  },
  {
    id: 'liquidations',
    shown: 'Liquidated',
    width: 104,
    field: 'liquidation_usd_24h',
    as: compact,
  },
  { id: 'longs', shown: 'Longs liq.', width: 104, field: 'long_liquidation_usd_24h', as: compact },
  {
    id: 'shorts',
    shown: 'Shorts liq.',
    width: 104,
    field: 'short_liquidation_usd_24h',
    as: compact,
  },
  { id: 'ratio', shown: 'Long/short', width: 96, field: 'long_short_ratio', as: ratio },
  { id: 'turnover', shown: 'OI/volume', width: 96, field: 'oi_volume_ratio', as: ratio },
  { id: 'exchanges', shown: 'Exchanges', width: 92, field: 'exchange_count', as: count },
];

const abouts: Readonly<Record<string, string>> = {
  price: 'US dollars: mean of all exchanges by turnover, without those far from the median',
  '1h': 'Change of the price in one hour, as recorded here',
  '24h': 'Change of the price in 24 hours',
  volume: 'Turnover of 24 hours, US dollars',
  oi: 'Open interest, one side, US dollars',
  oi1h: 'Change of the open interest in one hour',
  oi24h: 'Change of the open interest in 24 hours',
  funding: 'Funding rate per 8 hours, mean by turnover',
  liquidations: 'Liquidations of 24 hours as far as they are recorded, US dollars',
  longs: 'Liquidated longs of 24 hours, US dollars',
  shorts: 'Liquidated shorts of 24 hours, US dollars',
  ratio: 'Accounts that are long over those that are short, on Binance',
  turnover: 'Open interest over turnover of 24 hours',
  exchanges: 'Exchanges whose markets count',
};

function numeric({ as = percent, least, ...form }: Form): Column {
  const value = (asset: Asset) => asset[form.field] ?? null;
  const text = (asset: Asset) => as(value(asset));
  const column: Column = { ...form, about: abouts[form.id] ?? '', value, text };
  if (form.full !== undefined) column.tone = (asset) => signOf(value(asset), least);
  return column;
}

const symbol: Column = {
  id: 'symbol',
  shown: 'Symbol',
  about: 'Base asset. The star puts it on the watch list.',
  width: 128,
  value: (asset) => asset.symbol,
  text: (asset) => asset.symbol,
};

const line: Column = {
  id: 'line',
  shown: '24 h line',
  about: 'Hourly closes of 24 hours on Binance, else Bybit or Gate; a break is an hour without one',
  width: 108,
  value: (asset) => asset.price_change_24h_percent ?? null,
  text: () => '',
};

export const columns: readonly Column[] = [
  symbol,
  ...forms.slice(0, 3).map(numeric),
  line,
  ...forms.slice(3).map(numeric),
];

/** Those that have a meaning for spot markets, and those that are shown where the reader has chosen nothing. */
const ofSpot = ['symbol', 'price', '24h', 'line', 'volume', 'exchanges'];
const usual = ['symbol', 'price', '24h', 'volume'];
const usualOnWide = [...usual, '1h', 'line', 'oi', 'oi24h', 'funding', 'liquidations', 'ratio'];

/** The columns that can colour a map. */
export const colouring = (isSpot: boolean): readonly Column[] =>
  columns.filter(({ id, full }) => full !== undefined && (!isSpot || ofSpot.includes(id)));

/** Part of the widths that is left on a narrow screen, but for a price, whose digits may be many. */
const narrow = 0.85;

/** The columns of a kind that a reader sees: chosen ones in their order, or the usual ones of a screen. The symbol is the first. */
export function shownColumns(
  isSpot: boolean,
  chosen: readonly string[] | null,
  isWide: boolean,
): readonly Column[] {
  const placeOf = ({ id }: Column) => (id === 'symbol' ? -1 : (chosen?.indexOf(id) ?? 0));
  const wanted = chosen ?? (isWide ? usualOnWide : usual);
  const shown = columns
    .filter(
      ({ id }) => (id === 'symbol' || wanted.includes(id)) && (!isSpot || ofSpot.includes(id)),
    )
    .sort((a, b) => placeOf(a) - placeOf(b));
  if (isWide) return shown;
  return shown.map((column) =>
    column.id === 'price' ? column : { ...column, width: Math.round(column.width * narrow) },
  );
}

/** Ids with one of them moved to the place of another; the symbol stays the first. */
export function moved(ids: readonly string[], id: string, to: string | undefined): string[] {
  const [from, place] = [ids.indexOf(id), ids.indexOf(to ?? '')];
  if (from <= 0 || place <= 0) return [...ids];
  return ids.filter((one) => one !== id).toSpliced(place, 0, id);
}
