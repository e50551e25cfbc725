/** A file on the disk that is there as a whole, and its way to those who read it. */

import type { HttpResponse } from 'uWebSockets.js';
import { type FileHandle, open } from 'node:fs/promises';
import { type Clock, late, within } from '../../actors/kernel/clock.ts';
import type { ByteRange } from '../wire/range.ts';

/** Longest time that a reader takes nothing, ms. */
const patience = 30_000;
/** Bytes that are read and sent at a time. */
const atOnce = 256 * 1024;

/** What a file is: the same tag for the same bytes, and header lines, each of which follows a line break. */
interface MadeOf {
  tag: string;
  lines: string;
}

/** A file that needs no name any more: its room is free once it is neither kept nor read. */
export class MadeFile {
  /** Header lines about it; each follows a line break. */
  readonly lines: string;
  /** Its entity tag. */
  readonly tag: string;
  readonly size: number;
  readonly #handle: FileHandle;
  /** Those who read it, and who keeps it. */
  #holders = 1;

  private constructor(handle: FileHandle, size: number, { tag, lines }: MadeOf) {
    this.#handle = handle;
    this.size = size;
    this.tag = tag;
    this.lines = `${lines}\r\ncache-control: no-store\r\naccept-ranges: bytes\r\netag: ${this.tag}`;
  }

  /** Opens it; its name may be removed then. */
  static async open(path: string, of: MadeOf): Promise<MadeFile> {
    const handle = await open(path, 'r');
    return new MadeFile(handle, (await handle.stat()).size, of);
  }

  get isRead(): boolean {
    return this.#holders > 1;
  }

  hold(): void {
    this.#holders += 1;
  }

  release(): void {
    this.#holders -= 1;
    if (this.#holders === 0) void this.#handle.close();
  }

  async bytes(from: number, length: number): Promise<Uint8Array> {
    const { buffer, bytesRead } = await this.#handle.read(Buffer.alloc(length), 0, length, from);
    return buffer.subarray(0, bytesRead);
  }
}

/** What one request gets of a file, which it holds until it ends. */
export class FileReading {
  readonly file: MadeFile;
  /** Null for the whole file. */
  readonly range: ByteRange | null;
  /** When it has been sent, or its client has left. Never rejects. */
  readonly ended: Promise<void>;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  #end = () => {};

  constructor(
    file: MadeFile,
    range: ByteRange | null,
    { clock, signal }: { clock: Clock; signal: AbortSignal },
  ) {
    file.hold();
    this.file = file;
    this.range = range;
    this.#clock = clock;
    this.#signal = signal;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    void this.ended.then(() => file.release());
  }

  get size(): number {
    return this.range === null ? this.file.size : this.range.to - this.range.from + 1;
  }

  /** Ends it; nothing more is sent. */
  drop(): void {
    this.#end();
  }

  /** Sends the body, at the pace of the reader, after the head that was written. Call it where the client is there. */
  send(res: HttpResponse): void {
    let drained = () => {};
    res.onWritable(() => {
      drained();
      return true;
    });
    this.#signal.addEventListener('abort', () => drained());
    const writable = () =>
      new Promise<void>((resolve) => {
        drained = resolve;
      });
    void this.#sendAll(res, writable).then(
      (isWhole) => {
        // The head has promised so many bytes: only an end of the connection says that they do not come.
        if (!isWhole && !this.#signal.aborted) res.close();
        this.drop();
      },
      () => {
        if (!this.#signal.aborted) res.close();
        this.drop();
      },
    );
  }

  async #sendAll(res: HttpResponse, writable: () => Promise<void>): Promise<boolean> {
    const { from } = this.range ?? { from: 0 };
    for (let sent = 0; ; ) {
      const bytes = await this.file.bytes(from + sent, Math.min(atOnce, this.size - sent));
      if (this.#signal.aborted || bytes.length === 0) return false;
      const ready = writable();
      let [isTaken, isDone] = [false, false];
      res.cork(() => {
        [isTaken, isDone] = res.tryEnd(bytes, this.size);
      });
      if (isDone) return true;
      if (!isTaken && (await within(this.#clock, patience, ready)) === late) return false;
      if (this.#signal.aborted) return false;
      sent = res.getWriteOffset();
    }
  }
}
