/** KuCoin: spot, and linear and inverse futures in one list. https://www.kucoin.com/docs-new */

import { bulk, field, time } from '../../read.ts';
import type { Apis, RequestOf } from '../../sources/define.ts';
import {
  type CandleAsk,
  defineVenue,
  everyHalfMinute,
  everyHour,
  type OrderBookAsk,
} from '../../sources/venue.ts';
import type { Faults } from '../../upstream/faults.ts';
import type { Api, Query } from '../../upstream/request.ts';
import { bars, bookOf, sizeOf } from '../levels-and-bars.ts';
import { besidePrices, listPoll, marketRows } from '../rows.ts';
import { histories } from './analytics.ts';
import { books } from './books.ts';
import { live } from './live.ts';
import {
  contractCandle,
  contractInstruments,
  contractTickers,
  derivatives,
  interests,
  spotCandle,
  spotInstruments,
  spotTickers,
} from './rows.ts';

/** Refusals come with any status. */
const faults: Faults = {
  name: 'KuCoin',
  at: 'code',
  type: 'string',
  ok: [200000],
  codes: {
    400600: 'unknown_instrument',
    900001: 'unknown_instrument',
    429000: 'rate_limited',
    400302: 'blocked',
    400500: 'blocked',
    408000: 'unavailable',
    500000: 'unavailable',
  },
  message: 'msg',
  patterns: [
    // "Unsupported trading pair.", "symbol not exists": of all parameters only the symbol is a client's.
    { code: /^400100$/, text: /trading pair|symbol|contract/i, means: 'unknown_instrument' },
  ],
};

/** 2000 a 30 s and address in all, half of it for each host. */
const api = (host: string): Api => ({
  hosts: [host],
  budgets: { default: { weight: 1000, per: 30_000 } },
  faults,
});

const apis = {
  spot: api('https://api.kucoin.com'),
  futures: api('https://api-futures.kucoin.com'),
} as const satisfies Apis;

type Ask = RequestOf<typeof apis>;
type PartName = Ask['api'];

const get = (part: Ask['api'], path: string, weight: number, query: Query = {}): Ask => ({
  api: part,
  path,
  query,
  weight,
});

const contracts = get('futures', '/api/v1/contracts/active', 3);

/** 20 and 100 levels are legal. */
function bookRequest({ part, market, depth }: OrderBookAsk<PartName>): Ask {
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

/** Without times the newest rows. Futures give 500, by older documents 200, the first ones of a longer range. */
function candleRequest({ part, market, interval, limit, before }: CandleAsk<PartName>): Ask {
  const granularity = minutes[interval] ?? 1;
  if (part === 'futures') {
    const length = Math.min(limit, 200) * granularity * 60_000;
    const range: Query = before === undefined ? {} : { from: before - length, to: before - 1 };
    return get(part, '/api/v1/kline/query', 3, { symbol: market, granularity, ...range });
  }
  const query = { symbol: market, type: interval };
  if (before === undefined) return get(part, '/api/v1/market/candles', 3, query);
  const end = before / 1000;
  const range = { startAt: end - limit * granularity * 60, endAt: end - 1 };
  return get(part, '/api/v1/market/candles', 3, { ...query, ...range });
}

export const kucoin = defineVenue({
  id: 'kucoin',
  name: 'KuCoin',
  kinds: ['spot', 'perpetual'],
  example: 'BTC-USDT',
  apis,
  parts: ['spot', 'futures'],
  partOf: (market) => (market.includes('-') ? 'spot' : 'futures'),
  feeds: {
    instruments: everyHour({
      spot: {
        requests: () => [get('spot', '/api/v2/symbols', 4)],
        parse: ([body]) => spotInstruments(body),
      },
      futures: {
        requests: () => [contracts],
        parse: ([body]) => contractInstruments(body),
      },
    }),
    prices: everyHalfMinute({
      spot: {
        requests: () => [get('spot', '/api/v1/market/allTickers', 15)],
        parse([body], { instruments }) {
          const data = field(body, 'data');
          const tickers = spotTickers(time(field(data, 'time')));
          return marketRows(bulk(field(data, 'ticker'), 'tickers'), instruments, tickers);
        },
      },
      futures: listPoll(
        contracts,
        (body) => bulk(field(body, 'data'), 'contracts'),
        contractTickers,
      ),
    }),
    derivatives: everyHalfMinute({
      futures: besidePrices((body) => bulk(field(body, 'data'), 'contracts'), derivatives),
    }),
    openInterest: everyHalfMinute({
      futures: besidePrices((body) => bulk(field(body, 'data'), 'contracts'), interests),
    }),
  },
  live,
  books,
  queries: {
    ...histories(get),
    orderBook: {
      cap: 50,
      most: 100,
      request: bookRequest,
      parse(body, ask) {
        const inContracts = ask.part === 'futures';
        const size = sizeOf(ask, inContracts);
        const book = field(body, 'data');
        // Futures state nanoseconds.
        return bookOf(
          book,
          size,
          inContracts ? time(field(book, 'ts'), 1e-6) : time(field(book, 'time')),
        );
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
        const rows = field(body, 'data');
        if (ask.part === 'spot') return bars(rows, size.scale, spotCandle, 7);
        // Newer answers have the turnover at the end, older ones have six columns.
        return bars(rows, size.scale, contractCandle(size), 6);
      },
    },
  },
});
