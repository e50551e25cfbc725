import type { StatusView } from '../views/status.ts';
import { type MarketContext, marketRoutes } from './market.ts';
import { type OnDemandContext, onDemandRoutes } from './on-demand.ts';
import type { Route } from './route.ts';
import { statusRoutes } from './status.ts';
import { type SystemContext, systemRoutes } from './system.ts';

/** What all rows together answer from. */
export interface RoutesContext
  extends MarketContext,
    OnDemandContext,
    Omit<SystemContext, 'routes'> {
  status: StatusView;
}

/** The route table: every endpoint there is. */
export function allRoutes(context: RoutesContext): Route[] {
  const routes = [
    ...marketRoutes(context),
    ...onDemandRoutes(context),
    ...statusRoutes(context.status),
  ];
  return [...routes, ...systemRoutes({ ...context, routes })];
}
