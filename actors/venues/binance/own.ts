/** What is asked of Binance alone, for those who read it in its own form: quotes of all markets, candles of marks and indices. */
import { day } from '../../../config/time.ts';
import { isNumber, isRecord, list, positive, required, text, time } from '../../read.ts';
import type { SourceQuery } from '../../sources/queries/forms.ts';
import { historyQuery } from '../../sources/queries/history-query.ts';
import { intervals, type PriceCandle, type PriceCandleParams } from '../../topics/index.ts';
import type { Query } from '../../upstream/request.ts';
import { rowsIn, seriesLife } from '../histories.ts';
import { candleWeight } from './form.ts';
import { type Ask, get } from './markets.ts';

/** A side without orders is written as zeros. */
const isSide = ([price, quantity]: readonly [string, string]) =>
  required(price) >= 0 && required(quantity) >= 0;

/** https://developers.binance.com/docs/derivatives/usds-margined-futures/market-data/rest-api/Symbol-Order-Book-Ticker */
export const bestQuotes: SourceQuery<'bestQuotes', Ask> = {
  about: 'source',
  // One of them costs as much as a book.
  ttl: 2_000,
  requests: ({ kind }) => [
    kind === 'spot' ? get('spot', '/ticker/bookTicker', 4) : get('linear', '/ticker/bookTicker', 5),
  ],
  parse: ([body]) =>
    list(body, 'quotes')
      .filter(isRecord)
      .map((row) => ({
        market: text(row.symbol),
        bid: [text(row.bidPrice), text(row.bidQty)] as const,
        ask: [text(row.askPrice), text(row.askQty)] as const,
        stated: time(row.time),
      }))
      .filter(({ market, bid, ask }) => market !== '' && isSide(bid) && isSide(ask)),
};

const paths = { mark: '/markPriceKlines', index: '/indexPriceKlines' } as const;

/** https://developers.binance.com/docs/derivatives/usds-margined-futures/market-data/rest-api/Mark-Price-Kline-Candlestick-Data */
export const priceCandles = historyQuery<PriceCandleParams, PriceCandle, Ask>(
  {
    ttl: seriesLife,
    page: 499,
    most: 1500,
    forward: () => true,
    step: ({ part, interval }) =>
      part === 'linear' && day % intervals[interval] === 0 ? intervals[interval] : null,
    requests({ market, interval, of }, { limit, range }) {
      const name: Query = of === 'mark' ? { symbol: market } : { pair: market };
      const times = range && { startTime: range.start, endTime: range.end };
      return [
        get('linear', paths[of], candleWeight(limit), { ...name, interval, limit, ...times }),
      ];
    },
    parse: ([body], { instrument: { scale } }) =>
      rowsIn(body, 'candles').map((row) => ({
        timestamp: time(row[0]) ?? required(null),
        open: positive(row[1]) / scale,
        high: positive(row[2]) / scale,
        low: positive(row[3]) / scale,
        close: positive(row[4]) / scale,
      })),
  },
  ({ timestamp, open, high, low, close }) => [timestamp, open, high, low, close].every(isNumber),
);
