/** What is counted of the budgets of upstreams, read when it is asked for. */
import type { BudgetUse } from '../failure.ts';

/** The budgets of the clients of a process. */
export class BudgetUses {
  readonly #clients = new Set<() => readonly BudgetUse[]>();

  /** Lists the budgets of a client until the function that is returned is called. */
  list(budgets: () => readonly BudgetUse[]): () => void {
    this.#clients.add(budgets);
    return () => void this.#clients.delete(budgets);
  }

  /** Those that are used, waited for or paused now. */
  now(): BudgetUse[] {
    return [...this.#clients].flatMap((budgets) => budgets());
  }
}

/** Those of this process. */
export const processBudgets = new BudgetUses();
