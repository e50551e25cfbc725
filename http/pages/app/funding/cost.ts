/** What it costs to hold two perpetuals against each other. */

/**
 * Percent of the size of one side: both sides are opened and closed, each time for a fee (percent of a trade), and what the short side
 * is dearer than the long one (`basis`, percent) is earned once their prices meet. Below 0 it is a gain.
 */
export const costOf = (fee: number, basis: number): number => 4 * fee - basis;

/** Days after which the funding has earned a cost, at a rate of percent a year; 0 where there is none to earn. */
export const daysToEarn = (cost: number, apr: number): number => Math.max(0, cost / (apr / 365));
