import { byPath, replayed } from '../ccxt.ts';
import type { ProbedVenue } from '../probes/pairs.ts';
import {
  bars,
  book,
  handMade,
  instruments,
  type Loose,
  polled,
  type Read,
  type RecordedVenue,
  refusal,
} from '../probes/recorded.ts';

export const probed: ProbedVenue = {
  load: (lists) =>
    replayed(
      'kucoin',
      byPath({
        symbols: lists('spot')[0],
        'market/allTickers': { data: { ticker: [] } },
        'contracts/active': lists('futures')[0],
      }),
    ),
  probes: {
    instruments: (part) => (part === 'futures' ? {} : null),
    prices: (part) => ({ at: part === 'spot' ? 'data.ticker' : 'data' }),
    derivatives: { alone: true },
    openInterest: { at: 'data' },
    candles: { at: 'data' },
    books: { at: 'data' },
  },
};

const kucoinSpot = (symbol: string) => {
  const [baseCurrency, quoteCurrency] = symbol.split('-');
  return { symbol, baseCurrency, quoteCurrency, enableTrading: true };
};

const kucoinContracts = (read: Read) => {
  const [linear] = read('perp-contracts').data;
  const inverse = { symbol: 'XBTUSDM', quoteCurrency: 'USD', settleCurrency: 'XBT' };
  return { data: [linear, { ...linear, ...inverse, multiplier: -1, isInverse: true }] };
};

const kucoinHow = { but: (_: Loose, { spot }: Loose) => ({ funding_hours: spot ? null : 8 }) };

const usd = handMade('XBTUSDM', { quote: 'USD', contract: 1, inverse: true });

const kucoinReceived = 1_640_000_000_000;

export const recorded: RecordedVenue = {
  // The recorded lists with the other recorded markets added.
  load: (read) =>
    replayed(
      'kucoin',
      byPath({
        symbols: {
          data: [...read('spot-symbols').data, kucoinSpot('BTC-USDT'), kucoinSpot('ETH-BTC')],
        },
        'market/allTickers': read('spot-tickers'),
        'contracts/active': kucoinContracts(read),
        '_{limit}': read('spot-orderbook'),
        depth20: read('perp-orderbook'),
      }),
    ),
  lists: { spot: 'spot-symbols', futures: kucoinContracts },
  received: kucoinReceived,
  bodies: [
    polled('prices', 'spot', ['spot-tickers'], { known: [handMade('BTC-USDT')] }),
    polled('prices', 'futures', ['perp-contracts']),
    polled('derivatives', 'futures', ['perp-contracts']),
    polled('openInterest', 'futures', ['perp-contracts']),
    polled('openInterest', 'futures', [
      (read) => ({
        data: [
          {
            ...read('perp-contracts').data[0],
            openInterest: read('open-interest-bulk').data[0].openInterest,
          },
        ],
      }),
    ]),
    book('spot', 'spot-orderbook', 'X', { instrument: handMade('X') }),
    book('futures', 'perp-orderbook', 'X', { instrument: handMade('X') }),
    book('futures', 'perp-orderbook', 'XBTUSDM', { instrument: usd }),
    bars('spot', 'spot-candles', 'X'),
    bars('futures', 'perp-candles', 'X', { instrument: handMade('X', { contract: 0.001 }) }),
  ],
  checks: [
    instruments('spot', 2, kucoinHow),
    instruments('futures', 2, kucoinHow),
    refusal('spot', 'error', { code: 'refused', status: 400 }),
  ],
};
