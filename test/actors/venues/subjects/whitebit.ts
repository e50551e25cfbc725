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
  load: (lists) => listing('whitebit', [...lists('spot')[0]]),
  probes: {
    prices: (part) => (part === 'spot' ? {} : { at: 'result', id: 'ticker_id' }),
    derivatives: {
      at: 'result',
      id: 'ticker_id',
      theirs: (exchange, wire, market) => {
        const { indexPrice, timestamp } = exchange.parseTicker(wire, market);
        return { ...exchange.parseFundingRate(wire, market), indexPrice, timestamp };
      },
    },
    openInterest: { alone: true },
    candles: { at: 'result' },
  },
};

const whitebitMarket = (name: string, stock: string, money: string, type: string) => ({
  name,
  stock,
  money,
  type,
  stockPrec: '3',
  moneyPrec: '2',
  makerFee: '0.1',
  takerFee: '0.1',
  tradesEnabled: true,
});

const zeroG = [perpetual('0G_PERP', { symbol: '0G' })];

export const recorded: RecordedVenue = {
  // The recorded list holds none of the other recorded markets.
  load: (read) =>
    listing('whitebit', [
      ...[...read('markets'), whitebitMarket('BCH_RUB', 'BCH', 'RUB', 'spot')],
      ...[
        whitebitMarket('ETH_BTC', 'ETH', 'BTC', 'spot'),
        whitebitMarket('BTC_USDT', 'BTC', 'USDT', 'spot'),
      ],
      whitebitMarket('0G_PERP', '0G', 'PERP', 'futures'),
    ]),
  lists: { spot: 'markets' },
  known: { futures: zeroG },
  bodies: [
    polled('prices', 'spot', ['tickers-spot'], { known: [handMade('BCH_RUB')] }),
    polled('prices', 'futures', ['futures']),
    polled('derivatives', 'futures', ['futures']),
    polled('openInterest', 'futures', ['futures']),
    book('spot', 'order-book', 'BTC_USDT'),
    bars('spot', 'candles', 'ETH_BTC'),
  ],
  checks: [
    instruments('spot', 1),
    refusal('rest', 'error-unknown-market', 'unknown_instrument'),
    refusal('rest', 'error-region', 'blocked'),
  ],
};
