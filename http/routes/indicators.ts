import * as topics from '../../actors/topics/index.ts';
import { hour } from '../../config/time.ts';
import type { QuestionOf } from '../answers/queries.ts';
import { type ComputeContext, computeRoute } from './compute.ts';
import { catalogueRoute } from './indicator-catalogue.ts';
import { apiError, kit, params, s } from './kit.ts';

const percent = s.number('14 candles, averages smoothed by Wilder, 0 to 100.', {
  minimum: 0,
  maximum: 100,
});

/** Data of the answer; `timestamp` is the close time of the last closed candle. */
interface ClassicData extends topics.IndicatorValues {
  symbol: string;
  market: string;
  timeframe: topics.Interval;
  timestamp: number;
}

/** The specification's minimum of closed candles. */
const minCandles = 51;
/** Answers on long candles are refreshed if they were requested within the last hour. */
const longestRefresh = hour;

/**
 * The query of `GET /v1/indicators`, whose answers are computed again when the next candle closes. `name` is the
 * client's name of the market.
 */
export const classicQuestion = (
  asked: topics.IndicatorsParams,
  name: string = asked.symbol,
): QuestionOf<'indicators', ClassicData> => ({
  source: 'compute',
  name: 'indicators',
  params: asked,
  what: `the candles of ${name}`,
  variant: name,
  data({ values, closed, timestamp }) {
    const { symbol: market, interval } = asked;
    if (values !== null && timestamp !== null) {
      return { symbol: name, market, timeframe: interval, ...values, timestamp };
    }
    const message = `${market} has ${closed} closed candles of ${interval}, at least ${minCandles} are needed`;
    return apiError('not_enough_data', message);
  },
  refresh: Math.min(topics.intervals[asked.interval], longestRefresh),
});

function classicRoute({ markets }: ComputeContext) {
  return kit.route({
    path: '/v1/indicators',
    summary: 'RSI, MACD, Bollinger bands, ATR and averages of the last 500 closed candles',
    params: {
      symbol: {
        ...params.marketName,
        pattern: '^\\S+$',
        description:
          'Spot market of Binance in any usual spelling (`BTCUSDT`, `BTC/USDT`, `btc-usdt`), or a base asset.',
        example: 'BTCUSDT',
      },
      interval: params.interval(topics.allIntervals, '4h'),
    },
    answer: s.object({
      symbol: s.string('As asked, in upper case.'),
      market: s.ownSymbol,
      timeframe: s.oneOf(topics.allIntervals, 'Candle length.'),
      rsi: percent,
      macd: s.object(
        {
          value: s.number('EMA 12 less EMA 26, in quote.'),
          signal: s.number('EMA 9 of `value`, in quote.'),
          histogram: s.number('`value` less `signal`, in quote.'),
        },
        'EMA 12 less EMA 26, signal 9.',
      ),
      bollinger: s.object(
        {
          upper: s.number('`middle` and two deviations, in quote.'),
          middle: s.number('SMA 20, in quote.'),
          lower: s.number('`middle` less two deviations, in quote.'),
        },
        'SMA 20 and two sample standard deviations.',
      ),
      atr: s.number('14 candles, smoothed by Wilder, in quote.'),
      ema20: s.number('EMA of 20 candles, in quote.'),
      ema50: s.number('EMA of 50 candles, in quote.'),
      timestamp: s.integer('Close time of the last closed candle, Unix milliseconds.'),
      stale: s.stale,
    }),
    fails: ['not_enough_data', 'upstream_failed'],
    from: {
      query({ symbol, interval }) {
        const name = symbol.toUpperCase();
        const { market } = markets.asked('binance', name, 'spot');
        const question = classicQuestion({ symbol: market, interval }, name);
        return { ...question, failure: markets.explained('binance', name) };
      },
    },
  });
}

/**
 * Technical indicators: the fixed set, those of a caller's choice, and the catalogue. Without an
 * exchange that has candles only the last.
 */
export const indicatorRoutes = (context: ComputeContext) => [
  ...(context.candleIntervals.size === 0 ? [] : [classicRoute(context), computeRoute(context)]),
  catalogueRoute(),
];
