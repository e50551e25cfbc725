/**
 * Deribit: spot, USDC-settled (linear) and coin-settled (inverse) perpetuals. https://docs.deribit.com
 *
 * Amounts on the wire (book, open interest, volume) are base units, and US dollars on inverse contracts;
 * `contract_size` is only their smallest step and multiplies nothing.
 */

import { hour } from '../../../config/time.ts';
import { field, isRecord, type WireRow } from '../../read.ts';
import {
  byPart,
  defineVenue,
  everyHalfMinute,
  everyTenMinutes,
  pollsByTopic,
} from '../../sources/venue.ts';
import { rowsFromColumns } from '../cells.ts';
import { fundings } from '../fundings.ts';
import { book, candles, inOrder } from '../levels-and-bars.ts';
import { recentTrades, takerWord } from '../trades.ts';
import { lengthsOf, minuteWords } from '../words.ts';
import { type Ask, apis, contracts, get, instruments, spotPrices } from './markets.ts';
import { options } from './options.ts';
import { books, liquidations, live, optionTrades } from './streams.ts';

/** No 4h, 8h, 3d, 1w, 1M. */
const words = {
  ...minuteWords('1m', '3m', '5m', '15m', '30m', '1h', '2h', '6h', '12h'),
  '1d': '1D',
};
const lengthOf = lengthsOf(words);

const columns = ['ticks', 'open', 'high', 'low', 'close', 'volume', 'cost'] as const;

/** Rows of one answer: 31 days. */
const page = 744;

/**
 * Funding accrues continuously; `interest_1h` is the charge of the hour before the time, a fraction.
 * https://docs.deribit.com/api-reference/market-data/public-get_funding_rate_history
 */
const fundingHistory = fundings<Ask>({
  page,
  has: (part) => part !== 'spot',
  requests({ market, now }, { range }) {
    const end = range?.end ?? now;
    const times = { start_timestamp: Math.max(0, end - page * hour), end_timestamp: end };
    return [get('get_funding_rate_history', { instrument_name: market, ...times })];
  },
  rows: 'result',
  at: 'timestamp',
  columns: { rate: 'interest_1h' },
  hours: 1,
});

/**
 * Base units, and dollars of inverse contracts. Block trades are made beside the order book, and legs of combos in that of the combo: their
 * prices follow from its own and the mark prices. https://docs.deribit.com/api-reference/combo-books/private-get_leg_prices
 */
const trades = {
  most: 1000,
  request: ({ market, limit }: { market: string; limit: number }) =>
    get('get_last_trades_by_instrument', {
      instrument_name: market,
      count: limit,
      sorting: 'desc',
    }),
  rows: 'result.trades',
  columns: {
    ...{ id: 'trade_id', at: 'timestamp', price: 'price', quantity: 'amount' },
    bought: takerWord('direction'),
  },
  keep: ({ block_trade_id: block, combo_id: combo }: WireRow) =>
    block === undefined && combo === undefined,
};

export const deribit = defineVenue({
  id: 'deribit',
  name: 'Deribit',
  kinds: ['spot', 'perpetual'],
  example: 'BTC-PERPETUAL',
  apis,
  parts: ['spot', 'linear', 'inverse'],
  feeds: {
    instruments: everyTenMinutes(instruments),
    ...pollsByTopic({ spot: spotPrices }, contracts),
    futures: everyHalfMinute(contracts),
    options,
  },
  events: { liquidations, optionTrades },
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
      parse: book({ at: 'result', stated: 'result.timestamp' }),
    },
    candles: {
      intervals: words,
      page: 5000,
      request({ market, interval, limit, before, now = 0 }) {
        // No count, only a range.
        const end = before === undefined ? now : before - 1;
        const start = end - limit * lengthOf(interval) + 1;
        const range = { start_timestamp: start, end_timestamp: end };
        return get('get_tradingview_chart_data', {
          instrument_name: market,
          resolution: interval,
          ...range,
        });
      },
      /** Columns: `volume` in base on every contract, `cost` in quote. */
      parse: candles({
        rows(body) {
          const result = field(body, 'result');
          const isEmpty = isRecord(result) && result.status === 'no_data';
          return isEmpty ? [] : rowsFromColumns(result, columns);
        },
        time: 0,
        columns: { ...inOrder, base: 5, quote: 6 },
      }),
    },
    recentTrades: recentTrades<Ask>(byPart(() => trades, 'spot', 'linear', 'inverse')),
    fundingHistory,
  },
});
