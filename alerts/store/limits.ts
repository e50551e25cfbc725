/** How much Redis keeps of one account: a flood of one account takes nothing from another. */

/** In the order in which scripts take them. */
export const limits = {
  /** Newest events in the log. */
  events: 1_000,
  /** Deliveries that wait: the oldest are given up beyond it. 3 to 5 MB. */
  waiting: 5_000,
  /** Newest deliveries that were given up. */
  dead: 1_000,
  /** One event in so many ms, and events at once in the time that makes up for them: 2,000, and then 20 a second. */
  each: 50,
  burst: 100_000,
} as const;
