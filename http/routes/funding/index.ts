import type { RoutesContext } from '../context.ts';
import type { Route } from '../route.ts';
import { arbitrageRoute } from './arbitrage.ts';
import { ratesRoute } from './rates.ts';

/** Funding over all exchanges. */
export const fundingRoutes = (context: Pick<RoutesContext, 'perpetuals'>): Route[] => [
  ratesRoute(context),
  arbitrageRoute(context),
];
