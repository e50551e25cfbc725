/** What the recorder is told, and what its parts know of each other. */
import type { Logger } from '../../../config/log.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { FeedReport } from '../../topics/index.ts';
import type { InstrumentMap } from '../define.ts';
import type { NoteLine, RecordedType } from './format.ts';

/** What is recorded; all exchanges and symbols where none are named. */
export interface RecordChoice {
  types: ReadonlySet<RecordedType>;
  exchanges: readonly string[];
  symbols: readonly string[];
}

export interface RecorderOptions extends RecordChoice {
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
