/** What contracts on an asset cost above its index, by their expiry. */
import type { Rates } from '../market/fold.ts';
import { type Basis, basisOf } from './basis.ts';

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

/** A contract with a mark price; US dollars are null where the rate of its quote is not known. */
export interface TermContract extends StatedContract, Basis {
  mark: number;
  open_interest_usd: number | null;
  volume_24h_usd: number | null;
}

/** Perpetuals first, then the contracts that expire soonest; of equal ones by exchange and contract. */
const inOrder = (a: TermContract, b: TermContract): number =>
  (a.expiry ?? 0) - (b.expiry ?? 0) || (a.exchange + a.contract < b.exchange + b.contract ? -1 : 1);

/** Every contract whose mark price is known, with its basis at `now`, Unix ms. */
export function termStructure(
  contracts: Iterable<StatedContract>,
  { rates, now }: { rates: Rates; now: number },
): TermContract[] {
  const found: TermContract[] = [];
  for (const one of contracts) {
    const { mark, index, expiry, value, volume } = one;
    if (mark === null) continue;
    const dollars = rates.get(one.quote);
    const worth = (amount: number | null) =>
      amount === null || dollars === undefined ? null : amount * dollars;
    const amounts = { open_interest_usd: worth(value), volume_24h_usd: worth(volume) };
    found.push({ ...one, mark, ...basisOf({ mark, index, expiry }, now), ...amounts });
  }
  return found.sort(inOrder);
}
