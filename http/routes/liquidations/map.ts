/** Where positions would be liquidated: an estimate from candles and open interest. */
import {
  type Candles,
  historySource,
  type Recorded,
  recordedKey,
} from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import { leverageShares } from '../../../config/liquidation-model.ts';
import {
  type LiquidationMap,
  largestLevel,
  liquidationMap,
} from '../../../indicators/derivatives/liquidation-map.ts';
import type { Question } from '../../answers/queries.ts';
import { type Route, route } from '../../endpoints/route.ts';
import type { Market } from '../../views/markets.ts';
import { type ApiError, apiError, isApiError, warmingUp } from '../../wire/errors.ts';
import { symbolOrAll, symbolOrBitcoin } from '../analytics/common.ts';
import { exchange as oneOf } from '../params.ts';
import { common, type LiquidationContext, side, symbol } from './common.ts';

/** The candles of each range. */
const ranges = {
  '1d': { interval: '5m', limit: 288 },
  '7d': { interval: '1h', limit: 168 },
  '30d': { interval: '4h', limit: 180 },
} as const;
type Range = keyof typeof ranges;
const least = 24;
/** Assets of the list. */
const mostAssets = 20;
const model = 'oi_delta_leverage_v1';

const usd = s.number('US dollars.');
const range = s.string('Length of the past that is looked at, as asked.');
const mapAnswer = s.object({
  ...{ symbol, exchange: s.exchange, range },
  current_price: s.number('Last close, in quote.'),
  bucket_size: s.number('Width of a level, in quote.'),
  model: s.literal(model, 'Estimated from the growth of open interest and assumed leverages.'),
  levels: s.list(
    s.object({
      price: s.number('Start of the level, in quote.'),
      side,
      value_usd: usd,
      by_leverage: s.mapOf(usd, 'leverage'),
      cumulative_usd: s.number('From the current price to this level, US dollars.'),
    }),
    'Ascending by price, within 25 % of the current price.',
  ),
  ...{ total_long_usd: usd, total_short_usd: usd },
  updated_at: s.unixMs('Unix ms.'),
  stale: s.stale,
});

const value = s.numberOrNull('Value of that level, US dollars; null as its price.');
const distance = s.numberOrNull(
  'From the current price to that level, percent of it, negative below; null as its price.',
);
const pain = s.named(
  'LiquidationMaxPain',
  s.object({
    ...{ symbol, exchange: s.exchange, range, current_price: s.number('Last close, in quote.') },
    long_max_pain_price: s.numberOrNull(
      'Of the largest level of longs, in quote; null without any.',
    ),
    ...{ long_max_pain_value_usd: value, long_max_pain_distance_percent: distance },
    short_max_pain_price: s.numberOrNull(
      'Of the largest level of shorts, in quote; null without any.',
    ),
    ...{ short_max_pain_value_usd: value, short_max_pain_distance_percent: distance },
    max_pain_price: s.numberOrNull('Of the larger of the two, in quote.'),
    ...{ max_pain_value_usd: value, max_pain_distance_percent: distance },
    updated_at: s.unixMs('Unix ms.'),
    stale: s.stale,
  }),
);
const painsAnswer = s.named(
  'LiquidationMaxPainList',
  s.object({
    ...{ exchange: s.exchange, range, count: s.count },
    items: s.list(pain, 'Largest turnover first.'),
    stale: s.stale,
  }),
);

interface MapQuery {
  exchange: string;
  range: Range;
}

/** The map of one asset; an error where there are too few candles. */
function mapOf(
  { candles }: Candles,
  interest: Recorded['rows'][number] | undefined,
): LiquidationMap | ApiError {
  if (candles.length < least) {
    return apiError('not_enough_data', `${candles.length} candles of ${least} are there`);
  }
  const base = interest?.columns.base ?? [];
  const known = (interest?.times ?? []).flatMap((time, i) => {
    const value = base[i] ?? null;
    return value === null ? [] : [[time, value] as const];
  });
  return liquidationMap(candles, new Map(known), leverageShares) ?? warmingUp;
}

function painOf(map: LiquidationMap) {
  const off = (price: number) => (price / map.price - 1) * 100;
  const [long, short] = [largestLevel(map, 'long'), largestLevel(map, 'short')];
  const [most] = [long, short]
    .flatMap((level) => level ?? [])
    .sort((a, b) => b.value_usd - a.value_usd);
  return {
    long_max_pain_price: long?.price ?? null,
    long_max_pain_value_usd: long?.value_usd ?? null,
    long_max_pain_distance_percent: long ? off(long.price) : null,
    short_max_pain_price: short?.price ?? null,
    short_max_pain_value_usd: short?.value_usd ?? null,
    short_max_pain_distance_percent: short ? off(short.price) : null,
    max_pain_price: most?.price ?? null,
    max_pain_value_usd: most?.value_usd ?? null,
    max_pain_distance_percent: most ? off(most.price) : null,
  };
}

/** The question about the candles of some markets with their open interest. */
function questionOf<D>(
  { exchange, range }: MapQuery,
  [first, ...others]: readonly [TradedMarket, ...TradedMarket[]],
  {
    form,
    data,
  }: {
    form: string;
    data(all: readonly (Candles | null)[], interest: Recorded | null): D | ApiError;
  },
): Question<D> {
  const { interval, limit } = ranges[range];
  const asked = ({ market }: TradedMarket) => ({
    market,
    kind: 'perpetual' as const,
    interval,
    limit,
  });
  const keys = [first, ...others].map(({ symbol }) => recordedKey(exchange, 'stable', symbol));
  return {
    source: exchange,
    name: 'candles',
    params: asked(first),
    also: others.map((one) => ({ source: exchange, params: asked(one) })),
    beside: {
      series: [
        { source: historySource, params: { series: 'open-interest', keys, step: interval, limit } },
      ],
    },
    what: `the candles of ${exchange}`,
    form,
    lasts,
    data: (candles, more, { series = [] }) => data([candles, ...more], series[0] ?? null),
    onPartialFailure: (more, { series = [] }) => data([null, ...more], series[0] ?? null),
  };
}

type TradedMarket = Pick<Market, 'market' | 'symbol'>;

/** The most traded perpetuals of an exchange, one of each asset. */
function mostTraded({ perpetuals }: LiquidationContext, exchange: string): TradedMarket[] {
  const rows = perpetuals.of(exchange)?.rows.filter(({ inverse }) => inverse !== true) ?? [];
  const bases = new Map<string, TradedMarket>();
  for (const { symbol, contract } of [...rows].sort((a, b) => (b.volume ?? 0) - (a.volume ?? 0))) {
    if (!bases.has(symbol)) bases.set(symbol, { market: contract, symbol });
  }
  return [...bases.values()].slice(0, mostAssets);
}

/** For this time an estimate out of days is given again, ms: it asks for the candles of up to twenty markets. */
const lasts = 10_000;

const sumOf = ({ levels }: LiquidationMap, of: 'long' | 'short'): number =>
  levels.reduce((sum, level) => (level.side === of ? sum + level.value_usd : sum), 0);

function mapQuestion(context: LiquidationContext, asked: MapQuery & { symbol: string }) {
  const found = context.markets.resolve(asked.symbol, {
    kind: 'perpetual',
    exchanges: [asked.exchange],
  });
  if (isApiError(found)) return found;
  return questionOf<s.Static<typeof mapAnswer>>(asked, [found], {
    form: `map ${found.symbol}`,
    data([candles = null], interest) {
      if (candles === null) return apiError('upstream_failed');
      const map = mapOf(candles, interest?.rows[0]);
      if (isApiError(map)) return map;
      return {
        ...{ symbol: found.symbol, exchange: asked.exchange, range: asked.range },
        ...{ current_price: map.price, bucket_size: map.bucket, model, levels: map.levels },
        ...{ total_long_usd: sumOf(map, 'long'), total_short_usd: sumOf(map, 'short') },
        updated_at: candles.received,
      };
    },
  });
}

function painQuestion(
  context: LiquidationContext,
  asked: MapQuery & { symbol?: string | undefined },
) {
  const { exchange, range, symbol: given } = asked;
  const one =
    given === undefined
      ? null
      : context.markets.resolve(given, { kind: 'perpetual', exchanges: [exchange] });
  if (one !== null && isApiError(one)) return one;
  const [first, ...others] = one === null ? mostTraded(context, exchange) : [one];
  if (!first) return warmingUp;
  const all: [TradedMarket, ...TradedMarket[]] = [first, ...others];
  type Pain = s.Static<typeof pain>;
  return questionOf<Pain | s.Static<typeof painsAnswer>>(asked, all, {
    form: `pain ${one?.symbol}`,
    data(replies, interest) {
      const made = all.map(({ symbol }, i): Pain | ApiError => {
        const candles = replies[i];
        if (!candles) return apiError('upstream_failed');
        const map = mapOf(candles, interest?.rows[i]);
        if (isApiError(map)) return map;
        const head = { symbol, exchange, range, current_price: map.price };
        return { ...head, ...painOf(map), updated_at: candles.received };
      });
      const [only = warmingUp] = made;
      const items = made.filter((item): item is Pain => !isApiError(item));
      if (one !== null || items.length === 0) return only;
      return { exchange, range, count: items.length, items };
    },
  });
}

/** Without an exchange that has the candles there are no rows. */
export function mapRoutes(context: LiquidationContext): Route[] {
  const { candleIntervals, registry } = context;
  const able = registry.flatMap(({ id, kinds }) => {
    const given = candleIntervals.get(id) ?? [];
    const has = Object.values(ranges).every(({ interval }) => given.includes(interval));
    return has && kinds.includes('perpetual') ? [id] : [];
  });
  const [first] = able;
  if (first === undefined) return [];
  const shared = {
    range: {
      type: 'string',
      enum: ['1d', '7d', '30d'],
      default: '7d',
      description: 'Time before now.',
    },
    exchange: { ...oneOf(able), default: able.includes('binance') ? 'binance' : first },
  } as const;
  return [
    route({
      ...{ ...common, path: '/v1/liquidations/map', fails: ['not_enough_data', 'upstream_failed'] },
      summary: 'Where positions would be liquidated: an estimate',
      params: { symbol: symbolOrBitcoin, ...shared },
      answer: mapAnswer,
      from: { query: (asked) => mapQuestion(context, asked) },
    }),
    route({
      ...{
        ...common,
        path: '/v1/liquidations/max-pain',
        fails: ['not_enough_data', 'upstream_failed'],
      },
      summary: 'The price at which most would be liquidated: an estimate',
      params: { symbol: symbolOrAll, ...shared },
      answer: s.chosenBy(
        { symbol: pain },
        painsAnswer,
        'With `symbol`, of it; without, of the most traded assets.',
      ),
      from: { query: (asked) => painQuestion(context, asked) },
    }),
  ];
}
