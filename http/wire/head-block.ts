const encoder = new TextEncoder();

/** The header lines of one form of an answer. */
export class HeadBlock {
  /** When the newest reading in the answer was received, Unix ms; null where it holds none. */
  readonly asOf: number | null;
  readonly #lines: string;
  #bytes: Uint8Array | null = null;

  /** `lines`: those of the body and its coding, each behind a line break. */
  constructor(lines: string, asOf: number | null) {
    this.#lines = lines;
    this.asOf = asOf;
  }

  /** The lines at `now`, Unix ms, behind those of the media type; `Age` (RFC 9111, 5.1) is in whole seconds. */
  text(now: number, opening: string): string {
    const age = this.asOf === null ? '' : ageLine + ageOf(this.asOf, now);
    return opening + this.#lines + age;
  }

  /** The lines without the age. */
  get bytes(): Uint8Array {
    // A copy: arrays of up to 64 bytes are in the heap, where the next access to the block has them at hand.
    this.#bytes ??= new Uint8Array(encoder.encode(this.#lines));
    return this.#bytes;
  }
}

const ageLine = '\r\nage: ';
const ageBytes = encoder.encode(ageLine);

/** Seconds; 0 for a reading that another clock has received later than `now`. */
const ageOf = (asOf: number, now: number): number => Math.max(0, Math.floor((now - asOf) / 1000));

/** Bytes behind an opening at first: enough for the usual lines and quotas. */
const usualRoom = 512;

/**
 * Writes whole heads as bytes, which uWebSockets.js copies: a text it would encode at every call. All heads with one opening, the
 * lines of the media type, are written over each other, since bytes of their own for each answer would be too many for the
 * processor's cache.
 */
export class HeadWriter {
  readonly #opening: number;
  #bytes: Uint8Array;
  /** Parts of the bytes by their length. */
  readonly #views = new Map<number, Uint8Array>();
  /** The lines behind the opening, their age, and where they end. */
  #block: HeadBlock | null = null;
  #age = 0;
  #end = 0;

  constructor(opening: string) {
    const bytes = encoder.encode(opening);
    this.#opening = bytes.length;
    this.#bytes = new Uint8Array(bytes.length + usualRoom);
    this.#bytes.set(bytes);
  }

  /** The lines of an answer at `now`, Unix ms, with those of a quota behind them. Valid until the next call. */
  write(block: HeadBlock, now: number, quota: Uint8Array): Uint8Array {
    const age = block.asOf === null ? 0 : ageOf(block.asOf, now);
    if (block !== this.#block || age !== this.#age) this.#begin(block, age);
    const length = this.#end + quota.length;
    this.#ensure(length);
    this.#bytes.set(quota, this.#end);
    const known = this.#views.get(length);
    if (known !== undefined) return known;
    const view = this.#bytes.subarray(0, length);
    this.#views.set(length, view);
    return view;
  }

  #begin(block: HeadBlock, age: number): void {
    const lines = block.bytes;
    const digits = block.asOf === null ? '' : String(age);
    const end = this.#opening + lines.length;
    this.#ensure(end + ageBytes.length + digits.length);
    this.#bytes.set(lines, this.#opening);
    this.#block = block;
    this.#age = age;
    this.#end = end;
    if (digits === '') return;
    this.#bytes.set(ageBytes, end);
    this.#end += ageBytes.length;
    for (let i = 0; i < digits.length; i++) this.#bytes[this.#end++] = digits.charCodeAt(i);
  }

  #ensure(length: number): void {
    if (length <= this.#bytes.length) return;
    const larger = new Uint8Array(2 * length);
    larger.set(this.#bytes);
    this.#bytes = larger;
    this.#views.clear();
  }
}
