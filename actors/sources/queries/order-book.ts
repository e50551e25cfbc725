import { heardAt, unheard } from '../../../indicators/market/heard.ts';
import { isCrossed } from '../../../indicators/order-book/spread.ts';
import { ShapeError } from '../../failure.ts';
import { time } from '../../read.ts';
import type { OrderBook } from '../../topics/index.ts';
import type { ReadableBook } from '../books/live-books.ts';
import type { Asked, MarketQuery, MarketQueryName, OrderBookQuery } from './forms.ts';

/** A query whose answer is made of its pages. */
export interface PagedQuery<N extends MarketQueryName, Page, Whole> extends MarketQuery<N, Page> {
  whole(pages: readonly Page[], asked: Asked<N>): Whole;
  /** The answer out of a live book, without a request to the exchange. */
  live?(kept: ReadableBook, asked: Asked<N>): Whole;
}

/** A crossed book is asked once more, and marked where it is crossed again or cannot be had again. */
function bookQuery<N extends 'orderBook' | 'fullBook'>(
  query: OrderBookQuery,
  { ttl, depthOf }: { ttl: number; depthOf(asked: Asked<N>): number },
): PagedQuery<N, OrderBook | null, OrderBook> {
  const request = (asked: Asked<N>) => query.request({ ...asked, depth: depthOf(asked) });
  const read = (body: unknown, asked: Asked<N>, received: number): OrderBook => {
    const depth = depthOf(asked);
    const { bids, asks, stated, sequence } = query.parse(body, asked);
    const timestamp = time(stated, 1, received) ?? received;
    return {
      market: asked.market,
      bids: bids.sort((a, b) => b.price - a.price).slice(0, depth),
      asks: asks.sort((a, b) => a.price - b.price).slice(0, depth),
      timestamp,
      ...unheard(timestamp, received),
      ...(sequence !== undefined && { sequence }),
    };
  };
  return {
    ttl,
    live({ book: { book, stated, sequence }, instrument, received }, asked) {
      const timestamp = time(stated, 1, received) ?? received;
      return {
        market: asked.market,
        ...book.levels(depthOf(asked), instrument),
        timestamp,
        source: 'live',
        ...unheard(heardAt(received, timestamp), asked.now),
        ...(sequence !== undefined && { sequence }),
      };
    },
    requests: (asked) => [request(asked)],
    more: (asked, [first, ...others]) =>
      first && others.length === 0 && isCrossed(first.bids[0], first.asks[0])
        ? [{ ...request(asked), optional: true }]
        : [],
    parse: ([body], asked, received) => (body === undefined ? null : read(body, asked, received)),
    whole([first, second]) {
      if (!first) throw new ShapeError('no order book');
      if (second === undefined) return first;
      const book = second ?? first;
      return isCrossed(book.bids[0], book.asks[0]) ? { ...book, crossed: true } : book;
    },
  };
}

/** The first levels of a book, requested for every client. */
export const orderBookQuery = (query: OrderBookQuery) =>
  bookQuery<'orderBook'>(query, { ttl: 0, depthOf: ({ depth }) => Math.min(depth, query.cap) });

/** How long a whole book is given to others, ms. */
const fullBookLife = 3_000;

/** As many levels as the venue gives. */
export const fullBookQuery = (query: OrderBookQuery) =>
  bookQuery<'fullBook'>(query, {
    ttl: fullBookLife,
    depthOf: ({ part }) => (typeof query.most === 'number' ? query.most : (query.most[part] ?? 0)),
  });
