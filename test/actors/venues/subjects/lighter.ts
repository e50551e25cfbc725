import { byPath, replayed } from '../ccxt.ts';
import type { ProbedVenue } from '../probes/pairs.ts';
import {
  bars,
  book,
  instruments,
  type Loose,
  polled,
  type RecordedVenue,
} from '../probes/recorded.ts';

export const probed: ProbedVenue = {
  load: (lists) => replayed('lighter', byPath({ orderBookDetails: lists('all')[0] })),
  probes: {
    prices: {
      row: ([body], market) =>
        [...body.order_book_details, ...body.spot_order_book_details].find(
          ({ market_id }) => String(market_id) === market,
        ),
    },
    derivatives: {
      row: ([body], market) =>
        body.funding_rates.find(
          ({ market_id, exchange }: Loose) =>
            String(market_id) === market && exchange === 'lighter',
        ),
    },
    openInterest: { alone: true },
    candles: { at: 'c' },
    books: {
      theirs: (exchange, body) => {
        const keys = ['bids', 'asks', 'price', 'remaining_base_amount'];
        return exchange.parseOrderBook(body, '', undefined, ...keys);
      },
    },
  },
};

const details = {
  'order-book-details': 'order_book_details',
  'spot-order-book-details': 'spot_order_book_details',
};

export const recorded: RecordedVenue = {
  // ccxt has no parser of one market: it reads the answer as a whole.
  load: (read) => {
    const lists = Object.entries(details).map(([name, key]) => [key, read(name)[key]]);
    return replayed(
      'lighter',
      byPath({ orderBookDetails: { code: 200, ...Object.fromEntries(lists) } }),
    );
  },
  lists: {
    all: (read) => ({
      ...read('order-book-details'),
      spot_order_book_details: read('spot-order-book-details').spot_order_book_details,
    }),
  },
  received: Date.UTC(2026, 4, 5, 1, 40),
  bodies: [
    ...Object.keys(details).map((name) => polled('prices', 'all', [name])),
    polled('openInterest', 'all', ['order-book-details']),
    polled('derivatives', 'all', ['funding-rates']),
    book('all', 'order-book', '0'),
    bars('all', 'candles', '0'),
  ],
  checks: [instruments('all', 2)],
};
