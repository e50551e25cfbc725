import { replayed } from '../ccxt.ts';
import type { Differences, ProbedVenue } from '../probes/pairs.ts';
import { contracts, differences } from '../probes/reasons.ts';
import {
  bars,
  book,
  instruments,
  type Loose,
  polled,
  type RecordedVenue,
  refusal,
} from '../probes/recorded.ts';

const bybitSides: Differences = differences(
  'https://bybit-exchange.github.io/docs/v5/market/tickers',
)`
  units singleOpenInterest      openInterest      openInterest counts both sides
  units 0.5*openInterest        openInterest      openInterest counts both sides
  value singleOpenInterest      openInterest      openInterest counts both sides, of inverse contracts in dollars
  value 0.5*openInterest        openInterest      openInterest counts both sides, of inverse contracts in dollars
  value singleOpenInterestValue openInterestValue openInterestValue counts both sides
  value 0.5*openInterestValue   openInterestValue openInterestValue counts both sides
`;

export const probed: ProbedVenue = {
  load: (lists) =>
    replayed('bybit', (path, { category }) => {
      const isList = path.endsWith('instruments-info');
      return isList
        ? (lists(String(category))[0] ?? { result: { list: [] } })
        : { result: { list: [] } };
    }),
  probes: [
    ...['spot', 'linear', 'inverse'].flatMap((part) => [
      {
        topic: 'prices' as const,
        part,
        at: 'result.list',
        ...(part === 'inverse' && {
          differs: differences('https://bybit-exchange.github.io/docs/v5/market/tickers')`
            base   turnover24h volume24h   an inverse contract turns over coins
            volume volume24h   turnover24h an inverse contract counts its volume in dollars
          `,
        }),
      },
      { topic: 'candles' as const, part, at: 'result.list' },
      {
        topic: 'books' as const,
        part,
        at: 'result',
        theirs: (exchange: Loose, body: Loose) =>
          exchange.parseOrderBook(body, '', undefined, 'b', 'a'),
        ...(part === 'inverse' && {
          differs: contracts('https://bybit-exchange.github.io/docs/v5/market/orderbook'),
        }),
      },
    ]),
    ...['linear', 'inverse'].flatMap((part) => [
      { topic: 'derivatives' as const, part, at: 'result.list' },
      { topic: 'openInterest' as const, part, at: 'result.list', differs: bybitSides },
    ]),
  ],
};

const bybitLists = {
  ...{
    spot: 'spot-instruments',
    linear: 'perp-linear-instruments',
    inverse: 'perp-inverse-instruments',
  },
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
