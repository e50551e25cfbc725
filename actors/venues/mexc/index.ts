/** MEXC: spot, and linear and inverse perpetuals in one list. https://www.mexc.com/api-docs */

import { bulk, field, time } from '../../read.ts';
import {
  type CandleAsk,
  defineVenue,
  everyHalfMinute,
  everyHour,
  type OrderBookAsk,
} from '../../sources/venue.ts';
import type { Query } from '../../upstream/request.ts';
import { bars, bookOf, sizeOf } from '../levels-and-bars.ts';
import { besidePrices, listPoll } from '../rows.ts';
import { type Ask, apis, contracts, spot } from './api.ts';
import { books } from './books.ts';
import { live } from './live.ts';
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

const tickers = contracts('/ticker', 'tickers');

function bookRequest({ part, market, depth }: OrderBookAsk<Ask['api']>): Ask {
  const limit = [20, 50].find((size) => size >= depth) ?? 1000;
  if (part === 'spot') return spot('/depth', 'depth', 1, { symbol: market, limit });
  return contracts(`/depth/${encodeURIComponent(market)}`, 'depth', { limit });
}

/** The word of the contracts for an interval, and its length in seconds; a month at its longest. */
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
  const length = limit * seconds;
  if (part !== 'spot') {
    const end = before === undefined ? null : before / 1000;
    const range: Query = end === null ? {} : { start: end - length, end: end - 1 };
    const path = `/kline/${encodeURIComponent(market)}`;
    return contracts(path, 'candles', { interval: word, ...range });
  }
  const range: Query =
    before === undefined
      ? { limit }
      : { startTime: before - length * 1000, endTime: before - 1, limit: page };
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
  live,
  books,
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
