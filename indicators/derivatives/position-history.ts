/** Positions that takers opened and closed, out of three histories of one perpetual. Pure. */
import { buyShare, netPositions } from './order-flow.ts';

interface Timed {
  timestamp: number;
}
/** Open interest, base units and US dollars. */
interface Interest extends Timed {
  base: number | null;
  usd: number | null;
}
/** What takers bought and sold, base units. */
interface Taken extends Timed {
  buy_base: number | null;
  sell_base: number | null;
}
/** Shares of the positions of the largest accounts. */
interface Shares extends Timed {
  long: number;
  short: number;
}

const byTime = <P extends Timed>(rows: readonly P[]): ReadonlyMap<number, P> =>
  new Map(rows.map((row) => [row.timestamp, row]));

/** Rows with a number of base units, and what is read from the takers of the same intervals. */
export function positionsOf(
  interest: readonly Interest[],
  flows: readonly Taken[],
  tops: readonly Shares[] = [],
) {
  const [takers, shares] = [byTime(flows), byTime(tops)];
  const known = interest.flatMap(({ timestamp, base, usd }) =>
    base === null ? [] : [{ timestamp, base, price: usd === null ? null : usd / base }],
  );
  const rows = known.map(({ timestamp, base }) => {
    const flow = takers.get(timestamp);
    return { interest: base, buyShare: flow ? buyShare(flow.buy_base, flow.sell_base) : null };
  });
  return netPositions(rows).flatMap((position, i) => {
    const row = known[i];
    return row ? [{ ...row, ...position, top: shares.get(row.timestamp) }] : [];
  });
}
