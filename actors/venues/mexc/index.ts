/** MEXC: spot, and linear and inverse perpetuals in one list. https://www.mexc.com/api-docs */

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
import type { Budget, Query } from '../../upstream/request.ts';
import { bars, bookOf, sizeOf } from '../levels-and-bars.ts';
import { besidePrices, listPoll } from '../rows.ts';
import { livePrices } from './live.ts';
import {
  contractCandle,
  contractInstruments,
  contractRows,
  contractTickers,
  derivatives,
  interests,
  spotCandle,
  spotInstruments,
  spotTickers,
} from './rows.ts';

/** Spot answers `{code, msg}` with a 4xx, contracts `{success: false, code, message}` inside a 200. */
const faults: Faults = {
  name: 'MEXC',
  at: 'code',
  when: ({ success, code, msg = '' }) =>
    code !== undefined && (success === false || (success !== true && msg !== '')),
  ok: [0, 200],
  codes: {
    [-1121]: 'unknown_instrument',
    10007: 'unknown_instrument',
    1001: 'unknown_instrument',
    30014: 'unknown_instrument',
    30021: 'unknown_instrument',
    // Illegal characters: of all parameters only the symbol is a client's.
    700008: 'unknown_instrument',
    429: 'rate_limited',
    510: 'rate_limited',
    403: 'blocked',
    406: 'blocked',
    500: 'unavailable',
    501: 'unavailable',
    503: 'unavailable',
    504: 'unavailable',
    604: 'unavailable',
    801: 'unavailable',
  },
};

const per = (weight: number, ms: number): Budget => ({ weight, per: ms });

const apis = {
  spot: {
    hosts: ['https://api.mexc.com'],
    budgets: { default: per(500, 10_000), depth: per(200, 10_000), candles: per(200, 10_000) },
    faults,
    maxBody: 32 * 2 ** 20,
  },
  contracts: {
    hosts: ['https://api.mexc.com', 'https://contract.mexc.com'],
    budgets: {
      default: per(20, 2000),
      detail: per(1, 5000),
      tickers: per(20, 2000),
      depth: per(20, 2000),
      candles: per(20, 2000),
    },
    faults,
  },
} as const satisfies Apis;

type Ask = RequestOf<typeof apis>;
type SpotAsk = RequestOf<typeof apis, 'spot'>;
type ContractsAsk = RequestOf<typeof apis, 'contracts'>;

const spot = (
  path: string,
  budget: SpotAsk['budget'],
  weight: number,
  query: Query = {},
): SpotAsk => ({
  api: 'spot',
  path: `/api/v3${path}`,
  budget,
  weight,
  query,
});

const contracts = (
  path: string,
  budget: ContractsAsk['budget'],
  query: Query = {},
): ContractsAsk => ({
  api: 'contracts',
  path: `/api/v1/contract${path}`,
  budget,
  query,
});

const tickers = contracts('/ticker', 'tickers');

function bookRequest({ part, market, depth }: OrderBookAsk<Ask['api']>): Ask {
  const limit = [20, 50].find((size) => size >= depth) ?? 1000;
  if (part === 'spot') return spot('/depth', 'depth', 1, { symbol: market, limit });
  return contracts(`/depth/${encodeURIComponent(market)}`, 'depth', { limit });
}

/** What contracts call an interval, and its length in seconds; a month at its longest. */
const intervals: Readonly<Record<string, readonly [word: string, seconds: number]>> = {
  '1m': ['Min1', 60],
  '5m': ['Min5', 300],
  '15m': ['Min15', 900],
  '30m': ['Min30', 1800],
  '60m': ['Min60', 3600],
  '4h': ['Hour4', 14_400],
  '1d': ['Day1', 86_400],
  '1M': ['Month1', 2_678_400],
};

/** Documented as 1000; 500 is what spot gives. */
const page = 500;

/** A range of `limit` candles; its answer is never cut, since that would leave out the newest of them. */
function candleRequest({ part, market, interval, limit, before }: CandleAsk<Ask['api']>): Ask {
  const [word, seconds] = intervals[interval] ?? ['Min1', 60];
  const end = (before ?? 0) / 1000;
  const start = end - limit * seconds;
  if (part !== 'spot') {
    const range: Query = before === undefined ? {} : { start, end: end - 1 };
    const path = `/kline/${encodeURIComponent(market)}`;
    return contracts(path, 'candles', { interval: word, ...range });
  }
  const range: Query =
    before === undefined
      ? { limit }
      : { startTime: start * 1000, endTime: before - 1, limit: page };
  return spot('/klines', 'candles', 1, { symbol: market, interval, ...range });
}

export const mexc = defineVenue({
  id: 'mexc',
  name: 'MEXC',
  kinds: ['spot', 'perpetual'],
  example: 'BTCUSDT',
  apis,
  parts: ['spot', 'contracts'],
  partOf: (market) => (market.includes('_') ? 'contracts' : 'spot'),
  feeds: {
    instruments: everyHour({
      spot: {
        requests: () => [spot('/exchangeInfo', 'default', 10)],
        parse: ([body]) => spotInstruments(body),
      },
      contracts: {
        requests: () => [contracts('/detail', 'detail')],
        parse: ([body]) => contractInstruments(body),
      },
    }),
    prices: everyHalfMinute({
      spot: listPoll(
        spot('/ticker/24hr', 'default', 40),
        (body) => bulk(body, 'tickers'),
        spotTickers,
      ),
      contracts: listPoll(tickers, (body) => bulk(field(body, 'data'), 'tickers'), contractTickers),
    }),
    derivatives: everyHalfMinute({
      contracts: {
        // Tickers lack the hours and the time: a failure of the second list shall not cost prices.
        requests: () => [tickers, { ...contracts('/funding_rate', 'default'), optional: true }],
        parse: (bodies, { instruments }) => derivatives(bodies, instruments),
      },
    }),
    openInterest: everyHalfMinute({
      contracts: besidePrices((body) => bulk(field(body, 'data'), 'tickers'), interests),
    }),
  },
  live: { prices: livePrices },
  queries: {
    orderBook: {
      cap: 50,
      most: 1000,
      request: bookRequest,
      parse(body, ask) {
        const inContracts = ask.part === 'contracts';
        const size = sizeOf(ask, inContracts);
        const book = inContracts ? field(body, 'data') : body;
        // Contracts have the number of orders at the end.
        const form = { price: 0, quantity: 1, columns: inContracts ? 3 : 2 };
        return bookOf(book, size, time(field(book, 'timestamp')), form);
      },
    },
    candles: {
      // Contracts alone have 8h. Weeks are built from days, so that they open on Mondays.
      intervals: {
        '1m': '1m',
        '5m': '5m',
        '15m': '15m',
        '30m': '30m',
        '1h': '60m',
        '4h': '4h',
        '1d': '1d',
        '1M': '1M',
      },
      page,
      request: candleRequest,
      parse(body, ask) {
        const inContracts = ask.part === 'contracts';
        const size = sizeOf(ask, inContracts);
        if (!inContracts) return bars(body, size.scale, spotCandle, 8);
        return bars(contractRows(body), size.scale, contractCandle(size));
      },
    },
  },
});
