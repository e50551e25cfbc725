/** Counts the requests that wait for their answer, by client address and by account. */
export class InFlightCounts {
  readonly #counts = new Map<string, number>();

  /** False when `most` of this name wait already. Call `leave` once after every success. */
  enter(name: string, most: number): boolean {
    const count = this.#counts.get(name) ?? 0;
    if (count >= most) return false;
    this.#counts.set(name, count + 1);
    return true;
  }

  leave(name: string): void {
    const count = this.#counts.get(name) ?? 0;
    if (count > 1) this.#counts.set(name, count - 1);
    else this.#counts.delete(name);
  }
}
