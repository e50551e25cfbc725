/** Where positions would have been liquidated over time, on several exchanges together: an estimate. */
import * as s from '../../../actors/topics/schema.ts';
import { leverageShares } from '../../../config/liquidation-model.ts';
import { liquidationHeatmap } from '../../../indicators/derivatives/liquidation-heatmap.ts';
import type { Route } from '../../endpoints/route.ts';
import { type ApiError, apiError, warmingUp } from '../../wire/errors.ts';
import { columns } from '../factory/columns.ts';
import { history, type Replies, repeated } from '../factory/history.ts';
import * as params from '../params.ts';
import { group, type LiquidationContext, symbol } from './common.ts';
import * as estimate from './map.ts';

/** Those that are asked where the client names none. */
const usual = ['binance', 'bybit', 'okx', 'gate', 'bitget'];
/** For this time an estimate is given again, ms: it asks several exchanges. */
const cacheFor = 30_000;

/** The map of the exchanges that gave enough candles. */
function heatmapOf({
  replies,
  sources,
  otherReplies,
}: Omit<Replies<'candles', unknown>, 'values'>) {
  const { series: [interest] = [] } = otherReplies;
  const { minCandles } = estimate;
  const markets = sources.flatMap((exchange, i) => {
    const { candles = [], received = 0 } = replies[i] ?? {};
    const base = estimate.interestIn(interest?.rows[i]);
    return candles.length < minCandles ? [] : [{ exchange, candles, interest: base, received }];
  });
  if (markets.length === 0)
    return apiError('not_enough_data', `no exchange has ${minCandles} candles`);
  const map = liquidationHeatmap(markets, leverageShares);
  if (map === null) return warmingUp;
  const exchanges = markets.map(({ exchange }) => exchange);
  const failed_exchanges = sources.filter((id) => !exchanges.includes(id));
  const updated_at = Math.max(...markets.map(({ received }) => received));
  return { ...map, exchanges, failed_exchanges, updated_at };
}

const fields = columns<Exclude<ReturnType<typeof heatmapOf>, ApiError>>()({
  exchanges: s.list(s.string(), 'Exchanges that the map is of.'),
  failed_exchanges: s.list(s.string(), 'Exchanges whose candles could not be had.'),
  method: [
    s.literal(estimate.model, 'Estimated from the growth of open interest and assumed leverages.'),
    (): typeof estimate.model => estimate.model,
  ],
  bucket_size: [s.number('Width of a row, in quote.'), 'bucket'],
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
  updated_at: s.unixMs('When the newest candles were received.'),
});

/** Without an exchange that has the candles there is no row. */
export function liquidationHeatmapRoutes(context: LiquidationContext): Route[] {
  const supportedExchanges = estimate.estimatedOn(context);
  const first = usual.filter((id) => supportedExchanges.includes(id));
  return history({
    path: '/v1/liquidations/heatmap',
    group,
    summary: 'Where positions would have been liquidated by time and price: an estimate',
    params: {
      symbol: params.asset(params.symbolOrBitcoin, context.markets, {
        kind: 'perpetual',
        exchanges: ({ exchange }) => params.exchangesIn(supportedExchanges, exchange, first),
      }),
      range: estimate.rangeParam,
      exchange: params.severalExchanges(
        `Any of ${supportedExchanges.join(', ')}; ${first.join(', ')} when absent.`,
      ),
    },
    of: {
      names: ['candles'],
      isAnswered: supportedExchanges.length > 0,
      fails: ['not_enough_data', 'upstream_failed'],
      head: repeated({ symbol, range: estimate.rangeText }),
      what: (values) => `the candles of ${values.symbol}`,
      ask: ({ listed, range, ...values }) =>
        estimate.estimateQueries(
          listed().map((one) => ({ ...one, symbol: values.symbol })),
          { range, cacheFor },
        ),
    },
    foldAll: heatmapOf,
    fields,
  });
}
