/** Digits of a Unix time in milliseconds, until the year 2286. */
export const stampLength = 13;

/** Ready bytes of a body with the place in them where the response time goes. */
export class Stamped {
  readonly #bytes: Buffer;
  readonly #place: number;
  readonly #seal: (() => void) | null;
  #stamped = 0;

  /** The time is written at `place`; `seal` then sets right what depends on it, such as a checksum. */
  constructor(bytes: Buffer, place: number, seal: (() => void) | null = null) {
    this.#bytes = bytes;
    this.#place = place;
    this.#seal = seal;
  }

  /** Whether another time changes more of the bytes than its own place. */
  get sealed(): boolean {
    return this.#seal !== null;
  }

  get length(): number {
    return this.#bytes.length;
  }

  /** The body with `now` (Unix ms) as its timestamp. The buffer is reused: send or copy it before the next call. */
  at(now: number): Buffer {
    if (now !== this.#stamped) {
      this.#bytes.write(String(now), this.#place, stampLength, 'latin1');
      this.#seal?.();
      this.#stamped = now;
    }
    return this.#bytes;
  }
}
