/** Reads the answers of one connection as far as a client must to count them. */
export class Answers {
  /** Of the final answers whose heads have come. */
  readonly statuses: number[] = [];
  /** What came where a status line had to be. */
  garbled: string | null = null;
  readonly #methods: readonly string[];
  readonly #wanted: number;
  #rest: Buffer = Buffer.alloc(0);
  /** Bytes of the current body that are still to come; infinite when only the end of the connection tells. */
  #body = 0;

  /**
   * `methods` of the requests, in order. Nothing is read behind the head of answer number `wanted`: where a
   * malformed request has swallowed its successor, it is unknown which request an answer is for.
   */
  constructor(methods: readonly string[], wanted: number) {
    this.#methods = methods;
    this.#wanted = wanted;
  }

  /** Answers that are there to their last byte. */
  get complete(): number {
    return this.statuses.length - (Number.isFinite(this.#body) && this.#body > 0 ? 1 : 0);
  }

  push(chunk: Buffer): void {
    let data = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    for (;;) {
      const skipped = Math.min(this.#body, data.length);
      this.#body -= skipped;
      data = data.subarray(skipped);
      if (this.#body > 0 || this.statuses.length >= this.#wanted) break;
      const end = data.indexOf('\r\n\r\n');
      this.#check(data);
      if (end < 0 || this.garbled !== null) break;
      this.#head(data.toString('latin1', 0, end));
      data = data.subarray(end + 4);
    }
    this.#rest = data;
  }

  #check(data: Buffer): void {
    const start = data.toString('latin1', 0, 12);
    if (
      this.#body === 0 &&
      !/^HTTP\/1\.1 \d{3}/.test(start.padEnd(12, 'HTTP/1.1 200'.slice(start.length)))
    ) {
      this.garbled = data.toString('latin1', 0, 80);
    }
  }

  #head(head: string): void {
    const status = Number(head.slice(9, 12));
    if (status < 200) return;
    const method = this.#methods[this.statuses.length];
    this.statuses.push(status);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    // uWebSockets.js refuses with a body and no length, HEAD or not, and closes.
    const bare = status === 204 || status === 304 || (method === 'HEAD' && length !== undefined);
    this.#body = bare ? 0 : Number(length ?? Number.POSITIVE_INFINITY);
  }
}
