/** Deribit: option chains. https://docs.deribit.com/#public-get_book_summary_by_currency */
import { bulk, field, positive, required, text, time, type WireRow } from '../../read.ts';
import { type MarketPoll, readRows } from '../../sources/define.ts';
import { everyMinute } from '../../sources/venue.ts';
import type { OptionRow, OptionTrade } from '../../topics/index.ts';
import {
  countOf,
  expiryReader,
  type OptionTerms,
  optionOf,
  optionTradeOf,
  priceIn,
  typeOf,
  volatilityOf,
} from '../option-rows.ts';
import { takerWord } from '../trades.ts';
import { type Ask, getOptions } from './markets.ts';

/** `BTC-5JUL24-42000-C`; settled in USDC `XRP_USDC-28JUN24-0d525-P`, where `d` is the decimal point. */
const name = /^([A-Z0-9]+)(?:_([A-Z]+))?-(\d{1,2}[A-Z]{3}\d{2})-(\d+(?:d\d+)?)-([CP])$/;

const months = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ');

/** `5JUL24` is 2024-07-05. */
function dateOf(word: string): string {
  const [day, month, year] = [word.slice(0, -5), word.slice(-5, -2), word.slice(-2)];
  const number = months.indexOf(month) + 1;
  return `20${year}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** The terms of an option by its name; null for another instrument. */
function termsOf(contract: string, expiryOf: (word: string) => number): OptionTerms | null {
  const found = name.exec(contract);
  if (found === null) return null;
  const [, symbol = '', quote, day = '', strike, letter] = found;
  return {
    contract,
    symbol,
    expiry: expiryOf(day),
    strike: positive(strike?.replace('d', '.')),
    type: typeOf(letter),
    settle: quote ?? symbol,
  };
}

/**
 * Prices and premiums of coin-settled options are in the coin, those of USDC-settled ones in dollars; open interest and
 * `volume` are base units of both, `volume_usd` is the premium that was paid. `underlying_price` is the forward of the
 * expiry, `mark_iv` percent.
 */
function read(row: WireRow, expiryOf: (word: string) => number): OptionRow | null {
  const terms = termsOf(text(row.instrument_name), expiryOf);
  if (terms === null) return null;
  const { symbol, settle } = terms;
  const underlying = positive(row.underlying_price);
  const unit = settle === symbol ? underlying : 1;
  // One plain literal: of 1,500 rows, spreads cost as much as reading the numbers.
  return optionOf({
    market: terms.contract,
    symbol,
    expiry: terms.expiry,
    strike: terms.strike,
    type: terms.type,
    settle,
    open_interest: required(row.open_interest),
    volume: countOf(row.volume),
    premium: countOf(row.volume_usd),
    mark: priceIn(row.mark_price, unit),
    bid: priceIn(row.bid_price, unit),
    ask: priceIn(row.ask_price, unit),
    iv: volatilityOf(row.mark_iv, 0.01),
    bid_iv: null,
    ask_iv: null,
    underlying,
    delta: null,
    gamma: null,
    theta: null,
    vega: null,
    stated: time(row.creation_timestamp),
  });
}

/** All options that settle in a currency. */
const chain = (currency: string): MarketPoll<'options', Ask> => ({
  requests: () => [getOptions('get_book_summary_by_currency', { currency, kind: 'option' })],
  parse([body]) {
    const expiryOf = expiryReader(dateOf);
    const found = readRows(
      bulk(field(body, 'result'), 'options'),
      (row) => text(row.instrument_name),
      (row) => read(row, expiryOf),
    );
    return { options: found };
  },
});

/** Coin-settled options by their coin, and those of all assets that settle in USDC. */
export const options = everyMinute({ BTC: chain('BTC'), ETH: chain('ETH'), USDC: chain('USDC') });

const takerOf = takerWord('direction');

/**
 * A trade of a stream. `amount` is base units of all options, prices are as those of `read`, `iv` is percent, and legs of block
 * trades have the id of that. https://docs.deribit.com/subscriptions/trades/tradeskindcurrencyinterval
 */
export function tradeOf(row: WireRow): OptionTrade | null {
  const terms = termsOf(text(row.instrument_name), expiryReader(dateOf));
  return (
    terms &&
    optionTradeOf(terms, {
      id: row.trade_id,
      bought: takerOf(row),
      price: row.price,
      mark: row.mark_price,
      index: row.index_price,
      quantity: positive(row.amount),
      iv: volatilityOf(row.iv, 0.01),
      block: row.block_trade_id !== undefined,
      at: row.timestamp,
    })
  );
}
