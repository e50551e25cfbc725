import type { Candle, intervals, Level } from '../../actors/topics.ts';
import { dollarQuotes } from '../../config/quotes.ts';
import type { Asking } from '../asking.ts';
import type { PricesView } from '../views/prices.ts';
import { type Param, type Route, route } from './route.ts';
import * as s from './schemas.ts';

/** What the rows of this group answer from. */
export interface OnDemandContext {
  prices: PricesView;
  asking: Asking;
  /** Exchange ids that can answer each question, from the registry of venues. */
  exchanges: { orderBook: readonly string[]; candles: readonly string[] };
}

const group = 'Prices, order books, bars';
const barIntervals = [
  '5m',
  '15m',
  '30m',
  '1h',
  '2h',
  '4h',
  '1d',
] as const satisfies (keyof typeof intervals)[];

const kindParam = {
  type: 'string',
  enum: ['spot', 'perpetual'],
  description:
    'Which market is meant where an exchange uses one symbol for both; spot when the exchange lists it there.',
} as const satisfies Param;

const levelsSchema = s.array(
  s.object({
    price: s.number,
    quantity: s.of(s.number, 'Base asset, whatever the exchange counts in.'),
  }),
);
const bookProperties = {
  exchange: s.string,
  symbol: s.of(s.string, 'As sent to the exchange.'),
  bids: s.of(levelsSchema, 'Price descending.'),
  asks: s.of(levelsSchema, 'Price ascending.'),
  timestamp: s.of(
    s.integer,
    'Snapshot time, Unix milliseconds; receive time where the exchange states none.',
  ),
};

/** Relative spread in percent of the mid price, and the mid price; null when a side is empty. */
function spread(bid: Level | undefined, ask: Level | undefined) {
  if (bid === undefined || ask === undefined) return { spread_pct: null, mid_price: null };
  const mid = (bid.price + ask.price) / 2;
  return { spread_pct: ((ask.price - bid.price) / mid) * 100, mid_price: mid };
}

function bookRoute(version: 'v1' | 'v2', { asking, exchanges }: OnDemandContext): Route {
  const withSpread = version === 'v1';
  const extra = {
    spread_pct: s.of(s.numberOrNull, 'Best ask less best bid, percent of the mid price.'),
    mid_price: s.numberOrNull,
  };
  return route({
    method: 'GET',
    path: `/${version}/orderbook`,
    group,
    summary: `Order book of one market, asked of the exchange at once${withSpread ? ', with spread and mid price' : ''}`,
    params: {
      exchange: {
        type: 'string',
        required: true,
        enum: exchanges.orderBook,
        description: 'Exchange id.',
      },
      symbol: {
        type: 'string',
        required: true,
        maxLength: 64,
        description: "The exchange's own symbol.",
        example: 'BTCUSDT',
      },
      depth: {
        type: 'integer',
        default: 20,
        minimum: 1,
        description: 'Levels a side; cut to the 20 or 50 that the exchange is served with.',
      },
      kind: kindParam,
    },
    answer: s.object(withSpread ? { ...bookProperties, ...extra } : bookProperties),
    access: 'key',
    from: {
      ask: ({ exchange, symbol, depth, kind }) =>
        asking({
          service: 'orderBook',
          request: { exchange, market: symbol, kind, depth },
          what: `the order book of ${symbol} on ${exchange}`,
          form: version,
          data: ({ bids, asks, timestamp }) => ({
            exchange,
            symbol,
            bids,
            asks,
            timestamp,
            ...(withSpread ? spread(bids[0], asks[0]) : {}),
          }),
        }),
    },
  });
}

const barSchema = s.object({
  timestamp: s.of(s.integer, 'Open time, Unix milliseconds.'),
  open: s.number,
  high: s.number,
  low: s.number,
  close: s.number,
  volume: s.of(s.number, 'Base asset.'),
  volume_usd: s.of(s.numberOrNull, 'Turnover; null when the market is not quoted in dollars.'),
  closed: s.of({ type: 'boolean' }, 'False while the interval still runs.'),
});

const barOf = (candle: Candle, dollars: boolean) => {
  const { timestamp, open, high, low, close, volume, turnover, closed } = candle;
  return {
    timestamp,
    open,
    high,
    low,
    close,
    volume,
    volume_usd: dollars ? turnover : null,
    closed,
  };
};

function barsRoute({ prices, asking, exchanges }: OnDemandContext): Route {
  return route({
    method: 'GET',
    path: '/v1/bars',
    group,
    summary: 'OHLCV candles of one market',
    params: {
      symbol: {
        type: 'string',
        default: 'BTC',
        maxLength: 64,
        description:
          'Base asset, which stands for its most traded dollar market (spot first), or a native symbol.',
      },
      exchange: {
        type: 'string',
        default: 'binance',
        enum: exchanges.candles,
        description: 'Exchange id.',
      },
      interval: {
        type: 'string',
        default: '1h',
        enum: barIntervals,
        description: 'Candle length.',
      },
      limit: {
        type: 'integer',
        default: 100,
        minimum: 1,
        maximum: 1000,
        description: 'Newest rows.',
      },
      kind: kindParam,
    },
    answer: s.object({
      exchange: s.string,
      symbol: s.of(s.string, 'As asked.'),
      market: s.of(s.string, 'Native symbol that the bars are of.'),
      kind: s.stringOrNull,
      quote: s.stringOrNull,
      interval: s.string,
      bars: s.of(s.array(barSchema), 'Ascending by time.'),
    }),
    access: 'key',
    from: {
      ask({ symbol, exchange, interval, limit, kind }) {
        const base = prices.marketFor(exchange, symbol.toUpperCase(), kind);
        const market = base?.market ?? symbol;
        return asking({
          service: 'candles',
          request: { exchange, market, kind: base?.kind ?? kind, interval, limit },
          what: `the bars of ${symbol} on ${exchange}`,
          form: symbol,
          data: (reply) => ({
            exchange,
            symbol,
            market: reply.market,
            kind: reply.kind,
            quote: reply.quote,
            interval,
            bars: reply.candles.map((candle) => barOf(candle, dollarQuotes.has(reply.quote ?? ''))),
          }),
        });
      },
    },
  });
}

/** Order books and bars: asked of the exchange on demand (specification 4.11). Without an exchange there are none. */
export const onDemandRoutes = (context: OnDemandContext): Route[] => [
  ...(context.exchanges.orderBook.length === 0
    ? []
    : [bookRoute('v1', context), bookRoute('v2', context)]),
  ...(context.exchanges.candles.length === 0 ? [] : [barsRoute(context)]),
];
