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
  load: (lists) => listing('backpack', lists('all')[0]),
};

const backpackMarket = (symbol: string, baseSymbol: string, marketType: string) => ({
  symbol,
  baseSymbol,
  quoteSymbol: 'USDC',
  marketType,
});

const backpackAll = 'BTC_USDC_PERP';

export const recorded: RecordedVenue = {
  // The recorded list holds neither of the recorded markets.
  load: (read) =>
    listing('backpack', [
      ...[...read('markets'), backpackMarket(backpackAll, 'BTC', 'PERP')],
      backpackMarket('AAVE_USDC', 'AAVE', 'SPOT'),
    ]),
  lists: { all: 'markets' },
  known: {
    all: [
      perpetual(backpackAll, { symbol: 'BTC', quote: 'USDC', funding_hours: 1 }),
      handMade('AAVE_USDC', { symbol: 'AAVE', quote: 'USDC' }),
    ],
  },
  bodies: [
    polled('prices', 'all', ['tickers']),
    polled('derivatives', 'all', ['mark-prices']),
    polled('openInterest', 'all', ['open-interest', 'mark-prices']),
    book('all', 'order-book', backpackAll),
    bars('all', 'candles', backpackAll),
  ],
  checks: [
    // A number of ms on spot, where it means nothing, and text on the perpetual.
    instruments('all', 2, { but: (_, { swap }) => ({ funding_hours: swap ? 8 : null }) }),
    refusal('rest', 'error-invalid-symbol', 'unknown_instrument'),
    refusal('rest', 'error-bad-limit', null),
  ],
};
