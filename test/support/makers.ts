/** Rows of the topics for tests. Each maker gives a sound row of Bitcoin, in which a test writes what it is about. */
import type {
  Candle,
  DerivativeRow,
  FeedStatus,
  Instrument,
  Level,
  Liquidation,
  Liquidations,
  OpenInterestRow,
  OptionTrade,
  PriceRow,
  Reading,
} from '../../actors/topics/index.ts';
import { noQuotes } from './prices.ts';

/** 2023-11-14 22:13:20 UTC, Unix ms: when clocks of tests begin. */
export const now = 1_700_000_000_000;

/** Symbol, quote and market: the two names in one, unless it is given. */
function named({ symbol = 'BTC', quote = 'USDT', market }: Partial<Named>): Named {
  return { market: market ?? `${symbol}${quote}`, symbol, quote };
}
type Named = Pick<PriceRow, 'market' | 'symbol' | 'quote'>;

/** A spot market. */
export const priceRow = (over: Partial<PriceRow> = {}): PriceRow => ({
  ...named(over),
  kind: 'spot',
  price: 100,
  volume: 1_000,
  change: null,
  stated: null,
  ...noQuotes,
  ...over,
});

/** A perpetual that is funded every four hours. */
export const derivativeRow = (over: Partial<DerivativeRow> = {}): DerivativeRow => ({
  ...named(over),
  mark: 100,
  index: 101,
  funding_rate: 0.0001,
  funding_hours: 4,
  funding_rate_8h: 0.0002,
  next_funding: null,
  stated: null,
  ...over,
});

export const interestRow = (over: Partial<OpenInterestRow> = {}): OpenInterestRow => ({
  ...named(over),
  units: 5,
  value: 500,
  mark: 100,
  stated: null,
  ...over,
});

/** A linear perpetual. */
export const instrument = (over: Partial<Instrument> = {}): Instrument => ({
  ...named(over),
  kind: 'perpetual',
  scale: 1,
  contract: 1,
  inverse: false,
  funding_hours: null,
  ...over,
});

/** Rows of exchange `a`, received `now`. */
export const reading = <Row>(rows: Row[], over: Partial<Reading<Row>> = {}): Reading<Row> => ({
  source: 'a',
  part: 'all',
  asked: over.received ?? now,
  received: now,
  rows,
  ...over,
});

/** A feed that was polled `now`. */
export const feedStatus = (over: Partial<FeedStatus> = {}): FeedStatus => ({
  source: 'a',
  topic: 'prices',
  part: 'spot',
  state: 'up',
  reason: null,
  last_success: now,
  last_attempt: now,
  latency_ms: 40,
  last_error: null,
  breaker: 'closed',
  next_poll: now + 30_000,
  rows: 10,
  dropped: {},
  failures: 0,
  ...over,
});

/** A long position that was closed. */
export const liquidation = (over: Partial<Liquidation> = {}): Liquidation => ({
  symbol: 'BTC',
  contract: 'BTCUSDT',
  side: 'long',
  price: 100,
  price_kind: 'average',
  quantity_base: 2,
  value_usd: 200,
  timestamp: now,
  ...over,
});

/** A call on two BTC that a taker bought, settled in the coin: for 0.05 of it each. */
export const optionTrade = (over: Partial<OptionTrade> = {}): OptionTrade => ({
  contract: 'BTC-27JUN25-110000-C',
  symbol: 'BTC',
  expiry: now + 864_000_000,
  strike: 110_000,
  type: 'call',
  settle: 'BTC',
  side: 'buy',
  price: 5_000,
  price_base: 0.05,
  quantity: 2,
  mark: 4_900,
  index: 100_000,
  iv: 0.5,
  block: false,
  timestamp: now,
  id: '1',
  ...over,
});

/** An entry of the log, without events. */
export const liquidations = (over: Partial<Liquidations> = {}): Liquidations => ({
  source: 'a',
  part: 'linear',
  at: now,
  since: now,
  events: [],
  ...over,
});

/** A closed candle. */
export const candle = (over: Partial<Candle> = {}): Candle => ({
  timestamp: now,
  open: 100,
  high: 103,
  low: 99,
  close: 102,
  volume: 7,
  turnover: 707,
  closed: true,
  ...over,
});

/** One side of an order book, of pairs of price and quantity. */
export const levels = (...side: readonly (readonly [number, number])[]): Level[] =>
  side.map(([price, quantity]) => ({ price, quantity }));
