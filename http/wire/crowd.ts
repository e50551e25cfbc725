/** How many requests of each client address wait for their answer. */
export class Crowd {
  readonly #most: number;
  readonly #counts = new Map<string, number>();

  /** `most` of one address may wait at once. */
  constructor(most: number) {
    this.#most = most;
  }

  /** False when there are too many already; each success wants its `leave`. */
  enter(address: string): boolean {
    const count = this.#counts.get(address) ?? 0;
    if (count >= this.#most) return false;
    this.#counts.set(address, count + 1);
    return true;
  }

  leave(address: string): void {
    const count = this.#counts.get(address) ?? 0;
    if (count > 1) this.#counts.set(address, count - 1);
    else this.#counts.delete(address);
  }
}
