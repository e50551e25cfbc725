import { type ChainState, topics } from '../../actors/topics/index.ts';
import { chainIds } from '../../config/chains.ts';
import { View } from './view.ts';

/** A row with its time in Unix seconds (specification 2.1), and whether it is older than three polls. */
export type Aged<Row> = Row & { stale?: true };

/** The last good state of each chain. */
export class OnchainView extends View {
  readonly #states = new Map<string, ChainState>();

  constructor() {
    super(() => Math.max(0, ...[...this.#states.values()].flatMap(timesOf)));
  }

  accept(chain: string, state: ChainState, now: number): void {
    if (now > this.source.now) this.expire(now);
    this.#states.set(chain, state);
    this.source.change();
  }

  /** Rows of the states, in the order of config/chains.ts. */
  rows<Row extends { updated_at: number }>(of: (state: ChainState) => readonly Row[]): Aged<Row>[] {
    const rows = chainIds.flatMap((id) => {
      const state = this.#states.get(id);
      return state === undefined ? [] : of(state);
    });
    return rows.map((row) => ({
      ...row,
      updated_at: Math.floor(row.updated_at / 1000),
      ...(this.#isStale(row.updated_at) && { stale: true }),
    }));
  }

  #isStale(updated: number): boolean {
    const last = updated + topics.chains.maxAge;
    if (this.source.now > last) return true;
    this.source.holdsUntil(last);
    return false;
  }
}

/** The times of all rows of a chain. */
const timesOf = ({ chain, supplies, wallets }: ChainState): number[] =>
  [chain, ...supplies, ...wallets].map((row) => row.updated_at);
