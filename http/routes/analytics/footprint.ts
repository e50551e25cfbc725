/** What takers bought and sold at each price level of a bar. */
import {
  footprintMinutes,
  type History,
  historySource,
  type Interval,
  intervals,
  type Recorded,
  recordedKey,
  type SeriesParams,
  type TakerCandle,
} from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import { minute } from '../../../config/time.ts';
import {
  type FootprintBar,
  footprintBars,
  mostLevels,
} from '../../../indicators/derivatives/footprint.ts';
import { stepAt } from '../../../indicators/market/buckets.ts';
import { roundStep } from '../../../indicators/market/round-step.ts';
import type { Route } from '../../endpoints/route.ts';
import { type ApiError, apiError, isApiError } from '../../wire/errors.ts';
import type { RoutesContext } from '../context.ts';
import { columns } from '../factory/columns.ts';
import { type Given, history, joined, type Subject, symbolField } from '../factory/history.ts';
import { coverage } from '../factory/recorded-subject.ts';
import * as params from '../params.ts';
import { group, symbolOrBitcoin } from './common.ts';

/** Minutes of an answer, and of one question. */
const most = { minutes: 6_000, page: 900, levels: 2_000 };
/** Width of a level as a fraction of the price. */
const width = 0.0005;

const exchange = 'binance' as const;
const methods = ['trades', 'klines_1m'] as const;

type Method = (typeof methods)[number];

const base = s.number('Base units.');
const usd = s.number('US dollars.');

/** The fields of a bar, of which `method` says what its minutes are made of. */
const bar = columns<FootprintBar & { method: Method | 'mixed' }>()({
  timestamp: s.unixMs('Start of the bar, Unix ms.'),
  method: s.oneOf([...methods, 'mixed'], 'Of the minutes of the bar.'),
  trade_minutes: s.integer('Minutes that are made of trades.'),
  candle_minutes: s.integer('Minutes that are made of candles; the newest one is.'),
  open: s.number('First price, in quote.'),
  high: s.number('Highest price, in quote.'),
  low: s.number('Lowest price, in quote.'),
  close: s.number('Last price, in quote.'),
  volume_base: base,
  buy_base: base,
  sell_base: base,
  delta_base: s.number('Bought less sold by takers, base units.'),
  poc_price: s.numberOrNull('Start of the level with the largest volume, in quote.'),
  value_area_high: s.numberOrNull(
    'Highest level of the run around it with 70 % of the volume, in quote.',
  ),
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

const fields = columns<Footprint>()({
  step: s.number('Width of a level, in quote.'),
  method: s.oneOf(
    methods,
    'Of most minutes: `trades` are the trades themselves, `klines_1m` spreads the volume of each minute evenly from its low to its high.',
  ),
  coverage,
  count: s.integer('Bars.'),
  bars: s.list(bar.schema, 'Ascending by time.'),
});

type Context = Pick<RoutesContext, 'markets' | 'exchanges' | 'clock'>;

/** The questions about the minutes of the bars: pages, the newest first. */
function pagesOf(market: string, from: number, now: number): SeriesParams[] {
  const count = Math.ceil((now - from + 1) / (most.page * minute));
  return Array.from({ length: count }, (_, page) => {
    const start = from + (count - 1 - page) * most.page * minute;
    const limit = Math.min(most.page, Math.floor((now - start) / minute) + 1);
    const to = start + (limit - 1) * minute;
    return { market, kind: 'perpetual', interval: '1m', limit, from: start, to };
  });
}

const minuteOf = (candle: TakerCandle) => ({
  ...candle,
  buy_usd: candle.buy_usd ?? candle.buy_base * candle.close,
  sell_usd: candle.sell_usd ?? candle.sell_base * candle.close,
});

/** The bars from the first one that begins at `from` until now, Unix ms. */
interface About {
  symbol: string;
  from: number;
  now: number;
}

/** Trades where they are recorded, else candles; ascending by time. */
function minutesOf(
  recorded: Recorded | null | undefined,
  replies: readonly (History<TakerCandle> | null)[],
) {
  const rows = recorded?.rows[0];
  const folded = rows ? footprintMinutes(rows) : [];
  const known = new Set(folded.map(({ timestamp }) => timestamp));
  const candles = replies
    .flatMap((reply) => reply?.points ?? [])
    .filter(({ timestamp }) => !known.has(timestamp))
    .map(minuteOf);
  return { folded, all: [...folded, ...candles].sort((a, b) => a.timestamp - b.timestamp) };
}

const methodOf = ({ trade_minutes, candle_minutes }: FootprintBar): Method | 'mixed' => {
  if (trade_minutes === 0) return 'klines_1m';
  return candle_minutes === 0 ? 'trades' : 'mixed';
};

interface Footprint {
  step: number;
  method: Method;
  coverage: s.Static<typeof coverage>;
  count: number;
  bars: s.Static<typeof bar.schema>[];
}

/** The footprint that recorded trades make with the candles of the other minutes. */
function footprintOf(
  { about: { symbol, from, now }, replies, beside }: Given<'takerCandles', About>,
  { interval, step: given }: { interval: Interval; step?: number | undefined },
): Footprint | ApiError {
  const { folded, all } = minutesOf(beside.series?.[0], replies);
  const expected = Math.floor((now - from) / minute);
  // Without some of the candles, trades must be there in their place.
  if (replies.includes(null) && all.length < expected) return apiError('upstream_failed');
  const last = all.at(-1);
  if (!last) return apiError('not_enough_data', `${symbol} has no candles yet`);
  const step = given ?? roundStep(last.close * width);
  if (mostLevels(all, step) > most.levels) {
    return apiError('bad_parameter', `step ${step} makes too many levels`);
  }
  const present = folded.length;
  const complete = present >= 0.95 * expected;
  const bars = footprintBars(all, { length: intervals[interval], step });
  return {
    step,
    method: 2 * present > expected ? 'trades' : 'klines_1m',
    coverage: { from, to: now, expected, present, complete, backfilled: false },
    count: bars.length,
    bars: bar.all(bars.map((one) => ({ ...one, method: methodOf(one) }))),
  };
}

interface Values {
  symbol: string;
  interval: Interval;
  limit: number;
}

/** The minutes of the bars: their candles, and beside them their trades. */
function ofMinutes({ markets, exchanges, clock }: Context): Subject<'takerCandles', Values, About> {
  return {
    isAnswered: exchanges.takerCandles?.includes(exchange) === true,
    fails: ['not_enough_data', 'upstream_failed'],
    head: joined<{ about: About }>(
      symbolField,
      columns<object>()({
        exchange: [s.literal(exchange, 'Exchange id.'), () => exchange],
      }),
    ),
    what: ({ symbol }) => `the candles of ${symbol} on ${exchange}`,
    ask({ symbol: given, interval, limit: bars }) {
      const length = intervals[interval];
      if ((bars * length) / minute > most.minutes) {
        const largest = Math.floor((most.minutes * minute) / length);
        return apiError('bad_parameter', `limit must be at most ${largest} bars of ${interval}`);
      }
      const found = markets.resolve(given, { kind: 'perpetual', exchanges: [exchange] });
      if (isApiError(found)) return found;
      const { symbol, market } = found;
      const now = clock.now();
      const from = stepAt(now, length) - (bars - 1) * length;
      const [page, ...pages] = pagesOf(market, from, now);
      if (!page) return apiError('not_enough_data');
      const keys = [recordedKey(exchange, market)];
      const to = stepAt(now, minute);
      const limit = (to - from) / minute + 1;
      const series = { series: 'footprint', keys, step: '1m', limit, from, to } as const;
      return {
        source: exchange,
        name: 'takerCandles',
        params: page,
        also: pages.map((params) => ({ source: exchange, params })),
        beside: { series: [{ source: historySource, params: series }] },
        about: { symbol, from, now },
      };
    },
  };
}

/** Without candles of Binance that state taker volume there is no row. */
export const footprintRoutes = (context: Context): Route[] =>
  history({
    path: '/v1/futures/footprint',
    group,
    summary: 'Bought and sold by takers at each price level of a bar, on Binance USD-M',
    params: {
      symbol: symbolOrBitcoin,
      interval: params.interval(['5m', '15m', '30m', '1h', '4h'], '1h'),
      limit: params.limit(10, 50, 'Newest bars.'),
      step: {
        type: 'number',
        minimum: 1e-12,
        description: 'Width of a level; about 0.05 % of the price when absent.',
      },
    },
    of: ofMinutes(context),
    fields,
    foldAll: (given) => footprintOf(given, given.values),
  });
