/** Files that are made on the disk before they are sent: tables of any length, whole, with a length and ranges of bytes. */
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, late, sleep, within } from '../../actors/kernel/clock.ts';
import type { Logger } from '../../config/log.ts';
import type { AskQuestion, RowsFile } from '../answers/tables/file.ts';
import { type TableFormatName, TableWriter, tableFormats } from '../answers/tables/formats.ts';
import { type ApiError, apiError, isApiError } from '../wire/errors.ts';
import { MadeFile } from './made-file.ts';

/** Most files at once, and the bytes that they may take on the disk. */
export const mostFiles = 16;
const mostBytes = 4 * 2 ** 30;
/** Least time between two parts of all files, ms: what the event loop has for other requests. */
const pace = 25;
/** Longest wait for a file, which proxies between may not outlast, and life of a file, ms. */
const times = { waiting: 50_000, kept: 300_000 } as const;
/** Tries of a page after the first one, and the longest pause before one, ms. */
const tries = { most: 5, longest: 10_000 } as const;

const busy = apiError('overloaded', `${mostFiles} files are being made or sent; try again later`, {
  retryAfter: 10,
});
const full = apiError('overloaded', 'the files of this service take too much room; ask for less', {
  retryAfter: 60,
});
const unfinished = apiError('overloaded', 'the file is being made; send the same request again', {
  retryAfter: 5,
});
const passing = new Set(['overloaded', 'upstream_failed', 'store_unavailable', 'warming_up']);

/** What a reader asks for. */
export interface FileRequest {
  /** Of equal requests of one account. */
  key: string;
  file: RowsFile;
  format: TableFormatName;
  ask: AskQuestion;
  /** A file that has been made already does. */
  mayBeKept: boolean;
}

/** A file that is made, or that is being made. */
interface Kept {
  made: Promise<MadeFile | ApiError>;
  file: MadeFile | null;
  bytes: number;
}

/** The files of one server. */
export class Files {
  readonly #clock: Clock;
  readonly #log: Pick<Logger, 'error'>;
  /** The oldest first. */
  readonly #kept = new Map<string, Kept>();
  /** One file at a time is ended. */
  #ending: Promise<unknown> = Promise.resolve();
  #next = 0;
  #stopped = false;

  constructor({ clock, log }: { clock: Clock; log: Pick<Logger, 'error'> }) {
    this.#clock = clock;
    this.#log = log;
  }

  /** Whether a request needs no new file. */
  isMade({ key, mayBeKept }: Pick<FileRequest, 'key' | 'mayBeKept'>): boolean {
    const kept = this.#kept.get(key);
    return kept !== undefined && (mayBeKept || kept.file === null);
  }

  /** The file of a request, or why there is none. What takes too long is made further for the next request. */
  async open(request: FileRequest): Promise<MadeFile | ApiError> {
    const kept = this.isMade(request) ? this.#kept.get(request.key) : this.#begin(request);
    if (kept === undefined) return busy;
    const made = await within(this.#clock, times.waiting, kept.made);
    return made === late ? unfinished : made;
  }

  #begin(request: FileRequest): Kept | undefined {
    const { key } = request;
    this.#drop(key);
    if (this.#kept.size >= mostFiles && !this.#dropOldest()) return undefined;
    const kept: Kept = { made: Promise.resolve(busy), file: null, bytes: 0 };
    kept.made = this.#make(request, kept);
    this.#kept.set(key, kept);
    const isThis = () => this.#kept.get(key) === kept;
    void kept.made.then((made) => {
      if (isApiError(made)) {
        if (isThis()) this.#kept.delete(key);
        return;
      }
      kept.file = made;
      kept.bytes = made.size;
      this.#clock.after(times.kept, () => {
        if (isThis()) this.#drop(key);
      });
    });
    return kept;
  }

  /** Gives up a file that is made; those who read it have it until they end. */
  #drop(key: string): void {
    this.#kept.get(key)?.file?.release();
    this.#kept.delete(key);
  }

  /** Gives up the oldest one that nobody reads; false without one. */
  #dropOldest(): boolean {
    for (const [key, { file }] of this.#kept) {
      if (file === null || file.isRead) continue;
      this.#drop(key);
      return true;
    }
    return false;
  }

  /** Whether there is room for what is written, after older files have gone. */
  #hasRoom(): boolean {
    const taken = () => [...this.#kept.values()].reduce((sum, { bytes }) => sum + bytes, 0);
    while (taken() > mostBytes) if (!this.#dropOldest()) return false;
    return true;
  }

  async #make({ file, format, ask }: FileRequest, kept: Kept): Promise<MadeFile | ApiError> {
    const path = join(tmpdir(), `tidemark-${randomUUID()}`);
    const table = new TableWriter(path, format, file.columns);
    try {
      const asking: AskQuestion = (question) =>
        kept.bytes > 0 ? this.#patiently(ask)(question) : ask(question);
      for await (const part of file.parts(asking)) {
        if (isApiError(part)) return part;
        kept.bytes += await table.rows(part);
        if (!this.#hasRoom()) return full;
        await this.#turn();
        if (this.#stopped) return apiError('overloaded');
      }
      const ending = this.#ending.then(() => table.end());
      this.#ending = ending.catch(() => {});
      // Other processes make the same file for the same rows: a reader may come to any of them.
      const tag = `"${await ending}"`;
      return await MadeFile.open(path, { tag, lines: linesOf(file.name, format) });
    } catch (error) {
      this.#log.error({ err: error }, 'a file could not be made');
      return apiError('internal');
    } finally {
      await table.drop().catch(() => {});
    }
  }

  /** Asks again after errors that pass. */
  #patiently(ask: AskQuestion): AskQuestion {
    return async (question) => {
      for (let count = 0; ; count++) {
        const found = await ask(question);
        const passes = isApiError(found) && passing.has(found.error);
        if (!passes || count === tries.most || this.#stopped) return found;
        const pause = (found.retryAfter ?? 2 ** count) * 1_000;
        await sleep(this.#clock, Math.min(pause, tries.longest));
      }
    };
  }

  /** Waits for the turn of the next part. */
  #turn(): Promise<void> {
    const now = this.#clock.monotonic();
    this.#next = Math.max(now, this.#next) + pace;
    return sleep(this.#clock, this.#next - now);
  }

  /** Gives up what is being made, and frees what is kept. */
  async stop(): Promise<void> {
    this.#stopped = true;
    const making = [...this.#kept.values()].map(({ made }) => made);
    await Promise.all(making);
    for (const key of [...this.#kept.keys()]) this.#drop(key);
  }
}

/** Header lines about a file; each follows a line break. */
function linesOf(name: string, format: TableFormatName): string {
  const { mediaType, extension } = tableFormats[format];
  return `\r\ncontent-type: ${mediaType}\r\ncontent-disposition: attachment; filename="${name}.${extension}"`;
}
