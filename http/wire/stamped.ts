import { rewriteDigits } from './digits.ts';
import type { HeadBlock } from './head-block.ts';

/** Digits of a Unix time in milliseconds, until the year 2286. */
export const stampLength = 13;

/** The parts of one form of a body. */
interface Parts {
  bytes: Buffer;
  head: HeadBlock;
  /** Offset of the response time; null where there is none. */
  place: number | null;
  /** Updates bytes that depend on it, such as a checksum. */
  seal?: (() => void) | null;
}

/** Ready bytes of a body in one coding, with its header lines. */
export class Stamped {
  readonly head: HeadBlock;
  readonly #bytes: Buffer;
  readonly #place: number | null;
  readonly #seal: (() => void) | null;
  /** The time in the bytes; 0 before the first, when any digits stand there. */
  #stamped = 0;

  constructor({ bytes, head, place, seal = null }: Parts) {
    this.head = head;
    this.#bytes = bytes;
    this.#place = place;
    this.#seal = seal;
  }

  /** Whether another time changes further bytes. */
  get sealed(): boolean {
    return this.#seal !== null;
  }

  /** Whether it has had a time: it has been sent, unless its body has none. */
  get wasStamped(): boolean {
    return this.#stamped !== 0;
  }

  get length(): number {
    return this.#bytes.length;
  }

  /** The body with `now` (Unix ms) as its timestamp. The buffer is reused: send or copy it before the next call. */
  at(now: number): Buffer {
    if (now !== this.#stamped && this.#place !== null) {
      const last = this.#place + stampLength - 1;
      rewriteDigits(this.#bytes, last, { before: this.#stamped, now });
      this.#seal?.();
      this.#stamped = now;
    }
    return this.#bytes;
  }
}
