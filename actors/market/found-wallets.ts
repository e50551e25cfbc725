/** Wallets by what speaks for their size, so that those which matter now are looked at. Pure. */
import type { FoundWallet } from '../venues/hyperliquid/wallets.ts';

/** US dollars: what the leaderboard states of an account, and what was seen of it: its positions, or its largest trade. */
interface Found {
  stated: number;
  seen: number;
  dexes: Set<string>;
}

/** A wallet with the dexes on which it was seen; that of the exchange itself is ''. */
export interface RankedWallet extends FoundWallet {
  dexes: readonly string[];
}

const worthOf = ({ stated, seen }: Found): number => Math.max(stated, seen);

/** Up to `most` wallets, those of the largest worth. */
export class FoundWallets {
  readonly #most: number;
  readonly #all = new Map<string, Found>();

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#all.size;
  }

  /** Takes the traders of a market of a dex. */
  traded(wallets: readonly FoundWallet[], dex: string): void {
    for (const { address, worth } of wallets) {
      const known = this.#of(address);
      known.seen = Math.max(known.seen, worth);
      known.dexes.add(dex);
    }
    this.#cut();
  }

  /** Takes the whole leaderboard in place of the one before. */
  leads(wallets: readonly FoundWallet[]): void {
    for (const one of this.#all.values()) one.stated = 0;
    for (const { address, worth } of wallets) this.#of(address).stated = worth;
    this.#cut();
  }

  /** The value of all positions of a wallet, which counts in place of all that was seen before. */
  holds(address: string, worth: number): void {
    const known = this.#all.get(address);
    if (known) known.seen = worth;
  }

  /** What was seen counts half from now on, until it is seen again. */
  fade(): void {
    for (const one of this.#all.values()) one.seen /= 2;
  }

  /** Takes what another process had found. */
  adopt(wallets: readonly RankedWallet[]): void {
    for (const { address, worth, dexes } of wallets) {
      const known = this.#of(address);
      known.seen = Math.max(known.seen, worth);
      for (const dex of dexes) known.dexes.add(dex);
    }
    this.#cut();
  }

  /** The `count` largest. */
  largest(count: number): RankedWallet[] {
    return [...this.#all]
      .sort(([, a], [, b]) => worthOf(b) - worthOf(a))
      .slice(0, count)
      .map(([address, one]) => ({ address, worth: worthOf(one), dexes: [...one.dexes] }));
  }

  #of(address: string): Found {
    const known = this.#all.get(address);
    if (known) return known;
    const made: Found = { stated: 0, seen: 0, dexes: new Set(['']) };
    this.#all.set(address, made);
    return made;
  }

  #cut(): void {
    if (this.#all.size <= this.#most) return;
    const kept = new Set(this.largest(this.#most).map(({ address }) => address));
    for (const address of this.#all.keys()) if (!kept.has(address)) this.#all.delete(address);
  }
}
