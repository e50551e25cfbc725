/** WOO X: spot and linear perpetuals, all quoted in USDT. https://docs.woox.io */

import { at, isRecord, list, optional, optionalNonZero, positive, text } from '../../read.ts';
import type { Apis, ParseContext, RequestOf } from '../../sources/define.ts';
import { byPart, defineVenue, everyTenMinutes, pollsByTopic } from '../../sources/venue.ts';
import type { Faults } from '../../upstream/faults.ts';
import type { Query } from '../../upstream/request.ts';
import { aboutEach, codesOf, equalBudgets, mayFail } from '../apis.ts';
import { pairOf } from '../cells.ts';
import { book, candles, spelled } from '../levels-and-bars.ts';
import { listing } from '../listings.ts';
import { recentTrades, takerWord } from '../trades.ts';
import { ownWords } from '../words.ts';
import { channels, tickers } from './live.ts';
import { days, hoursInDay, type PartName, perp, prefixes } from './rows.ts';

/** `{success: false, message}`, often with a `code`; the gateway's own lack `success` inside a 200. */
const faults: Faults = {
  name: 'WOO X',
  at: 'code',
  when: ({ success, message }) => success !== true && typeof message === 'string',
  codes: codesOf(
    ['unavailable', -1000, -1011],
    ['rate_limited', -1003],
    ['unknown_instrument', -1006],
  ),
  message: 'message',
  patterns: [
    { status: 403, means: 'blocked' },
    // Also inside a 500.
    { text: /symbol/i, means: 'unknown_instrument' },
    { code: /^[5-9]\d\d$/, means: 'unavailable' },
  ],
};

const paths = [
  'instruments',
  'futures',
  'fundingRate',
  'orderbook',
  'kline',
  'klineHistory',
  'marketTrades',
] as const;

const apis = {
  rest: {
    hosts: ['https://api.woox.io'],
    // Requests a second and address, each path by itself.
    budgets: equalBudgets({ weight: 10, per: 1000 }, ...paths),
    faults,
  },
} as const satisfies Apis;

type Ask = RequestOf<typeof apis>;

const get = (path: Ask['budget'] & string, query: Query = {}): Ask => ({
  api: 'rest',
  path: `/v3/public/${path}`,
  query,
  budget: path,
});

/** Hours between fundings by market: 4 or 8, beside the rates only; without those, what was known before. */
function hoursIn(rates: unknown, { instruments }: ParseContext) {
  if (rates === undefined) return (market: string) => instruments.get(market)?.funding_hours;
  const stated = new Map(
    list(at(rates, 'data.rows'), 'funding rates')
      .filter(isRecord)
      .map((row) => [text(row.symbol), positive(row.estFundingIntervalHours)]),
  );
  return (market: string) => stated.get(market);
}

/** Both parts stand in one list. A multiplier other than 1 is not explained anywhere; no market has one. */
const instruments = (part: PartName) =>
  listing({
    venue: 'woo',
    requests: () => [get('instruments'), ...(part === 'perp' ? [mayFail(get('fundingRate'))] : [])],
    rows: 'data.rows',
    id: 'symbol',
    keep: ({ symbol }) => text(symbol).startsWith(prefixes[part]),
    extra: ([, rates], context) => hoursIn(rates, context),
    read({ status, baseAssetMultiplier }, market, hours) {
      const isTraded = status === 'TRADING' && (optional(baseAssetMultiplier) ?? 1) === 1;
      const kind = part === 'spot' ? 'spot' : 'perpetual';
      const pair = pairOf(market.slice(prefixes[part].length), '_');
      return (
        pair && {
          ...pair,
          kind: isTraded ? kind : 'other',
          fundingHours: optionalNonZero(hours(market)),
        }
      );
    },
    tick: 'quoteTick',
  });

/** The ticker that spot lacks, out of the candles of the last day. */
const spotPrices = days.poll(
  ({ markets }) =>
    aboutEach(markets, (symbol) => get('kline', { symbol, type: '1h', limit: hoursInDay })),
  { rotates: true, most: 110 },
);

const futures = perp.poll(get('futures'));

/** Without ids. */
const trades = {
  most: 500,
  request: ({ market, limit }: { market: string; limit: number }) =>
    get('marketTrades', { symbol: market, limit }),
  rows: 'data.rows',
  columns: {
    ...{ at: 'executedTimestamp', price: 'executedPrice', quantity: 'executedQuantity' },
    bought: takerWord('side'),
  },
};

export const woo = defineVenue({
  id: 'woo',
  name: 'WOO X',
  kinds: ['spot', 'perpetual'],
  example: 'SPOT_BTC_USDT',
  apis,
  parts: ['spot', 'perp'],
  feeds: {
    instruments: everyTenMinutes({ spot: instruments('spot'), perp: instruments('perp') }),
    ...pollsByTopic({ spot: spotPrices }, { perp: futures }),
  },
  live: {
    prices: { spot: tickers('spot'), perp: tickers('perp') },
    derivatives: { perp: channels },
    openInterest: { perp: channels },
  },
  queries: {
    recentTrades: recentTrades<Ask>(byPart(() => trades, 'spot', 'perp')),
    orderBook: {
      cap: 50,
      most: 100,
      // Without `rpi` the orders of retail makers are missing, and with them most of the book.
      request: ({ market, depth }) =>
        get('orderbook', { symbol: market, maxLevel: depth, rpi: 'true' }),
      parse: book({
        at: 'data',
        stated: 'timestamp',
        level: { price: 'price', quantity: 'quantity' },
      }),
    },
    candles: {
      // No 3m, 2h, 6h, 8h, 3d. On which day a week opens is not documented: they are built from days.
      intervals: {
        ...ownWords('1m', '5m', '15m', '30m', '1h', '4h', '12h', '1d'),
        '1M': '1mon',
      },
      page: 1000,
      request({ market, interval, limit, before }) {
        const query = { symbol: market, type: interval, limit };
        // `klineHistory` lacks the running candle.
        return before === undefined
          ? get('kline', query)
          : get('klineHistory', { ...query, before });
      },
      parse: candles({
        rows: 'data.rows',
        time: 'startTimestamp',
        columns: { ...spelled, base: 'volume', quote: 'amount' },
      }),
    },
  },
});
