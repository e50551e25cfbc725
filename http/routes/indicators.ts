import {
  allIntervals,
  type ComputeParams,
  type IndicatorsParams,
  type IndicatorValues,
  type Interval,
  intervals,
  type ReplyOf,
} from '../../actors/topics/index.ts';
import * as s from '../../actors/topics/schema.ts';
import { hour } from '../../config/time.ts';
import { BadInput } from '../../indicators/job-entries.ts';
import { jsonText, jsonWith } from '../answers/json.ts';
import { JsonText } from '../answers/json-text.ts';
import { markStale, type QuestionOf } from '../answers/queries.ts';
import { type Route, route } from '../endpoints/route.ts';
import { type ApiError, apiError, fromFailure, fromStore } from '../wire/errors.ts';
import {
  computeBody,
  readComputeBody,
  readSeriesBody,
  type SeriesRequest,
} from './compute-body.ts';
import { candlesOf, seriesQuery } from './compute-series.ts';
import type { RoutesContext } from './context.ts';
import { coverage } from './factory/recorded-subject.ts';
import { catalogueRoute, group } from './indicator-catalogue.ts';
import * as params from './params.ts';

type Context = Pick<RoutesContext, 'bus' | 'candleIntervals' | 'markets' | 'clock'>;

const percent = s.number('14 candles, averages smoothed by Wilder, 0 to 100.', {
  minimum: 0,
  maximum: 100,
});

/** Data of the answer; `timestamp` is the close time of the last closed candle. */
interface ClassicData extends IndicatorValues {
  symbol: string;
  market: string;
  timeframe: Interval;
  timestamp: number;
}

/** The specification's minimum of closed candles. */
const least = 51;
/** Answers on long candles are refreshed if they were requested within the last hour. */
const longestRefresh = hour;

/**
 * The query of `GET /v1/indicators`, whose answers are computed again when the next candle closes. `name` is the
 * client's name of the market.
 */
export const classicQuestion = (
  asked: IndicatorsParams,
  name: string = asked.symbol,
): QuestionOf<'indicators', ClassicData> => ({
  source: 'compute',
  name: 'indicators',
  params: asked,
  what: `the candles of ${name}`,
  form: name,
  data({ values, closed, timestamp }) {
    const { symbol: market, interval } = asked;
    if (values !== null && timestamp !== null) {
      return { symbol: name, market, timeframe: interval, ...values, timestamp };
    }
    const message = `${market} has ${closed} closed candles of ${interval}, at least ${least} are needed`;
    return apiError('not_enough_data', message);
  },
  refresh: Math.min(intervals[asked.interval], longestRefresh),
});

function classicRoute({ markets }: Context): Route {
  return route({
    method: 'GET',
    path: '/v1/indicators',
    group,
    summary: 'RSI, MACD, Bollinger bands, ATR and averages of the last 500 closed candles',
    params: {
      symbol: {
        ...params.marketName,
        pattern: '^\\S+$',
        description:
          'Spot market of Binance in any usual spelling (`BTCUSDT`, `BTC/USDT`, `btc-usdt`), or a base asset.',
        example: 'BTCUSDT',
      },
      interval: params.interval(allIntervals, '4h'),
    },
    answer: s.object({
      symbol: s.string('As asked, in upper case.'),
      market: s.string("The exchange's own symbol of the market."),
      timeframe: s.oneOf(allIntervals, 'Candle length.'),
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
    access: 'key',
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

const columnsSchema = s.mapOf(s.list(s.numberOrNull()), 'output to values, oldest first');
const computeAnswer = s.object({
  symbol: s.stringOrNull("The exchange's own symbol; null with candles of your own."),
  market: s.stringOrNull('The same.'),
  exchange: s.stringOrNull('Exchange id; null with candles of your own or a recorded series.'),
  timeframe: s.stringOrNull('Candle length; null where candles of your own state none.'),
  timestamp: s.integerOrNull(
    'Close time of the last closed candle; of your own, its timestamp. Unix milliseconds.',
  ),
  count: s.integer('Closed candles that are shown.'),
  timestamps: s.optional(s.list(s.integer(), 'Open times; with series only.')),
  candles: s.optional(
    s.mapOf(s.list(s.number()), 'column to values; with series of a symbol only'),
  ),
  indicators: s.mapOf(
    s.object({
      name: s.string('Name in the catalogue.'),
      params: s.unchecked<object>({ type: 'object', description: 'Its parameters by name.' }),
      fields: s.list(s.string(), 'Names of its outputs.'),
      latest: s.mapOf(s.numberOrNull(), 'output to the value of the last candle'),
      series: s.optional(columnsSchema),
    }),
    'id to indicator',
  ),
  warnings: s.list(
    s.object({
      id: s.string('Key in `indicators`.'),
      name: s.string('Name in the catalogue.'),
      needed: s.integer('Candles that it takes.'),
      available: s.integer('Candles that there are.'),
      message: s.string('The fault, in words.'),
    }),
    'Indicators for which the candles are too few: their values are null.',
  ),
  stale: s.stale,
  recorded: s.optional(
    s.object(
      {
        name: s.string('Name of the series.'),
        symbol: s.symbol,
        column: s.string('Which of its values.'),
        exchange: s.optional(s.exchange),
        margin: s.optional(s.string('Of the contracts, as asked.')),
        kind: s.optional(s.string('Of the markets, as asked.')),
        coverage,
      },
      'The recorded series that stands for candles; absent without one.',
    ),
  ),
});

/** The request in a body, about the market that the client names, or an error. */
function question(
  body: unknown,
  { candleIntervals, markets, clock }: Pick<Context, 'candleIntervals' | 'markets' | 'clock'>,
): ComputeParams | SeriesRequest | ApiError {
  try {
    const recorded = readSeriesBody(body);
    if (recorded) return recorded;
    const request = readComputeBody(body, { exchanges: candleIntervals, now: clock.now() });
    if (request.market === null) return request;
    const { exchange, market: name, kind } = request.market;
    const market = { ...request.market, ...markets.asked(exchange, name, kind) };
    return { ...request, market };
  } catch (error) {
    if (error instanceof BadInput) return apiError('bad_parameter', error.message);
    throw error;
  }
}

type Computed = s.Static<typeof computeAnswer>;

/** The answer with what was computed, of a market or of candles of the caller. */
function computed({ value, stale }: ReplyOf<'compute'>, market: string | null) {
  const { data, closed, needed } = value;
  if (data === null) {
    const message = `there are ${closed} closed candles, the indicators need at least ${needed}`;
    return apiError('not_enough_data', message);
  }
  const made = new JsonText<Omit<Computed, 'market'>>(data);
  const text = jsonWith(made, 'market', jsonText(market));
  return { status: 200 as const, data: stale ? markStale(text) : text };
}

/** The indicators of a recorded series: its rows are sent as candles of the caller's own. */
async function ofSeries({ bus, clock }: Context, request: SeriesRequest, account: string) {
  const { chosen, indicators, limit } = request;
  const { name, symbol, column, key, interval, parts, full: series } = chosen;
  const query = seriesQuery(chosen, indicators, limit);
  const found = await bus.query(query, { account });
  if (!found.ok) return fromStore(found.failure, `the series ${name}`);
  const [row] = found.value.value.rows;
  if (!row || row.times.length === 0) {
    return apiError('not_enough_data', `of ${name} ${key} nothing is recorded`);
  }
  const own = { rows: candlesOf(found.value.value, column, clock.now()), interval, limit };
  const params = { market: null, own, indicators, series };
  const result = await bus.query({ source: 'compute', name: 'compute', params }, { account });
  if (!result.ok) return fromFailure(result.failure, 'your indicators');
  const done = computed(result.value, null);
  if ('error' in done) return done;
  const recorded = { name, symbol, column, ...parts, coverage: row.coverage };
  return { ...done, data: jsonWith(jsonText(done.data), 'recorded', jsonText(recorded)) };
}

function computeRoute(context: Context): Route {
  const { bus, candleIntervals, markets } = context;
  return route({
    method: 'POST',
    path: '/v1/indicators/compute',
    group,
    summary: 'Indicators of your choice, of a market, of your own candles or of a recorded series',
    params: {},
    body: computeBody(candleIntervals),
    bodyCap: 2 ** 20,
    bodyExample: { symbol: 'BTC', interval: '1h', indicators: ['rsi', 'macd:8,21,5', 'bbands'] },
    answer: computeAnswer,
    access: 'key',
    fails: [
      'unknown_symbol',
      'not_enough_data',
      'upstream_failed',
      'warming_up',
      'store_unavailable',
    ],
    from: {
      async act({ body, account }) {
        const request = question(body, context);
        if ('error' in request) return request;
        if ('chosen' in request) return ofSeries(context, request, account);
        const { exchange = '', market = null } = request.market ?? {};
        const what = market === null ? 'your indicators' : `the candles of ${market}`;
        const query = { source: 'compute', name: 'compute', params: request } as const;
        const result = await bus.query(query, { account });
        if (result.ok) return computed(result.value, market);
        const error = fromFailure(result.failure, what);
        return market === null ? error : markets.explained(exchange, market)(error);
      },
    },
  });
}

/**
 * Technical indicators: the fixed set, those of a caller's choice, and the catalogue. Without an
 * exchange that has candles only the last.
 */
export const indicatorRoutes = (context: Context): Route[] => [
  ...(context.candleIntervals.size === 0 ? [] : [classicRoute(context), computeRoute(context)]),
  catalogueRoute(),
];
