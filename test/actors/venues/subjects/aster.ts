import { listing } from '../ccxt.ts';
import type { ProbedVenue } from '../probes/pairs.ts';
import {
  bars,
  book,
  instruments,
  type Loose,
  perpetual,
  polled,
  type RecordedVenue,
  refusal,
} from '../probes/recorded.ts';

const rowsOf = (lists: readonly Loose[]): Loose[] => lists.flatMap((list) => list.symbols ?? list);

export const probed: ProbedVenue = {
  load: (lists) =>
    listing(
      'aster',
      ['spot', 'linear'].flatMap((part) => rowsOf(lists(part).slice(0, 1))),
    ),
  probes: { openInterest: { alone: true } },
};

export const recorded: RecordedVenue = {
  // The recorded list holds the venue's test symbol only.
  load: (read) => {
    const [row] = read('exchange-info-symbols').symbols;
    return listing('aster', [
      row,
      { ...row, symbol: 'BTCUSDT', baseAsset: 'BTC', quoteAsset: 'USDT' },
    ]);
  },
  lists: { linear: 'exchange-info-symbols' },
  known: { linear: [perpetual('BTCUSDT', { symbol: 'BTC' })] },
  received: 1_750_146_971_000,
  bodies: [
    polled('prices', 'linear', ['tickers-perp']),
    polled('derivatives', 'linear', ['premium-index', 'funding-info']),
    ...['INJUSDT', 'ZORAUSDT'].map((symbol) =>
      polled('derivatives', 'linear', [[{ symbol, lastFundingRate: '0.0001' }], 'funding-info'], {
        known: [perpetual(symbol)],
      }),
    ),
    book('linear', 'order-book', 'BTCUSDT'),
    bars('linear', 'candles', 'BTCUSDT'),
  ],
  checks: [
    // TEST… are the venue's own: they are not for trading.
    instruments('linear', 1, {
      but: (_, theirs) => ({ followed: !theirs.active, swap: undefined }),
    }),
    refusal('linear', 'error-invalid-symbol', { code: 'unknown_instrument', status: 400 }),
  ],
};
