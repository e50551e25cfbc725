/** OKX: spot and perpetual swaps, linear and inverse in one list. https://www.okx.com/docs-v5/en */
import { isRecord, optionalNonZero, required, text } from '../read.ts';
import type {
  DerivativeRow,
  Failure,
  FailureCode,
  Instrument,
  OpenInterestRow,
  PriceRow,
} from '../topics.ts';
import type { Budget, UpstreamRequest } from '../upstream/request.ts';
import { derivative, interest, readInstrument, rowsById, tickers } from './okx-rows.ts';
import {
  bars,
  bulk,
  field,
  instrumentRows,
  levels,
  list,
  marketRows,
  ohlc,
  sizeOf,
  type WireRow,
} from './rows.ts';
import { defineVenue, type Part } from './venue.ts';

const faults: ReadonlyMap<string, FailureCode> = new Map([
  ['50001', 'unavailable'],
  ['50011', 'rate_limited'],
  ['50013', 'unavailable'],
  ['50026', 'unavailable'],
  ['51001', 'unknown_instrument'],
]);

/** Refusals come with any status, 200 included, and with a `code` other than "0". */
function fault(status: number, body: unknown): Failure | null {
  if (!isRecord(body) || typeof body.code !== 'string' || body.code === '0') return null;
  return {
    code: faultCode(status, body.code, text(body.msg)),
    message: `OKX error ${body.code}`,
    status,
  };
}

function faultCode(status: number, code: string, message: string): FailureCode {
  // "Parameter instId error": a market of a form that no OKX id has.
  if (code === '51000' && message.includes('instId')) return 'unknown_instrument';
  const known = faults.get(code);
  if (known) return known;
  if (status === 429) return 'rate_limited';
  if (status === 403) return 'blocked';
  return status >= 500 ? 'unavailable' : 'refused';
}

/** Requests per 2 s and address, each path by itself. */
const per2s = (weight: number): Budget => ({ weight, per: 2000 });

const get = (path: string, budget: string, query: UpstreamRequest['query']): UpstreamRequest => ({
  api: 'rest',
  path: `/api/v5${path}`,
  budget,
  query,
});

const instruments = (instType: string): Part<Instrument> => ({
  requests: () => [get('/public/instruments', 'instruments', { instType })],
  parse: ([body]) => instrumentRows(bulk(field(body, 'data'), 'data'), 'instId', readInstrument),
});

const prices = (instType: string): Part<PriceRow> => ({
  requests: () => [get('/market/tickers', 'tickers', { instType })],
  parse: ([body], context) =>
    marketRows(bulk(field(body, 'data'), 'data'), context.instruments, tickers),
});

const swaps = { instType: 'SWAP' };
const markPrices = get('/public/mark-price', 'marks', swaps);
/** Rates of every swap; an index has the id of its spot pair, and is asked by its quote. Marks are served without. */
const derivativeRequests: UpstreamRequest[] = [
  markPrices,
  { ...get('/public/funding-rate', 'funding', { instId: 'ANY' }), optional: true },
  ...['USDT', 'USD', 'USDC'].map((quoteCcy) => ({
    ...get('/market/index-tickers', 'indices', { quoteCcy }),
    optional: true as const,
  })),
];

const derivatives: Part<DerivativeRow> = {
  requests: () => derivativeRequests,
  parse: ([marks, funding, ...indices], context) =>
    marketRows(
      bulk(field(marks, 'data'), 'marks'),
      context.instruments,
      derivative(rowsById('funding rates', funding), rowsById('indices', ...indices)),
    ),
};

const openInterest: Part<OpenInterestRow> = {
  requests: () => [
    get('/public/open-interest', 'interest', swaps),
    { ...markPrices, optional: true },
  ],
  parse: ([body, marks], context) =>
    marketRows(
      bulk(field(body, 'data'), 'open interest'),
      context.instruments,
      interest(rowsById('marks', marks)),
    ),
};

/**
 * `[time, open, high, low, close, vol, volCcy, volCcyQuote, confirm]`: base, quote; on swaps
 * contracts, base, quote.
 */
const spotCandle = (row: WireRow) => ohlc(row, required(row[5]), required(row[6]));
const swapCandle = (row: WireRow) => ohlc(row, required(row[6]), required(row[7]));

export const okx = defineVenue({
  id: 'okx',
  name: 'OKX',
  kinds: ['spot', 'perpetual'],
  example: 'BTC-USDT',
  apis: {
    rest: {
      hosts: ['https://www.okx.com', 'https://aws.okx.com'],
      budgets: {
        default: per2s(10),
        instruments: per2s(20),
        tickers: per2s(20),
        books: per2s(40),
        candles: per2s(40),
        history: per2s(20),
        marks: per2s(10),
        funding: per2s(10),
        indices: per2s(20),
        interest: per2s(20),
        loans: per2s(2),
      },
      fault,
    },
  },
  parts: ['spot', 'swap'],
  partOf: (market) => (market.endsWith('-SWAP') ? 'swap' : 'spot'),
  feeds: {
    instruments: {
      every: 3_600_000,
      parts: { spot: instruments('SPOT'), swap: instruments('SWAP') },
    },
    prices: {
      every: 30_000,
      parts: { spot: prices('SPOT'), swap: prices('SWAP') },
    },
    derivatives: { every: 30_000, parts: { swap: derivatives } },
    openInterest: { every: 30_000, parts: { swap: openInterest } },
  },
  queries: {
    orderBook: {
      cap: 50,
      request: ({ market, depth }) => get('/market/books', 'books', { instId: market, sz: depth }),
      parse(body, ask) {
        const size = sizeOf(ask, ask.part === 'swap');
        const [book] = list(field(body, 'data'), 'data');
        return {
          bids: levels(field(book, 'bids'), size),
          asks: levels(field(book, 'asks'), size),
          stated: optionalNonZero(field(book, 'ts')),
        };
      },
    },
    candles: {
      // No 8h. The words without `utc` open their days at 16:00 UTC.
      intervals: {
        '1m': '1m',
        '3m': '3m',
        '5m': '5m',
        '15m': '15m',
        '30m': '30m',
        '1h': '1H',
        '2h': '2H',
        '4h': '4H',
        '6h': '6Hutc',
        '12h': '12Hutc',
        '1d': '1Dutc',
        '3d': '3Dutc',
        '1w': '1Wutc',
        '1M': '1Mutc',
      },
      page: 300,
      request({ market, interval, limit, before }) {
        const query = { instId: market, bar: interval, limit };
        if (before === undefined) return get('/market/candles', 'candles', query);
        // `candles` ends 1440 bars back; the history holds every bar that is closed.
        return get('/market/history-candles', 'history', { ...query, after: before });
      },
      parse(body, ask) {
        const { scale } = sizeOf(ask, false);
        return bars(field(body, 'data'), scale, ask.part === 'swap' ? swapCandle : spotCandle);
      },
    },
  },
});
