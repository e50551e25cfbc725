/** One file of a recording: lines, compressed as they come, so that what was flushed can be read after a kill. */
import { createWriteStream, type WriteStream } from 'node:fs';
import { constants, createZstdCompress, type ZstdCompress } from 'node:zlib';
import { noteLine } from './format.ts';

/** Bytes that wait for the disk; what comes beyond them is lost, and counted. */
const mostWaiting = 8 * 2 ** 20;

/** A small window: each exchange has a file, and a larger one compresses messages hardly better. */
const params = {
  [constants.ZSTD_c_compressionLevel]: 1,
  [constants.ZSTD_c_windowLog]: 18,
};

export interface SegmentOptions {
  /** Now, Unix microseconds. */
  time(): number;
  /** So many lines were not written. */
  onLost(lines: number): void;
  /** Called for the first failure; nothing is written after it. */
  onError(error: NodeJS.ErrnoException): void;
}

export class Segment {
  readonly #options: SegmentOptions;
  readonly #file: WriteStream;
  readonly #zstd: ZstdCompress;
  readonly #closed = Promise.withResolvers<void>();
  #lines: string[] = [];
  #length = 0;
  /** Lines that were not written since the last one, and since when, Unix microseconds. */
  #lost = { t: 0, lines: 0 };

  /** `path` must not exist, its folder must. */
  constructor(path: string, options: SegmentOptions) {
    this.#options = options;
    this.#file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
    this.#zstd = createZstdCompress({ params });
    const fail = (error: Error) => {
      this.#zstd.destroy();
      this.#file.destroy();
      options.onError(error);
    };
    this.#zstd.once('error', fail);
    this.#file.once('error', fail);
    this.#file.once('close', () => this.#closed.resolve());
    this.#zstd.pipe(this.#file);
  }

  /** Takes a line without its end. */
  write(line: string): void {
    if (this.#isFull) {
      if (this.#lost.lines === 0) this.#lost.t = this.#options.time();
      this.#lost.lines += 1;
      return;
    }
    this.#tellLost();
    this.#take(line);
  }

  get #isFull(): boolean {
    return this.#length + this.#zstd.writableLength + this.#file.writableLength > mostWaiting;
  }

  #take(line: string): void {
    this.#lines.push(line);
    this.#length += line.length;
  }

  /** Says where lines are missing. */
  #tellLost(): void {
    const { t, lines } = this.#lost;
    if (lines === 0) return;
    this.#take(noteLine({ kind: 'lost', t, lines }));
    this.#lost.lines = 0;
    this.#options.onLost(lines);
  }

  /** Gives the lines so far to the disk, in blocks that can be read without those after them. */
  flush(): void {
    if (!this.#isFull) this.#tellLost();
    if (this.#lines.length === 0 || this.#zstd.destroyed) return;
    const text = `${this.#lines.join('\n')}\n`;
    this.#lines = [];
    this.#length = 0;
    this.#zstd.write(text);
    this.#zstd.flush(constants.ZSTD_e_flush);
  }

  /** Writes the end of the file. Resolves when all is on the disk, or has failed. */
  close(): Promise<void> {
    this.#tellLost();
    this.flush();
    if (!this.#zstd.destroyed) this.#zstd.end();
    return this.#closed.promise;
  }
}
