import { replayed } from '../ccxt.ts';
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
    replayed('bitget', (path, { productType }) => {
      if (path === 'v2/spot/public/symbols') return lists('spot')[0];
      if (path !== 'v2/mix/market/contracts') return { data: [] };
      const [body] = lists(String(productType).toLowerCase());
      // ccxt asks for the delivery of a dated contract.
      return { data: (body?.data ?? []).filter((row: Loose) => row.symbolType === 'perpetual') };
    }),
  probes: {
    prices: { at: 'data' },
    candles: { at: 'data' },
    books: { at: 'data' },
    openInterest: { alone: true },
    derivatives: {
      at: 'data',
      theirs: (exchange, wire, market, [, rates]) => {
        const rate = rates.data.find(({ symbol }: Loose) => symbol === wire.symbol);
        const funding = rate ? exchange.parseFundingRate(rate, market) : {};
        const { timestamp, ...ticker } = exchange.parseTicker(wire, market);
        return { ...funding, ...ticker, timestamp };
      },
    },
  },
};

const contract = 'BTC/USDT:USDT';

const usdtFutures = 'usdt-futures';

const bitgetCoins = [
  perpetual('BTCUSD', { symbol: 'BTC', quote: 'USD' }),
  handMade('ETHUSD_231229', { kind: 'other', quote: 'USD' }),
];

export const recorded: RecordedVenue = {
  load: (read) =>
    replayed('bitget', (path, { productType }) => {
      if (path === 'v2/spot/public/symbols') return read('spot-symbols');
      const linear = path === 'v2/mix/market/contracts' && productType === 'USDT-FUTURES';
      return linear ? read('perp-contracts') : { data: [] };
    }),
  lists: { spot: 'spot-symbols', [usdtFutures]: 'perp-contracts' },
  // There is no recorded list of coin-margined contracts.
  known: { 'coin-futures': bitgetCoins },
  bodies: [
    polled('prices', 'spot', ['spot-tickers']),
    polled('prices', usdtFutures, ['perp-tickers']),
    polled('prices', 'coin-futures', ['perp-coin-tickers']),
    polled('derivatives', usdtFutures, ['perp-tickers', 'funding-current']),
    polled('openInterest', usdtFutures, ['perp-tickers']),
    polled('openInterest', 'coin-futures', ['perp-coin-tickers']),
    book('spot', 'spot-orderbook', 'BTCUSDT'),
    book(usdtFutures, 'perp-orderbook', 'BTCUSDT'),
    bars('spot', 'spot-candles', 'BTCUSDT'),
    bars(usdtFutures, 'perp-candles', 'BTCUSDT'),
  ],
  checks: [
    instruments('spot', 1, {
      theirs: (exchange) => exchange.market('BTC/USDT'),
      but: { market: 'BTCUSDT', funding_hours: null },
    }),
    instruments(usdtFutures, 1, {
      theirs: (exchange) => exchange.market(contract),
      but: { market: 'BTCUSDT', funding_hours: 8 },
    }),
    refusal('rest', 'error', 'refused'),
  ],
};
