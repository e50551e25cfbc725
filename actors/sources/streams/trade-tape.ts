/** The newest public trades that this process hears, by market: they are numbered, so that a reader goes on where it was. */
import type { Trade } from '../../../indicators/derivatives/trade-fold.ts';
import type { PublicTrade } from '../../topics/index.ts';

/** Entries of a market that are kept: most trades of an answer twice. */
const most = 2_000;

/** What stands at a place: a hole, or a trade by its taker. */
const kinds = { hole: 0, bought: 1, sold: 2 } as const;

/** Entries by their numbers, in columns: an object and its numbers would take five times the memory of each trade. */
class Ring {
  readonly #kinds = new Uint8Array(most);
  readonly #times = new Float64Array(most);
  readonly #prices = new Float64Array(most);
  readonly #quantities = new Float64Array(most);
  /** NaN without a number. */
  readonly #ids = new Float64Array(most);
  /** Ids that are no numbers; null where all are. */
  #names: (string | undefined)[] | null = null;

  set(number: number, trade: Trade | null): void {
    const at = number % most;
    this.#kinds[at] = trade === null ? kinds.hole : trade.bought ? kinds.bought : kinds.sold;
    if (trade === null) return;
    this.#times[at] = trade.timestamp;
    this.#prices[at] = trade.price;
    this.#quantities[at] = trade.quantity;
    this.#ids[at] = trade.id ?? Number.NaN;
    if (trade.name !== undefined) this.#names ??= [];
    if (this.#names !== null) this.#names[at] = trade.name;
  }

  /** As clients see it; null for a hole. */
  get(number: number): PublicTrade | null {
    const at = number % most;
    if (this.#kinds[at] === kinds.hole) return null;
    const id = this.#ids[at] ?? Number.NaN;
    return {
      id: this.#names?.[at] ?? (Number.isNaN(id) ? null : String(id)),
      timestamp: this.#times[at] ?? 0,
      price: this.#prices[at] ?? 0,
      quantity: this.#quantities[at] ?? 0,
      bought: this.#kinds[at] === kinds.bought,
    };
  }
}

/** The tape of one market. An entry is a trade, or null for a hole: before the next trade others may be missing. */
export class TradeTape {
  /** Tells it from those of other processes and earlier runs, Unix ms. */
  readonly began: number;
  readonly #entries = new Ring();
  /** Number of the next entry; the first one is 1. */
  #next = 1;
  /** Number of the first entry after the last hole. */
  #whole = 1;
  /** Whether the next trade surely follows the last one. */
  #isSure = false;
  #received = 0;
  /** Of those who wait for the next entry; null while nobody does. */
  #waiting: PromiseWithResolvers<void> | null = null;

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
    if (number < this.#next) return Promise.resolve();
    this.#waiting ??= Promise.withResolvers();
    return this.#waiting.promise;
  }

  /** The entries from a number on, as far as they are kept, and the number of the first of them. */
  after(number: number): { first: number; entries: (PublicTrade | null)[] } {
    const first = Math.max(number, this.#first);
    const entries: (PublicTrade | null)[] = [];
    for (let at = first; at < this.#next; at++) {
      entries.push(this.#entries.get(at));
    }
    return { first, entries };
  }

  get #first(): number {
    return Math.max(1, this.#next - most);
  }

  #push(entry: Trade | null): void {
    this.#entries.set(this.#next, entry);
    this.#next += 1;
    this.#waiting?.resolve();
    this.#waiting = null;
  }
}

/** What the streams of a process keep of single markets, such as order books and trades, where its queries find it. */
export class KeptMarkets<Kept> {
  /** By `source/part/market`. */
  readonly #kept = new Map<string, Kept>();

  /** Offers what is kept of a market. */
  put(source: string, part: string, market: string, kept: Kept): void {
    this.#kept.set(`${source}/${part}/${market}`, kept);
  }

  /** Withdraws it, unless another one has replaced it. */
  remove(source: string, part: string, market: string, kept: Kept): void {
    if (this.find(source, part, market) === kept) this.#kept.delete(`${source}/${part}/${market}`);
  }

  find(source: string, part: string, market: string): Kept | undefined {
    return this.#kept.get(`${source}/${part}/${market}`);
  }

  /** The markets of a source of which something is kept, as `part/market`. */
  markets(source: string): string[] {
    const keys = [...this.#kept.keys()].filter((key) => key.startsWith(`${source}/`));
    return keys.map((key) => key.slice(source.length + 1));
  }
}

/** The tapes of all markets that this process hears. */
export class LiveTrades extends KeptMarkets<TradeTape> {}
