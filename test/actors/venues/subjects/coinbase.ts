import { offline } from '../ccxt.ts';
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

export const probed: ProbedVenue = {
  also: { perpetual: await offline('coinbaseinternational') },
  async load(lists) {
    const [spot, perpetual]: Loose[] = [
      await offline('coinbase'),
      await offline('coinbaseinternational'),
    ];
    spot.setMarkets(
      lists('spot')[0].products.map((row: Loose) => ({
        id: row.product_id,
        symbol: `${row.base_currency_id}/${row.quote_currency_id}`,
        base: row.base_currency_id,
        quote: row.quote_currency_id,
        spot: true,
        type: 'spot',
      })),
    );
    perpetual.setMarkets(lists('perpetual')[0].map((row: Loose) => perpetual.parseMarket(row)));
    // One exchange of two libraries.
    return Object.assign(Object.create(spot), {
      perpetual,
      markets_by_id: { ...spot.markets_by_id, ...perpetual.markets_by_id },
    });
  },
  probes: {
    prices: (part) =>
      part === 'spot'
        ? { at: 'products', id: 'product_id' }
        : { theirs: ({ perpetual }, { quote }, market) => perpetual.parseTicker(quote, market) },
    derivatives: {
      theirs: ({ perpetual }, { quote }, market) => perpetual.parseTicker(quote, market),
    },
    openInterest: { alone: true },
    candles: (part) =>
      part === 'spot'
        ? { theirs: (_, rows) => rows.map((row: Loose) => exchangeLibrary.parseOHLCV(row)) }
        : {
            at: 'aggregations',
            theirs: ({ perpetual }, rows) => rows.map((row: Loose) => perpetual.parseOHLCV(row)),
          },
    books: {
      at: 'pricebook',
      theirs: (exchange, body) =>
        exchange.parseOrderBook(body, '', undefined, 'bids', 'asks', 'price', 'size'),
    },
  },
};

/** Spot candles are those of the older API, a library of its own. */
const exchangeLibrary: Loose = await offline('coinbaseexchange');

/** The international exchange and the older API are libraries of their own. */
const international = (): Promise<Loose> => offline('coinbaseinternational');

export const recorded: RecordedVenue = {
  load: () => offline('coinbase'),
  lists: { spot: 'products' },
  known: { perpetual: [perpetual('ETH-PERP', { quote: 'USDC' })] },
  bodies: [
    polled('prices', 'spot', ['products']),
    polled('prices', 'perpetual', ['intx-instruments']),
    polled('derivatives', 'perpetual', ['intx-instruments']),
    polled('openInterest', 'perpetual', ['intx-instruments']),
    book('spot', 'product-book', 'BTC-USD'),
    bars('spot', 'exchange-candles', 'ETH-BTC'),
    bars('perpetual', 'intx-candles', 'BTC-PERP'),
  ],
  checks: [
    instruments('spot', 2, {
      native: ([{ products }]) => products,
      theirs: (_, wire) => ({
        base: wire.base_currency_id,
        quote: wire.quote_currency_id,
        active: true,
        spot: true,
      }),
      but: ({ product_id }) => ({ market: product_id, swap: false }),
    }),
    instruments(
      'perpetual',
      1,
      {
        native: ([rows]) => rows,
        theirs: async (_, wire) => (await international()).parseMarket(wire),
        but: (_, { id }) => ({ market: id }),
      },
      'intx-instruments',
    ),
    refusal('international', 'intx-error', { code: 'refused', status: 400 }),
  ],
};
