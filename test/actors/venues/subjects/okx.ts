import { listing } from '../ccxt.ts';
import type { ProbedVenue } from '../probes/pairs.ts';
import {
  bars,
  book,
  handMade,
  instruments,
  type Loose,
  perpetual,
  polled,
  type RecordedVenue,
  refusal,
} from '../probes/recorded.ts';

export const probed: ProbedVenue = {
  load: (lists) =>
    listing('okx', [
      ...lists('spot')[0].data,
      ...lists('swap')[0].data.filter(({ state }: Loose) => state === 'live'),
    ]),
  probes: {
    instruments: (part) => (part === 'swap' ? {} : null),
    prices: { at: 'data', id: 'instId' },
    candles: { at: 'data' },
    books: { at: 'data.0' },
    derivatives: {
      row: (bodies, market) => [
        bodies[0].data.find(({ instId }: Loose) => instId === market),
        bodies[1].data.find(({ instId }: Loose) => instId === market),
      ],
      theirs: (exchange, [mark, rate], market) => {
        const { timestamp, ...funding } = rate ? exchange.parseFundingRate(rate, market) : {};
        const ticker = mark ? exchange.parseTicker(mark, market) : {};
        return { ...funding, markPrice: ticker.markPrice, timestamp: ticker.timestamp };
      },
    },
    openInterest: { at: 'data', id: 'instId' },
  },
};

const okxMarks = { code: '0', data: [{ instId: 'BTC-USDT-SWAP', markPx: '19000.5' }] };

export const recorded: RecordedVenue = {
  load: (read) =>
    listing('okx', [
      ...read('spot-instruments').data,
      // Outside the recorded list, but with a recorded ticker.
      { instId: 'BCD-BTC', instType: 'SPOT', baseCcy: 'BCD', quoteCcy: 'BTC', state: 'live' },
      ...read('perp-instruments').data,
    ]),
  lists: { spot: 'spot-instruments', swap: 'perp-instruments' },
  bodies: [
    polled('prices', 'spot', ['spot-tickers'], { known: [handMade('BCD-BTC')] }),
    polled('prices', 'swap', ['perp-tickers'], {
      known: [perpetual('LTC-USD-SWAP', { quote: 'USD', inverse: true, contract: 10 })],
    }),
    book('spot', 'spot-orderbook', 'ETH-BTC'),
    book('swap', 'perp-orderbook', 'BTC-USDT-SWAP'),
    bars('spot', 'spot-candles', 'BTC-USDT'),
    bars('swap', 'perp-candles', 'BTC-USD-SWAP'),
    polled('derivatives', 'swap', ['mark-price', 'funding-current', 'index-tickers']),
    // ccxt leaves contracts as they are: 0.01 BTC each. The recording is older than `oiUsd`.
    ...['open-interest', 'analytics-swap-open-interest'].map((name) =>
      polled('openInterest', 'swap', [name, okxMarks]),
    ),
  ],
  checks: [
    instruments('spot', 3, { type: 'spot' }),
    instruments('swap', 3, { type: 'swap' }),
    refusal('rest', 'error', 'refused'),
  ],
};
