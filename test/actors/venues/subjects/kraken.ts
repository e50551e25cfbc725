import type { Instrument } from '../../../../actors/topics/index.ts';
import { byPath, offline, replayed } from '../ccxt.ts';
import type { ProbedVenue } from '../probes/pairs.ts';
import {
  type Body,
  bars,
  book,
  facts,
  handMade,
  instruments,
  type Loose,
  perpetual,
  polled,
  type RecordedVenue,
  refusal,
} from '../probes/recorded.ts';

/** The library of the futures, which asks for the symbol of each id. */
const krakenCharts: Loose = Object.assign(await offline('krakenfutures'), {
  symbol: (id: string) => id,
});

export const probed: ProbedVenue = {
  also: { futures: krakenCharts },
  async load(lists) {
    const spot: Loose = await replayed('kraken', byPath({ AssetPairs: lists('spot')[0] }));
    const futures: Loose = await replayed(
      'krakenfutures',
      byPath({ instruments: lists('futures')[0] }),
    );
    return Object.assign(Object.create(spot), {
      futures,
      markets_by_id: { ...spot.markets_by_id, ...futures.markets_by_id },
    });
  },
  probes: {
    prices: (part) =>
      part === 'spot'
        ? { at: 'result' }
        : {
            at: 'tickers',
            theirs: ({ futures }, wire, market) => futures.parseTicker(wire, market),
          },
    derivatives: {
      at: 'tickers',
      theirs: ({ futures }, wire, market) => futures.parseFundingRate(wire, market),
    },
    openInterest: { alone: true },
    candles: (part) =>
      part === 'spot'
        ? { row: ([body]) => Object.values(body.result)[0] }
        : {
            at: 'candles',
            theirs: (_, rows) => rows.map((row: Loose) => krakenCharts.parseOHLCV(row)),
          },
    books: (part) =>
      part === 'spot'
        ? { at: 'result.$' }
        : { at: 'orderBook', theirs: ({ futures }, body) => futures.parseOrderBook(body, '') },
  },
};

const krakenPerpetual = (market: string, more: Partial<Instrument> = {}) =>
  perpetual(market, { quote: 'USD', funding_hours: 1, ...more });

const krakenTickers = ['futures-tickers', 'futures-ticker-funding', 'analytics-futures-tickers'];

/** One ticker without funding, as a list. */
const oneTicker: Body = (read) => {
  const { ticker, serverTime } = read('futures-ticker-one');
  return { result: 'success', tickers: [ticker], serverTime };
};

/** Not read: what we do not ask for (trades, and the older of the two funding histories). */
export const recorded: RecordedVenue = {
  load: (read) => offline('kraken', byPath({ AssetPairs: read('spot-pairs') })),
  lists: { spot: 'spot-pairs' },
  // The recorded rows are of other markets than the recorded lists.
  known: {
    futures: [
      krakenPerpetual('PI_XBTUSD', { symbol: 'BTC', inverse: true }),
      krakenPerpetual('PF_XBTUSD', { symbol: 'BTC' }),
      krakenPerpetual('PF_ENJUSD', { symbol: 'ENJ' }),
      handMade('FI_XBTUSD_211231', { kind: 'other' }),
    ],
  },
  bodies: [
    polled('prices', 'spot', ['spot-tickers'], { known: [handMade('XXBTZUSD', { quote: 'USD' })] }),
    ...krakenTickers.flatMap((name) => [
      polled('prices', 'futures', [name]),
      polled('derivatives', 'futures', [name]),
      polled('openInterest', 'futures', [name]),
    ]),
    polled('prices', 'futures', [oneTicker]),
    polled('derivatives', 'futures', [oneTicker]),
    book('spot', 'spot-orderbook', 'XBTUSDT'),
    book('futures', 'futures-orderbook', 'PI_XBTUSD'),
    book('futures', 'analytics-futures-orderbook', 'PF_XBTUSD'),
    bars('spot', 'spot-candles', 'XBTUSDT'),
    bars('futures', 'futures-candles', 'PI_XBTUSD'),
  ],
  checks: [
    instruments('spot', 1, {
      native: () => [{}],
      theirs: async (exchange) => (await exchange.fetchMarkets())[0],
      but: (_, { id }) => ({ market: id, scale: 1, funding_hours: null }),
    }),
    instruments(
      'futures',
      3,
      {
        native: ([{ instruments: all }]) => all,
        theirs: async (_, wire) =>
          (
            await replayed(
              'krakenfutures',
              byPath({ instruments: { result: 'success', instruments: [wire] } }),
            )
          ).safeMarket(wire.symbol),
        but: { followed: true },
      },
      'futures-instruments',
    ),
    // The history states both rates; their quotient is the price, about 20.7k in June 2022.
    facts('relative funding = absolute x price', ({ read }) => {
      const quotients = read('futures-funding-history').rates.map(
        (row: Record<string, number>) => Number(row.relativeFundingRate) / Number(row.fundingRate),
      );
      const isPrice = (price: number) => price > 20_000 && price < 22_000;
      return [
        { prices: quotients.every(isPrice), some: quotients.length > 0 },
        { prices: true, some: true },
      ];
    }),
    refusal('spot', 'error-spot', 'unknown_instrument'),
    refusal('futures', 'error-futures', 'refused'),
  ],
};
