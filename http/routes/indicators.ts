import type { Result } from '../../actors/failure.ts';
import { type Asks, allIntervals, type ComputeRequest } from '../../actors/topics.ts';
import { catalogue } from '../../indicators/catalogue.ts';
import { BadInput } from '../../indicators/job-entries.ts';
import type { Indicator, Parameter } from '../../indicators/spec.ts';
import { type ApiError, apiError, fromFailure } from '../errors.ts';
import { JsonText } from '../json-text.ts';
import { Snapshot } from '../snapshots.ts';
import type { IndicatorsView } from '../views/indicators.ts';
import { type CandleIntervals, computeBody, readComputeBody } from './compute-body.ts';
import { type Done, type Route, route } from './route.ts';
import * as s from './schemas.ts';

/** What the rows of this group answer from. */
export interface IndicatorsRoutesContext {
  indicators: Pick<IndicatorsView, 'read'>;
  bus: {
    ask(service: 'compute', request: ComputeRequest): Promise<Result<Asks['compute']['reply']>>;
  };
  candleIntervals: CandleIntervals;
}

const group = 'Technical indicators';

const percent = s.of(
  { type: 'number', minimum: 0, maximum: 100 },
  '14 candles, averages smoothed by Wilder.',
);
const triple = (...names: string[]) =>
  s.object(Object.fromEntries(names.map((name) => [name, s.number])));

function classicRoute({ indicators }: IndicatorsRoutesContext): Route {
  return route({
    method: 'GET',
    path: '/v1/indicators',
    group,
    summary: 'RSI, MACD, Bollinger bands, ATR and averages of the last 500 closed candles',
    params: {
      symbol: {
        type: 'string',
        required: true,
        pattern: '^[A-Za-z0-9]{5,20}$',
        maxLength: 20,
        description: 'Spot market of Binance, in any case.',
        example: 'BTCUSDT',
      },
      interval: {
        type: 'string',
        default: '4h',
        enum: allIntervals,
        description: 'Candle length.',
      },
    },
    answer: s.object({
      symbol: s.string,
      timeframe: { enum: allIntervals },
      rsi: percent,
      macd: s.of(triple('value', 'signal', 'histogram'), 'EMA 12 less EMA 26, signal 9.'),
      bollinger: s.of(
        triple('upper', 'middle', 'lower'),
        'SMA 20 and two sample standard deviations.',
      ),
      atr: s.of(s.number, '14 candles, smoothed by Wilder, in quote.'),
      ema20: s.number,
      ema50: s.number,
      timestamp: s.of(s.integer, 'Close time of the last closed candle, Unix milliseconds.'),
    }),
    access: 'key',
    from: {
      ask: async ({ symbol, interval }) =>
        indicators.read({ symbol: symbol.toUpperCase(), interval }),
    },
  });
}

const columnsSchema = s.mapOf(s.array(s.numberOrNull), 'output to values, oldest first');
const computeAnswer = s.object(
  {
    symbol: s.of(s.stringOrNull, 'Null with candles of your own.'),
    exchange: s.stringOrNull,
    timeframe: s.stringOrNull,
    timestamp: s.of(
      s.integerOrNull,
      'Close time of the last closed candle; of your own, its timestamp. Unix milliseconds.',
    ),
    count: s.of(s.integer, 'Closed candles that are shown.'),
    timestamps: s.of(s.array(s.integer), 'Open times; with series only.'),
    candles: s.of(s.mapOf(s.array(s.number), 'column to values'), 'With series of a symbol only.'),
    indicators: s.mapOf(
      s.object(
        {
          name: s.string,
          params: { type: 'object' },
          fields: s.array(s.string),
          latest: s.mapOf(s.numberOrNull, 'output to the value of the last candle'),
          series: columnsSchema,
        },
        ['series'],
      ),
      'id to indicator',
    ),
    warnings: s.of(
      s.array(
        s.object({
          id: s.string,
          name: s.string,
          needed: s.integer,
          available: s.integer,
          message: s.string,
        }),
      ),
      'Indicators for which the candles are too few: their values are null.',
    ),
  },
  ['timestamps', 'candles'],
);

/** The question of a body, or what is wrong with it. */
function question(body: unknown, exchanges: CandleIntervals): ComputeRequest | ApiError {
  try {
    return readComputeBody(body, exchanges);
  } catch (error) {
    if (error instanceof BadInput) return apiError('bad_parameter', error.message);
    throw error;
  }
}

function computeRoute({ bus, candleIntervals }: IndicatorsRoutesContext): Route {
  return route({
    method: 'POST',
    path: '/v1/indicators/compute',
    group,
    summary: 'Indicators of your choice, of a market or of your own candles',
    params: {},
    body: computeBody(candleIntervals),
    bodyCap: 2 ** 20,
    answer: computeAnswer,
    access: 'key',
    from: {
      async act({ body }): Promise<Done | ApiError> {
        const request = question(body, candleIntervals);
        if ('error' in request) return request;
        const what = request.market ? `the candles of ${request.market.market}` : 'your indicators';
        const result = await bus.ask('compute', request);
        if (!result.ok) return fromFailure(result.failure, what);
        const { data, closed, needed } = result.value;
        if (data !== null) return { status: 200, data: new JsonText(data) };
        const message = `there are ${closed} closed candles, the indicators need at least ${needed}`;
        return apiError('not_enough_data', message);
      },
    },
  });
}

const described = (parameters: Readonly<Record<string, Parameter>>) =>
  Object.entries(parameters).map(([name, parameter]) => ({ name, ...parameter }));

const entryOf = (indicator: Indicator) => {
  const { name, aliases = [], title, category, parameters, inputs, outputs } = indicator;
  const defaults = Object.entries(parameters).map(([key, value]) => [key, value.default] as const);
  const minimum = indicator.minimum(Object.fromEntries(defaults));
  const { formula, source } = indicator;
  return {
    ...{ name, aliases, title, category, parameters: described(parameters) },
    ...{ inputs, outputs, minimum, formula, source },
  };
};

const parameterSchema = s.object(
  {
    name: s.string,
    type: { enum: ['integer', 'number', 'word'] },
    default: { type: ['number', 'string'] },
    minimum: s.number,
    maximum: s.number,
    allowed: s.array(s.string),
    description: s.string,
  },
  ['minimum', 'maximum', 'allowed'],
);

function catalogueRoute(): Route {
  const entries = [...catalogue.values()].map(entryOf);
  const snapshot = new Snapshot(JSON.stringify({ indicators: entries, count: entries.length }));
  return route({
    method: 'GET',
    path: '/v1/indicators/catalogue',
    group,
    summary: 'Every indicator that can be computed: parameters, outputs, formula',
    params: {},
    answer: s.object({
      indicators: s.array(
        s.object({
          name: s.string,
          aliases: s.array(s.string),
          title: s.string,
          category: s.string,
          parameters: s.of(s.array(parameterSchema), 'In the order of the short form.'),
          inputs: s.array(s.string),
          outputs: s.array(s.string),
          minimum: s.of(s.integer, 'Candles until every output has a value, with the defaults.'),
          formula: s.string,
          source: s.string,
        }),
      ),
      count: s.integer,
    }),
    access: 'open',
    from: { view: () => snapshot },
  });
}

/**
 * Technical indicators: the fixed set, those of a caller's choice, and what there is to choose from. Without an
 * exchange that has candles only the last.
 */
export const indicatorRoutes = (context: IndicatorsRoutesContext): Route[] => [
  ...(context.candleIntervals.size === 0 ? [] : [classicRoute(context), computeRoute(context)]),
  catalogueRoute(),
];
