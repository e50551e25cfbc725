/**
 * Histories that Binance keeps: long/short ratios, taker volume, open interest and settled fundings.
 * https://developers.binance.com/docs/derivatives/usds-margined-futures/market-data/rest-api
 */
import { day, hour, minute } from '../../../config/time.ts';
import { intervals as lengths } from '../../../indicators/market/intervals.ts';
import { asRow, isNumber, positive, required, type WireRow } from '../../read.ts';
import type { Span } from '../../sources/queries/history-query.ts';
import type {
  HistoryParams,
  Instrument,
  LongShortOf,
  SeriesParams,
  TakerCandle,
} from '../../topics/index.ts';
import type { Query } from '../../upstream/request.ts';
import { mayFail } from '../apis.ts';
import { fundings } from '../fundings.ts';
import { byTime, rowsIn } from '../histories.ts';
import {
  basis,
  historyOf,
  interest,
  isClosed,
  isWholeTaken,
  longShort as longShortOf,
  takerVolume,
} from '../series.ts';
import { ownWords, type Words } from '../words.ts';
import { candleWeight } from './form.ts';
import { type Ask, get } from './markets.ts';

/** `/futures/data` has the newest 30 days; older ranges are refused. */
const historyLength = 30 * 24 * hour - 10 * minute;

const words = ownWords('5m', '15m', '30m', '1h', '2h', '4h', '6h', '12h', '1d');
/** Those of candles, but for months. */
const candleWords = { ...words, ...ownWords('1m', '3m', '8h', '3d', '1w') };

interface Listed {
  part: string;
  instrument: Instrument;
  now: number;
}

const isInverse = ({ part }: Listed) => part === 'inverse';

/** COIN-M names a contract by its pair and its type. */
const named = (asked: Listed & HistoryParams): Query =>
  isInverse(asked) ? { pair: asked.market.replace(/_.*/, '') } : { symbol: asked.market };

const perpetual = { contractType: 'PERPETUAL' };

/** A request of `/futures/data`. */
function statistics(
  name: string,
  asked: Listed & SeriesParams,
  { limit, range }: Span,
  more: Query = {},
): Ask {
  const oldest = asked.now - historyLength;
  const times = range && {
    startTime: Math.max(range.start, oldest),
    endTime: Math.max(range.end, oldest),
  };
  return {
    api: isInverse(asked) ? 'inverse' : 'linear',
    budget: 'statistics',
    path: `/futures/data/${name}`,
    query: { ...named(asked), ...more, period: asked.interval, limit, ...times },
  };
}

/** Contracts alone have statistics. */
const wordsOf = ({ part }: Listed): Words | null => (part === 'spot' ? null : words);

const lists: Readonly<Record<LongShortOf, string>> = {
  accounts: 'globalLongShortAccountRatio',
  top_accounts: 'topLongShortAccountRatio',
  top_positions: 'topLongShortPositionRatio',
};

/** COIN-M calls the shares of positions `longPosition` and `shortPosition`. */
const longShort = longShortOf<Ask>({
  page: 500,
  words: wordsOf,
  requests: (asked, span) => [statistics(lists[asked.of], asked, span)],
  rows: '',
  at: 'timestamp',
  columns: {
    long: ({ longAccount, longPosition }) => longAccount ?? longPosition,
    short: ({ shortAccount, shortPosition }) => shortAccount ?? shortPosition,
  },
});

/** Where a candle has the volume of all trades and that of buying takers. COIN-M counts contracts at 5 and 9. */
const columns = {
  others: { all: 5, bought: 9, value: 7, boughtValue: 10 },
  inverse: { all: 7, bought: 10, value: 5, boughtValue: 9 },
} as const;

/** `[openTime, o, h, l, c, volume, closeTime, quote volume, trades, taker buy, taker buy quote, ignore]`. */
function takerCandle(row: WireRow, timestamp: number, asked: Listed & SeriesParams): TakerCandle {
  const { scale, contract } = asked.instrument;
  const inverse = isInverse(asked);
  const { all, bought, value, boughtValue } = columns[inverse ? 'inverse' : 'others'];
  const base = required(row[bought]) * scale;
  const usd = required(row[boughtValue]) * (inverse ? contract : 1);
  return {
    timestamp,
    open: positive(row[1]) / scale,
    high: positive(row[2]) / scale,
    low: positive(row[3]) / scale,
    close: positive(row[4]) / scale,
    buy_base: base,
    sell_base: required(row[all]) * scale - base,
    buy_usd: usd,
    sell_usd: required(row[value]) * (inverse ? contract : 1) - usd,
    closed: isClosed(timestamp, asked),
  };
}

const partOf = ({ part }: Listed) =>
  part === 'inverse' || part === 'linear' ? part : ('spot' as const);

/** The newest candles, or those that open until a time. */
function klines(asked: Listed & SeriesParams, { limit, range }: Span): Ask {
  const part = partOf(asked);
  const { market: symbol, interval } = asked;
  const end = range && { endTime: range.end };
  const query = { symbol, interval, limit, ...end };
  return get(part, '/klines', part === 'spot' ? 2 : candleWeight(limit), query);
}

const candleHistory = historyOf<SeriesParams, null, TakerCandle>(
  (candle) =>
    isWholeTaken(candle) &&
    isNumber(candle.open) &&
    isNumber(candle.high) &&
    isNumber(candle.low) &&
    isNumber(candle.close),
  (_columns, row, timestamp, asked) => takerCandle(row, timestamp, asked),
);

const takerCandles = candleHistory<Ask>({
  page: 499,
  most: 1000,
  words: () => candleWords,
  requests: (asked, span) => [klines(asked, span)],
  rows: '',
  at: 0,
  columns: null,
});

const { value, boughtValue } = columns.others;
/** The dollars of the candle beside a row; null where there is none. */
const dollarsIn = ({ candle }: WireRow, read: (candle: WireRow) => number): number | null =>
  candle === undefined ? null : read(asRow(candle));

/** USD-M has base units, and its candles have the dollars; COIN-M states contracts and base. */
const takers = takerVolume<Ask>({
  page: 499,
  most: 500,
  words: wordsOf,
  requests: (asked, span) =>
    isInverse(asked)
      ? [statistics('takerBuySellVol', asked, span, perpetual)]
      : [statistics('takerlongshortRatio', asked, span), mayFail(klines(asked, span))],
  rows([body, candles]) {
    const candleAt = byTime(rowsIn(candles, 'candles'), (candle) => candle[0]);
    return rowsIn(body, 'taker volume').map((row) => ({ ...row, candle: candleAt(row.timestamp) }));
  },
  at: 'timestamp',
  columns: {
    buyBase: (row, asked) => (isInverse(asked) ? row.takerBuyVolValue : row.buyVol),
    sellBase: (row, asked) => (isInverse(asked) ? row.takerSellVolValue : row.sellVol),
    buyUsd: (row, asked) =>
      isInverse(asked)
        ? required(row.takerBuyVol) * asked.instrument.contract
        : dollarsIn(row, (candle) => required(candle[boughtValue])),
    sellUsd: (row, asked) =>
      isInverse(asked)
        ? required(row.takerSellVol) * asked.instrument.contract
        : dollarsIn(row, (candle) => required(candle[value]) - required(candle[boughtValue])),
  },
});

/** USD-M states base units and dollars, COIN-M contracts and base units. */
const openInterestHistory = interest<Ask>({
  page: 500,
  words: wordsOf,
  requests: (asked, span) => [
    statistics('openInterestHist', asked, span, isInverse(asked) ? perpetual : {}),
  ],
  rows: '',
  at: 'timestamp',
  columns: {
    base: (row, asked) => (isInverse(asked) ? row.sumOpenInterestValue : row.sumOpenInterest),
    usd: (row, asked) =>
      isInverse(asked)
        ? required(row.sumOpenInterest) * asked.instrument.contract
        : row.sumOpenInterestValue,
  },
});

/** Some settlements are stated a few ms late. */
const fundingHistory = fundings<Ask>({
  page: 1000,
  has: (part) => part !== 'spot',
  forward: () => true,
  requests(asked, { limit, range }) {
    const [api, path] = isInverse(asked)
      ? (['inverse', '/dapi/v1/fundingRate'] as const)
      : (['linear', '/fapi/v1/fundingRate'] as const);
    const times = range && { startTime: range.start, endTime: range.end };
    return [{ api, path, budget: 'funding', query: { symbol: asked.market, limit, ...times } }];
  },
  rows: '',
  at: ({ fundingTime }) => Math.round(required(fundingTime) / minute) * minute,
  columns: { rate: 'fundingRate', mark: 'markPrice' },
});

/** The longest range of one request for candles of COIN-M, ms. */
export const longestRange = 200 * day;

/** A span as ranges that may be asked for, the oldest first: on COIN-M also where the newest rows are wanted, if they take several. */
function rangesOf(asked: Listed & SeriesParams, { limit, range }: Span): Span['range'][] {
  const end = range?.end ?? asked.now;
  const start = range?.start ?? end - limit * lengths[asked.interval];
  const count = isInverse(asked) ? Math.ceil((end - start) / longestRange) : 1;
  if (count <= 1) return [range];
  return Array.from({ length: count }, (_, i) => ({
    start: Math.max(start, end - (count - i) * longestRange),
    end: end - (count - i - 1) * longestRange,
  }));
}

/** Mark and index candles; an index is that of a pair, which a contract's id begins with. */
const basisHistory = basis<Ask>({
  page: 499,
  most: 1000,
  words: ({ part }) => (part === 'spot' ? null : words),
  requests(asked, span) {
    const { market, interval } = asked;
    const api = isInverse(asked) ? 'inverse' : 'linear';
    const candles = (path: string, name: Query) =>
      rangesOf(asked, span).map((range) => {
        const times: Query = range === null ? {} : { startTime: range.start, endTime: range.end };
        const steps = { interval, limit: span.limit, ...times };
        return get(api, path, candleWeight(span.limit), { ...name, ...steps });
      });
    return [
      ...candles('/markPriceKlines', { symbol: market }),
      ...candles('/indexPriceKlines', { pair: market.replace(/_.*/, '') }),
    ];
  },
  rows: '',
  at: 0,
  close: 4,
});

/** The queries for histories. */
export const histories = {
  longShort,
  takerVolume: takers,
  takerCandles,
  openInterestHistory,
  basisHistory,
  fundingHistory,
};
