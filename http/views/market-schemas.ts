/** Schemas of the answers of `/v1/prices` and `/v1/open-interest`. */
import * as s from '../../actors/topics/schema.ts';
import { explained } from './explanation.ts';

const venue_time = s.integerOrNull('The time that the exchange states, Unix milliseconds.');

const leftOut = {
  stale_exchanges: s.list(s.string(), 'Of which a market is left out, or all: too old, or frozen.'),
  suspect: s.list(
    s.named('SuspectMarket', s.object({ exchange: s.exchange, market: s.ownSymbol })),
    'Markets whose newest number is held back, since it moved by more than 30 % and nothing confirms it yet: the last good one stands for them, with its age, or none.',
  ),
};
/** The exchanges and markets that are left out of the answer of a symbol. */
export type LeftOut = s.Static<ReturnType<typeof s.object<typeof leftOut>>>;

export const disputed = s.optional(
  s.literal(
    true,
    'Two exchanges differ by more than 10 % in the price, or no majority of them agrees: the mean is of little worth.',
  ),
);

/** The price of one symbol on one exchange (specification 2.16). */
const priceEntry = s.object({
  price: s.number('Last trade of the most traded dollar market, USD.'),
  volume_24h: s.number(
    'Rolling 24 h turnover of all dollar markets of the exchange, spot and perpetual, not of `market` alone, USD.',
  ),
  markets: s.integer('How many markets `volume_24h` is the sum of: those that state a turnover.'),
  updated_at: s.unixMs('When the reading was received.'),
  venue_time,
  unheard_since: s.unheardSince,
  market: s.string('Native instrument that the price is of: its most traded dollar market.'),
  kind: s.oneOf(['spot', 'perpetual'], 'Which of the two `market` is.'),
  quote: s.quote,
  excluded: s.optional(s.literal(true, 'More than 10 % from the median: not part of the mean.')),
});
export type PriceEntry = s.Static<typeof priceEntry>;

const price = {
  symbol: s.symbol,
  average_price: s.number('Plain mean over the exchanges that are not excluded, USD.'),
  median_price: s.number('Median over all exchanges listed, USD.'),
  disputed,
  exchange_count: s.integer('How many prices the mean is of.'),
  exchanges: s.mapOf(priceEntry, 'exchange id to its price'),
};
const priceOfSymbol = s.object(price);
export type PriceOfSymbol = s.Static<typeof priceOfSymbol>;

const priceSummary = s.named(
  'PriceSummary',
  s.object({
    average_price: s.number('Plain mean over the exchanges that are not excluded, USD.'),
    disputed,
    exchange_count: s.integer('How many prices the mean is of.'),
    updated_at: s.unixMs('When the newest of them was received.'),
    unheard_since: s.unheardSince,
  }),
);
export type PriceSummary = s.Static<typeof priceSummary>;

export const priceAnswer = s.named(
  'PriceOfSymbol',
  s.object({ ...price, ...leftOut, ...explained }),
);
export const pricesAnswer = s.mapOf(priceSummary, 'symbol to its average');

/** The open interest of one symbol on one exchange, one side counted (specification 2.15). */
const interestEntry = s.object({
  oi_usd: s.number('One side.'),
  oi_contracts: s.numberOrNull('One side, base units.'),
  updated_at: s.unixMs('When the oldest of its markets was received.'),
  venue_time,
  mark_price: s.numberOrNull('Price of the conversion, USD; null where the exchange gave both.'),
  excluded: s.optional(
    s.literal(
      true,
      "More than all other exchanges together and more than 100 days of the exchange's own turnover: not part of the sum.",
    ),
  ),
});
export type OpenInterestEntry = s.Static<typeof interestEntry>;

const interest = {
  symbol: s.symbol,
  total_oi_usd: s.number('Sum over the exchanges that are not excluded, one side counted.'),
  exchange_count: s.integer('How many exchanges the sum is of.'),
  exchanges: s.mapOf(interestEntry, 'exchange id to its open interest'),
};
const interestOfSymbol = s.object(interest);
export type InterestOfSymbol = s.Static<typeof interestOfSymbol>;

const interestSummary = s.named(
  'OpenInterestSummary',
  s.object({ total_oi_usd: interest.total_oi_usd, exchange_count: interest.exchange_count }),
);
export type InterestSummary = s.Static<typeof interestSummary>;

export const interestAnswer = s.named(
  'OpenInterestOfSymbol',
  s.object({
    ...interest,
    ...leftOut,
    ...explained,
  }),
);
export const interestsAnswer = s.mapOf(interestSummary, 'symbol to its total');

/** The capabilities of an exchange. */
export const exchangeDetail = s.named(
  'ExchangeDetail',
  s.object({
    id: s.exchange,
    name: s.string('Name of the exchange.'),
    kinds: s.list(s.string(), 'spot, perpetual.'),
    capabilities: s.mapOf(
      s.object({
        how: s.oneOf(['polled', 'streamed', 'on_demand'], 'On demand: asked when a client asks.'),
        every_seconds: s.numberOrNull('Between two readings; null where asked on demand.'),
      }),
      'name of the data to how it is had',
    ),
    orderbook_cap: s.integerOrNull('Most levels a side; null without an order book.'),
    bar_intervals: s.list(s.string(), 'Those of the exchange itself; others are built of them.'),
    example: s.string("One of the exchange's own symbols."),
  }),
);
export type ExchangeDetail = s.Static<typeof exchangeDetail>;
