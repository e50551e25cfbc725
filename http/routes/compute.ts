/** Indicators that a caller chooses: of markets, of candles of the caller's own, or of a recorded series. */
import type { ComputeParams, ReplyOf } from '../../actors/topics/index.ts';
import { BadInput } from '../../indicators/job-entries.ts';
import { jsonList, jsonText, jsonWith } from '../answers/json.ts';
import { JsonText } from '../answers/json-text.ts';
import { markStale } from '../answers/queries.ts';
import { fromFailure, fromStore } from '../wire/errors.ts';
import * as bodies from './compute-body.ts';
import { candlesOf, isRecorded, seriesQuery } from './compute-series.ts';
import { apiError, kit, s } from './kit.ts';

export type ComputeContext = Pick<
  kit.RoutesContext,
  'bus' | 'candleIntervals' | 'markets' | 'clock'
>;

const columnsSchema = s.mapOf(s.list(s.numberOrNull()), 'output to values, oldest first');
const computeAnswer = s.named(
  'ComputedIndicators',
  s.object({
    symbol: s.stringOrNull("The exchange's own symbol; null with candles of your own."),
    market: s.stringOrNull('As `symbol`.'),
    exchange: s.stringOrNull('Exchange id; null with candles of your own or a recorded series.'),
    timeframe: s.stringOrNull('Candle length; null where candles of your own state none.'),
    timestamp: s.integerOrNull('Unix ms: close of the last candle; of your own, its timestamp.'),
    count: s.integer('Closed candles that are shown.'),
    timestamps: s.optional(s.list(s.integer(), 'Open times; with series only.')),
    candles: s.optional(s.mapOf(s.list(s.number()), 'column to values; with series of a symbol')),
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
      'Indicators for which the candles are too few, or do not reach the start of a period: what lacks them is null.',
    ),
    stale: s.stale,
    recorded: s.optional(
      s.object(
        {
          name: s.string('Name of the series.'),
          symbol: s.symbol,
          column: s.string('Which of its values.'),
          exchange: s.optional(s.exchange),
          margin: s.optional(s.string('Margin of the contracts, as asked.')),
          kind: s.optional(s.string('Kind of the markets, as asked.')),
          coverage: kit.coverage,
        },
        'The recorded series that stands for candles; absent without one.',
      ),
    ),
  }),
);

const severalAnswer = s.named(
  'ComputedMarkets',
  s.object({
    count: s.count,
    items: s.list(
      s.object({
        symbol: s.string('As asked.'),
        exchange: s.exchange,
        timeframe: s.string('Candle length.'),
        data: s.orNull(computeAnswer, 'As of one market; null with an error.'),
        code: s.stringOrNull('Which error it is; null with data.'),
        message: s.stringOrNull('The fault, in words; null with data.'),
      }),
      'In the order of `markets`.',
    ),
  }),
);

/** The request in a body, or an error; a list for several markets. */
function question(
  body: Parameters<typeof bodies.readComputeBody>[0],
  { candleIntervals, clock }: Pick<ComputeContext, 'candleIntervals' | 'clock'>,
): ComputeParams | bodies.SeriesRequest | bodies.MarketRequest[] | kit.ApiError {
  const context = { exchanges: candleIntervals, now: clock.now() };
  try {
    return (
      bodies.readSeriesBody(body) ??
      bodies.readMarketsBody(body, context) ??
      bodies.readComputeBody(body, context)
    );
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
async function ofSeries(
  { bus, clock }: ComputeContext,
  request: bodies.SeriesRequest,
  account: string,
) {
  const { chosen, indicators, limit } = request;
  const { name, symbol, column, key, interval, parts, full: series } = chosen;
  const query = seriesQuery(chosen, indicators, limit);
  const found = await bus.query(query, { account });
  if (!found.ok) return fromStore(found.failure, `the series ${name}`);
  const [row] = found.value.value.rows;
  if (!row || !isRecorded(found.value.value, chosen)) {
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

/** The indicators of a market, or of candles of the caller's own. */
async function ofCandles(
  { bus, markets }: ComputeContext,
  request: ComputeParams,
  account: string,
) {
  const { exchange = '', market: name = null, kind } = request.market ?? {};
  const asked = name === null ? null : markets.asked(exchange, name, kind);
  const market = request.market && { ...request.market, ...asked };
  const what = market === null ? 'your indicators' : `the candles of ${market.market}`;
  const query = { source: 'compute', name: 'compute', params: { ...request, market } } as const;
  const result = await bus.query(query, { account });
  if (result.ok) return computed(result.value, market?.market ?? null);
  const error = fromFailure(result.failure, what);
  return market === null ? error : markets.explained(exchange, market.market)(error);
}

/** The indicators of several markets, asked for at once: each has data or an error of its own. */
async function ofMarkets(
  context: ComputeContext,
  parts: readonly bodies.MarketRequest[],
  account: string,
) {
  const answers = await Promise.all(parts.map((part) => ofCandles(context, part, account)));
  const items = parts.map(({ market }, i) => {
    const { exchange, interval } = market;
    const head = { symbol: market.market, exchange, timeframe: interval };
    const answer = answers[i] ?? apiError('internal');
    const { code, message, data } =
      'error' in answer
        ? { code: answer.error, message: answer.message, data: null }
        : { code: null, message: null, data: answer.data };
    return jsonWith(jsonText({ ...head, code, message }), 'data', jsonText(data));
  });
  const data = jsonWith(jsonText({ count: items.length }), 'items', jsonList(items));
  return { status: 200 as const, data };
}

/** Indicators that the caller chooses. Several markets count as so many requests. */
export function computeRoute(context: ComputeContext) {
  return kit.route({
    method: 'POST',
    path: '/v1/indicators/compute',
    summary:
      'Indicators of your choice, of one to twenty markets, of your own candles or of a recorded series',
    body: bodies.computeBody(context.candleIntervals),
    bodyCap: 2 ** 20,
    bodyExample: { symbol: 'BTC', interval: '1h', indicators: ['rsi', 'macd:8,21,5', 'bbands'] },
    answer: s.either(computeAnswer, severalAnswer, 'The second form with `markets`.'),
    fails: [
      'unknown_symbol',
      'not_enough_data',
      'upstream_failed',
      'warming_up',
      'store_unavailable',
    ],
    from: {
      async act({ body, account, count }) {
        const request = question(body, context);
        if ('error' in request) return request;
        if ('chosen' in request) return ofSeries(context, request, account);
        if (!Array.isArray(request)) return ofCandles(context, request, account);
        const refusal = await count(request.length - 1);
        return refusal ?? ofMarkets(context, request, account);
      },
    },
  });
}
