import type { OrderBook } from '../../actors/topics/order-book.ts';
import { spread } from '../../indicators/order-book/spread.ts';
import { type BarContext, barRoutes } from './bars.ts';
import { kit, params, s } from './kit.ts';

type Context = kit.Needs<'markets' | 'exchanges'>;

const level = s.named(
  'BookLevel',
  s.object({
    price: s.number('Price of one base asset, in the quote of the market.'),
    quantity: s.number('Base asset, whatever the exchange counts in.'),
  }),
);
/** The fields of an order book. */
const bookFields = {
  bids: s.list(level, 'Price descending.'),
  asks: s.list(level, 'Price ascending.'),
  timestamp: s.integer('Snapshot time, Unix ms; receive time where the exchange states none.'),
  source: [
    s.oneOf(['live', 'request'], 'Kept up to date by the stream, or the answer to a request.'),
    ({ source }: OrderBook) => source ?? ('request' as const),
  ],
  unheard_since: s.unheardSince,
  sequence: s.optional(s.integer("The exchange's number of the last change of a live book.")),
  crossed: s.optional(s.boolean('Best bid at or above best ask, also when asked again.')),
  suspect: s.optional(s.boolean('Its middle is over 30 % off the last price and all others.')),
} as const;
const book = kit.columns<OrderBook>()(bookFields);
const bookWithSpread = kit.columns<OrderBook>()({
  ...bookFields,
  spread_pct: [
    s.numberOrNull('Ask less bid, percent of the mid price; null if crossed or a side is empty.'),
    ({ bids, asks }) => spread(bids[0], asks[0]).spread_pct,
  ],
  mid_price: [
    s.numberOrNull('In the quote of the market; null where `spread_pct` is.'),
    ({ bids, asks }) => spread(bids[0], asks[0]).mid_price,
  ],
});

const anyName = kit.repeated({
  ...kit.namedProperties,
  market: s.ownSymbol,
});

/** Most levels a side of any book. */
const deepest = 1_000;

/** Time until a followed book is read again, ms: a live one is in memory, any other costs the exchange a request. */
const bookEvery = { live: 250, request: 5_000 } as const;
const isLive = /"source":"live"/;

const summary =
  'Order book of one market, live where it is kept, else asked of the exchange at once';
const what = ({ market, exchange }: { market: string; exchange: string }) =>
  `the order book of ${market} on ${exchange}`;
/** What the rows of order books share. */
const row = {
  levels: true,
  followEvery: (data: string) => (isLive.test(data) ? bookEvery.live : bookEvery.request),
} as const;

const paramsOf = ({ markets, exchanges }: Context) =>
  ({
    exchange: params.exchangeRequired(exchanges.orderBook),
    symbol: params.namedMarket(params.marketName, markets),
    depth: {
      type: 'integer',
      default: 20,
      minimum: 1,
      description: 'Levels a side; cut to the 20 or 50 that the exchange is served with.',
    },
    kind: params.kind,
  }) as const;

const bookRoutes = (context: Context) => [
  ...kit.history({
    ...row,
    path: '/v1/orderbook',
    summary: `${summary}, with spread and mid price`,
    params: paramsOf(context),
    of: {
      names: ['orderBook'],
      head: anyName,
      what,
      ask: ({ exchange: source, asked, depth, failure }) => ({
        source,
        params: { ...asked, depth },
        failure,
      }),
    },
    fold: (reply) => reply,
    fields: bookWithSpread,
  }),
  ...kit.history({
    ...row,
    path: '/v2/orderbook',
    summary,
    params: { ...paramsOf(context), symbol: params.market },
    of: {
      names: ['orderBook'],
      head: kit.namedFields,
      what: ({ symbol: market, exchange }) => what({ market, exchange }),
      ask: ({ exchange: source, symbol: market, kind, depth }) => ({
        source,
        params: { market, kind, depth },
      }),
    },
    fold: (reply) => reply,
    fields: book,
  }),
];

/** As many levels as there are: of the live book, or of the largest answer of the exchange, which all clients share for 3 s. */
const deepRoutes = (context: Context) =>
  kit.history({
    ...row,
    path: '/v1/orderbook/deep',
    summary: `Order book of one market to ${deepest} levels a side, live where it is kept`,
    params: {
      ...paramsOf(context),
      depth: params.limit(deepest, deepest, 'Levels a side, or fewer (docs/order-books.md).'),
    },
    of: {
      names: ['fullBook'],
      head: anyName,
      what,
      ask: ({ exchange: source, asked, failure }) => ({ source, params: asked, failure }),
    },
    fold: ({ bids, asks, ...others }, { values: { depth } }) => ({
      ...others,
      bids: bids.slice(0, depth),
      asks: asks.slice(0, depth),
    }),
    fields: bookWithSpread,
  });

/** Order books and bars, queried from the exchange (specification 4.11). Without an exchange there are no rows. */
export const onDemandRoutes = (context: BarContext) => [
  ...(context.exchanges.orderBook.length === 0
    ? []
    : [...bookRoutes(context), ...deepRoutes(context)]),
  ...barRoutes(context),
];
