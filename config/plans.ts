/** What the plans allow (specification 8). */

/** The limits of one plan. */
export interface PlanLimits {
  /** Over all keys of the account and all processes. */
  requestsPerMinute: number;
  /** Active keys of one account; null for no limit. */
  keys: number | null;
}

export const plans = {
  free: { requestsPerMinute: 60, keys: 5 },
  pro: { requestsPerMinute: 600, keys: null },
} as const satisfies Record<string, PlanLimits>;

/** Requests a minute of one account for rows that cost an upstream something; they count in its plan as well. */
export const budgets = { dex: 30 } as const;
export type BudgetName = keyof typeof budgets;

export type PlanName = keyof typeof plans;

export const isPlanName = (text: string): text is PlanName => Object.hasOwn(plans, text);
