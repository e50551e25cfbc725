/**
 * Histories of Bybit (long and short accounts, open interest, settled funding) and its spot margin.
 * https://bybit-exchange.github.io/docs/v5/market
 */
import { currencyOf } from '../../../config/assets/resolve.ts';
import { type BorrowRow, borrowOf } from '../../../indicators/market/rows.ts';
import { at, bulk, optional, positive, required, text, time } from '../../read.ts';
import { type Poll, readRows } from '../../sources/define.ts';
import type { Query } from '../../upstream/request.ts';
import { mayFail } from '../apis.ts';
import { fundings } from '../fundings.ts';
import { byTime, rowsIn, wordOf } from '../histories.ts';
import { basis, interest, longShort } from '../series.ts';
import { minuteWords, ownWords, unitWords, type Words } from '../words.ts';
import { type Ask, get, oneSide } from './markets.ts';

const words: Words = {
  ...unitWords({ m: 'min' })('5m', '15m', '30m'),
  ...ownWords('1h', '4h', '1d'),
};
/** The same in candles. */
const candleWords: Words = { ...minuteWords('5m', '15m', '30m', '1h', '4h'), '1d': 'D' };

/** Those of the basis, which is not thinned. */
const basisWords: Words = { ...candleWords, ...minuteWords('2h', '6h', '12h') };

const rows = 'result.list';

const rangeOf = (range: { start: number; end: number } | null): Query =>
  range === null ? {} : { startTime: range.start, endTime: range.end };

export const histories = {
  // Shares of the holders that are long and short, by accounts only.
  longShort: longShort<Ask>({
    page: 500,
    thinned: true,
    words: ({ part, of }) => (part !== 'spot' && of === 'accounts' ? words : null),
    requests: ({ part, market, interval }, { limit, range }) => [
      get('account-ratio', {
        category: part,
        symbol: market,
        period: wordOf(words, interval),
        limit,
        ...rangeOf(range),
      }),
    ],
    rows,
    at: 'timestamp',
    columns: { long: 'buyRatio', short: 'sellRatio' },
  }),
  // Base units on linear contracts, USD on inverse ones; the other is made with the mark price, where it can be had.
  openInterestHistory: interest<Ask>({
    page: 200,
    thinned: true,
    words: ({ part }) => (part === 'spot' ? null : words),
    requests({ part, market, interval }, { limit, range }) {
      const about = { category: part, symbol: market, limit };
      const [intervalTime, candles] = [wordOf(words, interval), wordOf(candleWords, interval)];
      const marks: Query = range === null ? {} : { start: range.start, end: range.end };
      return [
        get('open-interest', { ...about, intervalTime, ...rangeOf(range) }),
        mayFail(get('mark-price-kline', { ...about, interval: candles, ...marks })),
      ];
    },
    rows([body, candles]) {
      const listed = candles === undefined ? [] : rowsIn(at(candles, rows), 'candles');
      const candleAt = byTime(listed, (candle) => candle[0]);
      return rowsIn(at(body, rows), 'list').map((row) => ({
        ...row,
        mark: positive(candleAt(row.timestamp)?.[4]),
      }));
    },
    at: 'timestamp',
    columns: {
      contracts: (row) => oneSide(row.singleOpenInterest, row.openInterest),
      mark: 'mark',
    },
  }),
  basisHistory: basis<Ask>({
    page: 1000,
    words: ({ part }) => (part === 'spot' ? null : basisWords),
    requests({ part: category, market: symbol, interval }, { limit, range }) {
      const times: Query = range === null ? {} : { start: range.start, end: range.end };
      const query = { category, symbol, interval: wordOf(basisWords, interval), limit, ...times };
      return [get('mark-price-kline', query), get('index-price-kline', query)];
    },
    rows,
    at: 0,
    close: 4,
  }),
  fundingHistory: fundings<Ask>({
    page: 200,
    // A start without an end is refused; an end alone is not.
    requests({ part: category, market: symbol }, { limit, range }) {
      const end = range && { endTime: range.end };
      return [get('funding/history', { category, symbol, limit, ...end })];
    },
    rows,
    at: 'fundingRateTimestamp',
    columns: { rate: 'fundingRate' },
  }),
};

/**
 * Spot margin, hourly fractions. A currency that cannot be borrowed has an empty rate and is left out.
 * https://bybit-exchange.github.io/docs/v5/spot-margin-uta/vip-margin
 */
export const loans: Poll<BorrowRow, Ask> = {
  requests: () => [
    { api: 'rest', path: '/v5/spot-margin-trade/data', query: { vipLevel: 'No VIP' } },
  ],
  parse([body], { received }) {
    const tiers = bulk(at(body, 'result.vipCoinList'), 'vipCoinList');
    const stated = time(at(body, 'time'), 1, received);
    return readRows(
      bulk(at(tiers[0], 'list'), 'list'),
      (row) => text(row.currency),
      (row) =>
        row.borrowable === false
          ? 'left_out'
          : borrowOf({
              asset: currencyOf(text(row.currency), 'bybit'),
              hourly_rate: required(row.hourlyBorrowRate),
              borrow_limit: optional(row.maxBorrowingAmount),
              stated,
            }),
    );
  },
};
