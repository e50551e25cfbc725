/** What takers bought and sold of a market in five minutes, out of its folded minutes. Pure. */
import { minute } from '../../config/time.ts';
import { stepAt } from '../market/buckets.ts';
import type { FoldedMinute } from './trade-fold.ts';

const length = 5;

/** A sum of five minutes, US dollars. */
export interface FlowSum {
  /** Start of the five minutes, Unix ms. */
  time: number;
  buy_usd: number;
  sell_usd: number;
  minutes: number;
}

/** The sums of one market. Five minutes of which one is missing have none. */
export class FlowSums {
  #open: FlowSum | null = null;

  /** Takes the next whole minute; the sum where it is the last one of five, else null. */
  add({ timestamp, buckets }: FoldedMinute): FlowSum | null {
    const time = stepAt(timestamp, length * minute);
    const known = this.#open;
    const sum = known?.time === time ? known : { time, buy_usd: 0, sell_usd: 0, minutes: 0 };
    this.#open = sum;
    for (const bucket of buckets) {
      sum.buy_usd += bucket.buy_usd;
      sum.sell_usd += bucket.sell_usd;
    }
    sum.minutes += 1;
    return sum.minutes === length ? sum : null;
  }
}
