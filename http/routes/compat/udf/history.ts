/** `history`: bars out of the one cache of candles, and recorded series as closes. */
import {
  type Candle,
  historySource,
  type Interval,
  intervals,
  type Recorded,
  recordedKey,
} from '../../../../actors/topics/index.ts';
import { endOf, openOf } from '../../../../indicators/market/candles.ts';
import { type Question, questionOf } from '../../../answers/queries.ts';
import { apiError, isApiError, kit, s } from '../../kit.ts';
import { form, range, resolutionOf, resolutions } from './form.ts';
import {
  type Context,
  intervalsOf,
  isSeries,
  readTicker,
  reference,
  type SeriesTicker,
} from './tickers.ts';

const second = 1_000;
const day = intervals['1d'];
/** Most bars of an answer. */
const maxBars = 2_000;

/** A bar; a series has its close alone. */
type Bar = Pick<Candle, 'timestamp' | 'close'> &
  Partial<Pick<Candle, 'open' | 'high' | 'low' | 'volume'>>;

const column = (description: string) => s.list(s.number(), description);
const bars = s.named(
  'UdfBars',
  s.object({
    s: s.literal('ok', 'There are bars.'),
    t: s.list(s.integer(), 'Start of each bar, Unix seconds, ascending.'),
    c: column('Closes: prices in quote, or the values of a series.'),
    o: s.optional(column('First prices, in quote; absent for series, as the three that follow.')),
    h: s.optional(column('Highest prices, in quote.')),
    l: s.optional(column('Lowest prices, in quote.')),
    v: s.optional(column('Volumes, base asset.')),
  }),
);
const none = s.named(
  'UdfNoBars',
  s.object({
    s: s.literal('no_data', 'There are no bars in the range.'),
    nextTime: s.optional(
      s.integer('The newest bar before the range, Unix seconds; absent where there is none.'),
    ),
  }),
);
type Answer = s.Static<typeof bars> | s.Static<typeof none>;

/** What is asked: `count` bars until `end`, of which those from `from` on are wanted where it is given. Unix ms. */
interface HistoryValues {
  interval: Interval;
  count: number;
  /** The start of the last bar. */
  end: number;
  from: number | null;
}

const valuesOf = (rows: readonly Bar[], name: 'open' | 'high' | 'low' | 'volume') =>
  rows.flatMap((row) => row[name] ?? []);

/** The answer of rows that end where the range does. */
function answerOf(rows: readonly Bar[], { from, count }: HistoryValues): Answer {
  const wanted = rows.filter(({ timestamp }) => timestamp >= (from ?? 0)).slice(-count);
  const last = rows.at(-1);
  if (wanted.length === 0) {
    return last ? { s: 'no_data', nextTime: last.timestamp / second } : { s: 'no_data' };
  }
  const answer = {
    s: 'ok' as const,
    t: wanted.map(({ timestamp }) => timestamp / second),
    c: wanted.map(({ close }) => close),
  };
  if (wanted[0]?.open === undefined) return answer;
  return {
    ...answer,
    o: valuesOf(wanted, 'open'),
    h: valuesOf(wanted, 'high'),
    l: valuesOf(wanted, 'low'),
    v: valuesOf(wanted, 'volume'),
  };
}

/** The series of a ticker, and how its rows become values. */
interface Recording {
  series: 'open-interest' | 'funding' | 'taker-flow' | 'reference-fixings';
  key: string;
  /** Rows that are needed before the first wanted one. */
  before(interval: Interval): number;
  read(value: (name: string) => number | null): number | null;
}

const nothingBefore = () => 0;
const difference = (a: number | null, b: number | null) =>
  a === null || b === null ? null : a - b;

function recordingOf({ exchange, symbol, word }: SeriesTicker): Recording {
  const ofStable = recordedKey(exchange, 'stable', symbol);
  const own =
    (name: string, factor = 1) =>
    (value: (name: string) => number | null) => {
      const found = value(name);
      return found === null ? null : found * factor;
    };
  switch (word) {
    case 'open_interest':
      return { series: 'open-interest', key: ofStable, before: nothingBefore, read: own('usd') };
    case 'funding':
      return { series: 'funding', key: ofStable, before: nothingBefore, read: own('rate', 100) };
    case reference:
      return { series: 'reference-fixings', key: symbol, before: nothingBefore, read: own('rate') };
    default:
      return {
        series: 'taker-flow',
        key: recordedKey(exchange, 'perpetual', symbol),
        before: (interval) => Math.ceil(day / intervals[interval]),
        read: (value) => difference(value('buy_usd'), value('sell_usd')),
      };
  }
}

/** Sums since 00:00 UTC; of days and longer bars the values themselves. */
function sinceMidnight(rows: readonly Bar[], interval: Interval): Bar[] {
  if (intervals[interval] >= day) return [...rows];
  let [sum, today] = [0, NaN];
  return rows.map(({ timestamp, close }) => {
    const date = openOf(timestamp, '1d');
    sum = date === today ? sum + close : close;
    today = date;
    return { timestamp, close: sum };
  });
}

function rowsOf({ rows: [row] }: Recorded, { read }: Recording): Bar[] {
  const times = row?.times ?? [];
  return times.flatMap((timestamp, at) => {
    const close = read((name) => row?.columns[name]?.[at] ?? null);
    return close === null ? [] : [{ timestamp, close }];
  });
}

function ofSeries(ticker: SeriesTicker, asked: HistoryValues): Question<Answer> | kit.ApiError {
  const recording = recordingOf(ticker);
  const { series, key } = recording;
  const { interval, count, end } = asked;
  // The series is asked for so many steps, of which some may have no row.
  const limit = maxBars + recording.before(interval);
  return questionOf({
    source: historySource,
    name: 'series',
    params: { series, keys: [key], step: interval, limit, to: end },
    what: `the series ${ticker.ticker}`,
    variant: JSON.stringify(['udf', ticker.word, asked.from, count]),
    data(reply: Recorded) {
      const all = rowsOf(reply, recording);
      const rows = ticker.word === 'cvd' ? sinceMidnight(all, interval) : all;
      const answer = answerOf(rows, asked);
      const first = end - limit * intervals[interval];
      const isFurther = answer.s === 'no_data' && (reply.rows[0]?.recorded_from ?? end) < first;
      return isFurther && !('nextTime' in answer)
        ? { ...answer, nextTime: first / second }
        : answer;
    },
  });
}

/** The range as whole bars; the one that runs is the last where the range goes on. */
function askedOf(
  values: { from: number; to: number; countback?: number | undefined },
  interval: Interval,
  now: number,
): HistoryValues {
  const { from, to, countback } = values;
  const end = openOf(Math.min(to * second - 1, now), interval);
  const inRange = Math.ceil((to - from) / (intervals[interval] / second)) + 1;
  const count = Math.max(1, Math.min(maxBars, countback ?? inRange));
  return { interval, count, end, from: countback === undefined ? from * second : null };
}

/** The bars of a symbol. */
export const historyRoute = (context: Context): kit.Route =>
  kit.route({
    path: '/udf/history',
    summary: 'Bars of a symbol: with `countback` so many until `to`, else those from `from` on',
    fails: ['upstream_failed'],
    noEnvelope: form,
    params: {
      ...range,
      countback: {
        type: 'integer',
        minimum: 1,
        description: `So many bars that end before \`to\`, whatever \`from\` is; ${maxBars} at most.`,
      },
    },
    answer: s.either(bars, none, 'Without bars the newest time before the range.'),
    from: {
      query({ symbol, resolution, ...values }) {
        const ticker = readTicker(context, symbol);
        if (isApiError(ticker)) return ticker;
        const interval = resolutions[resolution] ?? '1d';
        const given = intervalsOf(context, ticker);
        if (!given.includes(interval)) {
          const words = given.map(resolutionOf).join(', ');
          return apiError('bad_parameter', `resolution of ${symbol} must be one of ${words}`);
        }
        const now = context.clock.now();
        const asked = askedOf(values, interval, now);
        if (isSeries(ticker)) return ofSeries(ticker, asked);
        const { exchange, instrument, kind } = ticker;
        const { count, end } = asked;
        // The newest page is one for all who ask for it.
        const to = endOf(end, interval) > now ? undefined : end;
        return questionOf({
          source: exchange,
          name: 'candles',
          params: { market: instrument.market, kind, interval, limit: count, to },
          what: `the bars of ${ticker.ticker}`,
          variant: JSON.stringify(['udf', asked.from, count]),
          data: ({ candles }) => answerOf(candles, asked),
        });
      },
    },
  });
