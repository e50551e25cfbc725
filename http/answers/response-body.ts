import { hash } from 'node:crypto';
import { compress, type Encoding } from '../wire/compression.ts';
import { Form } from '../wire/form.ts';

/** Bytes; smaller bodies fit one packet. */
const worthCompressing = 1024;

/** A compressed form: ready, being made, or null when it could not be made. */
type Packed = Form | Promise<Form | null> | null;

/** The parts of a body. */
export interface BodyParts {
  bytes: Buffer;
  etag: string;
  /** Bytes at the start that stay as they are in compressed forms, as in `compress`. */
  opening: number;
  /** Offset of the response time in the opening, where `noStamp` stands; null where the body has none. */
  stamp: number | null;
  /** Further header lines; each follows a line break. */
  more?: string;
  /** When the newest reading in it was received, Unix ms; null where it holds none. */
  asOf?: number | null;
}

/** A ready body of a 200 answer. Each compressed form is made once, at its first request. */
export class Body {
  readonly etag: string;
  /** When the newest reading in it was received, Unix ms; null where it holds none. */
  readonly asOf: number | null;
  readonly #lines: string;
  readonly #bytes: Buffer;
  readonly #opening: number;
  readonly #stamp: number | null;
  /** The body as it is. */
  readonly plain: Form;
  #forms: Map<Encoding, Packed> | null = null;

  constructor({ bytes, etag, opening, stamp, more = '', asOf = null }: BodyParts) {
    this.#bytes = bytes;
    this.#opening = opening;
    this.#stamp = stamp;
    this.etag = etag;
    this.asOf = asOf;
    const vary = this.hasForms ? '\r\nvary: accept-encoding' : '';
    this.#lines = `\r\netag: ${etag}${vary}${more}`;
    this.plain = new Form({ bytes, lines: this.#lines, asOf, place: stamp });
  }

  /** Bytes of the body. */
  get length(): number {
    return this.#bytes.length;
  }

  /** Whether there are compressed forms: a small body is sent as it is. */
  get hasForms(): boolean {
    return this.length >= worthCompressing;
  }

  /** The body with `now` (Unix ms) as its timestamp. The buffer is reused: send or copy it before the next call. */
  at(now: number): Buffer {
    return this.plain.at(now);
  }

  /**
   * The body in a content coding; a promise, which never rejects, while it is compressed in the background. Null when
   * the plain body must be sent: it is small, or too many compressions are under way.
   */
  encoded(encoding: Encoding): Packed {
    if (!this.hasForms) return null;
    const forms = this.#forms ?? new Map<Encoding, Packed>();
    this.#forms = forms;
    const known = forms.get(encoding);
    if (known !== undefined) return known;
    const opening = Buffer.from(this.#bytes.subarray(0, this.#opening));
    const packing = compress(encoding, opening, this.#bytes.subarray(this.#opening));
    if (packing === null) return null;
    const making = packing
      .then(({ bytes, place, seal }) => {
        const lines = `${this.#lines}\r\ncontent-encoding: ${encoding}`;
        const stamp = this.#stamp === null ? null : place + this.#stamp;
        return new Form({ bytes, lines, asOf: this.asOf, place: stamp, seal });
      })
      .catch(() => null)
      .then((form) => {
        forms.set(encoding, form);
        return form;
      });
    forms.set(encoding, making);
    return making;
  }

  /** The bytes from `start` to the last `end` bytes, as text. */
  protected text(start: number, end: number): string {
    return this.#bytes.toString('utf8', start, this.length - end);
  }
}

/** A short hash of a file, without characters that a URL or a header must escape. */
export const versionOf = (bytes: Buffer): string => hash('sha256', bytes, 'base64url').slice(0, 16);

/** The body of a file that stays as it is. Its tag is weak, because its compressed forms have the same. */
export const fileBody = (bytes: Buffer): Body =>
  new Body({ bytes, etag: `W/"${versionOf(bytes)}"`, opening: 0, stamp: null });
