/** Where positions would be, and would have been, liquidated on several exchanges together: estimates. */
import { leverageShares } from '../../../config/liquidation-model.ts';
import { liquidationHeatmap } from '../../../indicators/derivatives/liquidation-heatmap.ts';
import { liquidationMap, type MapMarket } from '../../../indicators/derivatives/liquidation-map.ts';
import { valuesAt } from '../../../indicators/market/recorded.ts';
import { apiError, kit, params, s, warmingUp } from '../kit.ts';
import { type LiquidationContext, symbol } from './common.ts';
import * as estimate from './map.ts';

/** Those that are asked where the client names none. */
const usual = ['binance', 'bybit', 'okx', 'gate', 'bitget'];
/** For this time an estimate is given again, ms: it asks several exchanges. */
const cacheFor = 30_000;

/** What is made of the exchanges that gave enough candles. */
const madeBy =
  <T extends object>(make: (markets: readonly MapMarket[]) => T | null) =>
  ({ replies, sources, otherReplies }: Omit<kit.Replies<'candles', unknown>, 'values'>) => {
    const { series: [interest] = [] } = otherReplies;
    const { minCandles } = estimate;
    const markets = sources.flatMap((exchange, i) => {
      const { candles = [], received = 0 } = replies[i] ?? {};
      const base = valuesAt(interest?.rows[i], 'base');
      return candles.length < minCandles ? [] : [{ exchange, candles, interest: base, received }];
    });
    if (markets.length === 0)
      return apiError('not_enough_data', `no exchange has ${minCandles} candles`);
    const exchanges = markets.map(({ exchange }) => exchange);
    const failed_exchanges = sources.filter((id) => !exchanges.includes(id));
    const updated_at = Math.max(...markets.map(({ received }) => received));
    const made = make(markets);
    return made === null ? warmingUp : { ...made, exchanges, failed_exchanges, updated_at };
  };

const heatmapOf = madeBy((markets) => liquidationHeatmap(markets, leverageShares));
const mapOf = madeBy((markets) => {
  const map = liquidationMap(markets, leverageShares);
  return map && { map };
});

const aboutCells = {
  exchanges: s.list(s.string(), 'Exchanges that the map is of.'),
  failed_exchanges: s.list(s.string(), 'Exchanges whose candles could not be had.'),
} as const;

const mapFields = kit.columns<Exclude<ReturnType<typeof mapOf>, kit.ApiError>>()({
  ...aboutCells,
  current_price: [s.number('Last close on the first exchange, in quote.'), ({ map }) => map.price],
  ...estimate.mapCells,
  updated_at: s.unixMs('When the newest candles were received.'),
});

const fields = kit.columns<Exclude<ReturnType<typeof heatmapOf>, kit.ApiError>>()({
  ...aboutCells,
  method: kit.constant(estimate.model, 'Estimated: growth of open interest, assumed leverages.'),
  bucket_size: [s.number('Width of a row, in quote.'), 'bucket'],
  timestamps: s.list(s.unixMs('Start of a candle.'), 'Ascending.'),
  prices: s.list(s.number('Start of a row, in quote.'), 'Ascending.'),
  cells: s.list(
    s.list(s.number('Index of the time, index of the price, US dollars.')),
    'What would be liquidated there; rows without anything are left out.',
  ),
  max_value_usd: s.number('Largest of the cells.'),
  close: s.list(s.numberOrNull('In quote; null without one.'), 'Closes of the first exchange.'),
  updated_at: s.unixMs('When the newest candles were received.'),
});

interface Asked {
  symbol: string;
  range: estimate.Range;
  listed(): readonly { exchange: string; market: string }[];
}

/** Without an exchange that has the candles there are no rows. */
export function liquidationHeatmapRoutes(context: LiquidationContext) {
  const supportedExchanges = estimate.estimatedOn(context);
  const first = usual.filter((id) => supportedExchanges.includes(id));
  const shared = {
    params: {
      symbol: params.asset(context.markets, 'perpetual', ({ exchange }) =>
        params.exchangesIn(supportedExchanges, exchange, first),
      ),
      range: estimate.rangeParam,
      exchange: params.severalExchanges(
        `Any of ${supportedExchanges.join(', ')}; ${first.join(', ')} when absent.`,
      ),
    },
    of: {
      names: ['candles'],
      isAnswered: supportedExchanges.length > 0,
      fails: ['not_enough_data', 'upstream_failed'],
      head: kit.repeated({ symbol, range: estimate.rangeText }),
      what: (values: Asked) => `the candles of ${values.symbol}`,
      ask: ({ listed, range, ...values }: Asked) =>
        estimate.estimateQueries(
          listed().map((one) => ({ ...one, symbol: values.symbol })),
          { range, cacheFor },
        ),
    },
  } as const;
  return [
    ...kit.history({
      ...shared,
      path: '/v1/liquidations/heatmap',
      summary: 'Where positions would have been liquidated by time and price: an estimate',
      foldAll: heatmapOf,
      fields,
    }),
    ...kit.history({
      ...shared,
      path: '/v1/liquidations/aggregated-map',
      summary: 'Where positions would be liquidated on several exchanges together: an estimate',
      foldAll: mapOf,
      fields: mapFields,
    }),
  ];
}
