import { type ChainState, topics } from '../../actors/topics/index.ts';
import { chainIds } from '../../config/chains.ts';
import { Source } from '../answers/source.ts';

/** A row with its time in Unix seconds (specification 2.1), and whether it is older than three polls. */
export type Aged<Row> = Row & { stale?: true };

/** The last good state of each chain. */
export class OnchainView {
  readonly #states = new Map<string, ChainState>();
  #now = 0;
  /** Times of the rows that were stale at the last look. */
  #stale = '';
  readonly source = new Source(() => Math.max(0, ...[...this.#states.values()].flatMap(timesOf)));

  accept(chain: string, state: ChainState, now: number): void {
    this.#now = Math.max(now, this.#now);
    this.#states.set(chain, state);
    this.source.change();
  }

  /** Marks rows that have become stale. Call it about every second. */
  expire(now: number): void {
    this.#now = now;
    const stale = [...this.#states.values()].flatMap(timesOf).filter(this.#isStale).join();
    if (stale === this.#stale) return;
    this.#stale = stale;
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

  readonly #isStale = (updated: number): boolean => this.#now - updated > topics.chains.maxAge;
}

/** The times of all rows of a chain. */
const timesOf = ({ chain, supplies, wallets }: ChainState): number[] =>
  [chain, ...supplies, ...wallets].map((row) => row.updated_at);
