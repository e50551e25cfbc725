/** Gate: spot, and perpetuals settled in USDT, BTC and USD1, API v4. https://www.gate.com/docs/developers/apiv4 */

import { list, text } from '../../read.ts';
import {
  byPart,
  defineVenue,
  everyHalfMinute,
  everyMinute,
  everyTenMinutes,
} from '../../sources/venue.ts';
import { mayFail } from '../apis.ts';
import { book, byPartOf } from '../levels-and-bars.ts';
import { digitsIn, listing } from '../listings.ts';
import { lengthsOf, ownWords } from '../words.ts';
import { histories, loans } from './analytics.ts';
import { type Ask, apis, get, kept, type PartName } from './api.ts';
import {
  contractCandles,
  contracts,
  deliveries,
  isDelivery,
  pagesOf,
  readContract,
  readDelivery,
  type Settle,
  settles,
  spotCandles,
  spotTickers,
  tickers,
} from './rows.ts';
import { books, liquidations, live } from './streams.ts';
import { recentTrades } from './trades.ts';

/** Rows of a page, and offsets of the pages: two are more than there are today. */
const limit = 1000;
const offsets = [0, limit];
const pages = (part: Settle): Ask[] =>
  offsets.map((offset) => get(part, 'contracts', 'list', { limit, offset }));

/** Whether the last page is full, so that there may be more. */
const isFull = (bodies: readonly unknown[]): boolean => {
  const last = bodies[offsets.length - 1];
  return last !== undefined && list(last, 'contracts').length >= limit;
};

const pairs = listing({
  venue: 'gate',
  requests: get('spot', 'currency_pairs', 'list'),
  rows: '',
  id: 'id',
  read(row) {
    const kind = row.trade_status === 'tradable' ? 'spot' : 'other';
    return { kind, base: text(row.base), quote: text(row.quote) };
  },
  tick: digitsIn('precision'),
});

const instruments = (settle: Settle) =>
  listing({
    venue: 'gate',
    // Perpetuals are served without dated contracts where these fail.
    requests: () => [
      ...pages(settle),
      ...(settle === 'usdt' ? [mayFail(get('delivery', 'contracts', 'list'))] : []),
    ],
    rows(bodies) {
      const dated = bodies[offsets.length];
      const rows = pagesOf(bodies.slice(0, offsets.length));
      return dated === undefined ? rows : [...rows, ...list(dated, 'dated contracts')];
    },
    id: 'name',
    read: (row, market) =>
      isDelivery(market) ? readDelivery(row, market) : readContract(row, market, settle),
    tick: 'order_price_round',
    isCut: isFull,
  });

/** Of spot pairs and of contracts. */
const prices = {
  spot: spotTickers.poll(get('spot', 'tickers', 'tickers')),
  ...byPart((settle) => tickers.poll(get(settle, 'tickers', 'tickers')), ...settles),
};

const details = byPart((settle) => contracts.poll(() => pages(settle)), ...settles);

/** No 3m, 6h, 12h, 3d; 2h is not documented. Weeks of `7d` open on Thursdays, months exist on spot only. */
const words = ownWords('1m', '5m', '15m', '30m', '1h', '4h', '8h', '1d');
const lengthOf = lengthsOf(words);

const folder = (part: PartName, market: string) => (isDelivery(market) ? 'delivery' : part);

export const gate = defineVenue({
  id: 'gate',
  name: 'Gate',
  kinds: ['spot', 'perpetual'],
  example: 'BTC_USDT',
  apis,
  parts: ['spot', ...settles],
  feeds: {
    instruments: everyTenMinutes({ spot: pairs, ...byPart(instruments, ...settles) }),
    prices: everyHalfMinute(prices),
    derivatives: everyHalfMinute(details),
    openInterest: everyHalfMinute(details),
    futures: everyMinute({
      usdt: deliveries.poll(() => [
        get('delivery', 'contracts', 'list'),
        mayFail(get('delivery', 'tickers', 'tickers')),
      ]),
    }),
  },
  events: { liquidations },
  live,
  polls: { loans },
  books,
  queries: {
    ...histories,
    recentTrades,
    orderBook: {
      cap: 50,
      // Of contracts; spot takes more.
      most: 300,
      request({ part, market, depth }) {
        const name = part === 'spot' ? 'currency_pair' : 'contract';
        return get(folder(part, market), 'order_book', 'books', {
          [name]: market,
          limit: depth,
          with_id: 'true',
        });
      },
      parse: byPartOf(
        { spot: book({ stated: 'current' }) },
        book({ stated: 'current', unit: 1000, level: { price: 'p', quantity: 's' } }),
      ),
    },
    candles: {
      intervals: words,
      page: 1000,
      ranged: ['spot', ...settles],
      kept,
      request({ part, market, interval, limit, before }) {
        const query = { [part === 'spot' ? 'currency_pair' : 'contract']: market, interval };
        const place = folder(part, market);
        if (before === undefined) return get(place, 'candlesticks', 'candles', { ...query, limit });
        // A range, which may not stand beside `limit`, includes both of its ends.
        const length = lengthOf(interval);
        const range = { from: (before - limit * length) / 1000, to: (before - length) / 1000 };
        return get(place, 'candlesticks', 'candles', { ...query, ...range });
      },
      parse: byPartOf({ spot: spotCandles }, contractCandles),
    },
  },
});
