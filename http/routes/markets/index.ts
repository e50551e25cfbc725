import type { kit } from '../kit.ts';
import type { MarketsContext } from './common.ts';
import { futuresRoutes } from './futures.ts';
import { moversRoutes } from './movers.ts';
import { overviewRoute } from './overview.ts';
import { priceChangeRoutes } from './price-change.ts';
import { spotRoutes } from './spot.ts';
import { turnoverHistoryRoutes } from './turnover-history.ts';

/** The tables of spot markets and perpetuals. */
export const marketTables = (context: MarketsContext & kit.Needs<'clock'>) => [
  overviewRoute(context),
  ...spotRoutes(context),
  ...futuresRoutes(context),
  ...moversRoutes(context),
  ...priceChangeRoutes(context),
  ...turnoverHistoryRoutes(context),
];
