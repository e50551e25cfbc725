/**
 * Hyperliquid: perpetuals margined in USDC, those of builders, and spot pairs; every question is a POST to one path.
 * https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/info-endpoint
 */

import type { CandleAsk } from '../../sources/queries/forms.ts';
import { byPart, defineVenue, everyTenMinutes, pollsByTopic } from '../../sources/venue.ts';
import { book, candles, initials } from '../levels-and-bars.ts';
import { recentTrades } from '../trades.ts';
import { lengthsOf, ownWords } from '../words.ts';
import { clearinghouse, fundingHistory, vault } from './analytics.ts';
import { builders } from './builders.ts';
import { type Ask, apis, bookLevel, info, instruments, perpetuals, spotPrices } from './markets.ts';
import { publicInfo } from './public-info.ts';
import { relay } from './relay.ts';
import { books, live, tradeColumns, trades } from './streams.ts';
import { accountQuery } from './wallets.ts';

/** No 6h. Weeks open on Thursdays, and how long a month is is not documented: both are built from days. */
const words = ownWords('1m', '3m', '5m', '15m', '30m', '1h', '2h', '4h', '8h', '12h', '1d', '3d');
const lengthOf = lengthsOf(words);

/** The venue keeps this many candles of each interval. */
const longestHistory = 5000;
const farFuture = 4_102_444_800_000;

/** `end` is exclusive; without one the whole history is asked for, because a start must be named. */
function candleRange(interval: string, limit: number, end: number | undefined) {
  if (end === undefined) return { startTime: 0, endTime: farFuture, rows: longestHistory };
  const startTime = Math.max(0, end - limit * lengthOf(interval));
  return { startTime, endTime: end - 1, rows: limit };
}

const newestTrades = {
  most: 100,
  request: ({ market }: { market: string }) => info({ type: 'recentTrades', coin: market }, 25),
  rows: '',
  columns: tradeColumns,
};

export const hyperliquid = defineVenue({
  id: 'hyperliquid',
  name: 'Hyperliquid',
  kinds: ['spot', 'perpetual'],
  example: 'BTC',
  apis,
  parts: ['spot', 'perp', 'builders'],
  feeds: {
    instruments: everyTenMinutes({ ...instruments, builders: builders.instruments }),
    ...pollsByTopic({ spot: spotPrices }, { perp: perpetuals, builders: builders.contexts }),
  },
  live,
  books,
  trades,
  relay,
  queries: {
    orderBook: {
      // The venue always gives 20 levels.
      cap: 20,
      most: 20,
      request: ({ market }) => info({ type: 'l2Book', coin: market }, 2),
      parse: book({ at: 'levels', bids: 0, asks: 1, stated: 'time', level: bookLevel }),
    },
    candles: {
      intervals: words,
      page: longestHistory,
      request({ market, interval, limit, before, now }: CandleAsk) {
        const { rows, ...range } = candleRange(interval, limit, before ?? now);
        const req = { coin: market, interval, ...range };
        return info({ type: 'candleSnapshot', req }, 20 + Math.ceil(rows / 60));
      },
      parse: candles({ rows: '', time: 't', columns: { ...initials, base: 'v' } }),
    },
    recentTrades: recentTrades<Ask>(byPart(() => newestTrades, 'spot', 'perp', 'builders')),
    fundingHistory,
    vault,
    clearinghouse,
    hyperliquidInfo: publicInfo,
    hyperliquidAccount: accountQuery,
  },
});
