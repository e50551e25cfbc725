import { createHash } from 'node:crypto';
import { compress, type Encoding } from './compression.ts';
import { Stamped, stampLength } from './stamped.ts';

const before = '{"status":"ok","timestamp":';
const opening = `${before}${'0'.repeat(stampLength)},"data":`;
/** Smaller bodies fit one packet anyway, bytes. */
const worthCompressing = 1024;

/** A compressed form: there, being made, or null where none could be made. */
type Form = Stamped | Promise<Stamped | null> | null;

/**
 * A ready 200 answer: the envelope around `data` as bytes, serialised once. The response time is written into
 * its place when the bytes are sent, so that a request costs no serialisation; nor does it cost a compression,
 * since each compressed form is made once, when it is first asked for.
 */
export class Snapshot {
  /** Weak, because the timestamp in the body moves while the data stands. Equal data, equal tag, in every process. */
  readonly etag: string;
  /** The header lines of its own: each follows a line break. */
  readonly lines: string;
  readonly #bytes: Buffer;
  readonly #plain: Stamped;
  #forms: Map<Encoding, Form> | null = null;

  /** `data` is JSON text. */
  constructor(data: string) {
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
   * The body in a content coding; a promise while it is compressed in the background, which never rejects. Null where
   * the plain body is to be sent: it is small, or too much is being compressed already.
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

/** A snapshot that is built when someone wants it, and kept until its data changes. */
export class Cell {
  readonly #build: () => string | null;
  #snapshot: Snapshot | null = null;

  /** `build` gives the JSON text of `data`, or null when there is nothing to serve. */
  constructor(build: () => string | null) {
    this.#build = build;
  }

  /** The data changed: the next reader gets a new snapshot. */
  change(): void {
    this.#snapshot = null;
  }

  read(): Snapshot | null {
    if (this.#snapshot === null) {
      const data = this.#build();
      if (data !== null) this.#snapshot = new Snapshot(data);
    }
    return this.#snapshot;
  }
}
