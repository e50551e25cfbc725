/** BingX: spot, linear and inverse perpetuals. https://bingx-api.github.io/docs-v3 */

import { field, required, time, type WireRow } from '../../read.ts';
import {
  byPart,
  type CandleAsk,
  defineVenue,
  everyHalfMinute,
  everyHour,
  type OrderBookAsk,
} from '../../sources/venue.ts';
import { intervals } from '../../topics/index.ts';
import type { Query } from '../../upstream/request.ts';
import { barOf, bars, levels, ohlc, sizeOf, spelled } from '../levels-and-bars.ts';
import { apis, get, type PartName, paths } from './api.ts';
import { books } from './books.ts';
import { derivatives, instruments, openInterest, prices } from './feeds.ts';
import { live } from './live.ts';

/** The words of the intervals are ours. */
const lengths: Readonly<Record<string, number>> = intervals;

const candleRequest = ({ market, part, interval, limit, before, now }: CandleAsk<PartName>) => {
  const path = paths[part].candles;
  const start = (before ?? 0) - limit * (lengths[interval] ?? 0);
  const range: Query = before === undefined ? {} : { startTime: start, endTime: before - 1 };
  return get(path, { symbol: market, interval, limit, ...range }, now);
};

/** `[ms, open, high, low, close, base, ms, quote]`. */
const spotBar = (row: WireRow) => ohlc(row, required(row[5]), required(row[7]));

/** An object, or a list as on spot whose later columns are not known for sure. */
const perpetualBar = (row: WireRow) =>
  Array.isArray(row) ? ohlc(row, required(row[5]), null) : barOf(row, required(row.time), spelled);

/** Contracts: their size in base follows from the mean of the four prices, as no other price is stated. */
const inverseBar = (contract: number) => (row: WireRow) => {
  const bar = perpetualBar(row);
  const turnover = bar.volume * contract;
  const volume = (4 * turnover) / (bar.open + bar.high + bar.low + bar.close);
  return { ...bar, volume, turnover };
};

/** True for a quantity with decimals, `7.0861` or `7.0000`. */
const hasDecimals = (level: unknown): boolean => Array.isArray(level) && /[.e]/.test(`${level[1]}`);

/**
 * True where `bids` and `asks` of a linear book count lots, which are whole numbers; `bidsCoin` and `asksCoin` then
 * count coins. Where one quantity has decimals all of them are coins, and the other two lists are those times the lot
 * once more, rounded (recorded: 7.0861 BTC beside 0.0007). Not documented.
 */
function isInLots(book: unknown): boolean {
  const [bids, asks, ...coins] = ['bids', 'asks', 'bidsCoin', 'asksCoin'].map((name) =>
    field(book, name),
  );
  if (!coins.every(Array.isArray)) return false;
  return ![bids, asks].some((side) => Array.isArray(side) && side.some(hasDecimals));
}

export const bingx = defineVenue({
  id: 'bingx',
  name: 'BingX',
  kinds: ['spot', 'perpetual'],
  example: 'BTC-USDT',
  apis,
  // One id, such as BTC-USDT, can be spot and linear.
  parts: ['spot', 'linear', 'inverse'],
  partOf: (market) => (market.endsWith('-USD') ? 'inverse' : 'spot'),
  feeds: {
    instruments: everyHour(byPart(instruments, 'spot', 'linear', 'inverse')),
    prices: everyHalfMinute(byPart(prices, 'spot', 'linear', 'inverse')),
    derivatives: everyHalfMinute(byPart(derivatives, 'linear', 'inverse')),
    openInterest: everyHalfMinute(byPart(openInterest, 'linear', 'inverse')),
  },
  live,
  books,
  queries: {
    orderBook: {
      cap: 50,
      most: 1000,
      request({ market, part, depth, now }: OrderBookAsk<PartName>) {
        const limit = [5, 10, 20, 50, 100, 500].find((legal) => legal >= depth) ?? 1000;
        return get(paths[part].book, { symbol: market, limit }, now);
      },
      parse(body, ask) {
        const size = sizeOf(ask, ask.part === 'inverse');
        const book = field(body, 'data');
        const lots = ask.part === 'linear' && isInLots(book);
        const stated = field(book, 'T') ?? field(book, 'ts') ?? field(body, 'timestamp');
        return {
          bids: levels(field(book, lots ? 'bidsCoin' : 'bids'), size),
          asks: levels(field(book, lots ? 'asksCoin' : 'asks'), size),
          stated: time(stated),
        };
      },
    },
    candles: {
      // 6h, 12h and longer open at 16:00 UTC where no time zone can be asked for: they are built from these.
      intervals: {
        '1m': '1m',
        '3m': '3m',
        '5m': '5m',
        '15m': '15m',
        '30m': '30m',
        '1h': '1h',
        '2h': '2h',
        '4h': '4h',
        '8h': '8h',
      },
      page: 1000,
      request: candleRequest,
      parse(body, ask) {
        const { scale, contract } = sizeOf(ask, ask.part === 'inverse');
        const rows = field(body, 'data');
        if (ask.part === 'spot') return bars(rows, scale, spotBar, 8);
        return bars(rows, scale, ask.part === 'linear' ? perpetualBar : inverseBar(contract), 7);
      },
    },
  },
});
