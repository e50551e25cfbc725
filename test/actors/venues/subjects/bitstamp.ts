import { byPath, replayed } from '../ccxt.ts';
import type { ProbedVenue } from '../probes/pairs.ts';
import {
  bars,
  book,
  handMade,
  instruments,
  type Loose,
  polled,
  type RecordedVenue,
  refusal,
} from '../probes/recorded.ts';

export const probed: ProbedVenue = {
  load: (lists) => replayed('bitstamp', byPath({ 'markets/': lists('markets')[0] })),
  probes: {
    instruments: {},
    prices: {
      row: ([body], market) =>
        body.find(({ market: name }: Loose) => name.toLowerCase().replace('/', '') === market),
    },
    derivatives: { alone: true },
    openInterest: { alone: true },
    candles: { at: 'data.ohlc' },
  },
};

export const recorded: RecordedVenue = {
  load: (read) => replayed('bitstamp', byPath({ 'markets/': read('markets') })),
  lists: { markets: 'markets' },
  known: { markets: [handMade('daiusd', { symbol: 'DAI', quote: 'USD' })] },
  bodies: [
    polled('prices', 'markets', ['tickers']),
    polled('derivatives', 'markets', ['tickers', 'funding-current']),
    polled('openInterest', 'markets', ['tickers']),
    book('markets', 'order-book', 'btcusd'),
    bars('markets', 'candles', 'btcusd'),
  ],
  checks: [
    // ccxt has no contract size; the recorded one is "1.00000000".
    instruments('markets', 2, {
      but: (_, { spot, active }) => ({ swap: !spot, followed: active, contract: 1 }),
    }),
    refusal('rest', 'error-not-found', 'unknown_instrument'),
  ],
};
