/** Bytes of answers that clients have not read yet. */

/** Bounds, bytes: of all clients of a process, and of one address among them. */
export interface UnsentBounds {
  most: number;
  ofAddress: number;
}

/**
 * Counts what waits for slow readers and belongs to one answer alone; bytes that many answers share cost nothing more. A client
 * that does not read is disconnected by uWebSockets.js after 10 to 12 s; until then its answers count.
 */
export class Unsent {
  readonly #bounds: UnsentBounds;
  readonly #ofAddress = new Map<string, number>();
  #all = 0;

  constructor(bounds: UnsentBounds) {
    this.#bounds = bounds;
  }

  /** All bytes that wait. */
  get bytes(): number {
    return this.#all;
  }

  /** Counts an answer that waits for an address; what ends the count, to be called once. Null where it is too much. */
  hold(address: string, bytes: number): (() => void) | null {
    const own = (this.#ofAddress.get(address) ?? 0) + bytes;
    if (this.#all + bytes > this.#bounds.most || own > this.#bounds.ofAddress) return null;
    this.#all += bytes;
    this.#ofAddress.set(address, own);
    return () => {
      this.#all -= bytes;
      const left = (this.#ofAddress.get(address) ?? 0) - bytes;
      if (left > 0) this.#ofAddress.set(address, left);
      else this.#ofAddress.delete(address);
    };
  }
}
