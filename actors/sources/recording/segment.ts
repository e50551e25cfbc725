/** One file of a recording: lines, compressed as they come, so that what was flushed can be read after a kill. */
import { createWriteStream, type WriteStream } from 'node:fs';
import { constants, createZstdCompress, type ZstdCompress } from 'node:zlib';

/** Bytes that wait for the disk; what comes beyond them is lost, and counted. */
const mostWaiting = 8 * 2 ** 20;

/** A small window: each exchange has a file, and a larger one compresses messages hardly better. */
const params = {
  [constants.ZSTD_c_compressionLevel]: 1,
  [constants.ZSTD_c_windowLog]: 18,
};

export class Segment {
  readonly #file: WriteStream;
  readonly #zstd: ZstdCompress;
  readonly #closed = Promise.withResolvers<void>();
  #lines: string[] = [];
  #length = 0;
  /** Lines that were not written since the last call of `takeLost`. */
  #lost = 0;

  /** `path` must not exist, its folder must. `onError` is called for the first failure; nothing is written after it. */
  constructor(path: string, onError: (error: NodeJS.ErrnoException) => void) {
    this.#file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
    this.#zstd = createZstdCompress({ params });
    const fail = (error: Error) => {
      this.#zstd.destroy();
      this.#file.destroy();
      onError(error);
    };
    this.#zstd.once('error', fail);
    this.#file.once('error', fail);
    this.#file.once('close', () => this.#closed.resolve());
    this.#zstd.pipe(this.#file);
  }

  /** Takes a line without its end. */
  write(line: string): void {
    const waiting = this.#length + this.#zstd.writableLength + this.#file.writableLength;
    if (waiting > mostWaiting) {
      this.#lost += 1;
      return;
    }
    this.#lines.push(line);
    this.#length += line.length;
  }

  takeLost(): number {
    const lost = this.#lost;
    this.#lost = 0;
    return lost;
  }

  /** Gives the lines so far to the disk, in blocks that can be read without those after them. */
  flush(): void {
    if (this.#lines.length === 0 || this.#zstd.destroyed) return;
    const text = `${this.#lines.join('\n')}\n`;
    this.#lines = [];
    this.#length = 0;
    this.#zstd.write(text);
    this.#zstd.flush(constants.ZSTD_e_flush);
  }

  /** Writes the end of the file. Resolves when all is on the disk, or has failed. */
  close(): Promise<void> {
    this.flush();
    if (!this.#zstd.destroyed) this.#zstd.end();
    return this.#closed.promise;
  }
}
