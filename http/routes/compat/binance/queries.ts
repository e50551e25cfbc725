/** `klines` and `depth`: what the exchange is asked for, once for all clients. */
import {
  allIntervals,
  type Candle,
  type Interval,
  intervals,
  type OrderBook,
  type PublicTrade,
} from '../../../../actors/topics/index.ts';
import * as s from '../../../../actors/topics/schema.ts';
import { endOf, openOf } from '../../../../indicators/market/candles.ts';
import { questionOf } from '../../../answers/queries.ts';
import { type Param, type Route, route } from '../../../endpoints/route.ts';
import { apiError, isApiError } from '../../../wire/errors.ts';
import { interval as intervalOf, limit as limitOf } from '../../params.ts';
import { decimalOrNull, exchange, form, group } from './form.ts';
import { type Api, type Listed, type Listing, spot, symbol } from './markets.ts';

export const range = {
  startTime: {
    type: 'integer',
    minimum: 0,
    description:
      'First time, Unix ms, included: the oldest rows from here on. The newest when absent.',
  },
  endTime: {
    type: 'integer',
    minimum: 0,
    description: 'Last time, Unix ms, included. Now when absent.',
  },
} as const;

/** Opening time of the candle `count` candles after that of `open`. */
function after(open: number, interval: Interval, count: number): number {
  if (interval !== '1M') return open + count * intervals[interval];
  let at = open;
  for (let i = 0; i < count; i++) at = endOf(at, interval);
  return at;
}

interface Range {
  interval: Interval;
  limit: number;
  startTime?: number | undefined;
  endTime?: number | undefined;
}

/** The range to ask for: with a start the oldest `limit` candles, else the newest. */
function askedOf({ interval, limit, startTime, endTime }: Range) {
  if (startTime === undefined) return { limit, to: endTime };
  const open = openOf(startTime, interval);
  const first = open < startTime ? endOf(open, interval) : open;
  const last = after(first, interval, limit - 1);
  return { limit, from: startTime, to: Math.min(last, endTime ?? last) };
}

/** `[open time, open, high, low, close, volume, close time, turnover, trades, taker base, taker quote, unused]`. */
function klineOf(candle: Candle, listed: Listed, interval: Interval, isSpot: boolean): unknown[] {
  const { timestamp, open, high, low, close, volume, turnover, flow } = candle;
  const prices = [open, high, low, close].map((price) => listed.price(price));
  const digits = isSpot ? 8 : 5;
  const { trades = null, base = null, quote = null } = flow ?? {};
  return [
    ...[timestamp, ...prices, listed.quantity(volume)],
    ...[endOf(timestamp, interval) - 1, decimalOrNull(turnover, digits), trades],
    ...[listed.quantity(base), decimalOrNull(quote, digits), '0'],
  ];
}

const kline = s.list(
  s.unchecked({ type: ['integer', 'string', 'null'] }),
  'Open time (Unix ms), open, high, low, close, volume (base), close time (Unix ms), turnover (quote), trades, what takers bought (base, quote), unused. Null where the exchange does not state one.',
);

function klines(api: Api, listing: Listing): Route {
  const isSpot = api === spot;
  // Spot cuts a larger limit, contracts refuse it.
  const limit = {
    type: 'integer',
    default: 500,
    minimum: 1,
    description: isSpot ? 'Most candles; 1,000 where it is more.' : 'Most candles.',
    ...(isSpot ? {} : { maximum: 1_500 }),
  } as const;
  const { default: _, ...interval } = intervalOf(allIntervals, '1h');
  return route({
    method: 'GET',
    path: `${api.at}/klines`,
    summary: 'Candles of one market, out of the one cache of candles',
    group,
    access: 'key',
    fails: ['upstream_failed'],
    bare: form,
    params: { symbol, interval: { ...interval, required: true }, limit, ...range },
    answer: s.list(kline, 'Ascending by time.'),
    from: {
      query({ symbol: name, interval: length, limit: most, ...times }) {
        const listed = listing.one(name);
        if (isApiError(listed)) return listed;
        const asked = { ...times, interval: length, limit: isSpot ? Math.min(most, 1_000) : most };
        return questionOf({
          source: exchange,
          name: 'candles',
          params: { market: name, kind: api.kind, interval: length, ...askedOf(asked) },
          what: `the candles of ${name}`,
          form: 'binance',
          data: ({ candles }) => candles.map((one) => klineOf(one, listed, length, isSpot)),
        });
      },
    },
  });
}

/** Levels that a book of which a few are wanted has at most; a larger one is shared by all who ask within some seconds. */
const few = 50;
/** Levels of the larger one. */
const most = 1_000;
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

function depth(api: Api, listing: Listing): Route {
  const isSpot = api === spot;
  const limit = {
    type: 'integer',
    default: isSpot ? 100 : 500,
    minimum: 1,
    description: isSpot ? 'Levels a side; 1,000 where it is more.' : `One of ${legal.join(', ')}.`,
  } as const;
  return route({
    method: 'GET',
    path: `${api.at}/depth`,
    summary: 'Order book of one market: live where it is kept, else asked of the exchange',
    group,
    access: 'key',
    fails: ['upstream_failed'],
    bare: form,
    params: { symbol, limit },
    answer: bookSchema,
    from: {
      query({ symbol: name, limit: wanted }) {
        const listed = listing.one(name);
        if (isApiError(listed)) return listed;
        if (!isSpot && !legal.includes(wanted)) {
          return apiError('bad_parameter', `${wanted} is not valid depth limit.`);
        }
        const about = {
          source: exchange,
          what: `the order book of ${name}`,
          form: `binance ${wanted}`,
        };
        const market = { market: name, kind: api.kind };
        const data = (book: OrderBook) => bookIn(book, listed, Math.min(wanted, most), isSpot);
        return wanted > few
          ? { ...about, name: 'fullBook' as const, params: market, data }
          : { ...about, name: 'orderBook' as const, params: { ...market, depth: wanted }, data };
      },
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
} as const satisfies Param;
const older = { fromId: elsewhere, startTime: elsewhere, endTime: elsewhere } as const;

function aggTrades(api: Api, listing: Listing): Route {
  return route({
    method: 'GET',
    path: `${api.at}/aggTrades`,
    summary: 'The newest trades of one market, one for each taker order and price',
    group,
    access: 'key',
    fails: ['upstream_failed'],
    bare: form,
    params: { symbol, limit: limitOf(500, 1_000, 'Most trades.'), ...older },
    answer: s.list(trade, 'Ascending by time.'),
    from: {
      query({ symbol: name, limit, ...others }) {
        const refused = Object.keys(others).find((one) => one in older);
        if (refused !== undefined) {
          const parameter = { name: refused, missing: false };
          const message = 'only the newest trades are answered here';
          return apiError('bad_parameter', message, { parameter });
        }
        const listed = listing.one(name);
        if (isApiError(listed)) return listed;
        return questionOf({
          source: exchange,
          name: 'recentTrades',
          params: { market: name, kind: api.kind, limit },
          what: `the trades of ${name}`,
          form: 'binance',
          data: ({ trades }) => trades.toReversed().map((one) => tradeOf(one, listed)),
        });
      },
    },
  });
}

/** The rows of an API that ask the exchange. */
export const queryRoutes = (api: Api, listing: Listing): Route[] => [
  klines(api, listing),
  depth(api, listing),
  aggTrades(api, listing),
];
