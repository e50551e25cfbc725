/** What takers bought and sold at each price level of a bar. */
import {
  type Interval,
  intervals,
  type SeriesParams,
  type TakerCandle,
} from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import { footprintBars, mostLevels } from '../../../indicators/derivatives/footprint.ts';
import { roundStep } from '../../../indicators/market/round-step.ts';
import { type ApiError, apiError, isApiError } from '../../errors.ts';
import type { RoutesContext } from '../context.ts';
import * as params from '../params.ts';
import { type Route, route } from '../route.ts';
import { symbolOrBitcoin } from './common.ts';
import { common, marketOf } from './series.ts';

const minute = 60_000;
/** Minutes of an answer, and of one question. */
const most = { minutes: 6_000, page: 900, levels: 2_000 };
/** Width of a level as a fraction of the price. */
const width = 0.0005;

const base = s.number('Base units.');
const usd = s.number('US dollars.');
const answer = s.object({
  symbol: s.string('Base asset.'),
  exchange: s.literal('binance'),
  interval: s.string(),
  step: s.number('Width of a level.'),
  method: s.literal(
    'klines_1m',
    'The volume of each minute is spread evenly from its low to its high.',
  ),
  count: s.integer('Bars.'),
  bars: s.list(
    s.object({
      timestamp: s.unixMs('Start of the bar, Unix ms.'),
      ...{ open: s.number(), high: s.number(), low: s.number(), close: s.number() },
      ...{ volume_base: base, buy_base: base, sell_base: base },
      delta_base: s.number('Bought less sold by takers, base units.'),
      poc_price: s.numberOrNull('Level with the largest volume.'),
      value_area_high: s.numberOrNull(
        'Highest level of the run around it with 70 % of the volume.',
      ),
      value_area_low: s.numberOrNull('Its lowest level.'),
      levels: s.list(
        s.object({
          price: s.number('Start of the level.'),
          ...{ buy_base: base, sell_base: base, buy_usd: usd, sell_usd: usd, delta_base: base },
        }),
        'Ascending by price.',
      ),
    }),
    'Ascending by time.',
  ),
  stale: s.stale,
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

/** The footprint that candles of one minute make, ascending by time. */
function footprintOf(
  candles: readonly TakerCandle[],
  asked: { symbol: string; interval: Interval; step: number | undefined },
): s.Static<typeof answer> | ApiError {
  const { symbol, interval } = asked;
  const minutes = candles.map(minuteOf);
  const last = minutes.at(-1);
  if (!last) return apiError('not_enough_data', `${symbol} has no candles yet`);
  const step = asked.step ?? roundStep(last.close * width);
  if (mostLevels(minutes, step) > most.levels) {
    return apiError('bad_parameter', `step ${step} makes too many levels`);
  }
  const bars = footprintBars(minutes, { length: intervals[interval], step });
  const about = { symbol, exchange: 'binance', interval, step } as const;
  return { ...about, method: 'klines_1m', count: bars.length, bars };
}

/** Without candles of Binance that state taker volume there is no row. */
export function footprintRoutes({ markets, exchanges, clock }: Context): Route[] {
  if (!exchanges.takerCandles?.includes('binance')) return [];
  return [
    route({
      ...common,
      path: '/v1/futures/footprint',
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
      answer,
      from: {
        query({ symbol, interval, limit, step: given }) {
          const length = intervals[interval];
          if ((limit * length) / minute > most.minutes) {
            const bars = Math.floor((most.minutes * minute) / length);
            return apiError('bad_parameter', `limit must be at most ${bars} bars of ${interval}`);
          }
          const found = marketOf(markets, 'binance', { symbol, kind: 'perpetual' });
          if (isApiError(found)) return found;
          const now = clock.now();
          const from = Math.floor(now / length) * length - (limit - 1) * length;
          const [page, ...pages] = pagesOf(found.market, from, now);
          if (!page) return apiError('not_enough_data');
          return {
            source: 'binance',
            name: 'takerCandles',
            params: page,
            also: pages.map((one) => ({ source: 'binance', params: one })),
            what: `the candles of ${found.base} on binance`,
            form: `footprint ${found.base} ${interval} ${limit} ${given}`,
            data(first, others) {
              const replies = [first, ...others].flatMap((reply) => reply ?? []).reverse();
              if (replies.length < 1 + pages.length) return apiError('upstream_failed');
              const candles = replies.flatMap(({ points }) => points);
              return footprintOf(candles, { symbol: found.base, interval, step: given });
            },
          };
        },
      },
    }),
  ];
}
