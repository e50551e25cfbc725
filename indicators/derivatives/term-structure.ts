/** What contracts on an asset cost above its index, by their expiry. */
import type { Rates } from '../market/fold.ts';
import { basisOf } from './basis.ts';

/** A contract with its prices, value and turnover of 24 hours in its quote. Times are Unix ms; `expiry` is null for a perpetual. */
export interface StatedContract {
  exchange: string;
  contract: string;
  quote: string;
  inverse: boolean | null;
  expiry: number | null;
  mark: number | null;
  index: number | null;
  value: number | null;
  volume: number | null;
  received: number;
}

/**
 * Every contract whose mark price is known, with its basis at `now`, Unix ms, and its amounts in US dollars, null where the rate of its
 * quote is not known: perpetuals first, then those that expire soonest; of equal ones by exchange and contract.
 */
export function termStructure(
  contracts: Iterable<StatedContract>,
  { rates, now }: { rates: Rates; now: number },
) {
  return [...contracts]
    .flatMap(({ mark, ...one }) => {
      if (mark === null) return [];
      const dollars = rates.get(one.quote);
      const worth = (amount: number | null) =>
        amount === null || dollars === undefined ? null : amount * dollars;
      const amounts = { open_interest_usd: worth(one.value), volume_24h_usd: worth(one.volume) };
      return [{ ...one, mark, ...basisOf({ ...one, mark }, now), ...amounts }];
    })
    .sort(
      (a, b) =>
        (a.expiry ?? 0) - (b.expiry ?? 0) ||
        (a.exchange + a.contract < b.exchange + b.contract ? -1 : 1),
    );
}
