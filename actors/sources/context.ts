/** The contexts of the sources of one process, of their feeds and of their jobs. */
import type { Logger } from '../../config/log.ts';
import type { Pace } from '../../config/pace.ts';
import type { Answers, Bus } from '../bus/bus.ts';
import type { Failure } from '../failure.ts';
import type { Clock } from '../kernel/clock.ts';
import type { SharedWindows } from '../kernel/shared-window.ts';
import type { NewestRows } from '../state/newest-rows.ts';
import type { Topic, Topics } from '../topics/index.ts';
import type { HttpClient } from '../upstream/client.ts';
import type { BookKeeping } from './books/books.ts';
import type { InstrumentBook } from './instruments.ts';
import type { Job } from './job.ts';
import type { HolderTopics, LeaseContext, StreamLease } from './lease.ts';
import type { Recorder } from './recording/recorder.ts';
import type { SourceStatus } from './status/status.ts';
import type { Relays } from './streams/relay.ts';
import type { LiveTrades } from './streams/trade-tape.ts';

/** The context of a source's jobs, from gaining its lease to losing it. */
export interface JobContext {
  clock: Clock;
  log: Logger;
  status: SourceStatus;
  /** Null when it was published, else the reason why it was not. */
  publish<T extends Topic>(topic: T, key: string, value: Topics[T]): Promise<Failure | null>;
  /** The last value of a key, also of an earlier process; undefined without one or without Redis. */
  last<T extends Topic>(topic: T, key: string): Promise<Topics[T] | undefined>;
  /** Asks a source; its failures are values. */
  query: Bus['query'];
  /** The client of a source, by its id. Throws for one that does not exist. */
  client(source: string): Pick<HttpClient, 'send' | 'state'>;
}

/** A source with jobs. */
export interface JobSource {
  /** Name of its lease, and the source of its rows in `/v1/status`. */
  id: string;
  /** The jobs, created each time that the lease is gained. */
  jobs(context: JobContext): readonly Job[];
  /** The answers to queries about what the jobs have made. */
  answers?: Answers;
}

/** The context shared by the sources of one process. */
export interface RunnerContext extends LeaseContext {
  bus: Pick<Bus, 'publish' | 'query' | 'last' | 'lastOf' | 'leases'>;
  client: JobContext['client'];
  book: InstrumentBook;
  newest: NewestRows;
  /** When what has come by stream is published; one for the whole process. */
  pace: Pace;
  /** Which prices are streamed; none when absent. */
  live?: { on(source: string): boolean };
  /** Base URL that every WebSocket goes through, as the requests do; none when null. */
  gateway: string | null;
  /** In which all processes of an address open connections in turn; absent where this one is alone. */
  shared?: SharedWindows;
  /** Order books are kept where this is present. */
  books?: BookKeeping;
  /** Public trades are folded where this is present. */
  trades?: Pick<BookKeeping, 'tracked'> & { live?: LiveTrades };
  /** Channels are passed on where this is present. */
  relays?: Relays;
  /** What is received is recorded where this is present. */
  recorder?: Pick<Recorder, 'stream' | 'poll'>;
}

/** The context of one run of a source. */
export type HolderContext = RunnerContext &
  HolderTopics & { status: SourceStatus; lease?: StreamLease | undefined };
