/** A bounded first-in, first-out queue: a ring, so that both ends cost O(1). Refuses when full. */
export class Mailbox<T> {
  readonly limit: number;
  readonly #slots: (T | undefined)[] = [];
  #head = 0;
  #length = 0;
  #refused = 0;

  /** Throws RangeError when `limit` is not a whole number of at least 1. */
  constructor(limit: number) {
    if (!Number.isSafeInteger(limit) || limit < 1) {
      throw new RangeError(`mailbox: limit must be a whole number of at least 1, not ${limit}`);
    }
    this.limit = limit;
  }

  get length(): number {
    return this.#length;
  }

  /** Items refused since the beginning. */
  get refused(): number {
    return this.#refused;
  }

  /** False, and counted, when the mailbox is full. */
  push(item: T): boolean {
    if (this.#length === this.limit) {
      this.#refused++;
      return false;
    }
    this.#slots[(this.#head + this.#length) % this.limit] = item;
    this.#length++;
    return true;
  }

  /** The oldest item, or undefined when there is none. */
  shift(): T | undefined {
    if (this.#length === 0) return undefined;
    const item = this.#slots[this.#head];
    this.#slots[this.#head] = undefined;
    this.#head = (this.#head + 1) % this.limit;
    this.#length--;
    return item;
  }

  clear(): void {
    while (this.#length > 0) this.shift();
  }
}
