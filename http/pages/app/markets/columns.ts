/** The columns of the markets table. */
import { compact, fixed, percent, price, signOf } from '../format.ts';
import type { Asset } from './data.ts';

export interface Column {
  id: string;
  shown: string;
  /** What it is, for the title of its head. */
  about: string;
  /** Of the grid, px. */
  width: number;
  /** Shown where the reader has chosen nothing: always, on wide screens, or not. */
  usual: 'always' | 'wide' | 'no';
  /** What it sorts by. */
  value(asset: Asset): number | string | null;
  text(asset: Asset): string;
  /** Its name in the answer, by which marks are. */
  field?: string;
  /** Class of its cell. */
  tone?(asset: Asset): string;
  /** It has no meaning for spot markets. */
  perpetual?: true;
  /** It can colour a map, whose tiles have their full colour from this value on. */
  full?: number;
}

const known = (value: number | null | undefined): number | null => value ?? null;

type Numbers = {
  [K in keyof Asset]: Asset[K] extends number | null | undefined ? K : never;
}[keyof Asset];

interface Form {
  width: number;
  usual: Column['usual'];
  about: string;
  perpetual?: true;
  full?: number;
}

function numeric(
  id: string,
  shown: string,
  field: NonNullable<Numbers>,
  of: Form & { text(value: number | null): string; least?: number; signed?: true },
): Column {
  const { text, least, signed, ...form } = of;
  const value = (asset: Asset) => known(asset[field]);
  const column: Column = { id, shown, field, ...form, value, text: (asset) => text(value(asset)) };
  if (signed) column.tone = (asset) => signOf(value(asset), least);
  return column;
}

/** A funding rate, given as a fraction. */
const rate = (value: number | null) => (value === null ? '–' : percent(value * 100, 4));

export const columns: readonly Column[] = [
  {
    id: 'symbol',
    shown: 'Symbol',
    about: 'Base asset. The star puts it on the watch list.',
    width: 128,
    usual: 'always',
    value: ({ symbol }) => symbol,
    text: ({ symbol }) => symbol,
  },
  numeric('price', 'Price', 'price', {
    width: 116,
    usual: 'always',
    about: 'US dollars: mean of all exchanges by turnover, without those far from the median',
    text: price,
  }),
  numeric('1h', '1 h', 'price_change_1h_percent', {
    width: 84,
    usual: 'wide',
    perpetual: true,
    about: 'Change of the price in one hour, as recorded here',
    text: percent,
    signed: true,
    full: 3,
  }),
  numeric('24h', '24 h', 'price_change_24h_percent', {
    width: 88,
    usual: 'always',
    about: 'Change of the price in 24 hours',
    text: percent,
    signed: true,
    full: 10,
  }),
  {
    id: 'line',
    shown: '24 h line',
    about:
      'Hourly closes of 24 hours on Binance, else Bybit or Gate; a break is an hour without one',
    width: 108,
    usual: 'wide',
    value: (asset) => known(asset.price_change_24h_percent),
    text: () => '',
  },
  numeric('volume', 'Volume', 'volume_24h_usd', {
    width: 104,
    usual: 'always',
    about: 'Turnover of 24 hours, US dollars',
    text: compact,
  }),
  numeric('oi', 'Open interest', 'open_interest_usd', {
    width: 116,
    usual: 'wide',
    perpetual: true,
    about: 'Open interest, one side, US dollars',
    text: compact,
  }),
  numeric('oi1h', 'OI 1 h', 'open_interest_change_1h_percent', {
    width: 84,
    usual: 'no',
    perpetual: true,
    about: 'Change of the open interest in one hour',
    text: percent,
    signed: true,
    full: 3,
  }),
  numeric('oi24h', 'OI 24 h', 'open_interest_change_24h_percent', {
    width: 88,
    usual: 'wide',
    perpetual: true,
    about: 'Change of the open interest in 24 hours',
    text: percent,
    signed: true,
    full: 10,
  }),
  numeric('funding', 'Funding 8 h', 'funding_rate_8h', {
    width: 104,
    usual: 'wide',
    perpetual: true,
    about: 'Funding rate per 8 hours, mean by turnover',
    text: rate,
    signed: true,
    full: 0.0003,
    least: 0.000_000_5,
  }),
  numeric('liquidations', 'Liquidated', 'liquidation_usd_24h', {
    width: 104,
    usual: 'wide',
    perpetual: true,
    about: 'Liquidations of 24 hours as far as they are recorded, US dollars',
    text: compact,
  }),
  numeric('longs', 'Longs liq.', 'long_liquidation_usd_24h', {
    width: 104,
    usual: 'no',
    perpetual: true,
    about: 'Liquidated longs of 24 hours, US dollars',
    text: compact,
  }),
  numeric('shorts', 'Shorts liq.', 'short_liquidation_usd_24h', {
    width: 104,
    usual: 'no',
    perpetual: true,
    about: 'Liquidated shorts of 24 hours, US dollars',
    text: compact,
  }),
  numeric('ratio', 'Long/short', 'long_short_ratio', {
    width: 96,
    usual: 'wide',
    perpetual: true,
    about: 'Accounts that are long over those that are short, on Binance',
    text: (value) => fixed(value, 2),
  }),
  numeric('turnover', 'OI/volume', 'oi_volume_ratio', {
    width: 96,
    usual: 'no',
    perpetual: true,
    about: 'Open interest over turnover of 24 hours',
    text: (value) => fixed(value, 2),
  }),
  numeric('exchanges', 'Exchanges', 'exchange_count', {
    width: 92,
    usual: 'no',
    about: 'Exchanges whose markets count',
    text: (value) => fixed(value, 0),
  }),
];

/** The columns that can colour a map. */
export const colouring = columns.filter(({ full }) => full !== undefined);

/** Part of the widths that is left on a narrow screen, but for a price, whose digits may be many. */
const narrow = 0.85;

/** The columns of a kind that a reader sees: chosen ones in their order, or the usual ones of a screen. The symbol is the first. */
export function shownColumns(
  spot: boolean,
  chosen: readonly string[] | null,
  wide: boolean,
): readonly Column[] {
  const placeOf = ({ id }: Column) => (id === 'symbol' ? -1 : (chosen?.indexOf(id) ?? 0));
  const shown = columns
    .filter(({ id, usual, perpetual }) => {
      if (spot && perpetual) return false;
      if (chosen !== null) return id === 'symbol' || chosen.includes(id);
      return usual === 'always' || (wide && usual === 'wide');
    })
    .sort((a, b) => placeOf(a) - placeOf(b));
  if (wide) return shown;
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
