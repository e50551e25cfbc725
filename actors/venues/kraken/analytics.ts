/**
 * Kraken Futures: series of the charts (open interest, long and short accounts, taker volume), settled funding, whole books.
 * https://docs.kraken.com/api/docs/futures-api/charts/analytics
 */
import { hour } from '../../../config/time.ts';
import { intervals } from '../../../indicators/market/intervals.ts';
import { valueNear } from '../../../indicators/order-book/depth.ts';
import { field, isRow, list, positive, required, type WireRow } from '../../read.ts';
import type { MarketQuery } from '../../sources/queries/forms.ts';
import type { Span } from '../../sources/queries/history-query.ts';
import type { Depth, Instrument, Interval, SeriesParams } from '../../topics/index.ts';
import { mayFail } from '../apis.ts';
import { fundings } from '../fundings.ts';
import { byTime, rowsIn, wordOf } from '../histories.ts';
import { timeOf } from '../iso.ts';
import { levels } from '../levels-and-bars.ts';
import {
  basis,
  interest,
  longShort as longShortOf,
  takerVolume as takerVolumeOf,
} from '../series.ts';
import { ownWords } from '../words.ts';
import { type Ask, getChart, getFutures } from './api.ts';

/** Words of the candles; the other series state their interval in seconds. */
const words = ownWords('5m', '15m', '30m', '1h', '4h', '12h', '1d');

/** Rows that are asked for as a rule, and at most; the exchange gives up to 2000 at once. */
const pages = { page: 500, most: 1000 };

interface Asked extends SeriesParams {
  part: string;
  instrument: Instrument;
  now: number;
}

/** Rows of 2h are made of those of 1h. */
const fineOf = ({ interval }: Pick<SeriesParams, 'interval'>): Interval =>
  interval === '2h' ? '1h' : interval;

/** The time from the start of the first row to the end of the last one, seconds. */
function secondsOf({ interval, now }: Asked, { limit, range }: Span) {
  const step = intervals[interval];
  const last = Math.floor((range?.end ?? now) / step) * step;
  const to = Math.min(now, last + step - 1);
  return { from: (last - (limit - 1) * step) / 1000, to: Math.floor(to / 1000) };
}

function seriesOf(type: string, asked: Asked, span: Span): Ask {
  const { from, to } = secondsOf(asked, span);
  const interval = intervals[fineOf(asked)] / 1000;
  const path = `analytics/${encodeURIComponent(asked.market)}/${type}`;
  return getChart(path, { since: from, to, interval });
}

/** Closes for the value of contracts; without them it is not known. */
function closes(asked: Asked, span: Span): Ask {
  const word = wordOf(words, fineOf(asked));
  const path = `trade/${encodeURIComponent(asked.market)}/${word}`;
  return mayFail(getChart(path, secondsOf(asked, span)));
}

/** The times of a series, Unix ms, and its data in the same order. */
function seriesIn(body: unknown) {
  const result = field(body, 'result');
  const stated = list(field(result, 'timestamp'), 'timestamp');
  return { times: stated.map((at) => required(at) * 1000), data: field(result, 'data') };
}

const at = (data: unknown, key: string | number): unknown => (isRow(data) ? data[key] : undefined);
/** A list of numbers. */
const plain = (data: unknown, i: number): number => required(at(data, i));
/** `[open, high, low, close]`. */
const lastOf = (data: unknown, i: number): number => required(at(at(data, i), 3));

/** Finds the close of the candle that opened at a time; NaN where there is none. */
function closesIn(body: unknown): (time: number) => number {
  const candles = rowsIn(body === undefined ? undefined : field(body, 'candles'), 'candles');
  const candleAt = byTime(candles, ({ time }) => time);
  return (time) => positive(candleAt(time)?.close);
}

/** Contracts as native base units and dollars: a linear one is one of the first, an inverse one is one dollar. */
function sizes({ inverse }: Instrument, contracts: number, close: number) {
  const price = close || null;
  if (inverse) return { base: price && contracts / price, usd: contracts };
  return { base: contracts, usd: price && contracts * price };
}

/** Contracts as they are at the end of each step, with the close of its candle. */
const openInterestHistory = interest<Ask>({
  ...pages,
  thinned: true,
  words: ({ part }) => (part === 'futures' ? words : null),
  requests: (asked, span) => [seriesOf('open-interest', asked, span), closes(asked, span)],
  rows([body, candles]) {
    const closeAt = closesIn(candles);
    const { times, data } = seriesIn(body);
    return times.map((time, i) => ({ time, contracts: lastOf(data, i), close: closeAt(time) }));
  },
  at: 'time',
  columns: { contracts: 'contracts', mark: 'close' },
});

/** Numbers of accounts: `{longCount: [], shortCount: []}`. Either may be zero. */
const longShort = longShortOf<Ask>({
  ...pages,
  thinned: true,
  words: ({ part, of }) => (part === 'futures' && of === 'accounts' ? words : null),
  requests: (asked, span) => [seriesOf('long-short-info', asked, span)],
  rows([body]) {
    const { times, data } = seriesIn(body);
    const [longs, shorts] = [at(data, 'longCount'), at(data, 'shortCount')];
    return times.map((time, i) => ({ time, longs: plain(longs, i), shorts: plain(shorts, i) }));
  },
  at: 'time',
  columns: {
    long: ({ longs, shorts }) => required(longs) / (required(longs) + required(shorts)),
    short: ({ longs, shorts }) => required(shorts) / (required(longs) + required(shorts)),
  },
});

/**
 * Candles of mark and index (`spot`) prices, of perpetuals and dated contracts.
 * https://docs.kraken.com/api/docs/futures-api/charts/candles
 */
const basisHistory = basis<Ask>({
  ...pages,
  words: ({ part }) => (part === 'futures' ? words : null),
  requests: (asked, span) =>
    ['mark', 'spot'].map((price) => {
      const path = `${price}/${encodeURIComponent(asked.market)}/${wordOf(words, asked.interval)}`;
      return getChart(path, secondsOf(asked, span));
    }),
  rows: 'candles',
  at: 'time',
  close: 'close',
});

const sum = (a: number | null, b: number | null) => (a === null || b === null ? null : a + b);

/** What takers did in a step, in native base units and dollars. */
type Taken = Record<'buyBase' | 'sellBase' | 'buyUsd' | 'sellUsd', number | null> & {
  time: number;
};

/** The sums of all rows of the same interval; of two of one time the last one counts. */
function summed(rows: readonly Taken[], step: number): Taken[] {
  const found = new Map<number, Taken>();
  for (const row of new Map(rows.map((each) => [each.time, each])).values()) {
    const time = Math.floor(row.time / step) * step;
    const one = found.get(time);
    found.set(time, {
      time,
      buyBase: one ? sum(one.buyBase, row.buyBase) : row.buyBase,
      sellBase: one ? sum(one.sellBase, row.sellBase) : row.sellBase,
      buyUsd: one ? sum(one.buyUsd, row.buyUsd) : row.buyUsd,
      sellUsd: one ? sum(one.sellUsd, row.sellUsd) : row.sellUsd,
    });
  }
  return [...found.values()];
}

/**
 * Volume of both sides, and what takers sold less what they bought, contracts: recorded rows are the opposite of `buy_volume` less
 * `sell_volume` of the exchange's own `cvd` in every step, and negative where prices rise.
 */
const takerVolume = takerVolumeOf<Ask>({
  ...pages,
  words: ({ part }) => (part === 'futures' ? { ...words, ...ownWords('2h') } : null),
  requests: (asked, span) => [
    seriesOf('trade-volume', asked, span),
    seriesOf('aggressor-differential', asked, span),
    closes(asked, span),
  ],
  rows([volumes, differences, candles], { instrument, interval }) {
    const { times, data } = seriesIn(volumes);
    const less = seriesIn(differences);
    const stated = less.times.map((time, i) => ({ time, difference: plain(less.data, i) }));
    const lessAt = byTime(stated, ({ time }) => time);
    const closeAt = closesIn(candles);
    const rows = times.map((time, i): Taken => {
      const volume = plain(data, i);
      const difference = required(lessAt(time)?.difference);
      const close = closeAt(time);
      const bought = sizes(instrument, (volume - difference) / 2, close);
      const sold = sizes(instrument, (volume + difference) / 2, close);
      return {
        ...{ time, buyBase: bought.base, sellBase: sold.base },
        ...{ buyUsd: bought.usd, sellUsd: sold.usd },
      };
    });
    return fineOf({ interval }) === interval ? rows : summed(rows, intervals[interval]);
  },
  at: 'time',
  columns: {
    buyBase: ({ buyBase }) => buyBase,
    sellBase: ({ sellBase }) => sellBase,
    buyUsd: ({ buyUsd }) => buyUsd,
    sellUsd: ({ sellUsd }) => sellUsd,
  },
});

/** The exchange gives all of about a year at once, and takes no range. */
const all = 10_000;

/** A row is of the hour that begins at its time, at whose end it is charged. */
const chargedAt = ({ timestamp }: WireRow): number => required(timeOf(timestamp)) + hour;

/**
 * `fundingRate` is an amount a contract and hour (USD per base unit, or base per USD); `relativeFundingRate` is the
 * fraction of the position. The newest row is of the running hour.
 */
const fundingHistory = fundings<Ask>({
  page: all,
  whole: true,
  has: (part) => part === 'futures',
  requests: ({ market }) => [getFutures('v4/historicalfundingrates', { symbol: market })],
  rows: 'rates',
  at: chargedAt,
  columns: { rate: 'relativeFundingRate' },
  keep: (row, { now }) => !(chargedAt(row) > now),
  hours: 1,
});

/** Most levels a side that are given. */
const maxLevels = 200;
const near = 0.01;

/** The whole book, whose levels are in no order. */
const depth: MarketQuery<'depth', Depth, Ask> = {
  ttl: 2_000,
  page: ({ part, market, kind }) =>
    part === 'futures' ? { market, kind, limit: maxLevels } : null,
  requests: ({ market }) => [getFutures('v3/orderbook', { symbol: market })],
  parse([body], { market, instrument }, received): Depth {
    const book = field(body, 'orderBook');
    const bids = levels(field(book, 'bids'), instrument).sort((a, b) => b.price - a.price);
    const asks = levels(field(book, 'asks'), instrument).sort((a, b) => a.price - b.price);
    return {
      market,
      bids: bids.slice(0, maxLevels),
      asks: asks.slice(0, maxLevels),
      ...valueNear({ bids, asks }, near),
      timestamp: timeOf(field(body, 'serverTime')) ?? received,
    };
  },
  slice: (whole, { limit }) => ({
    ...whole,
    bids: whole.bids.slice(0, limit),
    asks: whole.asks.slice(0, limit),
  }),
};

export const histories = {
  openInterestHistory,
  basisHistory,
  longShort,
  takerVolume,
  fundingHistory,
  depth,
};
