const encoder = new TextEncoder();

/**
 * The header lines of one form of an answer. They are kept as bytes for the second in which their age holds: uWebSockets.js
 * copies bytes, and encodes a text at every call.
 */
export class HeadBlock {
  readonly #lines: string;
  readonly #asOf: number | null;
  #type = '';
  #vary = '';
  /** When the bytes hold, Unix ms. */
  #from = 0;
  #to = 0;
  #bytes: ArrayBuffer | null = null;

  /**
   * `lines`: those of the body and its coding, each behind a line break. `asOf`: when the newest reading in the answer was
   * received, Unix ms; null where it holds none.
   */
  constructor(lines: string, asOf: number | null) {
    this.#lines = lines;
    this.#asOf = asOf;
  }

  /** The lines at `now`, Unix ms, behind those of the media type; `Age` (RFC 9111, 5.1) is in whole seconds. */
  text(now: number, type: string, vary: string): string {
    const age = this.#asOf === null ? '' : `\r\nage: ${ageOf(this.#asOf, now)}`;
    return type + vary + this.#lines + age;
  }

  /** The same, as bytes from its second use in a second on: to make them costs more than to send a text once. */
  ready(now: number, type: string, vary: string): ArrayBuffer | string {
    const holds = now >= this.#from && now < this.#to;
    if (!holds || type !== this.#type || vary !== this.#vary) return this.#begin(now, type, vary);
    this.#bytes ??= encoder.encode(this.text(now, type, vary)).buffer;
    return this.#bytes;
  }

  #begin(now: number, type: string, vary: string): string {
    const asOf = this.#asOf;
    this.#type = type;
    this.#vary = vary;
    this.#from = asOf === null ? Number.NEGATIVE_INFINITY : asOf + 1000 * ageOf(asOf, now);
    this.#to = asOf === null ? Number.POSITIVE_INFINITY : this.#from + 1000;
    this.#bytes = null;
    return this.text(now, type, vary);
  }
}

/** Seconds; 0 for a reading that another clock has received later than `now`. */
const ageOf = (asOf: number, now: number): number => Math.max(0, Math.floor((now - asOf) / 1000));
