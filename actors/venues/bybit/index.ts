/** Bybit: spot, linear (USDT, USDC) and inverse perpetuals. https://bybit-exchange.github.io/docs/v5 */

import { bulk, field, positive, required, text, time, type WireRow } from '../../read.ts';
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
import { bars, levels, ohlc, type Size } from '../levels-and-bars.ts';
import { cutOff, instrument, instrumentRows, marketRows } from '../rows.ts';
import { canonical } from '../symbols.ts';
import { neverTradedBy } from '../wire.ts';
import { histories } from './analytics.ts';
import { type Ask, apis, get } from './api.ts';
import { books } from './books.ts';
import { liquidations } from './liquidations.ts';
import { live } from './live.ts';
import { loans } from './loans.ts';
import { type Category, derivative, openInterest, price, type RowReader, reader } from './rows.ts';

const result = (body: unknown, key: string): unknown => field(field(body, 'result'), key);

/** Symbol types of shares and commodities; crypto has '' or a word such as `innovation`. */
const notCrypto: ReadonlySet<string> = new Set(['stock', 'xstocks', 'commodity', 'forex']);

function kindOf(row: WireRow, category: Category): Instrument['kind'] {
  if (row.status !== 'Trading' || row.isPreListing === true) return 'other';
  if (notCrypto.has(text(row.symbolType).toLowerCase())) return 'other';
  if (category === 'spot') return 'spot';
  return text(row.contractType).endsWith('Perpetual') ? 'perpetual' : 'other';
}

/** `fundingInterval` is in minutes; values of less than an hour are ignored. */
function fundingHours(row: WireRow): number | null {
  const minutes = positive(row.fundingInterval);
  return minutes >= 60 ? minutes / 60 : null;
}

/** Quantities are in base on spot and linear; an inverse contract is 1 USD. */
const instruments = (category: Category): MarketPoll<Instrument, Ask> => ({
  // Spot is not paged. One page of 1000 is everything else that trades, today; the cursor of a further one is named.
  requests: () => [
    get('instruments-info', category === 'spot' ? { category } : { category, limit: 1000 }),
  ],
  parse: ([body]) =>
    cutOff(
      instrumentRows(bulk(result(body, 'list'), 'list'), 'symbol', (row, market) =>
        instrument({
          market,
          kind: kindOf(row, category),
          base: text(row.baseCoin),
          quote: text(row.quoteCoin),
          contract: 1,
          inverse: category === 'inverse',
          fundingHours: fundingHours(row),
        }),
      ),
      text(result(body, 'nextPageCursor')) !== '',
    ),
});

const isUntraded = neverTradedBy('lastPrice', 'volume24h');

/** Parses `tickers`; no row has a time, the answer has one. */
const tickers =
  <Row>(category: Category, read: RowReader<Row>): MarketPoll<Row>['parse'] =>
  ([body], { instruments: markets }) => {
    const stated = time(field(body, 'time'));
    const rows = bulk(result(body, 'list'), 'list');
    return marketRows(rows, markets, { ...reader(category, read, stated), isUntraded });
  };

const prices = (category: Category): MarketPoll<PriceRow, Ask> => ({
  requests: () => [get('tickers', { category })],
  parse: tickers(category, price),
});

const shared = <Row>(category: Category, read: RowReader<Row>): SharedPoll<Row> => ({
  bodiesOf: 'prices',
  parse: tickers(category, read),
});

/** Every size is known without the list: base units, or 1 USD. */
const sizeOf = ({ instrument: known, market, part }: MarketAsk): Size =>
  known ?? { scale: canonical(market).scale, contract: 1, inverse: part === 'inverse' };

export const bybit = defineVenue({
  id: 'bybit',
  name: 'Bybit',
  kinds: ['spot', 'perpetual'],
  example: 'BTCUSDT',
  apis,
  parts: ['spot', 'linear', 'inverse'],
  partOf(market) {
    // BTCUSD, and BTCUSDH26 which is dated.
    if (/USD([HMUZ]\d\d)?$/.test(market)) return 'inverse';
    return market.endsWith('PERP') || market.includes('-') ? 'linear' : 'spot';
  },
  feeds: {
    instruments: everyHour(byPart(instruments, 'spot', 'linear', 'inverse')),
    prices: everyHalfMinute(byPart(prices, 'spot', 'linear', 'inverse')),
    derivatives: everyHalfMinute(byPart((part) => shared(part, derivative), 'linear', 'inverse')),
    openInterest: everyHalfMinute(
      byPart((part) => shared(part, openInterest), 'linear', 'inverse'),
    ),
  },
  events: { liquidations },
  live,
  polls: { loans },
  books,
  queries: {
    ...histories,
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
        '1m': '1',
        '3m': '3',
        '5m': '5',
        '15m': '15',
        '30m': '30',
        '1h': '60',
        '2h': '120',
        '4h': '240',
        '6h': '360',
        '12h': '720',
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
