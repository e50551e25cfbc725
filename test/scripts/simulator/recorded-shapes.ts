/**
 * Recorded answers that the simulator answers in the same form, folder by folder, and where the form may differ. Members that one
 * of both lacks do not count: the simulator has those of the fixtures, and a recording may be older or shortened.
 */
import { isRecord } from '../../../actors/read.ts';

/** How one recording is compared, where that is not as it stands. */
export interface Comparison {
  /** Differences that there are. */
  known?: readonly string[];
  /** What is asked instead: by now the recorded market is gone, or the simulator has another. */
  ask?: readonly [from: string, to: string];
  /** What is compared of a body; the first row stands for the others else. */
  pick?: (body: unknown) => unknown;
}

export interface Folder {
  /** Names of recordings. */
  names: string;
  /** By name, and for all of the folder. */
  one?: Readonly<Record<string, Comparison>>;
  all?: Comparison;
}

const listAt = (body: unknown, key?: string): unknown[] => {
  const found = key && isRecord(body) ? body[key] : body;
  return Array.isArray(found) ? found : [];
};

/** A row of each kind: the first with the value at the key. */
const firstWith = (body: unknown, key: string, values: readonly string[], at?: string) =>
  values.map((value) => listAt(body, at).find((row) => isRecord(row) && row[key] === value));

/** The first value of a map, or the map of those at a key. */
const firstValue = (body: unknown): unknown => (isRecord(body) ? Object.values(body)[0] : body);

/** Kraken's pairs are keys; the first stands for all, under the same name. */
function krakenPair(body: unknown): unknown {
  if (!isRecord(body) || !isRecord(body.result)) return body;
  const { last, ...pairs } = body.result;
  return { ...body, last: typeof last, result: Object.values(pairs)[0] };
}

/** Hyperliquid's lists of two: markets and contexts, which differ in form. */
const halves = (body: unknown): unknown =>
  Array.isArray(body) ? { markets: body[0], contexts: body[1] } : body;

export const folders: Readonly<Record<string, Folder>> = {
  aster: {
    names: `candles error-invalid-symbol funding-info order-book premium-index
      tickers-perp`,
  },
  backpack: {
    names: `markets tickers mark-prices open-interest order-book candles error-bad-limit
      error-invalid-symbol`,
    // The row of a perpetual where both have one. In 2025 the interval was text, since then a number of ms.
    all: {
      pick: (body) => firstWith(body, 'symbol', ['SOL_USDC_PERP'])[0] ?? listAt(body)[0] ?? body,
    },
    one: { markets: { known: ['$.fundingInterval: number, not string'] } },
  },
  binance: {
    names: `analytics-dapi-open-interest analytics-fapi-funding-info analytics-fapi-funding-rate
      analytics-fapi-invalid-symbol analytics-fapi-klines-taker analytics-fapi-open-interest
      analytics-fapi-premium-index analytics-spot-klines-taker error-invalid-symbol inverse-candles
      inverse-exchange-info inverse-open-interest inverse-orderbook inverse-premium-index inverse-tickers
      perp-book-tickers perp-candles perp-exchange-info perp-funding-history perp-funding-info
      perp-open-interest perp-orderbook perp-premium-index perp-tickers spot-candles spot-exchange-info
      spot-orderbook spot-prices spot-tickers`,
  },
  bingx: {
    names: `error funding-current open-interest-inverse open-interest perp-candles perp-contracts
      perp-inverse-contracts perp-inverse-orderbook perp-inverse-tickers perp-orderbook perp-tickers
      spot-candles spot-orderbook spot-symbols spot-tickers`,
    one: {
      'perp-candles': { ask: ['SFP', 'BTC'] },
      'perp-tickers': { ask: ['SFP', 'BTC'] },
      'spot-candles': { ask: ['spot/v2', 'spot/v1'] },
    },
  },
  bitfinex: {
    names: `pairs-spot pairs-futures tickers funding-tickers deriv-status orderbook candles
      funding-stats longs-total`,
    one: { tickers: { ask: ['ALL', 'tBTCUSD'] } },
  },
  bitget: {
    names: `borrow-rate error funding-current perp-candles perp-coin-tickers perp-contracts
      perp-orderbook perp-tickers spot-candles spot-orderbook spot-symbols spot-tickers`,
    one: { error: { ask: ['market/ticker?', 'market/merge-depth?'] } },
  },
  bitstamp: {
    names: 'markets tickers funding-current order-book candles',
    all: {
      pick: (body) =>
        Array.isArray(body)
          ? firstWith(body, 'market_type', ['SPOT', 'PERPETUAL']).map((row) => ({ row }))
          : body,
    },
  },
  bybit: {
    names: `borrow-rates spot-margin-trade-data perp-inverse-candles perp-inverse-instruments
      perp-inverse-tickers perp-linear-candles perp-linear-instruments perp-orderbook
      spot-instruments spot-orderbook spot-tickers`,
  },
  coinbase: { names: 'exchange-candles intx-candles intx-instruments product-book products' },
  cryptocom: {
    names:
      'tickers order-book funding-current funding-history candles error-invalid-instrument instruments',
    one: {
      tickers: { ask: ['get-tickers', 'get-tickers?instrument_name=BTCUSD-PERP'] },
      instruments: {
        pick: (body) => {
          const types = ['CCY_PAIR', 'PERPETUAL_SWAP', 'FUTURE'];
          return firstWith(Object(body).result, 'inst_type', types, 'data').map((row) => ({ row }));
        },
      },
    },
  },
  deribit: {
    names: 'instruments book-summary-options order-book candles error-invalid-params',
    one: {
      instruments: {
        pick: (body) => firstWith(body, 'instrument_name', ['BTC-PERPETUAL'], 'result')[0],
      },
    },
  },
  dydx: {
    names: 'order-book candles perpetual-markets',
    // A map: any market of it has the form of any other.
    one: { 'perpetual-markets': { pick: (body) => Object(Object(body).markets)['BTC-USD'] } },
  },
  gate: {
    names: `unified-history-loan-rate error perp-candles perp-contracts-funding perp-contracts perp-orderbook
      perp-tickers spot-candles spot-orderbook spot-pairs spot-tickers`,
  },
  htx: {
    names: `analytics-v5-funding-rate analytics-v5-open-interest error perp-batch-funding-shape perp-candles
      perp-inverse-open-interest perp-linear-contracts perp-linear-funding-v5
      perp-linear-open-interest-v5 perp-linear-tickers spot-candles spot-orderbook spot-symbols spot-tickers`,
  },
  hyperliquid: {
    names: `meta-and-asset-ctxs analytics-meta-and-asset-ctxs spot-meta-and-asset-ctxs order-book candles
      error-unknown-coin-book error-unknown-type`,
    all: { pick: halves },
    one: {
      'order-book': { ask: ['DYDX', 'BTC'] },
      // Of 2023, before the simulated world began.
      candles: {
        ask: ['"endTime":1684784807000', '"endTime":2000000000000'],
        pick: (body) => body,
      },
    },
  },
  kraken: {
    names: `spot-pairs spot-tickers spot-orderbook spot-candles error-spot futures-instruments futures-tickers
      futures-ticker-funding analytics-futures-tickers futures-orderbook
      analytics-futures-orderbook futures-candles`,
    all: { pick: krakenPair },
  },
  kucoin: {
    names: 'perp-contracts perp-orderbook spot-candles spot-orderbook spot-symbols spot-tickers',
  },
  lighter: {
    names: 'order-book-details spot-order-book-details funding-rates order-book candles',
    one: {
      // The recordings of the details keep one of the two lists and empty the other.
      'order-book-details': { known: ['$.spot_order_book_details: not empty'] },
      'spot-order-book-details': { known: ['$.order_book_details: not empty'] },
    },
  },
  mexc: {
    names: `error-spot funding-current-bulk perp-contracts perp-orderbook perp-tickers spot-candles
      spot-exchange-info spot-orderbook spot-tickers`,
  },
  okx: {
    names: `analytics-funding-rate-history analytics-swap-open-interest analytics-option-open-interest
      analytics-opt-summary
      borrow-rates funding-current funding-history index-tickers
      mark-price open-interest perp-candles perp-instruments perp-orderbook perp-tickers spot-candles
      spot-instruments spot-orderbook spot-tickers`,
  },
  phemex: {
    names: `products tickers-linear-v3-row order-book-spot order-book-linear candles-spot
      error-missing-parameter`,
  },
  whitebit: {
    names: 'markets tickers-spot futures order-book candles error-unknown-market',
    one: {
      'tickers-spot': { pick: firstValue },
    },
  },
  woo: { names: 'instruments futures funding-current order-book candles error-invalid-symbol' },
  'alternative-me': { names: 'fng-limit-2' },
  defillama: {
    names: 'cexs-two-rows',
  },
};
