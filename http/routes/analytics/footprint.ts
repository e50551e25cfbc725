/** What takers bought and sold at each price level of a bar: out of recorded trades and candles. */
import * as topics from '../../../actors/topics/index.ts';
import { minute } from '../../../config/time.ts';
import * as footprint from '../../../indicators/derivatives/footprint.ts';
import { stepAt } from '../../../indicators/market/buckets.ts';
import type { FollowedKind } from '../../../indicators/market/market-names.ts';
import { covered } from '../../../indicators/market/recorded.ts';
import { roundStep } from '../../../indicators/market/round-step.ts';
import { apiError, isApiError, kit, params, s } from '../kit.ts';
import { exchangesWithFlows } from './taker-aggregated.ts';

/** Levels of a bar. */
const mostOfBar = 2_000;
/** Width of a level as a fraction of the price. */
const width = 0.0005;

const methods = ['trades', 'klines_1m'] as const;

const base = s.number('Base units.');
const usd = s.number('US dollars.');

/** The fields of a bar, of which `method` says what its minutes are made of. */
const bar = kit.columns<ReturnType<typeof footprint.footprintBars>[number]>()({
  timestamp: s.unixMs('Start of the bar.'),
  method: s.oneOf([...methods, 'mixed'], 'What the minutes of the bar are made of.'),
  trade_minutes: s.integer('Minutes that are made of trades.'),
  candle_minutes: s.integer('Minutes that are made of candles; the newest one is.'),
  missing_minutes: s.integer('Minutes until now that are neither, and in no number of the bar.'),
  open: s.number('First price, in quote.'),
  high: s.number('Highest price, in quote.'),
  low: s.number('Lowest price, in quote.'),
  close: s.number('Last price, in quote.'),
  volume_base: base,
  buy_base: base,
  sell_base: base,
  delta_base: s.number('Bought less sold by takers.'),
  poc_price: s.numberOrNull('Start of the level with the largest volume, in quote.'),
  value_area_high: s.numberOrNull('Highest level of the run with 70 % of the volume, in quote.'),
  value_area_low: s.numberOrNull('Its lowest level, in quote.'),
  levels: s.list(
    s.object({
      price: s.number('Start of the level, in quote.'),
      buy_base: base,
      sell_base: base,
      buy_usd: usd,
      sell_usd: usd,
      delta_base: base,
    }),
    'Ascending by price.',
  ),
});

const footprintFields = kit.plain(
  s.object({
    step: s.number('Width of a level, in quote.'),
    method: s.oneOf(
      methods,
      'What most minutes are made of: `trades` are the trades themselves, `klines_1m` spreads the volume of each minute evenly from its low to its high.',
    ),
    coverage: kit.coverage,
    count: s.integer('Bars.'),
    bars: s.list(bar.schema, 'Ascending by time.'),
  }),
);
type Footprint = s.Static<typeof footprintFields.schema>;

type Name = 'takerCandles' | 'series';

/** The bars from the first one that begins at `from` until now, Unix ms, of a market by the exchange's own id. */
interface FootprintOf {
  symbol: string;
  exchange: string;
  market: string;
  /** Whether candles stand for the minutes without recorded trades. */
  hasCandles: boolean;
  from: number;
  now: number;
  interval: topics.Interval;
  step?: number | undefined;
}

const minuteOf = (candle: topics.TakerCandle) => ({
  ...candle,
  buy_usd: candle.buy_usd ?? candle.buy_base * candle.close,
  sell_usd: candle.sell_usd ?? candle.sell_base * candle.close,
});

/** Trades where they are recorded, else candles where the exchange has them; ascending by time. */
function minutesOf({
  replies,
  otherReplies,
}: Pick<kit.Replies<Name, unknown>, 'replies' | 'otherReplies'>) {
  const recorded = [...(otherReplies.series ?? []), ...replies].find(isRecord);
  const rows = recorded?.rows[0];
  const folded = rows ? topics.footprintMinutes(rows) : [];
  const known = new Set(folded.map(({ timestamp }) => timestamp));
  const candles = replies
    .flatMap((reply) => (reply && 'points' in reply ? reply.points : []))
    .filter(({ timestamp }) => !known.has(timestamp))
    .map(minuteOf);
  return { folded, all: [...folded, ...candles].sort((a, b) => a.timestamp - b.timestamp) };
}

const isRecord = (
  reply: topics.Recorded | topics.History<topics.TakerCandle> | null,
): reply is topics.Recorded => reply !== null && 'rows' in reply;

/** The error where there is no minute. */
const nothing = ({ symbol, exchange, hasCandles }: FootprintOf): kit.ApiError =>
  apiError(
    'not_enough_data',
    hasCandles
      ? `${symbol} has no candles yet`
      : `no minute of ${symbol} on ${exchange} is recorded: those of the most traded assets are`,
  );

/** The footprint that recorded trades make, with the candles of the other minutes where there are any. */
function footprintOf(given: kit.Replies<Name, FootprintOf>): Footprint | kit.ApiError {
  const { replies, values } = given;
  const { from, now } = values;
  const length = topics.intervals[values.interval];
  const { folded, all } = minutesOf(given);
  const expected = Math.floor((now - from) / minute);
  // Without some of the candles, trades must be there in their place.
  if (replies.includes(null) && all.length < expected) return apiError('upstream_failed');
  const last = all.at(-1);
  if (!last) return nothing(values);
  const step = values.step ?? roundStep(last.close * width);
  if (footprint.mostLevels(all, step) > mostOfBar) {
    return apiError('bad_parameter', `step ${step} makes too many levels`);
  }
  const present = folded.length;
  const bars = footprint.footprintBars(all, { length, step, now });
  return {
    step,
    method: 2 * present > expected || !values.hasCandles ? 'trades' : 'klines_1m',
    coverage: covered({ from, to: now, expected, present }),
    count: bars.length,
    bars: bar.all(bars),
  };
}

/** Minutes of an answer, and of one question. */
const limits = { minutes: 6_000, page: 900 };

type Context = kit.Needs<'markets' | 'exchanges' | 'clock'>;
/** The questions about the minutes of the bars: pages, the newest first. */
function pagesOf(
  of: { market: string; kind: FollowedKind },
  from: number,
  now: number,
): topics.SeriesParams[] {
  const count = Math.ceil((now - from + 1) / (limits.page * minute));
  return Array.from({ length: count }, (_, page) => {
    const start = from + (count - 1 - page) * limits.page * minute;
    const limit = Math.min(limits.page, Math.floor((now - start) / minute) + 1);
    const to = start + (limit - 1) * minute;
    return { ...of, interval: '1m', limit, from: start, to };
  });
}

/** The questions about the minutes of the bars: their trades, beside their candles where the exchange has them. */
function questionsOf(
  kind: FollowedKind,
  { from, now, symbol, exchange, market, hasCandles }: FootprintOf,
) {
  const of = { market, kind };
  const to = stepAt(now, minute);
  const limit = (to - from) / minute + 1;
  const keys = [topics.footprintKey(exchange, of)];
  const series = { series: 'footprint', keys, step: '1m', limit, from, to } as const;
  const trades = { source: topics.historySource, params: series };
  if (!hasCandles) return { ...trades, name: 'series' as const };
  const pages = pagesOf(of, from, now).map((params) => ({ source: exchange, params }));
  const asked = kit.toAll<'takerCandles'>(pages, symbol);
  if (isApiError(asked)) return asked;
  return { ...asked, name: 'takerCandles' as const, otherQueries: { series: [trades] } };
}

const head = kit.repeated({
  symbol: s.symbol,
  exchange: s.exchange,
  market: s.ownId,
});

/** Without an exchange that has trades or candles with what takers bought there is no row. */
export const footprintRoutes = kit.ofBothKinds(
  ({ markets, exchanges, clock }: Context, { kind, place, market }) => {
    // Of those with candles there are footprints of any asset and time.
    const supportedExchanges = exchangesWithFlows(exchanges, kind);
    return kit.history({
      path: `/v1/${place}/footprint`,
      summary: `Bought and sold by takers at each price level of a bar, of a ${market}`,
      params: {
        symbol: params.asset(markets, kind, params.chosen),
        exchange: params.exchangeOrUsual(supportedExchanges),
        interval: params.interval(['5m', '15m', '30m', '1h', '4h'], '1h'),
        limit: params.limit(10, 50, 'Newest bars.'),
        step: params.atLeast(1e-12, 'Width of a level; about 0.05 % of the price when absent.'),
      },
      of: {
        names: ['series', 'takerCandles'],
        isAnswered: supportedExchanges.length > 0,
        fails: ['not_enough_data', 'upstream_failed'],
        resolve({ exchange, interval, limit }) {
          const length = topics.intervals[interval];
          if ((limit * length) / minute > limits.minutes) {
            const largest = Math.floor((limits.minutes * minute) / length);
            return apiError(
              'bad_parameter',
              `limit must be at most ${largest} bars of ${interval}`,
            );
          }
          const now = clock.now();
          const hasCandles = exchanges.takerCandles?.includes(exchange) === true;
          return { hasCandles, now, from: stepAt(now, length) - (limit - 1) * length };
        },
        head,
        what: ({ symbol, exchange }) => `the trades of ${symbol} on ${exchange}`,
        ask: (values) => questionsOf(kind, values),
      },
      fields: footprintFields,
      foldAll: (given) => footprintOf(given),
    });
  },
);
