import { listing } from '../ccxt.ts';
import type { ProbedVenue } from '../probes/pairs.ts';
import { bars, book, instruments, polled, type RecordedVenue } from '../probes/recorded.ts';

export const probed: ProbedVenue = {
  load: (lists) => listing('dydx', Object.values(lists('perp')[0].markets)),
  probes: {
    prices: { alone: true },
    derivatives: { alone: true },
    openInterest: { alone: true },
    candles: { at: 'candles' },
    books: {
      theirs: (exchange, body) =>
        exchange.parseOrderBook(body, '', undefined, 'bids', 'asks', 'price', 'size'),
    },
  },
};

export const recorded: RecordedVenue = {
  load: (read) => listing('dydx', Object.values(read('perpetual-markets').markets)),
  lists: { perp: 'perpetual-markets' },
  received: 1_765_210_316_125,
  bodies: [
    polled('prices', 'perp', ['perpetual-markets']),
    polled('derivatives', 'perp', ['perpetual-markets']),
    polled('openInterest', 'perp', ['perpetual-markets']),
    book('perp', 'order-book', 'BTC-USD'),
    bars('perp', 'candles', 'BTC-USD'),
  ],
  checks: [
    // The contract is quoted in USD; the library names the currency that it is settled in.
    instruments('perp', 3, { but: { quote: 'USD' } }),
  ],
};
