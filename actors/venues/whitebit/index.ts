/** WhiteBIT: spot and linear perpetuals (`futures`, in USDT). https://docs.whitebit.com */

import { isRecord } from '../../read.ts';
import type { Apis, RequestOf } from '../../sources/define.ts';
import { sameWords } from '../../sources/queries/candles.ts';
import type { CandleAsk } from '../../sources/queries/forms.ts';
import { byPart, defineVenue, everyTenMinutes, pollsByTopic } from '../../sources/venue.ts';
import type { Faults } from '../../upstream/faults.ts';
import type { Budget } from '../../upstream/request.ts';
import { getter } from '../apis.ts';
import { book, candles } from '../levels-and-bars.ts';
import { listing } from '../listings.ts';
import { recentTrades } from '../trades.ts';
import { lengthsOf } from '../words.ts';
import { futures, listOf, spot } from './markets.ts';
import { books, live } from './streams.ts';
import { trades } from './trades.ts';

/** `{market: ["Market is not available."]}`, by itself or below `message` (v1) or `errors` (v4). */
const isAboutMarket = (value: unknown): boolean => isRecord(value) && Array.isArray(value.market);

/** Limits and maintenance are answered without JSON. */
const faults: Faults = [
  {
    name: 'WhiteBIT',
    when: (body) => [body, body.message, body.errors].some(isAboutMarket),
    means: 'unknown_instrument',
  },
  {
    name: 'WhiteBIT',
    when: ({ success, message }, status) =>
      success === false || (status >= 400 && typeof message === 'string'),
  },
];

/** Requests per 10 s and address. */
const per10s = (weight: number): Budget => ({ weight, per: 10_000 });

const apis = {
  rest: {
    hosts: ['https://whitebit.com'],
    budgets: { default: per10s(2000), books: per10s(600) },
    faults,
  },
} as const satisfies Apis;

type Ask = RequestOf<typeof apis>;

const get = getter<Ask>('rest');

const instruments = (part: 'spot' | 'futures') =>
  listing({ venue: 'whitebit', requests: get('/api/v4/public/markets'), ...listOf(part) });

const contracts = futures.poll(get('/api/v4/public/futures'));

/** On which day a week opens is not documented: they are built from days. */
const { '1w': _, ...words } = sameWords;
const lengthOf = lengthsOf(words);

const tradesOf = () => ({
  ...trades,
  request: ({ market }: { market: string }) =>
    get(`/api/v4/public/trades/${encodeURIComponent(market)}`),
});

export const whitebit = defineVenue({
  id: 'whitebit',
  name: 'WhiteBIT',
  kinds: ['spot', 'perpetual'],
  example: 'BTC_USDT',
  apis,
  parts: ['spot', 'futures'],
  feeds: {
    instruments: everyTenMinutes(byPart(instruments, 'spot', 'futures')),
    ...pollsByTopic({ spot: spot.poll(get('/api/v4/public/ticker')) }, { futures: contracts }),
  },
  live,
  books,
  queries: {
    recentTrades: recentTrades<Ask>(byPart(tradesOf, 'spot', 'futures')),
    orderBook: {
      cap: 50,
      most: 100,
      request: ({ market, depth }) =>
        get(
          `/api/v4/public/orderbook/${encodeURIComponent(market)}`,
          { limit: depth, level: 0 },
          'books',
        ),
      parse: book({ stated: 'timestamp', unit: 1000 }),
    },
    candles: {
      intervals: words,
      page: 1440,
      ranged: ['spot', 'futures'],
      /** Seconds; without `start` the range may begin a week back. */
      request({ market, interval, limit, before, now }: CandleAsk) {
        const query = { market, interval, limit };
        const end = before ?? now;
        if (end === undefined) return get('/api/v1/public/kline', query);
        const start = Math.max(0, Math.ceil((end - limit * lengthOf(interval)) / 1000));
        return get('/api/v1/public/kline', { ...query, start, end: Math.ceil(end / 1000) - 1 });
      },
      parse: candles({
        rows: 'result',
        time: 0,
        unit: 1000,
        columns: { open: 1, high: 3, low: 4, close: 2, base: 5, quote: 6 },
        width: 7,
      }),
    },
  },
});
