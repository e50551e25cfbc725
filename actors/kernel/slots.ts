/** A number of places, of which no holder takes more than it leaves free: one alone gets half, two a third each. */
export class Slots {
  readonly #max: number;
  readonly #held = new Map<string, number>();
  #taken = 0;

  /** `max`: all places. */
  constructor(max: number) {
    this.#max = max;
  }

  /** Whether the holder has fewer places than are free. */
  mayEnter(holder: string): boolean {
    return (this.#held.get(holder) ?? 0) < this.#max - this.#taken;
  }

  /** False when the holder has as many places as are free; each success needs its `leave`. */
  enter(holder: string): boolean {
    if (!this.mayEnter(holder)) return false;
    this.take(holder);
    return true;
  }

  /** Takes a place whatever the holder has: one that `mayEnter` has found, or that another leaves. */
  take(holder: string): void {
    this.#held.set(holder, (this.#held.get(holder) ?? 0) + 1);
    this.#taken += 1;
  }

  /** How many of all places a holder has, in words. */
  heldBy(holder: string, what: string): string {
    const held = this.#held.get(holder) ?? 0;
    const free = this.#max - this.#taken;
    return `the account has ${held} of ${this.#max} places for ${what}, ${free} are free, and none may have more than are free`;
  }

  leave(holder: string): void {
    const held = this.#held.get(holder) ?? 0;
    if (held === 0) return;
    if (held > 1) this.#held.set(holder, held - 1);
    else this.#held.delete(holder);
    this.#taken -= 1;
  }
}
