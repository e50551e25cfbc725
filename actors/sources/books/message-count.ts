/** The numbers of the messages of one connection, where an exchange counts all of them together. Pure. */

/** Numbers that are missing at most until their answers come. */
const mostMissing = 100;

/** A number that came: that of the message is `repeated`; a `gap` is before it, or it begins again from below. */
type Counted = 'next' | 'repeated' | 'gap';

export class MessageCount {
  readonly #answersWithin: number | undefined;
  #last: number | null = null;
  /** Since when each number is missing that may come yet, Unix ms; the oldest first. */
  readonly #missing = new Map<number, number>();

  /** `answersWithin`: as that of a stream of books. */
  constructor(answersWithin: number | undefined) {
    this.#answersWithin = answersWithin;
  }

  /** Whether a message is missing that may come yet. */
  get isInDoubt(): boolean {
    return this.#missing.size > 0;
  }

  /** Whether one has not come in time. */
  isLost(now: number): boolean {
    const [since = now] = this.#missing.values();
    return now - since >= (this.#answersWithin ?? Infinity);
  }

  /** Nothing follows from the numbers before. */
  forget(): void {
    this.#missing.clear();
  }

  /** Takes the number of a message; `isAnswer`: it may have the number of the time of its question. */
  take(count: number, isAnswer: boolean, now: number): Counted {
    const last = this.#last ?? count - 1;
    const isPatient = this.#answersWithin !== undefined;
    if (count === last) return 'repeated';
    if (count < last && isAnswer && isPatient) {
      this.#missing.delete(count);
      return 'next';
    }
    this.#last = count;
    const isHole = count > last + 1 && isPatient && count - last <= mostMissing;
    for (let at = last + 1; isHole && at < count; at++) this.#missing.set(at, now);
    return isHole || count === last + 1 ? 'next' : 'gap';
  }
}
