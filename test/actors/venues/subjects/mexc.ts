import { answered, byPath, replayed } from '../ccxt.ts';
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

const noName = 'the recording names no market, without which ccxt does not ask';

export const probed: ProbedVenue = {
  skipped: { 'books of contracts': noName, 'candles of contracts': noName },
  load: (lists) =>
    replayed('mexc', byPath({ exchangeInfo: lists('spot')[0], detail: lists('contracts')[0] })),
  probes: {
    instruments: (part) => (part === 'contracts' ? {} : null),
    prices: (part) => (part === 'spot' ? {} : { at: 'data' }),
    derivatives: {
      row: ([, rates], market) => rates.data.find(({ symbol }: Loose) => symbol === market),
    },
    openInterest: { alone: true },
    candles: (part) =>
      part === 'spot'
        ? {}
        : {
            theirs: (exchange, body, { symbol }) =>
              answered(exchange, body, () => exchange.fetchOHLCV(symbol, '1h', 0)),
          },
    books: (part) =>
      part === 'spot'
        ? {}
        : {
            theirs: (exchange, body, { symbol }) =>
              answered(exchange, body, () => exchange.fetchOrderBook(symbol)),
          },
  },
};

const mexcSpot = (baseAsset: string) => ({
  symbol: `${baseAsset}USDT`,
  baseAsset,
  quoteAsset: 'USDT',
  status: '1',
  isSpotTradingAllowed: true,
});

const ethereum = {
  symbol: 'ETH_USDT',
  baseCoin: 'ETH',
  quoteCoin: 'USDT',
  settleCoin: 'USDT',
  contractSize: 0.01,
  state: 0,
  isHidden: false,
};

const mexcContracts = (read: Read) => ({
  success: true,
  code: 0,
  data: [...read('perp-contracts').data, ethereum],
});

const lot = {
  instrument: handMade('X', { contract: 0.01 }),
  base: (quantity: number) => quantity * 0.01,
};

export const recorded: RecordedVenue = {
  // The recorded lists with the other recorded markets added.
  load: (read) =>
    replayed(
      'mexc',
      byPath({
        exchangeInfo: {
          symbols: [...read('spot-exchange-info').symbols, mexcSpot('BTC'), mexcSpot('ETH')],
        },
        detail: mexcContracts(read),
        'depth/{symbol}': read('perp-orderbook'),
        'kline/{symbol}': read('perp-candles'),
      }),
    ),
  lists: { spot: 'spot-exchange-info', contracts: mexcContracts },
  bodies: [
    polled('prices', 'spot', ['spot-tickers'], {
      known: ['BTCUSDT', 'ETHUSDT'].map((id) => handMade(id)),
    }),
    polled('prices', 'contracts', ['perp-tickers']),
    polled('openInterest', 'contracts', ['perp-tickers']),
    polled('derivatives', 'contracts', ['perp-tickers', 'funding-current-bulk']),
    book('spot', 'spot-orderbook', 'X'),
    book('contracts', 'perp-orderbook', 'X', lot),
    bars('spot', 'spot-candles', 'X'),
    bars('contracts', 'perp-candles', 'X', lot),
  ],
  checks: [
    instruments('spot', 1),
    instruments('contracts', 2),
    refusal('spot', 'error-spot', { code: 'refused', message: 'MEXC error -1128' }),
    refusal('spot', 'error-contract', { code: 'refused', message: 'MEXC error 123456' }),
  ],
};
