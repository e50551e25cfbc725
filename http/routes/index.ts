import type { Keys } from '../auth/keys.ts';
import type { StatusView } from '../views/status.ts';
import { authRoutes } from './auth.ts';
import { type DexContext, dexRoutes } from './dex.ts';
import { type IndicatorsRoutesContext, indicatorRoutes } from './indicators.ts';
import { type LendingContext, lendingRoutes } from './lending.ts';
import { type MarketContext, marketRoutes } from './market.ts';
import { type MarketIndicatorsContext, marketIndicatorRoutes } from './market-indicators.ts';
import { type OnDemandContext, onDemandRoutes } from './on-demand.ts';
import { type OnchainContext, onchainRoutes } from './onchain.ts';
import type { Route } from './route.ts';
import { statusRoutes } from './status.ts';
import { type SystemContext, systemRoutes } from './system.ts';
import { type UsageContext, usageRoutes } from './usage.ts';

/** What all rows together answer from. */
export interface RoutesContext
  extends MarketContext,
    OnDemandContext,
    IndicatorsRoutesContext,
    OnchainContext,
    DexContext,
    LendingContext,
    MarketIndicatorsContext,
    UsageContext,
    Omit<SystemContext, 'routes' | 'clock'> {
  status: StatusView;
  /** Null where access is open: then there is nothing to manage. */
  keys: Keys | null;
}

/** The route table: every endpoint there is. */
export function allRoutes(context: RoutesContext): Route[] {
  const routes = [
    ...marketRoutes(context),
    ...onDemandRoutes(context),
    ...indicatorRoutes(context),
    ...marketIndicatorRoutes(context),
    ...onchainRoutes(context),
    ...dexRoutes(context),
    ...lendingRoutes(context),
    ...statusRoutes(context.status),
    ...(context.keys === null ? [] : authRoutes({ keys: context.keys })),
    ...(context.quota === null ? [] : usageRoutes(context)),
  ];
  return [...routes, ...systemRoutes({ ...context, routes })];
}
