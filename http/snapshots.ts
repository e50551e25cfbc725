import { createHash } from 'node:crypto';
import { compress, type Encoding } from './compression.ts';
import { jsonText } from './json.ts';
import type { JsonText } from './json-text.ts';
import { Listeners, type Unsubscribe } from './listeners.ts';
import { Stamped, stampLength } from './stamped.ts';

const before = '{"status":"ok","timestamp":';
const opening = `${before}${'0'.repeat(stampLength)},"data":`;
/** Bytes; smaller bodies fit one packet. */
const worthCompressing = 1024;

/** A compressed form: ready, being made, or null when it could not be made. */
type Form = Stamped | Promise<Stamped | null> | null;

/**
 * A ready 200 answer with data of type `T`: the envelope around `data` as bytes, serialised once. The response time is
 * written into the bytes when they are sent, so that a request costs no serialisation and no compression: each
 * compressed form is made once, at its first request.
 */
export class Snapshot<out T = unknown> {
  /** Only for the compiler: snapshots of different data are different types. */
  declare readonly type: T;
  /** Weak, because the timestamp in the body changes without the data. Equal data has an equal tag in every process. */
  readonly etag: string;
  /** Its header lines; each follows a line break. */
  readonly lines: string;
  readonly #bytes: Buffer;
  readonly #plain: Stamped;
  #forms: Map<Encoding, Form> | null = null;

  constructor({ text: data }: JsonText<T>) {
    this.#bytes = Buffer.from(`${opening}${data}}`);
    this.#plain = new Stamped(this.#bytes, before.length);
    this.etag = `W/"${createHash('sha1').update(data).digest('base64url')}"`;
    const vary = this.length < worthCompressing ? '' : '\r\nvary: accept-encoding';
    this.lines = `\r\netag: ${this.etag}${vary}`;
  }

  /** Bytes of the body. */
  get length(): number {
    return this.#bytes.length;
  }

  /** The body with `now` (Unix ms) as its timestamp. The buffer is reused: send or copy it before the next call. */
  at(now: number): Buffer {
    return this.#plain.at(now);
  }

  /**
   * The body in a content coding; a promise, which never rejects, while it is compressed in the background. Null when
   * the plain body must be sent: it is small, or too many compressions are under way.
   */
  encoded(encoding: Encoding): Form {
    if (this.length < worthCompressing) return null;
    const forms = this.#forms ?? new Map<Encoding, Form>();
    this.#forms = forms;
    const known = forms.get(encoding);
    if (known !== undefined) return known;
    const packing = compress(encoding, Buffer.from(opening), this.#bytes.subarray(opening.length));
    if (packing === null) return null;
    const making = packing
      .then(({ bytes, place, seal }) => new Stamped(bytes, place + before.length, seal))
      .catch(() => null)
      .then((form) => {
        forms.set(encoding, form);
        return form;
      });
    forms.set(encoding, making);
    return making;
  }
}

/** The snapshot of data. */
export const snapshotOf = <T>(data: T | JsonText<T>): Snapshot<T> => new Snapshot(jsonText(data));

/** A snapshot that is built at the first read after a change, and tells listeners about the change. */
export class Cell<T> {
  readonly #build: () => JsonText<T> | null;
  readonly #listeners = new Listeners();
  #snapshot: Snapshot<T> | null = null;

  /** `build` returns the text of `data`, or null when there is no answer. */
  constructor(build: () => JsonText<T> | null) {
    this.#build = build;
  }

  /** The data has changed: the next read makes a new snapshot. */
  change(): void {
    this.#snapshot = null;
    this.#listeners.notify();
  }

  read(): Snapshot<T> | null {
    if (this.#snapshot === null) {
      const data = this.#build();
      if (data !== null) this.#snapshot = new Snapshot(data);
    }
    return this.#snapshot;
  }

  /** Calls `listener` after every change. Null when there are too many listeners. */
  subscribe(listener: () => void): Unsubscribe | null {
    return this.#listeners.add(listener);
  }

  /** Exceptions of listeners. */
  get failures(): number {
    return this.#listeners.failures;
  }
}
