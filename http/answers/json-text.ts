/** Data whose text has not been made yet, and what makes it. They may not change before that. */
interface Unwritten {
  readonly data: unknown;
  write(data: unknown): string;
}

/**
 * Data of type `T` with their JSON text. Code that knows this class uses `text`, or `data` where it needs no text;
 * `JSON.stringify` gets the data as the text has them, which costs parsing it.
 */
export class JsonText<out T = unknown> {
  /** Only for the compiler: texts of different data are different types. */
  declare readonly type: T;
  /** When the newest reading in it was received, Unix ms; null where that is not known, or it holds none. */
  readonly asOf: number | null;
  readonly #made: string | Unwritten;
  #text: string | null = null;

  /** `made`: the text, or the data, of which the text is made at its first use. */
  constructor(made: string | Unwritten, asOf: number | null = null) {
    this.#made = made;
    this.asOf = asOf;
  }

  get text(): string {
    const made = this.#made;
    if (typeof made === 'string') return made;
    this.#text ??= made.write(made.data);
    return this.#text;
  }

  /** The data: as they are, where numbers may have more digits than in the text, or read out of the text that they were given as. */
  get data(): unknown {
    return typeof this.#made === 'string' ? JSON.parse(this.#made) : this.#made.data;
  }

  /** The same, as old as `asOf` (Unix ms) where it does not say its age itself. */
  dated(asOf: number | null): JsonText<T> {
    return this.asOf === null && asOf !== null ? new JsonText<T>(this.#made, asOf) : this;
  }

  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/** The text of an entry of a map from keys to values of type `T`. */
export class JsonEntry<out T> {
  /** Only for the compiler. */
  declare readonly type: T;
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
