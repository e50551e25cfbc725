/**
 * Histories that Binance keeps: long/short ratios, taker volume, open interest and settled fundings.
 * https://developers.binance.com/docs/derivatives/usds-margined-futures/market-data/rest-api
 */
import { positive, required, time, type WireRow } from '../../read.ts';
import type { Span } from '../../sources/queries/history-query.ts';
import {
  type FundingPoint,
  type HistoryParams,
  type Instrument,
  type Interval,
  intervals,
  type LongShortOf,
  type SeriesParams,
  type TakerCandle,
  type TakerPoint,
} from '../../topics/index.ts';
import type { Query } from '../../upstream/request.ts';
import {
  byTime,
  fundingQuery,
  interestQuery,
  longShortQuery,
  rowsIn,
  takerCandleQuery,
  takerQuery,
} from '../histories.ts';
import { type Ask, get } from './api.ts';
import { candleWeight } from './form.ts';

const minute = 60_000;
const hour = 3_600_000;
/** `/futures/data` has the newest 30 days; older ranges are refused. */
const historyLength = 30 * 24 * hour - 10 * minute;

const periods: ReadonlySet<Interval> = new Set([
  ...(['5m', '15m', '30m', '1h', '2h', '4h', '6h', '12h', '1d'] as const),
]);

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
  return {
    api: isInverse(asked) ? 'inverse' : 'linear',
    budget: 'statistics',
    path: `/futures/data/${name}`,
    query: {
      ...{ ...named(asked), ...more, period: asked.interval, limit },
      ...(range && {
        startTime: Math.max(range.start, oldest),
        endTime: Math.max(range.end, oldest),
      }),
    },
  };
}

const stamp = (value: unknown): number => time(value) ?? required(null);

/** The step of a history of contracts. */
const stepOf = ({ part, interval }: Listed & SeriesParams): number | null =>
  part === 'spot' || !periods.has(interval) ? null : intervals[interval];

const lists: Readonly<Record<LongShortOf, string>> = {
  accounts: 'globalLongShortAccountRatio',
  top_accounts: 'topLongShortAccountRatio',
  top_positions: 'topLongShortPositionRatio',
};

/** COIN-M calls the shares of positions `longPosition` and `shortPosition`. */
const longShort = longShortQuery<Ask>({
  ttl: minute,
  page: 500,
  step: stepOf,
  requests: (asked, span) => [statistics(lists[asked.of], asked, span)],
  parse: ([body]) =>
    rowsIn(body, 'ratios').map((row) => ({
      timestamp: stamp(row.timestamp),
      long: required(row.longAccount ?? row.longPosition),
      short: required(row.shortAccount ?? row.shortPosition),
    })),
});

/** Where a candle has the volume of all trades and that of buying takers. COIN-M counts contracts at 5 and 9. */
const columns = {
  others: { all: 5, bought: 9, value: 7, boughtValue: 10 },
  inverse: { all: 7, bought: 10, value: 5, boughtValue: 9 },
} as const;

/** `[openTime, o, h, l, c, volume, closeTime, quote volume, trades, taker buy, taker buy quote, ignore]`. */
function takerCandle(row: WireRow, { part, instrument }: Listed): TakerCandle {
  const { scale, contract } = instrument;
  const inverse = part === 'inverse';
  const { all, bought, value, boughtValue } = columns[inverse ? 'inverse' : 'others'];
  const base = required(row[bought]) * scale;
  const usd = required(row[boughtValue]) * (inverse ? contract : 1);
  return {
    timestamp: stamp(row[0]),
    open: positive(row[1]) / scale,
    high: positive(row[2]) / scale,
    low: positive(row[3]) / scale,
    close: positive(row[4]) / scale,
    buy_base: base,
    sell_base: required(row[all]) * scale - base,
    buy_usd: usd,
    sell_usd: required(row[value]) * (inverse ? contract : 1) - usd,
  };
}

const partOf = ({ part }: Listed) =>
  part === 'inverse' || part === 'linear' ? part : ('spot' as const);

/** The newest candles, or those that open until a time. */
function klines(asked: Listed & SeriesParams, { limit, range }: Span): Ask {
  const part = partOf(asked);
  const { market: symbol, interval } = asked;
  return get(part, '/klines', part === 'spot' ? 2 : candleWeight(limit), {
    ...{ symbol, interval, limit },
    ...(range && { endTime: range.end }),
  });
}

const takerCandles = takerCandleQuery<Ask>({
  ttl: minute,
  page: 499,
  most: 1000,
  step: ({ interval }) => (interval === '1M' ? null : intervals[interval]),
  requests: (asked, span) => [klines(asked, span)],
  parse: ([body], asked) => rowsIn(body, 'candles').map((row) => takerCandle(row, asked)),
});

/** `takerlongshortRatio` has base units, and its candles have the dollars; COIN-M states contracts and base. */
function takerRows([body, candles]: readonly unknown[], asked: Listed): TakerPoint[] {
  const { scale, contract } = asked.instrument;
  if (isInverse(asked)) {
    return rowsIn(body, 'taker volume').map((row) => ({
      timestamp: stamp(row.timestamp),
      buy_base: required(row.takerBuyVolValue),
      sell_base: required(row.takerSellVolValue),
      buy_usd: required(row.takerBuyVol) * contract,
      sell_usd: required(row.takerSellVol) * contract,
    }));
  }
  const candleAt = byTime(rowsIn(candles, 'candles'), (candle) => candle[0]);
  const { value, boughtValue } = columns.others;
  return rowsIn(body, 'taker volume').map((row) => {
    const candle = candleAt(row.timestamp);
    const bought = candle ? required(candle[boughtValue]) : null;
    return {
      timestamp: stamp(row.timestamp),
      buy_base: required(row.buyVol) * scale,
      sell_base: required(row.sellVol) * scale,
      buy_usd: bought,
      sell_usd: candle && bought !== null ? required(candle[value]) - bought : null,
    };
  });
}

const takerVolume = takerQuery<Ask>({
  ttl: minute,
  page: 499,
  most: 500,
  step: stepOf,
  requests: (asked, span) =>
    isInverse(asked)
      ? [statistics('takerBuySellVol', asked, span, perpetual)]
      : [
          statistics('takerlongshortRatio', asked, span),
          { ...klines(asked, span), optional: true },
        ],
  parse: takerRows,
});

/** USD-M states base units and dollars, COIN-M contracts and base units. */
const openInterestHistory = interestQuery<Ask>({
  ttl: minute,
  page: 500,
  step: stepOf,
  requests: (asked, span) => [
    statistics('openInterestHist', asked, span, isInverse(asked) ? perpetual : {}),
  ],
  parse: ([body], asked) =>
    rowsIn(body, 'open interest').map((row) => {
      const { scale, contract } = asked.instrument;
      const amount = required(row.sumOpenInterest);
      const value = required(row.sumOpenInterestValue);
      const timestamp = stamp(row.timestamp);
      if (isInverse(asked)) return { timestamp, base: value, usd: amount * contract };
      return { timestamp, base: amount * scale, usd: value };
    }),
});

const fundingHistory = fundingQuery<Ask>({
  ttl: 5 * minute,
  page: 1000,
  step: ({ part, instrument }) => (part === 'spot' ? null : (instrument.funding_hours ?? 8) * hour),
  requests: (asked, { limit, range }) => [
    {
      ...(isInverse(asked)
        ? { api: 'inverse', path: '/dapi/v1/fundingRate' }
        : { api: 'linear', path: '/fapi/v1/fundingRate' }),
      budget: 'funding',
      query: {
        ...{ symbol: asked.market, limit },
        ...(range && { startTime: range.start, endTime: range.end }),
      },
    },
  ],
  parse: ([body], { instrument }) =>
    rowsIn(body, 'fundings').map((row) => {
      const mark = positive(row.markPrice) / instrument.scale;
      const point: FundingPoint = {
        // Some settlements are stated a few ms late.
        timestamp: Math.round(stamp(row.fundingTime) / minute) * minute,
        rate: required(row.fundingRate),
        hours: instrument.funding_hours,
      };
      if (mark > 0) point.mark = mark;
      return point;
    }),
});

/** The queries for histories. */
export const histories = {
  longShort,
  takerVolume,
  takerCandles,
  openInterestHistory,
  fundingHistory,
};
