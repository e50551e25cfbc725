import {
  allIntervals,
  type Candle,
  type Candles,
  type Interval,
} from '../../actors/topics/index.ts';
import type { OrderBook, OrderBookParams } from '../../actors/topics/order-book.ts';
import * as s from '../../actors/topics/schema.ts';
import { dollarQuotes } from '../../config/quotes.ts';
import { spread } from '../../indicators/order-book/spread.ts';
import type { Route } from '../endpoints/route.ts';
import { type ApiError, apiError } from '../wire/errors.ts';
import type { RoutesContext } from './context.ts';
import { columns } from './factory/columns.ts';
import { history, joined, type Subject } from './factory/history.ts';
import type { StepValues } from './factory/market-subject.ts';
import * as params from './params.ts';

type Context = Pick<RoutesContext, 'markets' | 'exchanges' | 'candleIntervals'>;

const group = 'Prices, order books, bars';

const level = s.named(
  'BookLevel',
  s.object({
    price: s.number('Of one base asset, in the quote of the market.'),
    quantity: s.number('Base asset, whatever the exchange counts in.'),
  }),
);
/** The fields of an order book. */
const bookFields = {
  bids: s.list(level, 'Price descending.'),
  asks: s.list(level, 'Price ascending.'),
  timestamp: s.integer(
    'Snapshot time, Unix milliseconds; receive time where the exchange states none.',
  ),
  source: [
    s.oneOf(
      ['live', 'request'],
      'A book that is kept up to date by the stream of the exchange, or the answer to a request.',
    ),
    ({ source }: OrderBook) => source ?? ('request' as const),
  ],
  sequence: s.optional(
    s.integer("The exchange's number of the last change of a live book, where it has any."),
  ),
  crossed: s.optional(
    s.boolean(
      'True where the best bid is at or above the best ask, also when asked again; absent otherwise.',
    ),
  ),
  suspect: s.optional(
    s.boolean(
      "True where its middle is more than 30 % away from the market's last price and from those of all other exchanges; absent otherwise.",
    ),
  ),
} as const;
const book = columns<OrderBook>()(bookFields);
const bookWithSpread = columns<OrderBook>()({
  ...bookFields,
  spread_pct: [
    s.numberOrNull(
      'Best ask less best bid, percent of the mid price; null where a side is empty or the book is crossed.',
    ),
    ({ bids, asks }) => spread(bids[0], asks[0]).spread_pct,
  ],
  mid_price: [
    s.numberOrNull('In the quote of the market; null where `spread_pct` is.'),
    ({ bids, asks }) => spread(bids[0], asks[0]).mid_price,
  ],
});

const asAsked = columns<{ about: { symbol: string; exchange: string } }>()({
  exchange: [s.exchange, ({ about }) => about.exchange],
  symbol: [s.string('As asked.'), ({ about }) => about.symbol],
});
const marketField = columns<{ about: { market: string } }>()({
  market: [s.string("The exchange's own symbol of the market."), ({ about }) => about.market],
});

/** A book as it is asked for. */
interface BookValues extends Pick<OrderBookParams, 'kind' | 'depth'> {
  exchange: string;
  symbol: string;
}
type AskedBook = BookValues & { market: string };

/** The book of the market with this symbol. */
const ofSymbol = ({ exchanges }: Context): Subject<'orderBook', BookValues, AskedBook> => ({
  isAnswered: exchanges.orderBook.length > 0,
  fails: ['upstream_failed'],
  head: asAsked,
  what: ({ market, exchange }) => `the order book of ${market} on ${exchange}`,
  ask(values) {
    const { exchange, symbol: market, kind, depth } = values;
    const params = { market, kind, depth };
    return { source: exchange, name: 'orderBook', params, about: { ...values, market } };
  },
});

/** The same by any name of the market, which the answer states. */
const ofAnyName = (context: Context): Subject<'orderBook', BookValues, AskedBook> => ({
  ...ofSymbol(context),
  head: joined<{ about: AskedBook }>(asAsked, marketField),
  ask(values) {
    const { exchange, symbol, depth } = values;
    const { markets } = context;
    const asked = markets.asked(exchange, symbol, values.kind);
    return {
      source: exchange,
      name: 'orderBook',
      params: { ...asked, depth },
      failure: markets.explained(exchange, symbol),
      about: { ...values, market: asked.market },
    };
  },
});

/** Time until a followed book is read again, ms: a live one is in memory, any other costs the exchange a request. */
const bookEvery = { live: 250, request: 5_000 } as const;
const isLive = /"source":"live"/;

function bookRoutes(context: Context): Route[] {
  const summary =
    'Order book of one market, live where it is kept, else asked of the exchange at once';
  const asked = {
    exchange: {
      ...params.exchange(context.exchanges.orderBook),
      required: true,
      unlisted: 'unknown_exchange',
    },
    symbol: params.market,
    depth: {
      type: 'integer',
      default: 20,
      minimum: 1,
      description: 'Levels a side; cut to the 20 or 50 that the exchange is served with.',
    },
    kind: params.kind,
  } as const;
  const row = {
    group,
    fold: (reply: OrderBook) => reply,
    followEvery: (data: string) => (isLive.test(data) ? bookEvery.live : bookEvery.request),
  } as const;
  return [
    ...history({
      ...row,
      path: '/v1/orderbook',
      summary: `${summary}, with spread and mid price`,
      params: { ...asked, symbol: params.marketName },
      of: ofAnyName(context),
      fields: bookWithSpread,
    }),
    ...history({
      ...row,
      path: '/v2/orderbook',
      summary,
      params: asked,
      of: ofSymbol(context),
      fields: book,
    }),
  ];
}

const bar = columns<Candle & { volume_usd: number | null }>()({
  timestamp: s.integer('Open time, Unix milliseconds.'),
  open: s.number('First price, in quote.'),
  high: s.number('Highest price, in quote.'),
  low: s.number('Lowest price, in quote.'),
  close: s.number('Last price, in quote.'),
  volume: s.number('Base asset.'),
  volume_usd: s.numberOrNull('Turnover; null when the market is not quoted in dollars.'),
  closed: s.boolean('False while the interval still runs.'),
});

/** The bars of a market with its turnovers in dollars, where it is quoted in them. */
function barsOf({ market, kind, quote, candles }: Candles) {
  const inDollars = dollarQuotes.has(quote ?? '');
  const rows = candles.map((one) => ({ ...one, volume_usd: inDollars ? one.turnover : null }));
  return { market, kind, quote, bars: bar.all(rows) };
}
const barFields = columns<ReturnType<typeof barsOf>>()({
  market: s.string('Native symbol that the bars are of.'),
  kind: s.stringOrNull('`spot` or `perpetual`; null where it is not known.'),
  quote: s.stringOrNull('Quote asset; null as `kind`.'),
  bars: s.list(bar.schema, 'Ascending by time.'),
});

/** The specification refuses 1m, which is given for a range. */
const rangeNeeded = apiError(
  'bad_parameter',
  `interval must be one of ${allIntervals.slice(1).join(', ')}; 1m needs from or to`,
);

/** The error where an exchange has no candles of a length, its own or made of shorter ones; null where it has. */
function intervalError(
  { candleIntervals }: Pick<Context, 'candleIntervals'>,
  exchange: string,
  interval: Interval,
): ApiError | null {
  const given = candleIntervals.get(exchange) ?? [];
  if (given.includes(interval)) return null;
  return apiError('bad_parameter', `interval of ${exchange} must be one of ${given.join(', ')}`);
}

interface BarValues extends StepValues {
  exchange: string;
  kind?: 'spot' | 'perpetual' | undefined;
}

/** The candles of a market that a newer list may hold: the exchange says whether it knows it. */
const ofCandles = (context: Context): Subject<'candles', BarValues, BarValues> => ({
  isAnswered: context.exchanges.candles.length > 0,
  fails: ['upstream_failed'],
  head: asAsked,
  what: ({ symbol, exchange }) => `the bars of ${symbol} on ${exchange}`,
  ask(values) {
    const { symbol, exchange, kind, interval, limit, from, to } = values;
    if (interval === '1m' && from === undefined && to === undefined) return rangeNeeded;
    const refused = intervalError(context, exchange, interval);
    if (refused) return refused;
    const { markets } = context;
    return {
      source: exchange,
      name: 'candles',
      params: { ...markets.asked(exchange, symbol, kind), interval, limit, from, to },
      failure: markets.explained(exchange, symbol),
      about: values,
    };
  },
});

const barRoutes = (context: Context): Route[] =>
  history({
    path: '/v1/bars',
    group,
    summary: 'OHLCV candles of one market',
    params: {
      symbol: params.marketNameOrBitcoin,
      exchange: { ...params.exchange(context.exchanges.candles), default: 'binance' },
      interval: {
        ...params.interval(allIntervals, '1h'),
        description:
          'Candle length, one that the exchange has or that its shorter ones make up; `1m` with `from` or `to` only.',
      },
      limit: params.limit(
        100,
        1000,
        'Most rows: the oldest of a range with `from`, else the newest.',
      ),
      ...params.range,
      kind: params.kind,
    },
    of: ofCandles(context),
    fold: barsOf,
    fields: barFields,
  });

/** Order books and bars, queried from the exchange (specification 4.11). Without an exchange there are no rows. */
export const onDemandRoutes = (context: Context): Route[] => [
  ...bookRoutes(context),
  ...barRoutes(context),
];
