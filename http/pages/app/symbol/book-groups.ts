/** The levels of an order book in wider steps of price. */
import { decimalsOf } from '../../../../indicators/digits.ts';
import type { BookLevel } from '../request.ts';

/** Slack for the division of a price by a step, in steps. */
const slack = 1e-6;

/** The price at the far edge of the step that a level is in: bids are rounded down and asks up, so that no group looks better than it is. */
function edgeOf(price: number, step: number, side: 'bid' | 'ask'): number {
  const steps = side === 'bid' ? Math.floor(price / step + slack) : Math.ceil(price / step - slack);
  return Number((steps * step).toFixed(decimalsOf(step)));
}

/**
 * The levels of a side, the best first, summed by steps of `step`, in units of price. With `isCut` the book goes on behind the last
 * level: the last group is not whole then, and is left out.
 */
export function grouped(
  levels: readonly BookLevel[],
  { step, side, isCut }: { step: number; side: 'bid' | 'ask'; isCut: boolean },
): BookLevel[] {
  const groups: BookLevel[] = [];
  for (const { price, quantity } of levels) {
    const edge = edgeOf(price, step, side);
    const last = groups.at(-1);
    if (last?.price === edge) last.quantity += quantity;
    else groups.push({ price: edge, quantity });
  }
  if (isCut && groups.length > 1) groups.pop();
  return groups;
}
