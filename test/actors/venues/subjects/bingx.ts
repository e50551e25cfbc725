import { offline } from '../ccxt.ts';
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
  async load(lists) {
    const exchange: Loose = await offline('bingx');
    exchange.setMarkets(
      [lists('spot')[0].data.symbols, lists('linear')[0].data, lists('inverse')[0].data]
        .flat()
        .map((row) => exchange.parseMarket(row)),
    );
    return exchange;
  },
  probes: {
    instruments: (part) => (part === 'inverse' ? {} : null),
    prices: { at: 'data' },
    candles: { at: 'data' },
    books: { at: 'data' },
    derivatives: { at: 'data' },
    openInterest: {
      row: (bodies, market) =>
        bodies
          .slice(1)
          .flatMap(({ data }: Loose) => data)
          .find((row: Loose) => row?.symbol === market),
    },
  },
};

const inverseCoin = (market: string, contract: number) =>
  perpetual(market, { quote: 'USD', inverse: true, contract });

export const recorded: RecordedVenue = {
  load: () => offline('bingx'),
  lists: { spot: 'spot-symbols', linear: 'perp-contracts', inverse: 'perp-inverse-contracts' },
  // The recorded rows are of other markets than the recorded lists.
  known: {
    spot: [handMade('BTC-USDT')],
    linear: [perpetual('SFP-USDT')],
    inverse: [inverseCoin('BTC-USD', 100), inverseCoin('SOL-USD', 10)],
  },
  bodies: [
    polled('prices', 'spot', ['spot-tickers']),
    // Recorded with a symbol, which gives one object for the list.
    polled('prices', 'linear', [
      (read) => ({ ...read('perp-tickers'), data: [read('perp-tickers').data] }),
    ]),
    polled('prices', 'inverse', ['perp-inverse-tickers']),
    polled('derivatives', 'linear', ['funding-current']),
    polled('openInterest', 'linear', ['funding-current', 'open-interest']),
    polled('openInterest', 'inverse', [
      { code: 0, data: [{ symbol: 'BTC-USD', markPrice: '57000' }] },
      'open-interest-inverse',
    ]),
    book('spot', 'spot-orderbook', 'BTC-USDT'),
    book('linear', 'perp-orderbook', 'BONK-USDT'),
    book('inverse', 'perp-inverse-orderbook', 'BTC-USD'),
    bars('spot', 'spot-candles', 'BTC-USDT'),
    bars('linear', 'perp-candles', 'BTC-USDT'),
  ],
  checks: [
    instruments('spot', 1, { native: ([{ data }]) => data.symbols }),
    instruments('linear', 1, { native: ([{ data }]) => data }),
    instruments('inverse', 1, { native: ([{ data }]) => data }),
    refusal('rest', 'error', 'unknown_instrument'),
  ],
};
