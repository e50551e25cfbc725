/** Answers kept for a while, by wallet. */
import type { Clock } from '../kernel/clock.ts';
import type { WalletReply } from './types.ts';

/** What an answer costs besides its tokens, and what all may cost: 2,000 small wallets, 95 of a thousand tokens. */
const ownWeight = 50;
const mostWeight = 100_000;

interface Entry {
  reply: WalletReply;
  until: number;
  weight: number;
}

/** Bounded by the tokens in it; the oldest answers go first. */
export class ReplyCache {
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();
  #weight = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Answers in memory, those included whose time is over. */
  get size(): number {
    return this.#entries.size;
  }

  /** The answer, or null where there is none any more. */
  get(key: string): WalletReply | null {
    const entry = this.#entries.get(key);
    if (entry === undefined) return null;
    if (this.#clock.now() < entry.until) return entry.reply;
    this.#drop(key, entry);
    return null;
  }

  /** Keeps an answer for `life` ms. */
  set(key: string, reply: WalletReply, life: number): void {
    const before = this.#entries.get(key);
    if (before) this.#drop(key, before);
    const weight = ownWeight + reply.portfolio.tokens.length;
    this.#entries.set(key, { reply, weight, until: this.#clock.now() + life });
    this.#weight += weight;
    for (const [oldest, entry] of this.#entries) {
      if (this.#weight <= mostWeight && this.#clock.now() < entry.until) break;
      this.#drop(oldest, entry);
    }
  }

  #drop(key: string, { weight }: Entry): void {
    this.#entries.delete(key);
    this.#weight -= weight;
  }
}
