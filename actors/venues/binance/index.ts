/**
 * Binance: spot, USD-M (linear) and COIN-M (inverse) futures. https://developers.binance.com/docs
 */

import { bulk, field, positive, required, time, type WireRow } from '../../read.ts';
import { sameWords } from '../../sources/candles.ts';
import {
  byPart,
  defineVenue,
  everyHalfMinute,
  everyHour,
  type MarketPoll,
} from '../../sources/venue.ts';
import type { DerivativeRow, Instrument, OpenInterestRow, PriceRow } from '../../topics/index.ts';
import type { Query } from '../../upstream/request.ts';
import { bars, bookOf, ohlc, sizeOf } from '../levels-and-bars.ts';
import { listPoll } from '../rows.ts';
import { histories } from './analytics.ts';
import { type Ask, apis, get } from './api.ts';
import { books } from './books.ts';
import {
  candleColumns,
  candleQuery,
  candleWeight,
  futuresBookWeight,
  futuresDepth,
  interests,
  marksOf,
  premiums,
  spotBookWeight,
  tickers,
} from './form.ts';
import { liquidations } from './liquidations.ts';
import { live } from './live.ts';
import {
  type Contracts,
  fundingHours,
  inverseTickers,
  type PartName,
  premiumRows,
  readInstruments,
} from './rows.ts';
import { trades } from './trades.ts';

const spotInstruments: MarketPoll<Instrument, Ask> = {
  requests: () => [get('spot', '/exchangeInfo', 20, { showPermissionSets: 'false' })],
  parse: ([info]) => readInstruments('spot', info, () => null),
};

const contracts = (part: Contracts): MarketPoll<Instrument, Ask> => ({
  // `fundingInfo` has a limit of its own, 500 in 5 minutes, which an hourly request does not come near.
  requests: () => [
    get(part, '/exchangeInfo', 20),
    { ...get(part, '/fundingInfo', 1), optional: true },
  ],
  parse: ([info, funding], context) => readInstruments(part, info, fundingHours(funding, context)),
});

const prices = (part: PartName, weight: number, query?: Query): MarketPoll<PriceRow, Ask> =>
  listPoll(
    get(part, '/ticker/24hr', weight, query),
    (body) => bulk(body, 'tickers'),
    part === 'inverse' ? inverseTickers : tickers,
  );

const premiumIndex = (part: Contracts) => get(part, '/premiumIndex', 10);

const marks = premiums((market) => positive(market.funding_hours));

const derivatives = (part: Contracts): MarketPoll<DerivativeRow, Ask> =>
  listPoll(premiumIndex(part), premiumRows, marks);

/** Market by market; the marks, in bulk, go first. */
const openInterest = (part: Contracts): MarketPoll<OpenInterestRow, Ask> => ({
  requests: ({ markets }) => [
    premiumIndex(part),
    ...markets.map((market) => ({
      ...get(part, '/openInterest', 1, { symbol: market }),
      market,
    })),
  ],
  parse: ([premium, ...bodies], context) =>
    interests(bodies, marksOf(premiumRows(premium)), context.instruments),
  rotates: true,
});

export const binance = defineVenue({
  id: 'binance',
  name: 'Binance',
  kinds: ['spot', 'perpetual'],
  example: 'BTCUSDT',
  apis,
  parts: ['spot', 'linear', 'inverse'],
  partOf(market) {
    if (!market.includes('_')) return 'spot';
    return market.includes('USD_') ? 'inverse' : 'linear';
  },
  feeds: {
    instruments: everyHour({
      spot: spotInstruments,
      linear: contracts('linear'),
      inverse: contracts('inverse'),
    }),
    prices: everyHalfMinute({
      // Stopped pairs keep a ticker of zeros; these are left out.
      spot: prices('spot', 80, { symbolStatus: 'TRADING' }),
      linear: prices('linear', 40),
      inverse: prices('inverse', 40),
    }),
    derivatives: everyHalfMinute(byPart(derivatives, 'linear', 'inverse')),
    openInterest: everyHalfMinute(byPart(openInterest, 'linear', 'inverse')),
  },
  live,
  events: { liquidations },
  trades,
  books,
  queries: {
    orderBook: {
      cap: 50,
      // Spot gives 5000, for five times the weight.
      most: 1000,
      request({ part, market, depth }) {
        // Spot accepts any depth.
        const limit = part === 'spot' ? depth : futuresDepth(depth);
        const weight = part === 'spot' ? spotBookWeight(depth) : futuresBookWeight(depth);
        return get(part, '/depth', weight, { symbol: market, limit });
      },
      parse(body, ask) {
        const size = sizeOf(ask, ask.part === 'inverse');
        // T is when the book was so, E when that was sent; spot gives neither.
        return bookOf(body, size, time(field(body, 'T')));
      },
    },
    candles: {
      intervals: sameWords,
      page: 1000,
      request(ask) {
        const weight = ask.part === 'spot' ? 2 : candleWeight(ask.limit);
        return get(ask.part, '/klines', weight, candleQuery(ask));
      },
      parse(body, ask) {
        const { scale } = sizeOf(ask, false);
        if (ask.part !== 'inverse') {
          const candle = (row: WireRow) => ohlc(row, required(row[5]), required(row[7]));
          return bars(body, scale, candle, candleColumns);
        }
        // COIN-M counts contracts at 5 and base at 7.
        const usd = ask.instrument?.contract;
        const candle = (row: WireRow) =>
          ohlc(row, required(row[7]), usd === undefined ? null : required(row[5]) * usd);
        return bars(body, scale, candle, candleColumns);
      },
    },
    ...histories,
  },
});
