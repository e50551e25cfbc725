/** Digits of a Unix time in milliseconds, until the year 2286. */
export const stampLength = 13;

/** Ready bytes of a body with the offset of the response time in them. */
export class Stamped {
  readonly #bytes: Buffer;
  readonly #place: number | null;
  readonly #seal: (() => void) | null;
  #stamped = 0;

  /** Writes the time at `place`, nowhere where that is null; `seal` then updates bytes that depend on it, such as a checksum. */
  constructor(bytes: Buffer, place: number | null, seal: (() => void) | null = null) {
    this.#bytes = bytes;
    this.#place = place;
    this.#seal = seal;
  }

  /** Whether another time changes further bytes. */
  get sealed(): boolean {
    return this.#seal !== null;
  }

  get length(): number {
    return this.#bytes.length;
  }

  /** The body with `now` (Unix ms) as its timestamp. The buffer is reused: send or copy it before the next call. */
  at(now: number): Buffer {
    if (now !== this.#stamped && this.#place !== null) {
      this.#bytes.write(String(now), this.#place, stampLength, 'latin1');
      this.#seal?.();
      this.#stamped = now;
    }
    return this.#bytes;
  }
}
