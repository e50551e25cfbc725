import { replayed } from '../ccxt.ts';
import type { ProbedVenue } from '../probes/pairs.ts';
import {
  bars,
  book,
  instruments,
  polled,
  type RecordedVenue,
  refusal,
} from '../probes/recorded.ts';

export const probed: ProbedVenue = {
  load: (lists) =>
    replayed('bybit', (path, { category }) => {
      const isList = path.endsWith('instruments-info');
      return isList
        ? (lists(String(category))[0] ?? { result: { list: [] } })
        : { result: { list: [] } };
    }),
  probes: {
    prices: { at: 'result.list' },
    derivatives: { at: 'result.list' },
    openInterest: { at: 'result.list' },
    candles: { at: 'result.list' },
    books: {
      at: 'result',
      theirs: (exchange, body) => exchange.parseOrderBook(body, '', undefined, 'b', 'a'),
    },
  },
};

const bybitLists = {
  spot: 'spot-instruments',
  linear: 'perp-linear-instruments',
  inverse: 'perp-inverse-instruments',
};

// The recording says 8 where the documentation has minutes: no interval rather than a wrong one.
const bybitInstruments = { at: 'result.list', but: { funding_hours: null, contract: 1 } };

export const recorded: RecordedVenue = {
  load: (read) =>
    replayed('bybit', (path, { category }) => {
      const name = Object.entries(bybitLists).find(([part]) => part === category)?.[1];
      if (!path.endsWith('instruments-info') || !name) return { result: { list: [] } };
      // The recorded lists are shortened by the category, which ccxt reads there.
      return { result: { category, list: read(name).result.list } };
    }),
  lists: bybitLists,
  bodies: [
    polled('prices', 'spot', ['spot-tickers']),
    polled('prices', 'inverse', ['perp-inverse-tickers']),
    polled('derivatives', 'inverse', ['perp-inverse-tickers']),
    polled('openInterest', 'inverse', ['perp-inverse-tickers']),
    book('spot', 'spot-orderbook', 'BTCUSDT'),
    book('linear', 'perp-orderbook', 'BTCUSDT'),
    bars('linear', 'perp-linear-candles', 'BTCUSDT'),
    bars('inverse', 'perp-inverse-candles', 'BTCUSD'),
  ],
  checks: [
    instruments('spot', 2, { type: 'spot', ...bybitInstruments }),
    instruments('linear', 2, { type: 'contract', ...bybitInstruments }),
    instruments('inverse', 1, { type: 'contract', ...bybitInstruments }),
    refusal('rest', 'error', 'unknown_instrument'),
  ],
};
