/** Counts the requests that wait for their answer, and streams, by client address and by account. */
export class InFlightCounts {
  readonly #counts = new Map<string, number>();

  /** False when `most` of this name are there already. Call `leave` once after every success, with the same weight. */
  enter(name: string, max: number, weight = 1): boolean {
    const count = this.#counts.get(name) ?? 0;
    if (count + weight > max) return false;
    this.#counts.set(name, count + weight);
    return true;
  }

  leave(name: string, weight = 1): void {
    const count = this.#counts.get(name) ?? 0;
    if (count > weight) this.#counts.set(name, count - weight);
    else this.#counts.delete(name);
  }
}
