/** What the library calls the columns of a topic, and how it reads a row of one. */
import type { FeedTopic } from '../fixtures.ts';

// biome-ignore lint/suspicious/noExplicitAny: what the library gives is compared value by value.
export type Loose = any;
export type Wire = Record<string, Loose>;

/** Expected values by column; a column that is undefined is not compared. */
export type Columns = Readonly<Record<string, unknown>>;

/** A value that the vendor rounds: equal to `error`, absolute. */
export class About {
  readonly value: number;
  readonly error: number;
  constructor(value: number, error: number) {
    this.value = value;
    this.error = error;
  }
}

/** ccxt rounds a change or takes the exchange's rounded one, in percent. */
const rounded = (percentage: unknown) =>
  typeof percentage === 'number' ? new About(percentage, 0.02) : undefined;
const hoursOf = (interval: unknown) =>
  typeof interval === 'string' ? Number.parseInt(interval, 10) : undefined;

/** The columns of a topic, as the library names them. */
export const columns: Readonly<Record<FeedTopic, (theirs: Loose) => Columns>> = {
  instruments: (theirs) => ({
    symbol: theirs.base,
    quote: theirs.quote,
    contract: theirs.contractSize ?? 1,
    inverse: theirs.inverse ?? false,
    followed: theirs.active && (theirs.spot || theirs.swap),
    swap: theirs.swap,
    step: theirs.precision?.price,
  }),
  prices: (theirs) => ({
    price: theirs.last,
    bid: theirs.bid,
    ask: theirs.ask,
    high: theirs.high,
    low: theirs.low,
    base: theirs.baseVolume,
    volume: theirs.quoteVolume,
    change: rounded(theirs.percentage),
    stated: theirs.timestamp,
  }),
  derivatives: (theirs) => ({
    mark: theirs.markPrice,
    index: theirs.indexPrice,
    funding_rate: theirs.fundingRate,
    funding_hours: hoursOf(theirs.interval),
    next_funding: theirs.fundingTimestamp ?? theirs.nextFundingTimestamp,
    stated: theirs.timestamp,
  }),
  openInterest: (theirs) => ({
    units: theirs.openInterestAmount,
    value: theirs.openInterestValue,
    stated: theirs.timestamp,
  }),
};

/** The library's own parser of a row of a topic. */
export const parsers: Readonly<Record<FeedTopic, (exchange: Loose, native: Wire) => Loose>> = {
  instruments: (exchange, native) => exchange.parseMarket(native),
  prices: (exchange, native) => exchange.parseTicker(native),
  derivatives: (exchange, native) => exchange.parseFundingRate(native),
  openInterest: (exchange, native) => exchange.parseOpenInterest(native),
};
