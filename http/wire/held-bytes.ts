/** Bytes in memory for clients: answers that they have not read yet, bodies that they are sending. */

/** Bounds, bytes: of all clients of a process, and of one among them. */
export interface HeldBounds {
  most: number;
  ofClient: number;
}

/** Counts them. Of answers only what belongs to one alone: bytes that many share cost nothing more. */
export class HeldBytes {
  readonly #bounds: HeldBounds;
  readonly #ofClient = new Map<string, number>();
  #all = 0;

  constructor(bounds: HeldBounds) {
    this.#bounds = bounds;
  }

  /** All bytes that are held. */
  get bytes(): number {
    return this.#all;
  }

  /** Counts bytes for a client until as many are released; false where they are too many. */
  hold(client: string, bytes: number): boolean {
    const own = (this.#ofClient.get(client) ?? 0) + bytes;
    if (this.#all + bytes > this.#bounds.most || own > this.#bounds.ofClient) return false;
    this.#all += bytes;
    this.#ofClient.set(client, own);
    return true;
  }

  release(client: string, bytes: number): void {
    this.#all -= bytes;
    const left = (this.#ofClient.get(client) ?? 0) - bytes;
    if (left > 0) this.#ofClient.set(client, left);
    else this.#ofClient.delete(client);
  }
}
