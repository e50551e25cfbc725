/**
 * Backpack: spot and linear perpetuals, all quoted in USDC, in one list.
 * https://docs.backpack.exchange
 */

import { ShapeError } from '../../failure.ts';
import {
  bulk,
  field,
  isRecord,
  list,
  optionalNonZero,
  positive,
  required,
  text,
  time,
  type WireRow,
} from '../../read.ts';
import { sameWords } from '../../sources/candles.ts';
import {
  type CandleAsk,
  defineVenue,
  everyHalfMinute,
  everyHour,
  type MarketPoll,
} from '../../sources/venue.ts';
import {
  type DerivativeRow,
  type Instrument,
  type Interval,
  intervals,
  type OpenInterestRow,
  type PriceRow,
} from '../../topics/index.ts';
import { utcTimeOf } from '../iso.ts';
import { barOf, bars, bookOf, sizeOf, spelled } from '../levels-and-bars.ts';
import {
  by,
  changeOf,
  derivativeOf,
  instrument,
  instrumentRows,
  listPoll,
  marketRows,
  openInterestOf,
  priceOf,
  type Reader,
} from '../rows.ts';
import { canonical } from '../symbols.ts';
import { neverTradedBy } from '../wire.ts';
import { type Ask, apis, get } from './api.ts';
import { books } from './books.ts';
import { live } from './live.ts';

/** Where a candle has its numbers. */
const candleKeys = { ...spelled, turnover: 'quoteVolume' };

const hour = 3_600_000;
const kinds: ReadonlyMap<unknown, Instrument['kind']> = new Map([
  ['SPOT', 'spot'],
  ['PERP', 'perpetual'],
]);

/** `rwaMarketType` stands on shares, indices, commodities and currencies only. */
const kindOf = (row: WireRow): Instrument['kind'] =>
  row.orderBookState === 'Open' && text(row.rwaMarketType) === ''
    ? (kinds.get(row.marketType) ?? 'other')
    : 'other';

/** Quantities are in base everywhere. `fundingInterval` is in ms and means nothing on spot. */
const readInstrument = (row: WireRow, market: string): Instrument | null =>
  instrument({
    market,
    kind: kindOf(row),
    base: text(row.baseSymbol),
    quote: text(row.quoteSymbol),
    fundingHours:
      row.marketType === 'PERP' ? optionalNonZero(positive(row.fundingInterval) / hour) : null,
  });

/**
 * `SOL_USDC`, `SOL_USDC_PERP`; other endings are other types, a dot in the base is a share's
 * (`AAPL.US`).
 */
function fromId(market: string): Instrument | null {
  const [base, quote, type, ...more] = market.split('_');
  if (!base || !quote) return null;
  const crypto = more.length === 0 && !base.includes('.');
  const kind = type === undefined ? 'spot' : type === 'PERP' ? 'perpetual' : 'other';
  return {
    ...{ market, quote, kind: crypto ? kind : 'other', ...canonical(base) },
    ...{ contract: 1, inverse: false, funding_hours: null },
  };
}

const instruments: MarketPoll<Instrument, Ask> = {
  requests: () => [get('/markets')],
  parse: ([body]) => instrumentRows(bulk(body, 'markets'), 'symbol', readInstrument),
};

/** `priceChangePercent` is rounded, or `N/A`; `firstPrice` is the price 24 h ago. */
const tickers: Reader<Instrument, PriceRow> = {
  id: by('symbol'),
  fromId,
  isUntraded: neverTradedBy('lastPrice', 'volume'),
  read(row, market) {
    const last = positive(row.lastPrice);
    const change = changeOf(last, positive(row.firstPrice));
    return priceOf(market, {
      ...{ last, volume: required(row.quoteVolume), change, stated: null },
      ...{ high: positive(row.high), low: positive(row.low), base: required(row.volume) },
    });
  },
};

/** The running estimate of the rate, a fraction per interval of the market. */
const marks: Reader<Instrument, DerivativeRow> = {
  id: by('symbol'),
  fromId,
  read: (row, market) =>
    derivativeOf(market, {
      mark: positive(row.markPrice),
      index: positive(row.indexPrice),
      rate: required(row.fundingRate),
      hours: required(market.funding_hours),
      next: time(row.nextFundingTimestamp),
      stated: null,
    }),
};

/** `openInterest` is in base; Backpack does not document how it counts; one side is assumed. */
const interests = (markOf: ReadonlyMap<string, number>): Reader<Instrument, OpenInterestRow> => ({
  id: by('symbol'),
  fromId,
  read: (row, market) =>
    openInterestOf(market, {
      base: required(row.openInterest),
      value: required(null),
      mark: required(markOf.get(market.market)),
      stated: time(row.timestamp),
    }),
});

const isRow = (value: unknown): value is WireRow => isRecord(value);
const marksOf = (rows: readonly unknown[]): ReadonlyMap<string, number> =>
  new Map(rows.filter(isRow).map((row) => [text(row.symbol), positive(row.markPrice)]));

/** A bar without trades may have null prices. */
const isTraded = (row: unknown): boolean => !isRecord(row) || row.open !== null;

const words: Readonly<Partial<Record<Interval, string>>> = { ...sameWords, '1M': '1month' };
const lengthOf = (word: string): number =>
  Object.entries(intervals).find(([name]) => name === word)?.[1] ?? intervals['1M'];

export const backpack = defineVenue({
  id: 'backpack',
  name: 'Backpack',
  kinds: ['spot', 'perpetual'],
  example: 'BTC_USDC',
  apis,
  // The list and the tickers hold both kinds.
  parts: ['all'],
  partOf: () => 'all',
  feeds: {
    instruments: everyHour({ all: instruments }),
    prices: everyHalfMinute({
      all: listPoll(get('/tickers'), (body) => bulk(body, 'tickers'), tickers),
    }),
    derivatives: everyHalfMinute({
      all: listPoll(get('/markPrices'), (body) => bulk(body, 'marks'), marks),
    }),
    openInterest: everyHalfMinute({
      all: {
        requests: () => [get('/openInterest'), get('/markPrices')],
        parse([body, prices], context) {
          const reader = interests(marksOf(bulk(prices, 'marks')));
          return marketRows(bulk(body, 'open interest'), context.instruments, reader);
        },
      },
    }),
  },
  live,
  books,
  queries: {
    orderBook: {
      cap: 50,
      most: 1000,
      request({ market, depth }) {
        // Clients ask for 50 levels at most, the samples of whole books for 1000.
        const limit = [5, 10, 20, 50].find((legal) => legal >= depth) ?? 1000;
        return get('/depth', { symbol: market, limit });
      },
      /** Bids come with the best one last. */
      parse(body, ask) {
        const size = sizeOf(ask, false);
        return bookOf(body, size, time(field(body, 'timestamp'), 1e-3));
      },
    },
    candles: {
      intervals: words,
      // Of 1000, a library's figure: the bar that runs at `startTime` may come too.
      page: 999,
      /**
       * `startTime` is mandatory, in seconds, and no limit is documented: one page is asked for
       * exactly, so that it does not matter which end of a longer range would be cut.
       */
      request({ market, interval, limit, before, now }: CandleAsk) {
        const end = before ?? now;
        if (end === undefined) throw new ShapeError('klines end at a time, and none is known');
        const start = Math.max(0, Math.floor((end - limit * lengthOf(interval)) / 1000));
        const range = { startTime: start, endTime: Math.ceil(end / 1000) - 1 };
        return get('/klines', { symbol: market, interval, ...range }, 'history');
      },
      parse(body, ask) {
        const { scale } = sizeOf(ask, false);
        return bars(list(body, 'klines').filter(isTraded), scale, (row) =>
          barOf(row, required(utcTimeOf(row.start)), candleKeys),
        );
      },
    },
  },
});
