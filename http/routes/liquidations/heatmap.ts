/** Where positions would have been liquidated over time, on several exchanges together: an estimate. */
import type { Candles, Recorded } from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import { leverageShares } from '../../../config/liquidation-model.ts';
import { liquidationHeatmap } from '../../../indicators/derivatives/liquidation-heatmap.ts';
import type { Route } from '../../endpoints/route.ts';
import { type ApiError, apiError, warmingUp } from '../../wire/errors.ts';
import { queried } from '../factory/document.ts';
import * as params from '../params.ts';
import { common, type LiquidationContext, symbol } from './common.ts';
import {
  candlesOf,
  estimatedOn,
  interestIn,
  minCandles,
  model,
  rangeParam,
  type ranges,
} from './map.ts';

/** Those that are asked where the client names none. */
const usual = ['binance', 'bybit', 'okx', 'gate', 'bitget'];

const answer = s.object({
  symbol,
  range: s.string('Length of the past that is looked at, as asked.'),
  exchanges: s.list(s.string(), 'Exchanges that the map is of.'),
  failed_exchanges: s.list(s.string(), 'Exchanges whose candles could not be had.'),
  method: s.literal(model, 'Estimated from the growth of open interest and assumed leverages.'),
  bucket_size: s.number('Width of a row, in quote.'),
  timestamps: s.list(s.unixMs('Start of a candle.'), 'Ascending.'),
  prices: s.list(s.number('Start of a row, in quote.'), 'Ascending.'),
  cells: s.list(
    s.list(s.number('Index of the time, index of the price, US dollars.')),
    'What would be liquidated there; rows without anything are left out.',
  ),
  max_value_usd: s.number('Largest of the cells.'),
  close: s.list(
    s.numberOrNull('In quote; null where the first exchange has none.'),
    'Close of each candle on the first exchange.',
  ),
  updated_at: s.unixMs(),
  stale: s.stale,
});

interface HeatmapValues {
  symbol: string;
  range: keyof typeof ranges;
  exchanges: readonly string[];
}

/** The answer to the replies of all exchanges, in their order. */
function dataOf(
  { symbol, range, exchanges }: HeatmapValues,
  replies: readonly (Candles | null)[],
  interest: Recorded | null,
): s.Static<typeof answer> | ApiError {
  const markets = exchanges.flatMap((exchange, i) => {
    const { candles = [], received = 0 } = replies[i] ?? {};
    const base = interestIn(interest?.rows[i]);
    return candles.length < minCandles ? [] : [{ exchange, candles, interest: base, received }];
  });
  if (markets.length === 0)
    return apiError('not_enough_data', `no exchange has ${minCandles} candles`);
  const map = liquidationHeatmap(markets, leverageShares);
  if (map === null) return warmingUp;
  const used = markets.map(({ exchange }) => exchange);
  const { bucket, ...rest } = map;
  return {
    symbol,
    range,
    exchanges: used,
    failed_exchanges: exchanges.filter((id) => !used.includes(id)),
    method: model,
    bucket_size: bucket,
    ...rest,
    updated_at: Math.max(...markets.map(({ received }) => received)),
  };
}

/** For this time an estimate is given again, ms: it asks several exchanges. */
const cacheFor = 30_000;

/** Without an exchange that has the candles there is no row. */
export function liquidationHeatmapRoutes(context: LiquidationContext): Route[] {
  const supportedExchanges = estimatedOn(context);
  const first = usual.filter((id) => supportedExchanges.includes(id));
  if (supportedExchanges.length === 0) return [];
  return [
    queried({
      ...common,
      fails: ['not_enough_data', 'upstream_failed'],
      path: '/v1/liquidations/heatmap',
      summary: 'Where positions would have been liquidated by time and price: an estimate',
      params: {
        symbol: params.asset(params.symbolOrBitcoin, context.markets, {
          kind: 'perpetual',
          exchanges: ({ exchange }) => params.exchangesIn(supportedExchanges, exchange, first),
        }),
        range: rangeParam,
        exchange: params.severalExchanges(
          `Any of ${supportedExchanges.join(', ')}; ${first.join(', ')} when absent.`,
        ),
      },
      answer,
      query({ symbol, range, listed }) {
        const all = listed().map((one) => ({ ...one, symbol }));
        const asked = { symbol, range, exchanges: all.map(({ exchange }) => exchange) };
        return candlesOf(all, { range, of: symbol, cacheFor }, (replies, interest) =>
          dataOf(asked, replies, interest),
        );
      },
    }),
  ];
}
