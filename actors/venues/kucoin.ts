/** KuCoin: spot, and linear and inverse futures in one list. https://www.kucoin.com/docs-new */
import { isRecord, optionalNonZero, required, text } from '../read.ts';
import type { Failure, FailureCode } from '../topics.ts';
import type { Api, UpstreamRequest } from '../upstream/request.ts';
import {
  contractCandle,
  contractInstruments,
  contractTickers,
  derivatives,
  interests,
  spotCandle,
  spotInstruments,
  spotTickers,
} from './kucoin-rows.ts';
import { bars, bulk, field, levels, marketRows, sizeOf } from './rows.ts';
import { defineVenue, type MarketAsk } from './venue.ts';

const faults: ReadonlyMap<string, FailureCode> = new Map([
  ['400600', 'unknown_instrument'],
  ['900001', 'unknown_instrument'],
  ['429000', 'rate_limited'],
  ['400302', 'blocked'],
  ['400500', 'blocked'],
  ['408000', 'unavailable'],
  ['500000', 'unavailable'],
]);

/** Refusals come with any status and a `code` other than "200000". */
function fault(status: number, body: unknown): Failure | null {
  const code = isRecord(body) ? text(body.code) : '';
  if (!isRecord(body) || code === '' || code === '200000') return null;
  return { code: faultCode(status, code, text(body.msg)), message: `KuCoin error ${code}`, status };
}

function faultCode(status: number, code: string, reason: string): FailureCode {
  // "Unsupported trading pair.", "symbol not exists": of all parameters only the symbol is a client's.
  if (code === '400100' && /trading pair|symbol|contract/i.test(reason))
    return 'unknown_instrument';
  const known = faults.get(code);
  if (known) return known;
  if (status === 429) return 'rate_limited';
  if (status === 403) return 'blocked';
  return status >= 500 ? 'unavailable' : 'refused';
}

/** 2000 a 30 s and address in all, half of it for each host. */
const api = (host: string): Api => ({
  hosts: [host],
  budgets: { default: { weight: 1000, per: 30_000 } },
  fault,
});

type Query = NonNullable<UpstreamRequest['query']>;

const get = (part: string, path: string, weight: number, query: Query = {}): UpstreamRequest => ({
  api: part,
  path,
  query,
  weight,
});

const contracts = get('futures', '/api/v1/contracts/active', 3);

/** 20 and 100 levels are legal. */
function bookRequest({ part, market, depth }: MarketAsk & { depth: number }): UpstreamRequest {
  const few = depth <= 20;
  const query = { symbol: market };
  if (part === 'futures') {
    return get(part, `/api/v1/level2/depth${few ? 20 : 100}`, few ? 5 : 10, query);
  }
  return get(part, `/api/v1/market/orderbook/level2_${few ? 20 : 100}`, few ? 2 : 4, query);
}

/** Minutes of an interval, which is what futures call it. */
const minutes: Readonly<Record<string, number>> = {
  '1min': 1,
  '5min': 5,
  '15min': 15,
  '30min': 30,
  '1hour': 60,
  '2hour': 120,
  '4hour': 240,
  '8hour': 480,
  '12hour': 720,
  '1day': 1440,
};

type Span = MarketAsk & { interval: string; limit: number; before?: number };

/** Without times the newest rows. Futures give 500, older documents say 200, and of a longer range the first ones. */
function candleRequest({ part, market, interval, limit, before }: Span): UpstreamRequest {
  const granularity = minutes[interval] ?? 1;
  if (part === 'futures') {
    const length = Math.min(limit, 200) * granularity * 60_000;
    const range: Query = before === undefined ? {} : { from: before - length, to: before - 1 };
    return get(part, '/api/v1/kline/query', 3, { symbol: market, granularity, ...range });
  }
  const end = (before ?? 0) / 1000;
  const range = { startAt: end - limit * granularity * 60, endAt: end - 1 };
  const query = { symbol: market, type: interval, ...(before === undefined ? {} : range) };
  return get(part, '/api/v1/market/candles', 3, query);
}

export const kucoin = defineVenue({
  id: 'kucoin',
  name: 'KuCoin',
  kinds: ['spot', 'perpetual'],
  example: 'BTC-USDT',
  apis: {
    spot: api('https://api.kucoin.com'),
    futures: api('https://api-futures.kucoin.com'),
  },
  parts: ['spot', 'futures'],
  partOf: (market) => (market.includes('-') ? 'spot' : 'futures'),
  feeds: {
    instruments: {
      every: 3_600_000,
      parts: {
        spot: {
          requests: () => [get('spot', '/api/v2/symbols', 4)],
          parse: ([body]) => spotInstruments(body),
        },
        futures: {
          requests: () => [contracts],
          parse: ([body]) => contractInstruments(body),
        },
      },
    },
    prices: {
      every: 30_000,
      parts: {
        spot: {
          requests: () => [get('spot', '/api/v1/market/allTickers', 15)],
          parse([body], { instruments }) {
            const data = field(body, 'data');
            const tickers = spotTickers(optionalNonZero(field(data, 'time')));
            return marketRows(bulk(field(data, 'ticker'), 'tickers'), instruments, tickers);
          },
        },
        futures: {
          requests: () => [contracts],
          parse: ([body], { instruments }) =>
            marketRows(bulk(field(body, 'data'), 'contracts'), instruments, contractTickers),
          needsInstruments: true,
        },
      },
    },
    derivatives: {
      every: 30_000,
      parts: {
        futures: {
          bodiesOf: 'prices',
          parse: ([body], { instruments, received }) =>
            marketRows(bulk(field(body, 'data'), 'contracts'), instruments, derivatives(received)),
        },
      },
    },
    openInterest: {
      every: 30_000,
      parts: {
        futures: {
          bodiesOf: 'prices',
          parse: ([body], { instruments }) =>
            marketRows(bulk(field(body, 'data'), 'contracts'), instruments, interests),
        },
      },
    },
  },
  queries: {
    orderBook: {
      cap: 50,
      request: bookRequest,
      parse(body, ask) {
        const inContracts = ask.part === 'futures';
        const size = sizeOf(ask, inContracts);
        const book = field(body, 'data');
        // Futures state nanoseconds, more than a number holds exactly.
        const nanoseconds = required(field(book, 'ts'));
        return {
          bids: levels(field(book, 'bids'), size),
          asks: levels(field(book, 'asks'), size),
          stated: optionalNonZero(
            inContracts ? Math.round(nanoseconds / 1e6) : field(book, 'time'),
          ),
        };
      },
    },
    candles: {
      // Those that spot and futures both have; their weeks are built from days, so that they open on Mondays.
      intervals: {
        '1m': '1min',
        '5m': '5min',
        '15m': '15min',
        '30m': '30min',
        '1h': '1hour',
        '2h': '2hour',
        '4h': '4hour',
        '8h': '8hour',
        '12h': '12hour',
        '1d': '1day',
      },
      page: 1500,
      request: candleRequest,
      parse(body, ask) {
        const size = sizeOf(ask, ask.part === 'futures');
        const read = ask.part === 'futures' ? contractCandle(size) : spotCandle;
        return bars(field(body, 'data'), size.scale, read);
      },
    },
  },
});
