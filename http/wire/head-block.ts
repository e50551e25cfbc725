const encoder = new TextEncoder();

/**
 * The header lines of one form of an answer. They are kept as bytes for the second in which their age holds: uWebSockets.js
 * copies bytes, and encodes a text at every call. The lines of the last quota stand behind them, since a second call would
 * cost more than to copy those into their place.
 */
export class HeadBlock {
  readonly #lines: string;
  readonly #asOf: number | null;
  #type = '';
  #vary = '';
  /** The age that the bytes state, seconds. */
  #age: number | undefined;
  #bytes = new Uint8Array(0);
  /** Of `bytes`: to ask those for it is a call into the engine. */
  #buffer: ArrayBuffer = this.#bytes.buffer;
  /** How many of the bytes are the lines of the answer; negative where they must be made. */
  #size = -1;

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

  /**
   * The same with the lines of a quota behind it, as bytes that are valid until the next call. Null at its first use in a
   * second: to make them costs more than to send a text once.
   */
  ready(now: number, type: string, vary: string, quota: Uint8Array): ArrayBuffer | null {
    const age = this.#asOf === null ? 0 : ageOf(this.#asOf, now);
    if (age !== this.#age || type !== this.#type || vary !== this.#vary) {
      this.#begin(age, type, vary);
      return null;
    }
    if (this.#size + quota.length !== this.#bytes.length) this.#resize(now, quota.length);
    this.#bytes.set(quota, this.#size);
    return this.#buffer;
  }

  #resize(now: number, quota: number): void {
    const lines =
      this.#size < 0
        ? encoder.encode(this.text(now, this.#type, this.#vary))
        : this.#bytes.subarray(0, this.#size);
    const bytes = new Uint8Array(lines.length + quota);
    bytes.set(lines);
    this.#bytes = bytes;
    this.#buffer = bytes.buffer;
    this.#size = lines.length;
  }

  #begin(age: number, type: string, vary: string): void {
    this.#age = age;
    this.#type = type;
    this.#vary = vary;
    this.#size = -1;
    this.#bytes = new Uint8Array(0);
  }
}

/** Seconds; 0 for a reading that another clock has received later than `now`. */
const ageOf = (asOf: number, now: number): number => Math.max(0, Math.floor((now - asOf) / 1000));
