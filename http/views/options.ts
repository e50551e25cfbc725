/** Option chains of all exchanges by asset. */
import { type OptionRow, type Reading, topics } from '../../actors/topics/index.ts';
import type { ListedOption } from '../../indicators/options/chain.ts';
import { type ApiError, apiError } from '../wire/errors.ts';
import { View } from './view.ts';

/** A chain that is older is left out while a younger one can answer, ms: three polls. */
const fresh = 180_000;

/** The last reading of one list of an exchange. */
interface Chain {
  exchange: string;
  list: string;
  received: number;
  bySymbol: ReadonlyMap<string, readonly ListedOption[]>;
}

/** The lists of the exchanges with options, by exchange. */
export type OptionLists = ReadonlyMap<string, readonly string[]>;

/** Which options are wanted. */
export interface OptionsQuery {
  /** All assets when absent. */
  symbol?: string | undefined;
  /** All exchanges when absent. */
  exchange?: string | undefined;
}

/** Options that have not expired, of one asset or of all. */
export interface FoundOptions {
  rows: readonly ListedOption[];
  /** Exchanges with options on the asset, also where only one was asked for. */
  exchanges: string[];
  /** Exchanges of which a list with the asset is missing or too old. */
  failed: string[];
  /** When the newest list was received, Unix ms. */
  received: number;
  /** Every list is too old: these are the last ones. */
  stale: boolean;
}

const idsOf = (chains: readonly Chain[]): string[] =>
  [...new Set(chains.map(({ exchange }) => exchange))].sort();

/** The error while there is no chain that can be used. */
export const notReceived = apiError('upstream_failed', 'no option chain has been received yet');

/**
 * Its answers change with each reading, and when a list has become too old or an option has expired.
 */
export class OptionsView extends View {
  readonly #lists: OptionLists;
  readonly #chains = new Map<string, Chain>();
  #newest = 0;

  /** `lists` are those that there should be: one that is missing is named in the answers. */
  constructor(lists: OptionLists) {
    super(() => (this.#newest > 0 ? this.#newest : null));
    this.#lists = lists;
  }

  /** Takes a reading; one older than the current one of its list is ignored. `now` is Unix ms. */
  accept({ source: exchange, part: list, received, rows }: Reading<OptionRow>, now: number): void {
    this.expire(now);
    const key = `${exchange}/${list}`;
    if ((this.#chains.get(key)?.received ?? 0) > received) return;
    const listed = rows.map((row): ListedOption => ({ ...row, exchange }));
    const bySymbol = Map.groupBy(listed, ({ symbol }) => symbol);
    this.#chains.set(key, { exchange, list, received, bySymbol });
    this.#newest = Math.max(this.#newest, received);
    this.source.change();
  }

  /** Whether an exchange lists options on an asset. */
  has(symbol: string): boolean {
    return [...this.#chains.values()].some(({ bySymbol }) => bySymbol.has(symbol));
  }

  /** The options that are wanted, or why there are none: 502 without any young enough, 404 for an unknown asset. */
  find({ symbol, exchange }: OptionsQuery): FoundOptions | ApiError {
    const isWanted = (id: string) => exchange === undefined || id === exchange;
    const all = [...this.#chains.values()].filter(
      ({ bySymbol }) => symbol === undefined || bySymbol.has(symbol),
    );
    const own = all.filter((chain) => isWanted(chain.exchange));
    const missing = this.#missing(symbol).filter(isWanted);
    if (own.length === 0 && missing.length === 0) return this.#unknown({ symbol, exchange });
    const { used, stale } = this.#usable(own);
    const rows = used
      .flatMap(({ bySymbol }) =>
        symbol === undefined ? [...bySymbol.values()] : [bySymbol.get(symbol) ?? []],
      )
      .flat()
      .filter(({ expiry }) => expiry > this.source.now);
    for (const { expiry } of rows) this.source.holdsUntil(expiry - 1);
    if (rows.length === 0) return notReceived;
    const failed = own.filter((chain) => stale || !used.includes(chain));
    return {
      rows,
      exchanges: idsOf([...used, ...this.#usable(all).used]),
      failed: [...new Set([...missing, ...idsOf(failed)])].sort(),
      received: Math.max(...used.map(({ received }) => received)),
      stale,
    };
  }

  /** The chains that are young enough, or, where there are none, the old ones that can still be shown. */
  #usable(chains: readonly Chain[]): { used: readonly Chain[]; stale: boolean } {
    const youngerThan = (age: number) => {
      const found = chains.filter(({ received }) => this.source.now - received <= age);
      for (const { received } of found) this.source.holdsUntil(received + age);
      return found;
    };
    const young = youngerThan(fresh);
    return young.length > 0
      ? { used: young, stale: false }
      : { used: youngerThan(topics.options.maxAge), stale: true };
  }

  #unknown({ symbol, exchange }: OptionsQuery): ApiError {
    if (this.#chains.size === 0) return notReceived;
    const where = exchange === undefined ? 'no exchange has' : `${exchange} has no`;
    return apiError('unknown_symbol', `unknown symbol '${symbol}': ${where} options on it`);
  }

  /** Exchanges of which a list that is named after the asset, or any list at all, was never received. */
  #missing(symbol: string | undefined): string[] {
    return [...this.#lists].flatMap(([exchange, lists]) => {
      const missing = lists.filter((list) => !this.#chains.has(`${exchange}/${list}`));
      const concerns = symbol === undefined ? missing.length > 0 : missing.includes(symbol);
      return concerns ? [exchange] : [];
    });
  }
}
