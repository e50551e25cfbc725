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
  load: (lists) =>
    listing(
      'binance',
      ['spot', 'linear', 'inverse'].flatMap((part) => lists(part)[0].symbols),
      // The library looks these up while it reads a market, and would ask for them.
      { crossMarginPairsData: [], isolatedMarginPairsData: [] },
    ),
  probes: {
    instruments: (part) => (part === 'inverse' ? {} : null),
    openInterest: {
      row: (bodies, market) => bodies.slice(1).find(({ symbol }) => symbol === market),
    },
  },
};

const cm = { quote: 'USD', contract: 10, inverse: true };

export const recorded: RecordedVenue = {
  load: (read) =>
    listing(
      'binance',
      ['spot', 'perp', 'inverse'].flatMap((name) => read(`${name}-exchange-info`).symbols),
      // The library looks these up while it reads a market, and would ask for them.
      { crossMarginPairsData: [], isolatedMarginPairsData: [] },
    ),
  lists: {
    spot: 'spot-exchange-info',
    linear: 'perp-exchange-info',
    inverse: 'inverse-exchange-info',
  },
  bodies: [
    polled('prices', 'spot', ['spot-tickers'], {
      known: ['ETHBTC', 'LTCBTC', 'BNBBTC'].map((id) => handMade(id)),
    }),
    polled('prices', 'linear', ['perp-tickers'], { known: [perpetual('BCHUSDT')] }),
    polled('prices', 'inverse', ['inverse-tickers'], { known: [perpetual('LINKUSD_PERP', cm)] }),
    book('spot', 'spot-orderbook', 'BTCUSDT'),
    book('linear', 'perp-orderbook', 'BTCUSDT'),
    book('inverse', 'inverse-orderbook', 'BTCUSD_PERP'),
    bars('spot', 'spot-candles', 'BTCUSDT'),
    bars('linear', 'perp-candles', 'BTCUSDT'),
    bars('inverse', 'inverse-candles', 'BTCUSD_PERP'),
    polled('derivatives', 'linear', ['perp-premium-index'], {
      known: ['EOSUSDT', 'SUSHIUSDT', 'BALUSDT'].map((id) => perpetual(id, { funding_hours: 8 })),
    }),
    polled('derivatives', 'inverse', ['inverse-premium-index'], {
      known: [
        perpetual('FILUSD_PERP', { ...cm, funding_hours: 8 }),
        handMade('LINKUSD_231229', { kind: 'other', quote: 'USD' }),
        handMade('DOTUSD_230929', { kind: 'other', quote: 'USD' }),
      ],
    }),
    ...(['perp-open-interest', 'analytics-fapi-open-interest'] as const).map((name) =>
      polled('openInterest', 'linear', [[{ symbol: 'BTCUSDT', markPrice: '43750.5' }], name]),
    ),
    // ccxt gives what is on the wire: contracts of 100 USD.
    ...(['inverse-open-interest', 'analytics-dapi-open-interest'] as const).map((name) =>
      polled('openInterest', 'inverse', [[{ symbol: 'BTCUSD_PERP', markPrice: '43750.5' }], name]),
    ),
  ],
  checks: [
    instruments('spot', 2, { type: 'spot' }),
    instruments('linear', 2, { type: 'swap' }),
    instruments('inverse', 2, { type: 'swap' }),
    instruments('linear', 2, {
      type: 'swap',
      more: ['perp-funding-info'],
      but: { funding_hours: 8 },
    }),
    refusal('spot', 'error-invalid-symbol', { code: 'unknown_instrument', status: 400 }),
  ],
};
