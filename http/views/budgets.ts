/** The budgets of upstreams over all processes. */
import type { BudgetStatus, ProcessReport } from '../../actors/topics/index.ts';

type Use = NonNullable<ProcessReport['budgets']>[number];

function budgetOf([name, uses]: [string, Use[]], now: number): BudgetStatus[] {
  const [first] = uses;
  if (first === undefined) return [];
  const { weight, per_ms } = first;
  // The name of a budget may be a path.
  const [source = '', api = '', ...budget] = name.split('/');
  const sum = (of: (use: Use) => number) => uses.reduce((all, use) => all + of(use), 0);
  // What an upstream states has the requests of all processes in it: it is not added up.
  const used_weight = Math.max(
    sum(({ own }) => own),
    ...uses.map(({ used }) => used),
  );
  const pause = Math.max(...uses.map(({ paused_until }) => paused_until ?? 0));
  return [
    {
      source,
      api,
      budget: budget.join('/'),
      weight,
      per_ms,
      used_weight,
      waiting: sum(({ waiting }) => waiting),
      paused_until: pause > now ? pause : null,
    },
  ];
}

/** By the share that is used, the greatest first. `now`: Unix ms. */
export function budgetsOf(reports: readonly ProcessReport[], now: number): BudgetStatus[] {
  const byName = Map.groupBy(
    reports.flatMap(({ budgets = [] }) => budgets),
    ({ name }) => name,
  );
  const share = ({ used_weight, weight }: BudgetStatus) => used_weight / weight;
  return [...byName]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap((entry) => budgetOf(entry, now))
    .sort((a, b) => share(b) - share(a));
}
