import {
  type ChainRow,
  type ChainState,
  type SupplyRow,
  topics,
  type WalletRow,
} from '../../actors/topics/index.ts';
import { chainIds } from '../../config/chains.ts';
import type { Stablecoin } from '../../config/tokens.ts';
import { jsonText } from '../answers/json.ts';
import { Source, withoutQuery } from '../answers/source.ts';

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
  readonly #source = new Source();
  readonly gas = this.#rows((states, age) =>
    states.flatMap(({ chain: { chain, gas_gwei, block, updated_at } }) =>
      gas_gwei === null ? [] : [{ chain, gas_gwei, block, ...age(updated_at) }],
    ),
  );
  readonly blocks = this.#rows((states, age) => states.map(({ chain }) => blockOf(chain, age)));
  readonly flows = this.#rows((states, age) =>
    states.flatMap(({ wallets }) => wallets.map((row) => walletOf(row, age))),
  );
  /** The answer by `?token=`; null for all tokens. */
  readonly supply = this.#answers<SupplyToken, ReturnType<typeof supplyOf>>(
    (token) => token ?? '',
    (states, age, token) =>
      states
        .flatMap(({ supplies }) => supplies)
        .filter((row) => token === null || row.token === token)
        .map((row) => supplyOf(row, age)),
  );

  accept(chain: string, state: ChainState, now: number): void {
    this.#now = Math.max(now, this.#now);
    this.#states.set(chain, state);
    this.#source.change();
  }

  /** Marks rows that have become stale. Call it about every second. */
  expire(now: number): void {
    this.#now = now;
    const stale = [...this.#states.values()].flatMap(timesOf).filter(this.#isStale).join();
    if (stale === this.#stale) return;
    this.#stale = stale;
    this.#source.change();
  }

  readonly #isStale = (updated: number): boolean => this.#now - updated > topics.chains.maxAge;

  readonly #age: Age = (updated) => ({
    updated_at: seconds(updated),
    ...(this.#isStale(updated) && { stale: true }),
  });

  #rows<T>(rowsOf: (states: readonly ChainState[], age: Age) => readonly T[]) {
    return withoutQuery(this.#answers<unknown, T>(() => '', rowsOf));
  }

  /** The answer is null while there is no row. */
  #answers<Q, T>(
    variantOf: (query: Q) => string,
    rowsOf: (states: readonly ChainState[], age: Age, query: Q) => readonly T[],
  ) {
    return this.#source.answers<Q, readonly T[]>({
      variantOf,
      build: (query) => {
        const states = chainIds.flatMap((id) => this.#states.get(id) ?? []);
        const rows = rowsOf(states, this.#age, query);
        const asOf = Math.max(0, ...states.flatMap(timesOf));
        return rows.length === 0 ? null : jsonText(rows, asOf);
      },
    });
  }
}

/** The times of all rows of a chain. */
const timesOf = ({ chain, supplies, wallets }: ChainState): number[] =>
  [chain, ...supplies, ...wallets].map((row) => row.updated_at);
