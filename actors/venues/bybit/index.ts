/** Bybit: spot, linear (USDT, USDC) and inverse perpetuals. https://bybit-exchange.github.io/docs/v5 */

import { scaleIn } from '../../../config/assets/resolve.ts';
import { field, required, time, type WireRow } from '../../read.ts';
import {
  byPart,
  defineVenue,
  everyHalfMinute,
  everyHour,
  type MarketAsk,
  pollsByTopic,
} from '../../sources/venue.ts';
import type { Size } from '../cells.ts';
import { bars, levels, ohlc } from '../levels-and-bars.ts';
import { recentTrades, takerWord } from '../trades.ts';
import { minuteWords } from '../words.ts';
import { histories, loans } from './analytics.ts';
import {
  type Ask,
  apis,
  type Category,
  type Contracts,
  contracts,
  get,
  instruments,
  spot,
} from './markets.ts';
import { books, liquidations, live, trades } from './streams.ts';

const result = (body: unknown, key: string): unknown => field(field(body, 'result'), key);

const tickers = byPart(
  (category: Contracts) => contracts.poll(get('tickers', { category })),
  'linear',
  'inverse',
);

/** Every size is known without the list: base units, or 1 USD. */
const sizeOf = ({ instrument: known, market, part }: MarketAsk): Size =>
  known ?? { scale: scaleIn(market), contract: 1, inverse: part === 'inverse' };

/** Block trades are made beside the order book. */
const tradesOf = (category: Category) => ({
  most: category === 'spot' ? 60 : 1000,
  request: ({ market, limit }: { market: string; limit: number }) =>
    get('recent-trade', { category, symbol: market, limit }),
  rows: 'result.list',
  columns: {
    ...{ id: 'execId', at: 'time', price: 'price', quantity: 'size' },
    bought: takerWord('side'),
  },
  keep: ({ isBlockTrade }: WireRow) => isBlockTrade !== true,
});

export const bybit = defineVenue({
  id: 'bybit',
  name: 'Bybit',
  kinds: ['spot', 'perpetual'],
  example: 'BTCUSDT',
  apis,
  parts: ['spot', 'linear', 'inverse'],
  feeds: {
    instruments: everyHour(byPart(instruments, 'spot', 'linear', 'inverse')),
    ...pollsByTopic({ spot: spot.poll(get('tickers', { category: 'spot' })) }, tickers),
    futures: everyHalfMinute(tickers),
  },
  events: { liquidations },
  live,
  polls: { loans },
  trades,
  books,
  queries: {
    ...histories,
    recentTrades: recentTrades<Ask>(byPart(tradesOf, 'spot', 'linear', 'inverse')),
    orderBook: {
      cap: 50,
      most: 1000,
      request: ({ part, market, depth }) =>
        get('orderbook', { category: part, symbol: market, limit: depth }),
      parse(body, ask) {
        const size = sizeOf(ask);
        return {
          bids: levels(result(body, 'b'), size),
          asks: levels(result(body, 'a'), size),
          // `cts` is the matching engine's time, `ts` that of the answer.
          stated: time(result(body, 'cts')) ?? time(result(body, 'ts')),
        };
      },
    },
    candles: {
      // No 8h, no 3d.
      intervals: {
        ...minuteWords('1m', '3m', '5m', '15m', '30m', '1h', '2h', '4h', '6h', '12h'),
        '1d': 'D',
        '1w': 'W',
        '1M': 'M',
      },
      page: 1000,
      request({ part, market, interval, limit, before }) {
        const query = { category: part, symbol: market, interval, limit };
        return get('kline', before === undefined ? query : { ...query, end: before - 1 });
      },
      parse(body, ask) {
        const { scale, inverse } = sizeOf(ask);
        // Volume and turnover: base and quote; on inverse contracts USD and base.
        const [base, quote] = inverse ? [6, 5] : [5, 6];
        const candle = (row: WireRow) => ohlc(row, required(row[base]), required(row[quote]));
        return bars(result(body, 'list'), scale, candle, 7);
      },
    },
  },
});
