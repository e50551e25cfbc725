/**
 * Kraken: spot, and Kraken Futures with linear (`PF_`) and inverse (`PI_`) perpetuals in one list. https://docs.kraken.com/api
 */

import { ShapeError } from '../../failure.ts';
import { asRow, field, isRecord, list, required, text, type WireRow } from '../../read.ts';
import {
  type CandleAsk,
  type CandleQuery,
  defineVenue,
  everyHalfMinute,
  everyHour,
  type MarketAsk,
  type OrderBookQuery,
  pollsByTopic,
} from '../../sources/venue.ts';
import type { Size } from '../cells.ts';
import { timeOf } from '../iso.ts';
import { barOf, bars, baseAtMean, bookOf, ohlc, sizeOf, spelled } from '../levels-and-bars.ts';
import { digitsIn, listing } from '../listings.ts';
import { recentTrades, takerWord } from '../trades.ts';
import { minuteWords } from '../words.ts';
import { histories } from './analytics.ts';
import { type Ask, apis, getChart, getFutures, getSpot } from './api.ts';
import { contract, entriesIn, pair, pairs, tickers } from './markets.ts';
import { books, liquidations, live, trades } from './streams.ts';

/**
 * Ids are the keys of the map, `XXBTZUSD` (`X` before the older coins, `Z` before currencies); requests take
 * the short `XBTUSD` as well.
 */
const spotInstruments = listing({
  venue: 'kraken',
  requests: getSpot('AssetPairs'),
  rows: ([body]) => entriesIn(body).map(([id, row]) => ({ ...asRow(row), id })),
  id: 'id',
  read: pair,
  // Older answers have no `tick_size`.
  tick: (row) => row.tick_size ?? digitsIn('pair_decimals')(row),
});

/** Indices are listed too and are left out. */
const futuresInstruments = listing({
  venue: 'kraken',
  requests: getFutures('v3/instruments'),
  rows: 'instruments',
  id: 'symbol',
  keep: ({ type }) => !text(type).endsWith(' index'),
  read: contract,
  tick: 'tickSize',
});

const spot = pairs.poll(getSpot('Ticker'));

const rows = tickers.poll(getFutures('v3/tickers'));

/** The time of the answer is a text, the tables have it as Unix ms. */
const futures: typeof rows = {
  ...rows,
  parse: ([body], context) =>
    rows.parse(
      [{ tickers: field(body, 'tickers'), sent: timeOf(field(body, 'serverTime')) }],
      context,
    ),
};

/** The one list or book of a spot answer: it stands under Kraken's own key, whatever name was asked for. */
function spotResult(body: unknown): unknown {
  const result = field(body, 'result');
  if (!isRecord(result)) throw new ShapeError('result: no object');
  const [key] = Object.keys(result).filter((name) => name !== 'last');
  if (key === undefined) throw new ShapeError('result: empty');
  return result[key];
}

/** Inverse contracts are one USD each, and no list is needed to know it. */
const sizeFor = (ask: MarketAsk): Size =>
  ask.instrument === null && ask.market.startsWith('PI_')
    ? { scale: 1, contract: 1, inverse: true }
    : sizeOf(ask, false);

/** Futures send the whole book and take no depth. */
const orderBook = {
  cap: 50,
  most: { spot: 500, futures: 1000 },
  request: ({ market, part, depth }): Ask =>
    part === 'spot'
      ? getSpot('Depth', { pair: market, count: depth })
      : getFutures('v3/orderbook', { symbol: market }),
  parse(body, ask) {
    const spot = ask.part === 'spot';
    const book = spot ? spotResult(body) : field(body, 'orderBook');
    // Spot has the time at the end.
    const form = { price: 0, quantity: 1, columns: spot ? 3 : 2 };
    return bookOf(book, sizeFor(ask), spot ? null : timeOf(field(body, 'serverTime')), form);
  },
} as const satisfies OrderBookQuery<Ask>;

/** Spot and futures have these; the weeks of spot open on Thursdays. Spot names the minutes. */
const names = ['1m', '5m', '15m', '30m', '1h', '4h', '1d'] as const;
const words = minuteWords(...names);
const chartWord = (word: string) => names.find((name) => words[name] === word);

/** `[s, open, high, low, close, vwap, base, trades]`. */
const spotBar = (row: WireRow) => {
  const bar = ohlc(row, required(row[6]), required(row[6]) * required(row[5]));
  return { ...bar, timestamp: bar.timestamp * 1000 };
};

/**
 * `volume` is base, or USD of an inverse contract. The base of that follows from the mean of the four
 * prices: the venue gives no volume-weighted one.
 */
const futuresBar = (inverse: boolean) => (row: WireRow) => {
  const bar = barOf(row, required(row.time), spelled);
  return inverse ? { ...bar, volume: baseAtMean(bar, bar.volume), turnover: bar.volume } : bar;
};

const candles = {
  intervals: words,
  // Spot keeps no more than the newest 720 and ignores any earlier time.
  page: 720,
  request({ market, part, interval, limit, before, now }: CandleAsk): Ask {
    if (part === 'spot') return getSpot('OHLC', { pair: market, interval }, 'ohlc');
    const path = `trade/${encodeURIComponent(market)}/${chartWord(interval)}`;
    const end = before ?? now;
    if (end === undefined) return getChart(path);
    const to = Math.floor(end / 1000) - 1;
    return getChart(path, { from: to + 1 - limit * 60 * required(interval), to });
  },
  parse(body, ask) {
    const { scale, inverse } = sizeFor(ask);
    if (ask.part === 'spot') return bars(spotResult(body), scale, spotBar, 8);
    return bars(field(body, 'candles'), scale, futuresBar(inverse));
  },
} as const satisfies CandleQuery<Ask>;

/** `b` is a taker that bought. */
/** What the order book of futures trades; blocks and assignments are other types. */
const traded: ReadonlySet<unknown> = new Set(['fill', 'liquidation']);

/** Futures send the newest hundred. */
const recent = recentTrades<Ask>({
  spot: {
    most: 1000,
    request: ({ market, limit }) => getSpot('Trades', { pair: market, count: limit }),
    rows: (body) => list(spotResult(body), 'trades'),
    // `[price, volume, s, side, order type, words, id]`
    columns: {
      ...{ id: 6, at: 2, unit: 1000, price: 0, quantity: 1, width: 4 },
      bought: takerWord(3, 'b', 's'),
    },
  },
  futures: {
    most: 100,
    request: ({ market }) => getFutures('v3/history', { symbol: market }),
    rows: 'history',
    columns: {
      ...{ id: 'uid', at: (row) => timeOf(row.time), price: 'price', quantity: 'size' },
      bought: takerWord('side'),
    },
    keep: ({ type }) => traded.has(type),
  },
});

export const kraken = defineVenue({
  id: 'kraken',
  name: 'Kraken',
  kinds: ['spot', 'perpetual'],
  example: 'XXBTZUSD',
  apis,
  parts: ['spot', 'futures'],
  feeds: {
    instruments: everyHour({ spot: spotInstruments, futures: futuresInstruments }),
    ...pollsByTopic({ spot }, { futures }),
    futures: everyHalfMinute({ futures }),
  },
  events: { liquidations },
  live,
  books,
  trades,
  queries: { ...histories, orderBook, candles, recentTrades: recent },
});
