/** Bitget: spot and perpetuals of three product types, API v2. https://www.bitget.com/api-doc */

import { bulk, field, isRecord, positive, required, text, time, type WireRow } from '../../read.ts';
import {
  defineVenue,
  everyHalfMinute,
  everyHour,
  type MarketPoll,
  type SharedPoll,
} from '../../sources/venue.ts';
import type { DerivativeRow, Instrument, OpenInterestRow, PriceRow } from '../../topics/index.ts';
import { bars, bookOf, ohlc, sizeOf } from '../levels-and-bars.ts';
import {
  besidePrices,
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
import { neverTradedBy } from '../wire.ts';
import { histories } from './analytics.ts';
import { type Ask, apis, type Futures, get, type PartName } from './api.ts';
import { books } from './books.ts';
import { liquidations } from './liquidations.ts';
import { live } from './live.ts';
import { loans } from './loans.ts';

const rowsOf = (body: unknown) => bulk(field(body, 'data'), 'data');

/** Dated contracts and those on shares, metals and currencies (`isRwa`) are not followed. */
function kindOf(row: WireRow, part: PartName): Instrument['kind'] {
  if (part === 'spot') return row.status === 'online' ? 'spot' : 'other';
  const trades = row.symbolStatus === 'normal' && row.isRwa !== 'YES';
  return trades && row.symbolType === 'perpetual' ? 'perpetual' : 'other';
}

/** Quantities are in base everywhere, in COIN-FUTURES too: `sizeMultiplier` is a step, not a contract. */
const instruments = (part: PartName): MarketPoll<Instrument, Ask> => ({
  requests: () => [
    get(part, part === 'spot' ? '/public/symbols' : '/market/contracts', 'instruments'),
  ],
  parse: ([body]) =>
    instrumentRows(rowsOf(body), 'symbol', (row, market) =>
      instrument({
        market,
        kind: kindOf(row, part),
        base: text(row.baseCoin),
        quote: text(row.quoteCoin),
        fundingHours: positive(row.fundInterval) || null,
        ...(part === 'coin-futures' && { settle: text(row.baseCoin) }),
      }),
    ),
});

/**
 * `change24h` is a rounded fraction. Futures state the price of 24 h ago as `open24h`; `open` of spot is no such price:
 * in recorded answers `change24h` does not follow from it. `ts` can be 0.
 */
const tickers: Reader<Instrument, PriceRow> = {
  id: by('symbol'),
  isUntraded: neverTradedBy('lastPr', 'baseVolume'),
  read(row, market) {
    const last = positive(row.lastPr);
    return priceOf(market, {
      last,
      volume: required(row.quoteVolume),
      change: changeOf(last, positive(row.open24h), required(row.change24h) * 100),
      stated: time(row.ts),
      bid: positive(row.bidPr),
      ask: positive(row.askPr),
      high: positive(row.high24h),
      low: positive(row.low24h),
      base: required(row.baseVolume),
    });
  },
};

const askTickers = (part: PartName) => get(part, '/market/tickers', 'tickers');

const prices = (part: PartName): MarketPoll<PriceRow, Ask> =>
  listPoll(askTickers(part), rowsOf, tickers);

/** Tickers have mark, index and rate; hours and the next funding are in a list of their own. */
const derivatives = (part: Futures): MarketPoll<DerivativeRow, Ask> => ({
  requests: () => [
    askTickers(part),
    { ...get(part, '/market/current-fund-rate', 'funding'), optional: true },
  ],
  parse([body, rates], { instruments: markets }) {
    const fundings = new Map<string, WireRow>();
    for (const row of rates === undefined ? [] : rowsOf(rates))
      if (isRecord(row)) fundings.set(text(row.symbol), row);
    return marketRows(rowsOf(body), markets, {
      id: by('symbol'),
      read(row, market) {
        const funding = fundings.get(market.market) ?? {};
        const listed = market.funding_hours ?? positive(null);
        return derivativeOf(market, {
          mark: positive(row.markPrice),
          index: positive(row.indexPrice),
          rate: required(funding.fundingRate ?? row.fundingRate),
          hours: positive(funding.fundingRateInterval) || listed,
          next: time(funding.nextUpdate),
          stated: time(row.ts),
        });
      },
    });
  },
});

/** `holdingAmount` is base. Which sides it counts is not documented: taken as one. Some rows have no mark price. */
const interests: Reader<Instrument, OpenInterestRow> = {
  id: by('symbol'),
  read: (row, market) =>
    openInterestOf(market, {
      base: required(row.holdingAmount),
      value: required(null),
      mark: positive(row.markPrice) || positive(row.lastPr),
      stated: time(row.ts),
    }),
};

const openInterest: SharedPoll<OpenInterestRow> = besidePrices(rowsOf, interests);

const futures = <P>(make: (part: Futures) => P): Record<Futures, P> => ({
  'usdt-futures': make('usdt-futures'),
  'usdc-futures': make('usdc-futures'),
  'coin-futures': make('coin-futures'),
});

/** Futures accept these depths only; spot accepts any up to 150. */
const futuresDepth = (depth: number) => [5, 15, 50].find((legal) => legal >= depth) ?? 'max';

/** Futures write 1m, 1H where spot writes 1min, 1h; both write 6Hutc. */
const spotWord = (interval: string) => interval.replace(/m$/, 'min').replace(/H$/, 'h');

/** Base and quote volume; spot has the volume in USDT between them. */
const spotCandle = (row: WireRow) => ohlc(row, required(row[5]), required(row[7]));
const candle = (row: WireRow) => ohlc(row, required(row[5]), required(row[6]));

/**
 * The order of the two is not settled for COIN-FUTURES, but quote is base times price: above a price of 1 it is the
 * larger of them.
 */
function coinCandle(row: WireRow) {
  const [a, b] = [required(row[5]), required(row[6])];
  const quoteFirst = a > b === positive(row[4]) > 1;
  return quoteFirst ? ohlc(row, b, a) : ohlc(row, a, b);
}

export const bitget = defineVenue({
  id: 'bitget',
  name: 'Bitget',
  kinds: ['spot', 'perpetual'],
  example: 'BTCUSDT',
  apis,
  parts: ['spot', 'usdt-futures', 'usdc-futures', 'coin-futures'],
  partOf(market) {
    if (market.endsWith('PERP')) return 'usdc-futures';
    // BTCUSD, and ETHUSD_260626 which is dated.
    return /USD(_\d{6})?$/.test(market) ? 'coin-futures' : 'spot';
  },
  feeds: {
    instruments: everyHour({ spot: instruments('spot'), ...futures(instruments) }),
    prices: everyHalfMinute({ spot: prices('spot'), ...futures(prices) }),
    derivatives: everyHalfMinute(futures(derivatives)),
    openInterest: everyHalfMinute(futures(() => openInterest)),
  },
  events: { liquidations },
  live,
  polls: { loans },
  books,
  queries: {
    ...histories,
    orderBook: {
      cap: 50,
      // `max` of futures gives as many as there are.
      most: {
        spot: 150,
        'usdt-futures': 1000,
        'usdc-futures': 1000,
        'coin-futures': 1000,
      },
      request({ part, market, depth }) {
        if (part !== 'spot') {
          const query = { symbol: market, precision: 'scale0', limit: futuresDepth(depth) };
          return get(part, '/market/merge-depth', 'books', query);
        }
        const query = { symbol: market, type: 'step0', limit: depth };
        return get(part, '/market/orderbook', 'books', query);
      },
      parse(body, ask) {
        const size = sizeOf(ask, false);
        const book = field(body, 'data');
        return bookOf(book, size, time(field(book, 'ts')));
      },
    },
    candles: {
      // No 8h anywhere and no 2h on spot. The words without `utc` open their days at 16:00 UTC.
      intervals: {
        '1m': '1m',
        '3m': '3m',
        '5m': '5m',
        '15m': '15m',
        '30m': '30m',
        '1h': '1H',
        '4h': '4H',
        '6h': '6Hutc',
        '12h': '12Hutc',
        '1d': '1Dutc',
        '3d': '3Dutc',
        '1w': '1Wutc',
        '1M': '1Mutc',
      },
      page: 1000,
      request({ part, market, interval, limit, before }) {
        const granularity = part === 'spot' ? spotWord(interval) : interval;
        const query = { symbol: market, granularity };
        if (before === undefined) {
          return get(part, '/market/candles', 'candles', { ...query, limit });
        }
        // `candles` reaches back some months only; the history has 200 rows a page.
        const page = { endTime: before, limit: limit < 200 ? limit : 200 };
        return get(part, '/market/history-candles', 'history', { ...query, ...page });
      },
      parse(body, ask) {
        const { scale } = sizeOf(ask, false);
        const rows = field(body, 'data');
        if (ask.part === 'spot') return bars(rows, scale, spotCandle, 8);
        return bars(rows, scale, ask.part === 'coin-futures' ? coinCandle : candle, 7);
      },
    },
  },
});
