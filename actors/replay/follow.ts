/** Follows a recording that is being written: its newest file, and each one after it. */
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createZstdDecompress, type ZstdDecompress } from 'node:zlib';
import { day } from '../../config/time.ts';
import { filesOf, recordedDays } from '../sources/recording/folder.ts';
import type { RecordLine } from '../sources/recording/format.ts';
import { readIn } from './reader.ts';

/** Between two looks for more, ms: the recorder writes twice a second. */
const pause = 100;
/** Bytes that are read at a time. */
const chunk = 2 ** 18;

/** The newest file of an exchange; null without one since yesterday. */
async function newest(folder: string, exchange: string): Promise<string | null> {
  const today = (await recordedDays(folder, exchange)).at(-1);
  if (today === undefined || Date.parse(today) < Date.now() - 2 * day) return null;
  return (await filesOf(folder, exchange, today)).at(-1)?.path ?? null;
}

/** Decompresses what is written to it, as far as it can be read. */
class Tail {
  readonly #file: FileHandle;
  readonly #zstd: ZstdDecompress = createZstdDecompress();
  readonly #buffer = Buffer.alloc(chunk);
  readonly #decoder = new TextDecoder();
  #rest = '';
  #isOver = false;

  constructor(file: FileHandle) {
    this.#file = file;
    this.#zstd.once('error', () => {
      this.#isOver = true;
    });
    this.#zstd.on('data', (bytes: Buffer) => {
      this.#rest += this.#decoder.decode(bytes, { stream: true });
    });
  }

  /** The lines that have come since the last call; null where nothing has been written. */
  async more(): Promise<string[] | null> {
    const { bytesRead } = await this.#file.read(this.#buffer, 0, chunk, null);
    if (bytesRead === 0 || this.#isOver) return null;
    const bytes = Buffer.from(this.#buffer.subarray(0, bytesRead));
    await new Promise<void>((resolve) => this.#zstd.write(bytes, () => resolve()));
    const lines = this.#rest.split('\n');
    this.#rest = lines.pop() ?? '';
    return lines;
  }

  async close(): Promise<void> {
    this.#zstd.destroy();
    await this.#file.close();
  }
}

/** The lines of one file, until another one is the newest and this one has no more. */
async function* linesOf(
  folder: string,
  { exchange, path, signal }: { exchange: string; path: string; signal: AbortSignal },
): AsyncGenerator<RecordLine[]> {
  const tail = new Tail(await open(join(folder, path)));
  try {
    for (let isLast = false; !signal.aborted; ) {
      const lines = await tail.more();
      if (lines !== null) yield readIn(lines, path, Number.POSITIVE_INFINITY);
      else if (isLast) return;
      else {
        isLast = (await newest(folder, exchange)) !== path;
        if (!isLast) await setTimeout(pause);
      }
    }
  } finally {
    await tail.close();
  }
}

/** The lines of an exchange as they are recorded, from the head of the newest file on; ends by the signal. */
export async function* followed(
  folder: string,
  exchange: string,
  signal: AbortSignal,
): AsyncGenerator<RecordLine[]> {
  let last: string | null = null;
  while (!signal.aborted) {
    const path = await newest(folder, exchange);
    if (path === null || path === last) await setTimeout(pause);
    else {
      last = path;
      yield* linesOf(folder, { exchange, path, signal });
    }
  }
}
