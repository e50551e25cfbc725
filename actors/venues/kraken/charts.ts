/**
 * Series of the charts of Kraken Futures: open interest, long and short accounts, taker volume.
 * https://docs.kraken.com/api/docs/futures-api/charts/analytics
 */
import { intervals } from '../../../indicators/market/intervals.ts';
import { field, isRow, list, positive, required } from '../../read.ts';
import { type HistoryForm, inOrder, type Span } from '../../sources/history-query.ts';
import type {
  Instrument,
  InterestPoint,
  Interval,
  LongShortParams,
  LongShortPoint,
  SeriesParams,
  TakerPoint,
} from '../../topics/index.ts';
import {
  byTime,
  interestQuery,
  longShortQuery,
  rowsIn,
  seriesLife,
  takerQuery,
  wordOf,
} from '../histories.ts';
import type { Ask } from './api.ts';

/** Words of the candles; the other series state their interval in seconds. */
const words: Readonly<Partial<Record<Interval, string>>> = {
  '5m': '5m',
  '15m': '15m',
  '30m': '30m',
  '1h': '1h',
  '4h': '4h',
  '12h': '12h',
  '1d': '1d',
};

/** Rows that are asked for as a rule, and at most; the exchange gives up to 2000 at once. */
const [page, most] = [500, 1000];

interface Asked extends SeriesParams {
  part: string;
  instrument: Instrument;
  now: number;
}

const stepOf = ({ part, interval }: Asked): number | null =>
  part === 'futures' && words[interval] ? intervals[interval] : null;

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
  const path = `/api/charts/v1/analytics/${encodeURIComponent(asked.market)}/${type}`;
  const interval = intervals[fineOf(asked)] / 1000;
  return { api: 'futures', path, query: { since: from, to, interval } };
}

/** Closes for the value of contracts; without them it is not known. */
function closes(asked: Asked, span: Span): Ask {
  const word = wordOf(words, fineOf(asked));
  const path = `/api/charts/v1/trade/${encodeURIComponent(asked.market)}/${word}`;
  return { api: 'futures', path, query: secondsOf(asked, span), optional: true };
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

/** Contracts as base units and dollars: a linear one is one native base unit, an inverse one is one dollar. */
function sizes({ inverse, scale }: Instrument, contracts: number, close: number) {
  const price = close || null;
  if (inverse) return { base: price && (contracts / price) * scale, usd: contracts };
  return { base: contracts * scale, usd: price && contracts * price };
}

const interestForm: HistoryForm<SeriesParams, InterestPoint, Ask> = {
  ...{ ttl: seriesLife, page, most, thinned: true, step: stepOf },
  requests: (asked, span) => [seriesOf('open-interest', asked, span), closes(asked, span)],
  parse([body, candles], { instrument }) {
    const closeAt = closesIn(candles);
    const { times, data } = seriesIn(body);
    return times.map((timestamp, i) => {
      const { base, usd } = sizes(instrument, lastOf(data, i), closeAt(timestamp));
      return { timestamp, base, usd };
    });
  },
};

/** Numbers of accounts: `{longCount: [], shortCount: []}`. */
const longShortForm: HistoryForm<LongShortParams, LongShortPoint, Ask> = {
  ...{ ttl: seriesLife, page, most, thinned: true },
  step: (asked) => (asked.of === 'accounts' ? stepOf(asked) : null),
  requests: (asked, span) => [seriesOf('long-short-info', asked, span)],
  parse([body]) {
    const { times, data } = seriesIn(body);
    const [longs, shorts] = [at(data, 'longCount'), at(data, 'shortCount')];
    return times.map((timestamp, i) => {
      const [long, short] = [plain(longs, i), plain(shorts, i)];
      return { timestamp, long: long / (long + short), short: short / (long + short) };
    });
  },
};

const sum = (a: number | null, b: number | null) => (a === null || b === null ? null : a + b);

/** The sums of all rows of the same interval. */
function summed(rows: readonly TakerPoint[], step: number): TakerPoint[] {
  const found = new Map<number, TakerPoint>();
  for (const row of rows) {
    const timestamp = Math.floor(row.timestamp / step) * step;
    const one = found.get(timestamp);
    found.set(timestamp, {
      timestamp,
      buy_base: one ? sum(one.buy_base, row.buy_base) : row.buy_base,
      sell_base: one ? sum(one.sell_base, row.sell_base) : row.sell_base,
      buy_usd: one ? sum(one.buy_usd, row.buy_usd) : row.buy_usd,
      sell_usd: one ? sum(one.sell_usd, row.sell_usd) : row.sell_usd,
    });
  }
  return [...found.values()];
}

/** Volume of both sides, and what takers bought less what they sold, contracts. */
const takerForm: HistoryForm<SeriesParams, TakerPoint, Ask> = {
  ...{ ttl: seriesLife, page, most },
  step: (asked) =>
    stepOf({ ...asked, interval: fineOf(asked) }) === null ? null : intervals[asked.interval],
  requests: (asked, span) => [
    seriesOf('trade-volume', asked, span),
    seriesOf('aggressor-differential', asked, span),
    closes(asked, span),
  ],
  parse([volumes, differences, candles], { instrument, interval }) {
    const { times, data } = seriesIn(volumes);
    const less = seriesIn(differences);
    const indexed = less.times.map((timestamp, i) => ({ timestamp, i }));
    const lessAt = byTime(indexed, ({ timestamp }) => timestamp);
    const closeAt = closesIn(candles);
    const rows = times.map((timestamp, i): TakerPoint => {
      const volume = plain(data, i);
      const difference = plain(less.data, lessAt(timestamp)?.i ?? -1);
      const close = closeAt(timestamp);
      const bought = sizes(instrument, (volume + difference) / 2, close);
      const sold = sizes(instrument, (volume - difference) / 2, close);
      return {
        timestamp,
        buy_base: bought.base,
        sell_base: sold.base,
        buy_usd: bought.usd,
        sell_usd: sold.usd,
      };
    });
    const isFine = fineOf({ interval }) === interval;
    return isFine ? rows : summed(inOrder(rows), intervals[interval]);
  },
};

export const series = {
  openInterestHistory: interestQuery(interestForm),
  longShort: longShortQuery(longShortForm),
  takerVolume: takerQuery(takerForm),
};
