import { listing } from '../ccxt.ts';
import type { ProbedVenue } from '../probes/pairs.ts';
import {
  bars,
  book,
  handMade,
  instruments,
  perpetual,
  polled,
  type RecordedVenue,
  refusal,
} from '../probes/recorded.ts';

export const probed: ProbedVenue = {
  load: (lists) => listing('woo', lists('perp')[0].data.rows),
  probes: {
    prices: (part) => (part === 'spot' ? { alone: true } : { at: 'data.rows' }),
    derivatives: {
      at: 'data.rows',
      theirs: (exchange, wire, market) => {
        const { markPrice, indexPrice } = exchange.parseTicker(wire, market);
        return { ...exchange.parseFundingRate(wire, market), markPrice, indexPrice };
      },
    },
    openInterest: { alone: true },
    candles: { at: 'data.rows' },
    books: {
      at: 'data',
      theirs: (exchange, body) =>
        exchange.parseOrderBook(body, '', undefined, 'bids', 'asks', 'price', 'quantity'),
    },
  },
};

const wooBitcoin = 'PERP_BTC_USDT';

export const recorded: RecordedVenue = {
  // The recorded list holds one pair; the others are known by their ids.
  load: (read) =>
    listing('woo', [
      ...read('instruments').data.rows,
      ...['SPOT_BTC_USDT', wooBitcoin].map((symbol) => ({ symbol, status: 'TRADING' })),
    ]),
  lists: { spot: 'instruments' },
  known: {
    perp: [perpetual(wooBitcoin, { symbol: 'BTC', funding_hours: 8 })],
    spot: [handMade('SPOT_BTC_USDT')],
  },
  bodies: [
    polled('prices', 'perp', ['futures']),
    polled('derivatives', 'perp', ['futures']),
    polled('openInterest', 'perp', ['futures']),
    polled('prices', 'spot', ['candles']),
    book('spot', 'order-book', 'SPOT_BTC_USDT'),
    bars('spot', 'candles', 'SPOT_BTC_USDT'),
  ],
  checks: [
    instruments('spot', 1),
    instruments(
      'perp',
      1,
      {
        more: ['funding-current'],
        native: ([, rates]) => rates.data.rows,
        theirs: (exchange, native) => ({
          ...exchange.market(wooBitcoin),
          hours: Number.parseInt(exchange.parseFundingRate(native).interval, 10),
        }),
        but: (_, { hours }) => ({ funding_hours: hours, followed: true }),
      },
      { data: { rows: [{ symbol: wooBitcoin, status: 'TRADING' }] } },
    ),
    refusal('rest', 'error-invalid-symbol', 'unknown_instrument'),
    refusal('rest', 'error-gateway-200', 'unavailable'),
  ],
};
