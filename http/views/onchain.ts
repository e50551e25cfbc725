import {
  type ChainRow,
  type ChainState,
  type SupplyRow,
  topics,
  type WalletRow,
} from '../../actors/topics/index.ts';
import { chainIds } from '../../config/chains.ts';
import type { Stablecoin } from '../../config/tokens.ts';
import { jsonText } from '../json.ts';
import { Cell } from '../snapshots.ts';

/** Unix seconds (specification 2.1). */
const seconds = (ms: number): number => Math.floor(ms / 1000);

/** The time of a row for the answer, and whether it is older than three polls. */
type Age = (updated: number) => { updated_at: number; stale?: true };

const blockOf = ({ chain, block, gas_gwei, updated_at }: ChainRow, age: Age) => ({
  chain,
  block_number: block,
  gas_gwei,
  ...age(updated_at),
});

const supplyOf = ({ updated_at, ...row }: SupplyRow, age: Age) => ({ ...row, ...age(updated_at) });
const walletOf = ({ updated_at, ...row }: WalletRow, age: Age) => ({ ...row, ...age(updated_at) });

/** A value of `?token=`; null for all of them. */
export type SupplyToken = Stablecoin | null;

/** The answers of `/v1/onchain/*` but the wallet's (specification 2.2 to 2.5), in the order of config/chains.ts. */
export class OnchainView {
  readonly #states = new Map<string, ChainState>();
  #now = 0;
  /** Times of the rows that were stale at the last look. */
  #stale = '';
  readonly #cells = {
    gas: this.#cell((states, age) =>
      states.flatMap(({ chain: { chain, gas_gwei, block, updated_at } }) =>
        gas_gwei === null ? [] : [{ chain, gas_gwei, block, ...age(updated_at) }],
      ),
    ),
    blocks: this.#cell((states, age) => states.map(({ chain }) => blockOf(chain, age))),
    flows: this.#cell((states, age) =>
      states.flatMap(({ wallets }) => wallets.map((row) => walletOf(row, age))),
    ),
    all: this.#supply(null),
    USDC: this.#supply('USDC'),
    USDT: this.#supply('USDT'),
  };

  accept(chain: string, state: ChainState, now: number): void {
    this.#now = Math.max(now, this.#now);
    this.#states.set(chain, state);
    this.#change();
  }

  /** Marks rows that have become stale. Call it about every second. */
  expire(now: number): void {
    this.#now = now;
    const stale = [...this.#states.values()].flatMap(timesOf).filter(this.#isStale).join();
    if (stale === this.#stale) return;
    this.#stale = stale;
    this.#change();
  }

  gas() {
    return this.#cells.gas.read();
  }

  blocks() {
    return this.#cells.blocks.read();
  }

  flows() {
    return this.#cells.flows.read();
  }

  supply(token: SupplyToken) {
    return this.#cells[token ?? 'all'].read();
  }

  /** Calls `listener` after every change of an answer. Null when there are too many listeners. */
  subscribe(name: 'gas' | 'blocks' | 'flows' | 'all' | Stablecoin, listener: () => void) {
    return this.#cells[name].subscribe(listener);
  }

  #change(): void {
    for (const cell of Object.values(this.#cells)) cell.change();
  }

  readonly #isStale = (updated: number): boolean => this.#now - updated > topics.chains.maxAge;

  readonly #age: Age = (updated) => ({
    updated_at: seconds(updated),
    ...(this.#isStale(updated) && { stale: true }),
  });

  #supply(token: SupplyToken) {
    return this.#cell((states, age) =>
      states
        .flatMap(({ supplies }) => supplies)
        .filter((row) => token === null || row.token === token)
        .map((row) => supplyOf(row, age)),
    );
  }

  /** The answer is null while there is no row. */
  #cell<T>(rowsOf: (states: readonly ChainState[], age: Age) => readonly T[]) {
    return new Cell<readonly T[]>(() => {
      const states = chainIds.flatMap((id) => this.#states.get(id) ?? []);
      const rows = rowsOf(states, this.#age);
      const asOf = Math.max(0, ...states.flatMap(timesOf));
      return rows.length === 0 ? null : jsonText(rows, asOf);
    });
  }
}

/** The times of all rows of a chain. */
const timesOf = ({ chain, supplies, wallets }: ChainState): number[] =>
  [chain, ...supplies, ...wallets].map((row) => row.updated_at);
