/** Where positions would be liquidated: an estimate from candles and open interest. */
import { historySource, recordedKey } from '../../../actors/topics/index.ts';
import { leverageShares } from '../../../config/liquidation-model.ts';
import * as liquidationMaps from '../../../indicators/derivatives/liquidation-map.ts';
import { valuesAt } from '../../../indicators/market/recorded.ts';
import { apiError, isApiError, kit, params, s, warmingUp } from '../kit.ts';
import { type LiquidationContext, side, symbol } from './common.ts';

/** The candles of each range. */
export const ranges = {
  '1d': { interval: '5m', limit: 288 },
  '7d': { interval: '1h', limit: 168 },
  '30d': { interval: '4h', limit: 180 },
} as const;
export type Range = keyof typeof ranges;
/** Fewest candles of an estimate. */
export const minCandles = 24;
/** Assets of the list. */
const mostAssets = 20;
export const model = 'oi_delta_leverage_v1';

const usd = s.number('US dollars.');

/** The map of an asset on an exchange, with what was asked for. */
interface Estimate {
  symbol: string;
  exchange: string;
  range: Range;
  map: liquidationMaps.LiquidationMap;
  received: number;
}

/** What a map is in. */
type Mapped = Pick<Estimate, 'map'>;

export const rangeText = s.string('Length of the past that is looked at, as asked.');
const headCells = {
  symbol,
  exchange: s.exchange,
  range: rangeText,
  current_price: [s.number('Last close, in quote.'), ({ map }: Mapped) => map.price],
} as const;

const level = s.object({
  price: s.number('Start of the level, in quote.'),
  side,
  value_usd: usd,
  by_leverage: s.mapOf(usd, 'leverage'),
  cumulative_usd: s.number('From the current price to this level.'),
});

/** The map itself. */
export const mapCells = {
  bucket_size: [s.number('Width of a level, in quote.'), ({ map }: Mapped) => map.bucket],
  model: kit.constant(model, 'Estimated: growth of open interest, assumed leverages.'),
  levels: [
    s.list(level, 'Ascending by price, within 25 % of the current price.'),
    ({ map }: Mapped) => map.levels,
  ],
  total_long_usd: [usd, ({ map }: Mapped) => liquidationMaps.sideValue(map, 'long')],
  total_short_usd: [usd, ({ map }: Mapped) => liquidationMaps.sideValue(map, 'short')],
} as const;

const estimate = kit.columns<Estimate>()({
  ...headCells,
  ...mapCells,
  updated_at: [s.unixMs(), 'received'],
});

const value = s.numberOrNull('Value of that level, US dollars; null as its price.');
const distance = s.numberOrNull(
  'From the current price to that level, percent of it, negative below; null as its price.',
);

const pain = kit.columns<
  Estimate & ReturnType<typeof liquidationMaps.maxPain> & { stale?: true }
>()({
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
  max_pain_price: [s.numberOrNull('That of the larger level, in quote.'), ({ most }) => most.price],
  max_pain_value_usd: [value, ({ most }) => most.value],
  max_pain_distance_percent: [distance, ({ most }) => most.distance],
  updated_at: [s.unixMs(), 'received'],
  stale: s.stale,
});
const namedPain = { ...pain, schema: s.named('LiquidationMaxPain', pain.schema) };

/** A perpetual whose candles are asked for. */
interface Traded {
  exchange: string;
  market: string;
  symbol: string;
}

/** The queries for the candles of some markets and their open interest; `warming_up` without any. `cacheFor` is in ms. */
export function estimateQueries(
  markets: readonly Traded[],
  { range, cacheFor }: { range: Range; cacheFor: number },
): kit.QuerySpec<'candles'> | kit.ApiError {
  const { interval, limit } = ranges[range];
  const [first, ...others] = markets.map(({ exchange, market }) => ({
    source: exchange,
    params: { market, kind: 'perpetual' as const, interval, limit },
  }));
  if (first === undefined) return warmingUp;
  const keys = markets.map(({ exchange, symbol }) => recordedKey(exchange, 'stable', symbol));
  const params = { series: 'open-interest' as const, keys, step: interval, limit };
  const otherQueries = { series: [{ source: historySource, params }] };
  return { ...first, sameQueryElsewhere: others, otherQueries, cacheFor };
}

/** For this time an estimate is given again, ms: it asks for the candles of up to twenty markets. */
const cacheFor = 10_000;

/** The estimate of the market at this place; an error where its candles are missing or too few. */
function estimateAt(
  { symbol, exchange, range }: Pick<Estimate, 'symbol' | 'exchange' | 'range'>,
  {
    replies,
    otherReplies: { series: [interest] = [] },
  }: Omit<kit.Replies<'candles', unknown>, 'values'>,
  at = 0,
) {
  const reply = replies[at];
  if (!reply) return apiError('upstream_failed');
  const { candles, received } = reply;
  if (candles.length < minCandles) {
    return apiError('not_enough_data', `${candles.length} candles of ${minCandles} are there`);
  }
  const own = { candles, interest: valuesAt(interest?.rows[at], 'base') };
  const map = liquidationMaps.liquidationMap([own], leverageShares);
  return map === null ? warmingUp : { symbol, exchange, range, map, received };
}

/** The same with its max pain. */
function painAt(...asked: Parameters<typeof estimateAt>) {
  const found = estimateAt(...asked);
  return isApiError(found) ? found : { ...found, ...liquidationMaps.maxPain(found.map) };
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

/** The exchanges with perpetuals and the candles of all ranges. */
export const estimatedOn = ({ candleIntervals, registry }: LiquidationContext): string[] =>
  params.exchangesWith(registry, 'perpetual').filter((id) => {
    const given = candleIntervals.get(id) ?? [];
    return Object.values(ranges).every(({ interval }) => given.includes(interval));
  });

export const rangeParam = params.wordOr(['1d', '7d', '30d'], '7d', 'Time before now.');

/** What the rows about one asset share. */
const ofAsset = {
  names: ['candles'],
  fails: ['not_enough_data', 'upstream_failed'],
  what: ({ exchange }: { exchange: string }) => `the candles of ${exchange}`,
  ask: (values: Traded & { range: Range }) =>
    estimateQueries([values], { range: values.range, cacheFor }),
} as const;

/** The max pain of one asset, or of the most traded ones. */
function painRow(context: LiquidationContext, shared: ReturnType<typeof paramsOf>) {
  const path = '/v1/liquidations/max-pain';
  const { symbol: named, ...others } = shared;
  const one = kit.historyAnswer({
    path,
    params: shared,
    of: ofAsset,
    foldAll: ({ values, ...given }) => painAt(values, given),
    fields: pain,
  });
  const list = kit.historyAnswer({
    path,
    params: others,
    of: {
      names: ['candles'],
      resolve: ({ exchange }) => ({ all: mostTraded(context, exchange) }),
      head: kit.repeated({ exchange: s.exchange, range: rangeText }),
      what: ofAsset.what,
      ask: ({ all, range }) => estimateQueries(all, { range, cacheFor }),
    },
    foldAll({ values: { all, range }, ...given }) {
      const made = all.map((one, i) => painAt({ ...one, range }, given, i));
      const [first = warmingUp] = made;
      const items = made.flatMap((item) => (isApiError(item) ? [] : [item]));
      return items.length === 0 && isApiError(first) ? first : items;
    },
    points: kit.points(namedPain, 'Largest turnover first.', 'items'),
  });
  return kit.route({
    path,
    summary: 'The price at which most would be liquidated: an estimate',
    fails: ofAsset.fails,
    params: { ...shared, symbol: params.symbolOrAll },
    answer: s.chosenBy(
      { symbol: s.named('LiquidationMaxPain', one.answer) },
      s.named('LiquidationMaxPainList', list.answer),
      'With `symbol`, of it; without, of the most traded assets.',
    ),
    from: {
      query: ({ symbol: asset, ...values }) =>
        asset === undefined ? list.query(values) : one.query({ ...values, symbol: asset }),
    },
  });
}

const paramsOf = ({ markets }: LiquidationContext, supported: readonly string[]) => ({
  symbol: params.asset(markets, 'perpetual', params.chosen),
  range: rangeParam,
  exchange: params.exchangeOrUsual(supported, 'binance'),
});

/** Without an exchange that has the candles there are no rows. */
export function mapRoutes(context: LiquidationContext) {
  const supportedExchanges = estimatedOn(context);
  if (supportedExchanges.length === 0) return [];
  const shared = paramsOf(context, supportedExchanges);
  return [
    ...kit.history({
      path: '/v1/liquidations/map',
      summary: 'Where positions would be liquidated: an estimate',
      params: shared,
      of: ofAsset,
      foldAll: ({ values, ...given }) => estimateAt(values, given),
      fields: estimate,
    }),
    painRow(context, shared),
  ];
}
