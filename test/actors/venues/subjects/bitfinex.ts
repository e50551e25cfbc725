import { answered, byPath, replayed } from '../ccxt.ts';
import type { ProbedVenue } from '../probes/pairs.ts';
import {
  bars,
  book,
  instruments,
  polled,
  type RecordedVenue,
  refusal,
  valueAt,
} from '../probes/recorded.ts';

export const probed: ProbedVenue = {
  load: (lists) => replayed('bitfinex', byPath({ 'conf/{config}': lists('all')[0].slice(0, 2) })),
  probes: {
    prices: { id: '0' },
    derivatives: { id: '0' },
    openInterest: { id: '0' },
    books: {
      theirs: (exchange, body, { symbol }) =>
        answered(exchange, body, () => exchange.fetchOrderBook(symbol, 25, { precision: 'P0' })),
    },
  },
};

/** The recorded lists, and the pairs of the other recordings. */
const bitfinexLists = (read: (name: string) => unknown) => [
  [...valueAt(read('pairs-spot'), '0'), ['BTCUSD', []]],
  [...valueAt(read('pairs-futures'), '0'), ['BTCF0:USTF0', []]],
];

export const recorded: RecordedVenue = {
  load: (read) =>
    replayed(
      'bitfinex',
      byPath({
        'conf/{config}': bitfinexLists(read),
        tickers: read('tickers'),
        'status/deriv': read('deriv-status'),
        'book/{symbol}/{precision}': read('orderbook'),
        'candles/trade:{timeframe}:{symbol}/hist': read('candles'),
      }),
    ),
  lists: {
    all: (read) => [
      ...bitfinexLists(read),
      [
        ['UST', 'USDt'],
        ['ALG', 'ALGO'],
      ],
      [],
    ],
  },
  bodies: [
    polled('prices', 'all', ['tickers']),
    polled('derivatives', 'all', ['deriv-status']),
    polled('openInterest', 'all', ['deriv-status']),
    book('all', 'orderbook', 'tBTCUSD'),
    bars('all', 'candles', 'tBTCUSD'),
  ],
  checks: [
    instruments('all', 8, {
      // ccxt looks `ALGF0` up in its names, before it takes the F0 off.
      but: (_, { base, spot, swap }) => ({
        symbol: base === 'ALG' ? 'ALGO' : base,
        followed: spot || swap,
        // Five significant digits, so that the step depends on the price.
        step: undefined,
      }),
    }),
    refusal('rest', 'error-ratelimit', 'rate_limited'),
  ],
};
