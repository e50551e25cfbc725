/** Shared by the options of all venues: names, expiries, prices, and the required fields of a row and of a trade. */
import { hour } from '../../config/time.ts';
import { dayOf } from '../../indicators/market/days.ts';
import type { OptionType } from '../../indicators/options/black76.ts';
import { asRow, positive, required, text, time, type WireRow } from '../read.ts';
import type { Parsed } from '../sources/define.ts';
import type { EachStream } from '../sources/streams/stream.ts';
import { type OptionRow, type OptionTrade, optionTradeKey } from '../topics/index.ts';

/** Options expire at 08:00 UTC, on Deribit and on OKX. */
const expiryHour = 8 * hour;

/**
 * Reads the days of expiry of one list, Unix ms, NaN for anything that is not a day; each day is read once. `dateOf` gives the
 * `YYYY-MM-DD` of the venue's word.
 */
export function expiryReader(dateOf: (word: string) => string): (word: string) => number {
  const known = new Map<string, number>();
  return (word) => {
    const found = known.get(word) ?? dayOf(dateOf(word)) + expiryHour;
    known.set(word, found);
    return found;
  };
}

/** The type in the last letter of a name. */
export const typeOf = (letter: string | undefined): OptionType => (letter === 'C' ? 'call' : 'put');

/** A price in dollars, null where there is none; `dollars` is what one unit of the wire is worth. */
export function priceIn(value: unknown, dollars: number): number | null {
  const price = positive(value) * dollars;
  return price > 0 && price < Infinity ? price : null;
}

/** A number that may be absent and is never negative; null then. */
export function countOf(value: unknown): number | null {
  const number = required(value);
  return number >= 0 ? number : null;
}

/** A volatility as a fraction, null where there is none, which venues write as 0; `unit` is 0.01 for percent. */
export function volatilityOf(value: unknown, unit = 1): number | null {
  const volatility = positive(value) * unit;
  return volatility > 0 && volatility < Infinity ? volatility : null;
}

/** The row, or null where it is not known what is open, at which terms and at which forward. */
export function optionOf(row: OptionRow): OptionRow | null {
  const { symbol, expiry, strike, open_interest, underlying } = row;
  const named = symbol !== '' && expiry > 0 && strike > 0;
  const value = open_interest * underlying;
  return named && underlying > 0 && value >= 0 && value < Infinity ? row : null;
}

/** What the name of an option states. */
export type OptionTerms = Pick<
  OptionTrade,
  'contract' | 'symbol' | 'expiry' | 'strike' | 'type' | 'settle'
>;

/** A trade as a row states it; prices in the unit in which the option settles. */
interface TradeCells {
  id: unknown;
  /** Whether the taker bought; null where the row does not say. */
  bought: boolean | null;
  price: unknown;
  mark: unknown;
  /** US dollars. */
  index: unknown;
  /** Base units. */
  quantity: number;
  /** Fraction a year. */
  iv: number | null;
  block: boolean | null;
  /** Unix ms. */
  at: unknown;
}

/** No trade is larger, in US dollars: a greater number is an error of the venue, which would spoil every sum. */
const mostDollars = 1e10;

/** The trade, or null where it is not known what was traded, by whom, when, and at which price and index. */
export function optionTradeOf(terms: OptionTerms, cells: TradeCells): OptionTrade | null {
  const { bought, quantity } = cells;
  const [index, stated] = [positive(cells.index), positive(cells.price)];
  const inCoin = terms.settle === terms.symbol;
  const price = priceIn(cells.price, inCoin ? index : 1);
  const [id, timestamp] = [text(cells.id), time(cells.at)];
  const isNamed = terms.expiry > 0 && terms.strike > 0 && id !== '';
  if (!isNamed || bought === null || price === null || timestamp === null) return null;
  const isSound = quantity > 0 && Math.max(index, price) * quantity <= mostDollars;
  if (!isSound) return null;
  return {
    ...terms,
    side: bought ? 'buy' : 'sell',
    price,
    price_base: inCoin ? stated : null,
    quantity,
    mark: priceIn(cells.mark, inCoin ? index : 1),
    index,
    iv: cells.iv,
    block: cells.block,
    timestamp,
    id,
  };
}

/** A stream of trades of options; `rows` finds those of a message, null where it has no data, and `read` reads one. */
export const optionTradeStream = ({
  rows,
  read,
  ...stream
}: Omit<EachStream<OptionTrade>, 'keyOf' | 'parse'> & {
  rows(message: unknown): readonly unknown[] | null;
  read(row: WireRow): OptionTrade | null;
}): EachStream<OptionTrade> => ({
  ...stream,
  keyOf: optionTradeKey,
  parse(message) {
    const found = rows(message);
    if (found === null) return null;
    const parsed: Parsed<OptionTrade> = { rows: [], dropped: [] };
    for (const row of found) {
      const trade = read(asRow(row));
      if (trade) parsed.rows.push(trade);
      else parsed.dropped.push({ key: '', code: 'bad_row' });
    }
    return parsed;
  },
});
