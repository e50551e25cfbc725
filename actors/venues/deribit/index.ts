/**
 * Deribit: spot, USDC-settled (linear) and coin-settled (inverse) perpetuals. https://docs.deribit.com
 *
 * Amounts on the wire (book, open interest, volume) are base units, and US dollars on inverse contracts;
 * `contract_size` is only their smallest step and multiplies nothing.
 */

import { field, isRecord, required, time } from '../../read.ts';
import {
  byPart,
  defineVenue,
  everyHalfMinute,
  everyHour,
  type MarketAsk,
  type MarketPoll,
  type SharedPoll,
} from '../../sources/venue.ts';
import type { Instrument, PriceRow } from '../../topics/index.ts';
import { bars, bookOf, ohlc, type Size, sizeOf } from '../levels-and-bars.ts';
import { marketRows } from '../rows.ts';
import { neverTradedBy, rowsFromColumns } from '../wire.ts';
import { fundingHistory } from './analytics.ts';
import { type Ask, apis, get } from './api.ts';
import { books } from './books.ts';
import { liquidations } from './liquidations.ts';
import { live } from './live.ts';
import { options } from './options.ts';
import {
  derivative,
  interest,
  type PartName,
  price,
  type Read,
  reader,
  readInstruments,
  resultOf,
} from './rows.ts';

const instruments = (part: PartName, ...currencies: string[]): MarketPoll<Instrument, Ask> => ({
  requests: () =>
    currencies.map((currency) => {
      const kind = part === 'spot' ? 'spot' : 'future';
      return get('get_instruments', { currency, kind, expired: 'false' }, 'instruments');
    }),
  parse: (bodies) => readInstruments(part, bodies),
});

const prices = (part: PartName, ...currencies: string[]): MarketPoll<PriceRow, Ask> => ({
  requests: () =>
    currencies.map((currency) =>
      get('get_book_summary_by_currency', { currency, kind: part === 'spot' ? 'spot' : 'future' }),
    ),
  parse(bodies, { instruments: markets }) {
    const tickers = { ...reader(part, price), isUntraded: neverTradedBy('last', 'volume') };
    const { rows, dropped } = marketRows(resultOf(bodies), markets, tickers);
    // A pair may be listed under both of its currencies.
    return { rows: [...new Map(rows.map((row) => [row.market, row])).values()], dropped };
  },
});

const shared = <Row>(part: PartName, read: Read<Row>): SharedPoll<Row> => ({
  bodiesOf: 'prices',
  parse: (bodies, context) => marketRows(resultOf(bodies), context.instruments, reader(part, read)),
});

/** Amounts of a market that the list does not hold are in dollars or base by its form. */
const sizeFor = (ask: MarketAsk): Size => ({
  ...sizeOf(ask, false),
  inverse: ask.part === 'inverse',
});

const minute = 60_000;
const lengthOf = (resolution: string) =>
  resolution === '1D' ? 1440 * minute : required(resolution) * minute;

const columns = ['ticks', 'open', 'high', 'low', 'close', 'volume', 'cost'] as const;

export const deribit = defineVenue({
  id: 'deribit',
  name: 'Deribit',
  kinds: ['spot', 'perpetual'],
  example: 'BTC-PERPETUAL',
  apis,
  parts: ['spot', 'linear', 'inverse'],
  partOf(market) {
    if (!market.includes('-')) return 'spot';
    return market.includes('_') ? 'linear' : 'inverse';
  },
  feeds: {
    instruments: everyHour({
      spot: instruments('spot', 'any'),
      linear: instruments('linear', 'USDC'),
      inverse: instruments('inverse', 'BTC', 'ETH'),
    }),
    prices: everyHalfMinute({
      // Whether a pair is listed under its base, its quote or both is not documented.
      spot: prices('spot', 'USDC', 'USDT', 'BTC', 'ETH'),
      linear: prices('linear', 'USDC'),
      inverse: prices('inverse', 'BTC', 'ETH'),
    }),
    derivatives: everyHalfMinute(byPart((part) => shared(part, derivative), 'linear', 'inverse')),
    openInterest: everyHalfMinute({
      linear: shared('linear', interest('linear')),
      inverse: shared('inverse', interest('inverse')),
    }),
    options,
  },
  events: { liquidations },
  live,
  books,
  queries: {
    orderBook: {
      cap: 50,
      most: 1000,
      request({ market, depth }) {
        const legal = [1, 5, 10, 20, 50, 100].find((levels) => levels >= depth) ?? 1000;
        return get('get_order_book', { instrument_name: market, depth: legal });
      },
      parse(body, ask) {
        const book = field(body, 'result');
        return bookOf(book, sizeFor(ask), time(field(book, 'timestamp')));
      },
    },
    candles: {
      // No 4h, 8h, 3d, 1w, 1M.
      intervals: {
        '1m': '1',
        '3m': '3',
        '5m': '5',
        '15m': '15',
        '30m': '30',
        '1h': '60',
        '2h': '120',
        '6h': '360',
        '12h': '720',
        '1d': '1D',
      },
      page: 5000,
      request({ market, interval, limit, before, now = 0 }) {
        // No count, only a range.
        const end = before === undefined ? now : before - 1;
        const start = Math.max(0, end - limit * lengthOf(interval) + 1);
        const range = { start_timestamp: start, end_timestamp: end };
        return get('get_tradingview_chart_data', {
          instrument_name: market,
          resolution: interval,
          ...range,
        });
      },
      /** Columns: `volume` in base on every contract, `cost` in quote. */
      parse(body, ask) {
        const result = field(body, 'result');
        if (isRecord(result) && result.status === 'no_data') return [];
        const { scale } = sizeOf(ask, false);
        return bars(rowsFromColumns(result, columns), scale, (row) =>
          ohlc(row, required(row[5]), required(row[6])),
        );
      },
    },
    fundingHistory,
  },
});
