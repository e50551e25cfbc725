/** One bound for all received bytes that are not parsed yet, over all sources of a process. */

/** The part of the budget that one body uses. */
export interface Share {
  /** Takes `bytes` more. False when this share is the largest and there is no room: it then holds nothing any more. */
  take(bytes: number): boolean;
  /** Gives everything back; a share that was cut holds nothing already. */
  end(): void;
}

class Held implements Share {
  bytes = 0;
  readonly onCut: () => void;
  readonly #budget: ByteBudget;

  constructor(budget: ByteBudget, onCut: () => void) {
    this.#budget = budget;
    this.onCut = onCut;
  }

  take(bytes: number): boolean {
    return this.#budget.grow(this, bytes);
  }

  end(): void {
    this.#budget.shrink(this, this.bytes);
  }
}

/**
 * Holds at most `maxBytes` bytes. Where there is no room the largest share is cut, so that a hostile upstream loses its
 * own body and the others keep theirs: nothing waits, and nothing can wait for each other.
 */
export class ByteBudget {
  maxBytes: number;
  readonly #shares = new Set<Held>();
  #used = 0;
  #cuts = 0;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  /** Bytes held. */
  get used(): number {
    return this.#used;
  }

  /** Shares that were cut since the start. */
  get cuts(): number {
    return this.#cuts;
  }

  /** `onCut` is called when the share is taken away for others; not when its own `take` returns false. */
  open(onCut: () => void): Share {
    return new Held(this, onCut);
  }

  grow(share: Held, bytes: number): boolean {
    share.bytes += bytes;
    this.#used += bytes;
    this.#shares.add(share);
    while (this.#used > this.maxBytes) {
      const largest = [...this.#shares].reduce((a, b) => (b.bytes > a.bytes ? b : a), share);
      this.shrink(largest, largest.bytes);
      this.#cuts++;
      if (largest === share) return false;
      largest.onCut();
    }
    return true;
  }

  shrink(share: Held, bytes: number): void {
    share.bytes -= bytes;
    this.#used -= bytes;
    if (share.bytes === 0) this.#shares.delete(share);
  }
}

/** The budget of this process; `UPSTREAM_BODY_MIB` sets its size. */
export const processBodies = new ByteBudget(64 * 2 ** 20);
