/** Files that are made while they are sent: tables of any length at the pace of their reader and of the service. */
import type { HttpResponse } from 'uWebSockets.js';
import { type Clock, late, sleep, within } from '../../actors/kernel/clock.ts';
import type { Logger } from '../../config/log.ts';
import { type OpenTable, TableThread } from '../answers/tables/encoding.ts';
import type { AskQuestion, RowsFile } from '../answers/tables/file.ts';
import { type TableFormatName, tableFormats } from '../answers/tables/formats.ts';
import { type ApiError, apiError, isApiError } from '../wire/errors.ts';

/** Most files at once. */
export const mostFiles = 16;
/** Least time between two parts of all files, ms: what the event loop has for other requests. */
const pace = 25;
/** Longest time that a reader takes nothing, ms. */
const patience = 30_000;
/** Most bytes of a file of one page that is made whole, so that its head can say its length. */
const mostWhole = 8 * 2 ** 20;
/** Tries of a page after the first one, and the longest pause before one, ms. */
const tries = { most: 5, longest: 10_000 } as const;

const busy = apiError('overloaded', `${mostFiles} files are being sent; try again later`, {
  retryAfter: 10,
});
const passing = new Set(['overloaded', 'upstream_failed', 'store_unavailable', 'warming_up']);

/** What a reader asks for. */
export interface FileRequest {
  file: RowsFile;
  format: TableFormatName;
  ask: AskQuestion;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
}

type Chunks = AsyncGenerator<Uint8Array | ApiError, void, undefined>;

/** Who reads a file, at a pace of its own. */
class Reader {
  readonly #res: HttpResponse;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  #isFull = false;
  #drained = () => {};

  constructor(res: HttpResponse, clock: Clock, signal: AbortSignal) {
    this.#res = res;
    this.#clock = clock;
    this.#signal = signal;
    res.onWritable(() => {
      this.#isFull = false;
      this.#drained();
      return true;
    });
    signal.addEventListener('abort', () => this.#drained());
  }

  write(bytes: Uint8Array): void {
    this.#isFull = !this.#res.write(bytes);
  }

  /** Waits until all has been taken; false where that is too long, and where the client has left. */
  async isReady(): Promise<boolean> {
    if (this.#isFull && !this.#signal.aborted) {
      const drained = new Promise<void>((resolve) => {
        this.#drained = resolve;
      });
      if ((await within(this.#clock, patience, drained)) === late) return false;
    }
    return !this.#signal.aborted;
  }
}

/** Header lines about a file; each follows a line break. */
function linesOf({ file, format }: Pick<FileRequest, 'file' | 'format'>): string {
  const { mediaType, extension } = tableFormats[format];
  const name = `${file.name}.${extension}`;
  return `\r\ncontent-type: ${mediaType}\r\ncontent-disposition: attachment; filename="${name}"\r\ncache-control: no-store`;
}

/** A file that is there as a whole. */
export class WholeFile {
  /** As those of `OpenFile`. */
  readonly lines: string;
  readonly bytes: Buffer;

  constructor(request: FileRequest, bytes: Buffer) {
    this.lines = linesOf(request);
    this.bytes = bytes;
  }
}

/** A file whose first bytes are there. */
export class OpenFile {
  /** Header lines about it; each follows a line break. */
  readonly lines: string;
  /** When it has been sent, or its client has left. Never rejects. */
  readonly ended: Promise<void>;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #first: Uint8Array;
  readonly #chunks: Chunks;
  #end = () => {};

  constructor(clock: Clock, request: FileRequest, first: Uint8Array, chunks: Chunks) {
    this.lines = linesOf(request);
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#clock = clock;
    this.#signal = request.signal;
    this.#first = first;
    this.#chunks = chunks;
  }

  /** The size of what `send` begins with, bytes. */
  get size(): number {
    return this.#first.length;
  }

  /** Ends it without sending anything. */
  drop(): void {
    void this.#chunks.return().finally(this.#end);
  }

  /** Sends the body after the head that was written. Call it corked, where the client is there. */
  send(res: HttpResponse): void {
    const reader = new Reader(res, this.#clock, this.#signal);
    reader.write(this.#first);
    void this.#sendRest(res, reader).finally(() => this.drop());
  }

  async #sendRest(res: HttpResponse, reader: Reader): Promise<void> {
    while (await reader.isReady()) {
      const { value, done } = await this.#chunks.next();
      if (this.#signal.aborted) return;
      if (done) {
        res.cork(() => void res.end());
        return;
      }
      // The head has promised a whole file: only an end of the connection says that it is none.
      if (isApiError(value)) break;
      res.cork(() => reader.write(value));
    }
    if (!this.#signal.aborted) res.close();
  }
}

/** The files of one server. */
export class Files {
  readonly #clock: Clock;
  readonly #log: Pick<Logger, 'error'>;
  readonly #thread = new TableThread(mostFiles);
  #next = 0;

  constructor({ clock, log }: { clock: Clock; log: Pick<Logger, 'error'> }) {
    this.#clock = clock;
    this.#log = log;
  }

  /** A file of one page whole, where it is no longer than `mostWhole`; any other up to its first bytes. Or why there is none. */
  async open(request: FileRequest): Promise<WholeFile | OpenFile | ApiError> {
    const table = this.#thread.open(request.format, request.file.columns);
    if (table === null) return busy;
    const chunks = this.#failing(this.#chunks(request, table));
    const most = request.file.pages === 1 ? mostWhole : 0;
    const begun: Uint8Array[] = [];
    let size = 0;
    do {
      const { value, done } = await chunks.next();
      if (value && isApiError(value)) {
        await chunks.return();
        return value;
      }
      if (done && size === 0) return apiError('internal');
      if (done) return new WholeFile(request, Buffer.concat(begun));
      begun.push(value);
      size += value.length;
    } while (size <= most);
    return new OpenFile(this.#clock, request, Buffer.concat(begun), chunks);
  }

  /** The same; what is thrown is logged, and the last of them is an error. */
  async *#failing(chunks: Chunks): Chunks {
    try {
      yield* chunks;
    } catch (error) {
      this.#log.error({ err: error }, 'a file was broken off');
      yield apiError('internal');
    }
  }

  /** The bytes of a table as its rows come; an error is the last. */
  async *#chunks({ file, ask, signal }: FileRequest, table: OpenTable): Chunks {
    let isBegun = false;
    try {
      const asking: AskQuestion = (question) =>
        isBegun ? this.#patiently(ask, signal)(question) : ask(question);
      for await (const part of file.parts(asking)) {
        if (signal.aborted) return;
        if (isApiError(part)) return yield part;
        isBegun = true;
        const bytes = await table.rows(part);
        if (bytes.length > 0) yield bytes;
        await this.#turn();
      }
      yield await table.end();
    } finally {
      table.close();
    }
  }

  /** Asks again after errors that pass. */
  #patiently(ask: AskQuestion, signal: AbortSignal): AskQuestion {
    return async (question) => {
      for (let count = 0; ; count++) {
        const found = await ask(question);
        const passes = isApiError(found) && passing.has(found.error);
        if (!passes || count === tries.most || signal.aborted) return found;
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
}

/** Resolves when a file has been sent; the end of the service, by `waiting`, breaks it off. */
export async function sent(
  file: OpenFile,
  { res, signal, waiting }: { res: HttpResponse; signal: AbortSignal; waiting: Set<() => void> },
): Promise<void> {
  if (signal.aborted) file.drop();
  const stop = () => {
    if (!signal.aborted) res.close();
  };
  waiting.add(stop);
  await file.ended;
  waiting.delete(stop);
}
