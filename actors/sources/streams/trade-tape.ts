/** The newest public trades that this process hears, by market: they are numbered, so that a reader goes on where it was. */
import type { Trade } from '../../../indicators/derivatives/trade-fold.ts';
import type { PublicTrade } from '../../topics/index.ts';
import { Offers } from './offers.ts';

/** Entries of a market that are kept: most trades of an answer twice. */
const most = 2_000;

/** As clients see it. */
const publicTrade = ({ id, name, timestamp, price, quantity, bought }: Trade): PublicTrade => ({
  id: name ?? (id === null ? null : String(id)),
  ...{ timestamp, price, quantity, bought },
});

/** The tape of one market. An entry is a trade, or null for a hole: before the next trade others may be missing. */
export class TradeTape {
  /** Tells it from those of other processes and earlier runs, Unix ms. */
  readonly began: number;
  readonly #entries: (Trade | null)[] = [];
  /** Number of the next entry; the first one is 1. */
  #next = 1;
  /** Number of the first entry after the last hole. */
  #whole = 1;
  /** Whether the next trade surely follows the last one. */
  #isSure = false;
  #received = 0;
  #waiting = Promise.withResolvers<void>();

  constructor(began: number) {
    this.began = began;
  }

  /** When its newest trade was received, Unix ms; 0 before the first. */
  get received(): number {
    return this.#received;
  }

  /** `follows`: no trade between the last one and this one is missing. `received`: Unix ms. */
  add(trade: Trade, { follows, received }: { follows: boolean; received: number }): void {
    if (!follows && this.#next > 1) {
      this.#push(null);
      this.#whole = this.#next;
    }
    this.#push(trade);
    this.#isSure = true;
    this.#received = received;
  }

  /** It is not known whether there are trades that were not heard. */
  lost(): void {
    this.#isSure = false;
  }

  /** The newest trades, newest first; null where the tape does not have so many in a row, or may lack newer ones. */
  newest(count: number): PublicTrade[] | null {
    const first = this.#next - count;
    if (!this.#isSure || first < Math.max(this.#whole, this.#first)) return null;
    return this.after(first)
      .entries.flatMap((trade) => trade ?? [])
      .reverse();
  }

  /** Resolves with the next entry; at once where there is one of this number. */
  more(number: number): Promise<void> {
    return number < this.#next ? Promise.resolve() : this.#waiting.promise;
  }

  /** The entries from a number on, as far as they are kept, and the number of the first of them. */
  after(number: number): { first: number; entries: (PublicTrade | null)[] } {
    const first = Math.max(number, this.#first);
    const entries: (PublicTrade | null)[] = [];
    for (let at = first; at < this.#next; at++) {
      const trade = this.#entries[at % most];
      entries.push(trade ? publicTrade(trade) : null);
    }
    return { first, entries };
  }

  get #first(): number {
    return Math.max(1, this.#next - most);
  }

  #push(entry: Trade | null): void {
    this.#entries[this.#next % most] = entry;
    this.#next += 1;
    this.#waiting.resolve();
    this.#waiting = Promise.withResolvers();
  }
}

/** The tapes of all markets that this process hears. */
export class LiveTrades extends Offers<TradeTape> {}
