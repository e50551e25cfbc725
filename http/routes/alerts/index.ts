import type { Route } from '../../endpoints/route.ts';
import type { AlertsContext } from './common.ts';
import { eventRoutes } from './events.ts';
import { ruleRoutes } from './rules.ts';

/** Alerts of an account: rules, what they fire, and its delivery. */
export const alertRoutes = (context: AlertsContext): Route[] => [
  ...ruleRoutes(context),
  ...eventRoutes(context),
];
