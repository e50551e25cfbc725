/** What is held for clients: bytes of answers that they have not read yet and of bodies that they are sending, open look-ups. */

/** Bounds: of all clients of a process, and of one among them. */
export interface HeldBounds {
  most: number;
  ofClient: number;
}

/** Counts it. Of answers only what belongs to one alone: bytes that many share cost nothing more. */
export class Held {
  readonly #bounds: HeldBounds;
  readonly #ofClient = new Map<string, number>();
  #all = 0;

  constructor(bounds: HeldBounds) {
    this.#bounds = bounds;
  }

  /** All that is held. */
  get all(): number {
    return this.#all;
  }

  /** Counts so much for a client until as much is released; false where it is too much. */
  hold(client: string, more: number): boolean {
    const own = (this.#ofClient.get(client) ?? 0) + more;
    if (this.#all + more > this.#bounds.most || own > this.#bounds.ofClient) return false;
    this.#all += more;
    this.#ofClient.set(client, own);
    return true;
  }

  release(client: string, less: number): void {
    this.#all -= less;
    const left = (this.#ofClient.get(client) ?? 0) - less;
    if (left > 0) this.#ofClient.set(client, left);
    else this.#ofClient.delete(client);
  }
}
