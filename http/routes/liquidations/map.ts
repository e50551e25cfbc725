/** Where positions would be liquidated: an estimate from candles and open interest. */
import {
  type Candles,
  historySource,
  type Recorded,
  type RecordedRows,
  recordedKey,
} from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import { leverageShares } from '../../../config/liquidation-model.ts';
import {
  type LiquidationMap,
  liquidationMap,
  maxPain,
  sideValue,
} from '../../../indicators/derivatives/liquidation-map.ts';
import { rowsIn } from '../../../indicators/market/recorded.ts';
import type { Question } from '../../answers/queries.ts';
import type { CheckedValues, Route } from '../../endpoints/route.ts';
import { type ApiError, apiError, isApiError, warmingUp } from '../../wire/errors.ts';
import { columns } from '../factory/columns.ts';
import { queried } from '../factory/document.ts';
import * as params from '../params.ts';
import { common, type LiquidationContext, side, symbol } from './common.ts';

/** The candles of each range. */
export const ranges = {
  '1d': { interval: '5m', limit: 288 },
  '7d': { interval: '1h', limit: 168 },
  '30d': { interval: '4h', limit: 180 },
} as const;
type Range = keyof typeof ranges;
/** Fewest candles of an estimate. */
export const minCandles = 24;
/** Assets of the list. */
const mostAssets = 20;
export const model = 'oi_delta_leverage_v1';

const usd = s.number('US dollars.');

/** The map of an asset on an exchange, with what was asked for. */
interface Estimate extends MapQuery {
  symbol: string;
  map: LiquidationMap;
  received: number;
}

const headCells = {
  symbol,
  exchange: s.exchange,
  range: s.string('Length of the past that is looked at, as asked.'),
  current_price: [s.number('Last close, in quote.'), ({ map }: Estimate) => map.price],
} as const;

const level = s.object({
  price: s.number('Start of the level, in quote.'),
  side,
  value_usd: usd,
  by_leverage: s.mapOf(usd, 'leverage'),
  cumulative_usd: s.number('From the current price to this level.'),
});

const estimate = columns<Estimate>()({
  ...headCells,
  bucket_size: [s.number('Width of a level, in quote.'), ({ map }) => map.bucket],
  model: [
    s.literal(model, 'Estimated from the growth of open interest and assumed leverages.'),
    (): typeof model => model,
  ],
  levels: [
    s.list(level, 'Ascending by price, within 25 % of the current price.'),
    ({ map }) => map.levels,
  ],
  total_long_usd: [usd, ({ map }) => sideValue(map, 'long')],
  total_short_usd: [usd, ({ map }) => sideValue(map, 'short')],
  updated_at: [s.unixMs(), 'received'],
});

const value = s.numberOrNull('Value of that level, US dollars; null as its price.');
const distance = s.numberOrNull(
  'From the current price to that level, percent of it, negative below; null as its price.',
);

const painColumns = columns<Estimate & ReturnType<typeof maxPain>>()({
  ...headCells,
  long_max_pain_price: [
    s.numberOrNull('Price of the largest level of longs, in quote; null without any.'),
    ({ long }) => long.price,
  ],
  long_max_pain_value_usd: [value, ({ long }) => long.value],
  long_max_pain_distance_percent: [distance, ({ long }) => long.distance],
  short_max_pain_price: [
    s.numberOrNull('Price of the largest level of shorts, in quote; null without any.'),
    ({ short }) => short.price,
  ],
  short_max_pain_value_usd: [value, ({ short }) => short.value],
  short_max_pain_distance_percent: [distance, ({ short }) => short.distance],
  max_pain_price: [
    s.numberOrNull('Price of the larger of the two, in quote.'),
    ({ most }) => most.price,
  ],
  max_pain_value_usd: [value, ({ most }) => most.value],
  max_pain_distance_percent: [distance, ({ most }) => most.distance],
  updated_at: [s.unixMs(), 'received'],
});
const pain = s.named('LiquidationMaxPain', s.object({ ...painColumns.properties, stale: s.stale }));
const painsAnswer = s.named(
  'LiquidationMaxPainList',
  s.object({
    exchange: s.exchange,
    range: headCells.range,
    count: s.count,
    items: s.list(pain, 'Largest turnover first.'),
    stale: s.stale,
  }),
);

interface MapQuery {
  exchange: string;
  range: Range;
}

/** Recorded open interest, base units by the start of the interval. */
export const interestIn = (row: RecordedRows | undefined): ReadonlyMap<number, number> =>
  new Map(rowsIn(row, { base: 'base' }).map(({ time, base }) => [time, base]));

/** The map of one asset; an error where there are too few candles. */
function mapOf(
  { candles }: Candles,
  interest: RecordedRows | undefined,
): LiquidationMap | ApiError {
  if (candles.length < minCandles) {
    return apiError('not_enough_data', `${candles.length} candles of ${minCandles} are there`);
  }
  return liquidationMap(candles, interestIn(interest), leverageShares) ?? warmingUp;
}

/** For this time an estimate is given again, ms: it asks for the candles of up to twenty markets. */
const cacheFor = 10_000;

/** A perpetual whose candles are asked for. */
interface Traded {
  exchange: string;
  market: string;
  symbol: string;
}

/** The question about the candles of some markets with their open interest; `warming_up` where there is none. */
export function candlesOf<D>(
  markets: readonly Traded[],
  { range, of, cacheFor }: { range: Range; of: string; cacheFor: number },
  data: (all: readonly (Candles | null)[], interest: Recorded | null) => D | ApiError,
): Question<D> | ApiError {
  const { interval, limit } = ranges[range];
  const [first, ...sameQueryElsewhere] = markets.map(({ exchange, market }) => ({
    source: exchange,
    params: { market, kind: 'perpetual' as const, interval, limit },
  }));
  if (first === undefined) return warmingUp;
  const keys = markets.map(({ exchange, symbol }) => recordedKey(exchange, 'stable', symbol));
  const params = { series: 'open-interest' as const, keys, step: interval, limit };
  return {
    ...first,
    name: 'candles',
    sameQueryElsewhere,
    otherQueries: { series: [{ source: historySource, params }] },
    what: `the candles of ${of}`,
    cacheFor,
    data: (candles, more, { series = [] }) => data([candles, ...more], series[0] ?? null),
    onPartialFailure: (more, { series = [] }) => data([null, ...more], series[0] ?? null),
  };
}

/** The most traded perpetuals of an exchange, one of each asset. */
function mostTraded({ perpetuals }: LiquidationContext, exchange: string): Traded[] {
  const rows = perpetuals.of(exchange)?.rows.filter(({ inverse }) => inverse !== true) ?? [];
  const bases = new Map<string, Traded>();
  for (const { symbol, contract } of [...rows].sort((a, b) => (b.volume ?? 0) - (a.volume ?? 0))) {
    if (!bases.has(symbol)) bases.set(symbol, { exchange, market: contract, symbol });
  }
  return [...bases.values()].slice(0, mostAssets);
}

const asked = ({ exchange, range }: MapQuery) => ({ range, of: exchange, cacheFor });

const mapQuestion = ({ symbol, exchange, market, range }: MapQuery & Traded) =>
  candlesOf([{ symbol, exchange, market }], asked({ exchange, range }), ([candles], interest) => {
    if (!candles) return apiError('upstream_failed');
    const map = mapOf(candles, interest?.rows[0]);
    if (isApiError(map)) return map;
    return estimate.read({ exchange, range, symbol, map, received: candles.received });
  });

/** `one` is the asset that is asked for; without it the answer is a list. */
function painQuestion(
  context: LiquidationContext,
  { exchange, range }: MapQuery,
  one: Traded | undefined,
) {
  type Pain = s.Static<typeof pain>;
  const all = one === undefined ? mostTraded(context, exchange) : [one];
  return candlesOf<Pain | s.Static<typeof painsAnswer>>(
    all,
    asked({ exchange, range }),
    (replies, interest) => {
      const made = all.map(({ symbol }, i): Pain | ApiError => {
        const candles = replies[i];
        if (!candles) return apiError('upstream_failed');
        const map = mapOf(candles, interest?.rows[i]);
        if (isApiError(map)) return map;
        const { received } = candles;
        return painColumns.read({ symbol, exchange, range, map, received, ...maxPain(map) });
      });
      const [only = warmingUp] = made;
      const items = made.filter((item): item is Pain => !isApiError(item));
      if (one !== undefined || items.length === 0) return only;
      return { exchange, range, count: items.length, items };
    },
  );
}

/** The exchanges with perpetuals and the candles of all ranges. */
export const estimatedOn = ({ candleIntervals, registry }: LiquidationContext): string[] =>
  registry.flatMap(({ id, kinds }) => {
    const given = candleIntervals.get(id) ?? [];
    const has = Object.values(ranges).every(({ interval }) => given.includes(interval));
    return has && kinds.includes('perpetual') ? [id] : [];
  });

export const rangeParam = params.wordOr(['1d', '7d', '30d'], '7d', 'Time before now.');

/** Without an exchange that has the candles there are no rows. */
export function mapRoutes(context: LiquidationContext): Route[] {
  const supportedExchanges = estimatedOn(context);
  const [first] = supportedExchanges;
  if (first === undefined) return [];
  const shared = {
    range: rangeParam,
    exchange: {
      ...params.exchange(supportedExchanges),
      default: supportedExchanges.includes('binance') ? 'binance' : first,
    },
  } as const;
  const row = { ...common, fails: ['not_enough_data', 'upstream_failed'] } as const;
  const named = params.asset(params.symbolOrBitcoin, context.markets, {
    kind: 'perpetual',
    exchanges: params.chosen,
  });
  const oneOf = (values: CheckedValues): { one?: Traded } | ApiError => {
    if (values.symbol === undefined) return {};
    const one = named.resolve(values);
    return isApiError(one) ? one : { one };
  };
  return [
    queried({
      ...row,
      path: '/v1/liquidations/map',
      summary: 'Where positions would be liquidated: an estimate',
      params: { symbol: named, ...shared },
      answer: s.object({ ...estimate.properties, stale: s.stale }),
      query: mapQuestion,
    }),
    queried({
      ...row,
      path: '/v1/liquidations/max-pain',
      summary: 'The price at which most would be liquidated: an estimate',
      params: { symbol: { ...params.symbolOrAll, resolve: oneOf }, ...shared },
      answer: s.chosenBy(
        { symbol: pain },
        painsAnswer,
        'With `symbol`, of it; without, of the most traded assets.',
      ),
      query: ({ one, ...values }) => painQuestion(context, values, one),
    }),
  ];
}
