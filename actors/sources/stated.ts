/** The last look at rows before they are published: times and funding rates that no exchange can mean become null. */

import { validFunding } from '../../indicators/derivatives/funding.ts';
import { time } from '../read.ts';
import type { Parsed } from './define.ts';

/** The fields of price, derivative and open interest rows that are checked; instruments have none of them. */
interface Checked {
  market: string;
  stated?: number | null;
  next_funding?: number | null;
  funding_rate?: number | null;
  funding_hours?: number | null;
}

/** True for a given time that is not between 2009 and a day after `now`. */
const isWrong = (value: number | null | undefined, now: number): boolean =>
  typeof value === 'number' && time(value, 1, now) === null;

/**
 * The rows with `stated`, `next_funding` and the funding rate null where they cannot be true at `now`, the receive
 * time in Unix ms. A refused funding rate or interval is counted in `dropped`; the rest of its row is used.
 */
export function withChecked<Row extends Checked>(parsed: Parsed<Row>, now: number): Parsed<Row> {
  const dropped = [...parsed.dropped];
  const rows = parsed.rows.map((row) => {
    const { market, stated, next_funding, funding_rate = null, funding_hours = null } = row;
    const { refused, rate, hours } = validFunding(funding_rate, funding_hours);
    const wrong = { stated: isWrong(stated, now), next: isWrong(next_funding, now) };
    if (!refused && !wrong.stated && !wrong.next) return row;
    if (refused) dropped.push({ key: market, code: refused });
    return {
      ...row,
      ...(wrong.stated && { stated: null }),
      ...(wrong.next && { next_funding: null }),
      ...(refused && { funding_rate: rate, funding_hours: hours, funding_rate_8h: null }),
    };
  });
  return { ...parsed, rows, dropped };
}
