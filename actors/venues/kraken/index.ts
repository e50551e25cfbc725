/**
 * Kraken: spot, and Kraken Futures with linear (`PF_`) and inverse (`PI_`) perpetuals in one list. https://docs.kraken.com/api
 */

import { ShapeError } from '../../failure.ts';
import { asRow, field, isRecord, list, required, text } from '../../read.ts';
import type { CandleAsk, CandleQuery, OrderBookQuery } from '../../sources/queries/forms.ts';
import {
  defineVenue,
  everyHalfMinute,
  everyTenMinutes,
  pollsByTopic,
} from '../../sources/venue.ts';
import type { Instrument } from '../../topics/index.ts';
import { timeOf } from '../iso.ts';
import { book, byPartOf, candles, inOrder, spelled } from '../levels-and-bars.ts';
import { digitsIn, listing } from '../listings.ts';
import { recentTrades, takerWord } from '../trades.ts';
import { minuteWords } from '../words.ts';
import { histories } from './analytics.ts';
import { type Ask, apis, getChart, getFutures, getSpot, unifiedList } from './api.ts';
import { contract, contractsIn, entriesIn, pair, pairs, tickers } from './markets.ts';
import { books, liquidations, live, traded, trades } from './streams.ts';

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
const contracts = listing({
  venue: 'kraken',
  requests: { ...getFutures('v3/instruments'), instead: unifiedList },
  rows: contractsIn,
  id: 'symbol',
  keep: ({ type }) => !text(type).endsWith(' index'),
  read: contract,
  tick: 'tickSize',
});

/** The list of the unified stream does not say what is no coin: what is known of a contract stays. */
const futuresInstruments: typeof contracts = {
  ...contracts,
  parse(bodies, context) {
    const { rows, ...found } = contracts.parse(bodies, context).instruments;
    if (field(bodies[0], 'channel') === undefined) return { instruments: { rows, ...found } };
    const known = ({ market, kind }: Instrument) => {
      const before = context.instruments.get(market);
      return before?.kind === kind ? before : null;
    };
    return { instruments: { ...found, rows: rows.map((row) => known(row) ?? row) } };
  },
};

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

/** Futures send the whole book and take no depth. */
const orderBook = {
  cap: 50,
  most: { spot: 500, futures: 1000 },
  request: ({ market, part, depth }): Ask =>
    part === 'spot'
      ? getSpot('Depth', { pair: market, count: depth })
      : getFutures('v3/orderbook', { symbol: market }),
  parse: byPartOf({
    // The time stands at the end of a level.
    spot: book({ at: spotResult, level: { price: 0, quantity: 1, columns: 3 } }),
    futures: book({ at: 'orderBook', stated: (body) => timeOf(field(body, 'serverTime')) }),
  }),
} as const satisfies OrderBookQuery<Ask>;

/** Spot and futures have these; the weeks of spot open on Thursdays. Spot names the minutes. */
const names = ['1m', '5m', '15m', '30m', '1h', '4h', '1d'] as const;
const words = minuteWords(...names);
const chartWord = (word: string) => names.find((name) => words[name] === word);

const charts = {
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
  parse: byPartOf({
    // `[s, open, high, low, close, vwap, base, trades]`.
    spot: candles({
      rows: spotResult,
      time: 0,
      unit: 1000,
      columns: { ...inOrder, base: 6, quote: (row) => required(row[6]) * required(row[5]) },
      width: 8,
    }),
    // Base, or USD of an inverse contract.
    futures: candles({
      rows: 'candles',
      time: 'time',
      columns: { ...spelled, contracts: 'volume' },
    }),
  }),
} as const satisfies CandleQuery<Ask>;

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
    instruments: everyTenMinutes({ spot: spotInstruments, futures: futuresInstruments }),
    ...pollsByTopic({ spot }, { futures }),
    futures: everyHalfMinute({ futures }),
  },
  events: { liquidations },
  live,
  books,
  trades,
  queries: { ...histories, orderBook, candles: charts, recentTrades: recent },
});
