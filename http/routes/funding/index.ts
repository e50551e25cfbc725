import { arbitrageRoute } from './arbitrage.ts';
import { ratesRoute } from './rates.ts';
import { type HistoryContext, predictedRoutes } from './recorded-rates.ts';
import { settledRoutes } from './settled-history.ts';
import { weightedRoute } from './weighted.ts';

/** Funding over all exchanges. */
export const fundingRoutes = (context: HistoryContext) => [
  ratesRoute(context),
  weightedRoute(context),
  ...settledRoutes(context),
  ...predictedRoutes(context),
  arbitrageRoute(context),
];
