/** `depth` and `aggTrades`: what the exchange is asked for, once for all clients. */
import type { OrderBook, PublicTrade } from '../../../../actors/topics/index.ts';
import { questionOf } from '../../../answers/queries.ts';
import { apiError, kit, params, s } from '../../kit.ts';
import { exchange, form } from './form.ts';
import { type Api, type Listed, type Listing, marketOf, spot } from './markets.ts';

/** Levels that a book of which a few are wanted has at most; a larger one is shared by all who ask within some seconds. */
const few = 50;
/** Levels of the larger one. */
const maxRows = 1_000;
const legal = [5, 10, 20, 50, 100, 500, 1_000];

const side = (order: string) =>
  s.list(s.list(s.string(), 'Price and quantity (base).'), `Price ${order}.`);
const bookSchema = s.object({
  lastUpdateId: s.optional(s.integer("The exchange's number of the book's last change.")),
  T: s.optional(s.integer('When the book was so, Unix ms; of contracts.')),
  bids: side('descending'),
  asks: side('ascending'),
});

function bookIn(book: OrderBook, listed: Listed, limit: number, isSpot: boolean) {
  const { bids, asks, sequence, timestamp } = book;
  const cut = (levels: OrderBook['bids']) =>
    levels.slice(0, limit).map((level) => listed.level(level));
  return {
    ...(sequence !== undefined && { lastUpdateId: sequence }),
    ...(isSpot ? {} : { T: timestamp }),
    bids: cut(bids),
    asks: cut(asks),
  };
}

function depth(api: Api, listing: Listing): kit.Route {
  const isSpot = api === spot;
  const limit = {
    type: 'integer',
    default: isSpot ? 100 : 500,
    minimum: 1,
    description: isSpot ? 'Levels a side; 1,000 where it is more.' : `One of ${legal.join(', ')}.`,
  } as const;
  return kit.queried({
    path: `${api.at}/depth`,
    summary: 'Order book of one market: live where it is kept, else asked of the exchange',
    fails: ['upstream_failed'],
    noEnvelope: form,
    params: { symbol: marketOf(listing), limit },
    answer: bookSchema,
    query({ symbol: name, listed, limit: wanted }) {
      if (!isSpot && !legal.includes(wanted)) {
        return apiError('bad_parameter', `${wanted} is not valid depth limit.`);
      }
      const about = {
        source: exchange,
        what: `the order book of ${name}`,
        variant: `binance ${wanted}`,
      };
      const market = { market: name, kind: api.kind };
      const data = (book: OrderBook) => bookIn(book, listed, Math.min(wanted, maxRows), isSpot);
      return wanted > few
        ? { ...about, name: 'fullBook' as const, params: market, data }
        : { ...about, name: 'orderBook' as const, params: { ...market, depth: wanted }, data };
    },
  });
}

const trade = s.object({
  a: s.integerOrNull("The exchange's own id."),
  p: s.stringOrNull('Price.'),
  q: s.stringOrNull('Quantity (base).'),
  T: s.integer('Unix ms.'),
  m: s.boolean('Whether the buyer was the maker: the taker sold.'),
});

const tradeOf = ({ id, price, quantity, timestamp, bought }: PublicTrade, listed: Listed) => ({
  a: id === null ? null : Number(id),
  p: listed.price(price),
  q: listed.quantity(quantity),
  T: timestamp,
  m: !bought,
});

const elsewhere = {
  type: 'integer',
  minimum: 0,
  description: 'Refused: only the newest trades are answered here.',
} as const satisfies kit.Param;
const older = { fromId: elsewhere, startTime: elsewhere, endTime: elsewhere } as const;

const aggTrades = (api: Api, listing: Listing): kit.Route =>
  kit.queried({
    path: `${api.at}/aggTrades`,
    summary: 'The newest trades of one market, one for each taker order and price',
    fails: ['upstream_failed'],
    noEnvelope: form,
    params: {
      symbol: marketOf(listing),
      limit: params.limit(500, 1_000, 'Most trades.'),
      ...older,
    },
    answer: s.list(trade, 'Ascending by time.'),
    query({ symbol: name, listed, limit, ...others }) {
      const refused = Object.keys(others).find((one) => one in older);
      if (refused !== undefined) {
        const parameter = { name: refused, missing: false };
        const message = 'only the newest trades are answered here';
        return apiError('bad_parameter', message, { parameter });
      }
      return questionOf({
        source: exchange,
        name: 'recentTrades',
        params: { market: name, kind: api.kind, limit },
        what: `the trades of ${name}`,
        variant: 'binance',
        data: ({ trades }) => trades.toReversed().map((one) => tradeOf(one, listed)),
      });
    },
  });

/** The rows of an API that ask the exchange. */
export const queryRoutes = (api: Api, listing: Listing): kit.Route[] => [
  depth(api, listing),
  aggTrades(api, listing),
];
