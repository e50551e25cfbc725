/** Histories of KuCoin futures: open interest and settled funding. https://www.kucoin.com/docs-new */
import { minute } from '../../../config/time.ts';
import { intervals } from '../../../indicators/market/intervals.ts';
import { at, positive } from '../../read.ts';
import { mayFail } from '../apis.ts';
import { fundingStep, fundings } from '../fundings.ts';
import { byTime, rowsIn, wordOf } from '../histories.ts';
import { interest } from '../series.ts';
import { unitWords } from '../words.ts';
import { type Ask, get } from './markets.ts';

const words = unitWords({ m: 'min', h: 'hour', d: 'day' })('5m', '15m', '30m', '1h', '4h', '1d');

const rows = 'data';
const dataIn = (body: unknown) => (body === undefined ? [] : rowsIn(at(body, rows), rows));

export const histories = {
  // Contracts of the linear and the inverse futures, on the host of the unified API. Their value is made with the closes of the
  // candles, where these can be had.
  openInterestHistory: interest<Ask>({
    page: 200,
    thinned: true,
    words: ({ part }) => (part === 'futures' ? words : null),
    requests({ market: symbol, interval, now }, { limit, range }) {
      const step = intervals[interval];
      const end = range?.end ?? Math.floor(now / step) * step;
      const start = end - (limit - 1) * step;
      const about = { symbol, interval: wordOf(words, interval), pageSize: limit };
      const times = range && { startAt: start, endAt: end };
      const candles = { symbol, granularity: step / minute, from: start, to: end };
      return [
        get('spot', '/api/ua/v1/market/open-interest', 5, { ...about, ...times }),
        mayFail(get('futures', '/api/v1/kline/query', 3, candles)),
      ];
    },
    rows([body, candles]) {
      const candleAt = byTime(dataIn(candles), (candle) => candle[0]);
      return dataIn(body).map((row) => ({ ...row, close: positive(candleAt(row.ts)?.[4]) }));
    },
    at: 'ts',
    columns: { contracts: 'openInterest', mark: 'close' },
  }),
  // A range must be named, and a hundred rows of it are given.
  fundingHistory: fundings<Ask>({
    page: 100,
    requests(asked, { limit, range }) {
      const to = range?.end ?? asked.now;
      const from = range?.start ?? to - (limit - 1) * (fundingStep(asked) ?? 0) - 1;
      return [
        get('futures', '/api/v1/contract/funding-rates', 5, { symbol: asked.market, from, to }),
      ];
    },
    rows,
    at: 'timepoint',
    columns: { rate: 'fundingRate' },
  }),
};
