import { createHash } from 'node:crypto';

const head = '{"status":"ok","timestamp":';
/** Digits of a Unix time in milliseconds, until the year 2286. */
const stampLength = 13;

/**
 * A ready 200 answer: the envelope around `data` as bytes, serialised once. The response time is written into
 * its place when the bytes are sent, so that a request costs no serialisation.
 */
export class Snapshot {
  /** Weak, because the timestamp in the body moves while the data stands. Equal data, equal tag, in every process. */
  readonly etag: string;
  readonly #bytes: Buffer;
  #stamped = 0;

  /** `data` is JSON text. */
  constructor(data: string) {
    this.#bytes = Buffer.from(`${head}${'0'.repeat(stampLength)},"data":${data}}`);
    this.etag = `W/"${createHash('sha1').update(data).digest('base64url')}"`;
  }

  get length(): number {
    return this.#bytes.length;
  }

  /** The body with `now` (Unix ms) as its timestamp. The buffer is reused: send or copy it before the next call. */
  at(now: number): Buffer {
    if (now !== this.#stamped) {
      this.#bytes.write(String(now), head.length, stampLength, 'latin1');
      this.#stamped = now;
    }
    return this.#bytes;
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
