/** Questions about an order book, and a source that answers them. */
import { success } from '../../../actors/failure.ts';
import type { OrderBook, OrderBookParams, Reply } from '../../../actors/topics/index.ts';

export const request = (market: string) =>
  ({ source: 'okx', name: 'orderBook', params: { market, depth: 5 } }) as const;

export const book = (market: string): Reply<OrderBook> => ({
  value: { market, bids: [], asks: [], timestamp: 1 },
  received: 1,
  until: 2,
});

export const echo = { orderBook: async ({ market }: OrderBookParams) => success(book(market)) };

/** The same, which notes the markets that it is asked about. */
export const noting = (asked: string[]) => ({
  orderBook(params: OrderBookParams) {
    asked.push(params.market);
    return echo.orderBook(params);
  },
});
