/**
 * Data of type `T` that is JSON text already. Code that knows this class uses `text`; `JSON.stringify` gets the data
 * itself, which costs parsing it.
 */
export class JsonText<out T = unknown> {
  /** Only for the compiler: texts of different data are different types. */
  declare readonly type: T;
  readonly text: string;
  /** When the newest reading in it was received, Unix ms; null where that is not known, or it holds none. */
  readonly asOf: number | null;

  constructor(text: string, asOf: number | null = null) {
    this.text = text;
    this.asOf = asOf;
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
