/** What is recorded of one exchange: a file at a time, which can be read without those before it, and the streams that it is made of. */
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Logger } from '../../../config/log.ts';
import { minute } from '../../../config/time.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { FeedReport, Instrument } from '../../topics/index.ts';
import type { InstrumentMap } from '../define.ts';
import { countsOf, StatusRow } from '../status/status.ts';
import { fileOf } from './folder.ts';
import { type NoteLine, noteLine, type RecordedType } from './format.ts';
import { Segment } from './segment.ts';

/** Length of a file, ms. */
const span = 10 * minute;
export class VenueRecording {
  readonly source: string;
  /** Of which lists are recorded. */
  readonly parts = new Set<string>();
  readonly streams = new Set<RecordedStream>();
  readonly recorder: Writer;
  readonly #status: StatusRow;
  #segment: Segment | null = null;
  /** The running file, and the one that the next file continues. */
  #name = '';
  #follows: string | null = null;
  #began = 0;
  /** It has more than its head and lists. */
  #isUsed = false;
  /** The lists as the running file has them. */
  #lists = new Map<string, InstrumentMap>();
  /** Lines, and those that were lost, since the last report. */
  #lines = 0;
  #lost = 0;

  constructor(source: string, recorder: Writer) {
    this.source = source;
    this.recorder = recorder;
    const { clock, publish } = recorder.options;
    const name = { source: 'recorder', topic: 'recording', part: source };
    this.#status = new StatusRow(name, publish, clock);
  }

  /** Whether the running file has its length. */
  get isDue(): boolean {
    const { clock } = this.recorder.options;
    return this.#segment !== null && stepOf(clock.now()) > stepOf(this.#began);
  }

  write(line: string): void {
    if (this.recorder.stopped !== null) return;
    this.#segment ??= this.#open();
    this.#put(line);
    this.#isUsed = true;
  }

  note(note: NoteLine): void {
    this.write(noteLine(note));
  }

  /** Gives what has come to the disk, with the lists that are new. The file ends where another process has the exchange. */
  flush(): void {
    const segment = this.#segment;
    if (segment === null) return;
    if (this.streams.size > 0 && [...this.streams].every(({ isHeld }) => !isHeld)) {
      void this.close();
      return;
    }
    this.list();
    segment.flush();
  }

  /**
   * Ends the running file and begins the next one, which continues it: unless nothing came, since another process has the exchange and
   * asks it.
   */
  renew(): void {
    const before = this.#name;
    const isUsed = this.#isUsed;
    void this.close();
    if (!isUsed) return;
    this.#follows = before;
    this.#segment = this.#open();
  }

  /** Ends the running file; what comes later begins another one. Resolves when it is on the disk. */
  async close(): Promise<void> {
    const segment = this.#segment;
    this.#segment = null;
    this.#follows = null;
    await segment?.close();
  }

  /** Its row in `/v1/status`. */
  report(): void {
    const { recorder } = this;
    const now = recorder.options.clock.now();
    const times = { last_attempt: now, next_poll: now + minute };
    const dropped = countsOf([], { overflow: this.#lost });
    this.#status.set({ ...times, rows: this.#lines, dropped });
    if (recorder.stopped !== null)
      this.#status.fail({ code: 'unavailable', message: recorder.stopped }, now);
    else if (this.#lines > 0) this.#status.renew(now);
    this.#status.report();
    this.#lines = 0;
    this.#lost = 0;
  }

  #open(): Segment | null {
    const { folder, clock, process, types, symbols } = this.recorder.options;
    const now = clock.now();
    const name = fileOf(this.source, now, process);
    const path = join(folder, name);
    const follows = this.#follows;
    this.#name = name;
    this.#began = now;
    this.#lists = new Map();
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    } catch (error) {
      this.recorder.fail(error instanceof Error ? error : new Error(`${error}`));
      return null;
    }
    const segment = new Segment(path, {
      time: () => this.recorder.micros(),
      onLost: (lines) => {
        this.#lost += lines;
      },
      onError: (error) => this.recorder.fail(error),
    });
    this.#segment = segment;
    const about = { exchange: this.source, process, follows, types: [...types], symbols };
    this.#put(noteLine({ kind: 'file', t: this.recorder.micros(), version: 1, ...about }));
    this.list();
    for (const stream of this.streams) for (const line of stream.state()) this.#put(noteLine(line));
    this.#isUsed = false;
    return segment;
  }

  #put(line: string): void {
    this.#segment?.write(line);
    this.#lines += 1;
  }

  /** Writes the lists that the running file does not have yet. */
  list(): void {
    if (this.#segment === null) return;
    const { listed } = this.recorder.options;
    for (const part of this.parts) {
      const list = listed(this.source, part);
      if (list.size === 0 || this.#lists.get(part) === list) continue;
      this.#lists.set(part, list);
      const rows = [...list.values()].filter((row) => this.isWanted(row));
      this.#put(noteLine({ kind: 'instruments', t: this.recorder.micros(), part, rows }));
    }
  }

  /** Whether the market of a part is recorded. */
  has(part: string, market: string): boolean {
    const { symbols, listed } = this.recorder.options;
    const one = symbols.length === 0 ? undefined : listed(this.source, part).get(market);
    return one === undefined || this.isWanted(one);
  }

  /** Whether a market is recorded. */
  isWanted({ symbol }: Instrument): boolean {
    const { symbols } = this.recorder.options;
    return symbols.length === 0 || symbols.includes(symbol);
  }
}

const stepOf = (time: number): number => Math.floor(time / span);

export interface RecorderOptions {
  /** What is recorded; all exchanges and symbols where none are named. */
  types: ReadonlySet<RecordedType>;
  exchanges: readonly string[];
  symbols: readonly string[];
  /** Of all recordings. */
  folder: string;
  keepDays: number;
  mostBytes: number;
  /** Id of this process. */
  process: string;
  clock: Clock;
  log: Pick<Logger, 'error'>;
  /** The newest list of a part. */
  listed(source: string, part: string): InstrumentMap;
  /** Takes the rows of `/v1/status`. */
  publish(row: FeedReport): void;
  /** Bytes that the disk of a folder has left. */
  free?(folder: string): Promise<number>;
}

/** The recorder as its files see it. */
export interface Writer {
  readonly options: RecorderOptions;
  /** Why nothing is written now; null while it is. */
  readonly stopped: string | null;
  /** The time of the service, Unix microseconds. */
  micros(): number;
  /** Nothing can be written any more. */
  fail(error: NodeJS.ErrnoException): void;
}

/** A stream as the file of its exchange sees it. */
export interface RecordedStream {
  /** False while another process has the exchange: it records. */
  readonly isHeld: boolean;
  /** What the head of a file says of it. */
  state(): NoteLine[];
}
