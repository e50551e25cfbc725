import type { AlertsContext } from '../context.ts';
import type { kit } from '../kit.ts';
import { eventRoutes } from './events.ts';
import { ruleRoutes } from './rules.ts';

/** Alerts of an account: rules, what they fire, and its delivery. */
export const alertRoutes = (context: AlertsContext): kit.Route[] => [
  ...ruleRoutes(context),
  ...eventRoutes(context),
];
