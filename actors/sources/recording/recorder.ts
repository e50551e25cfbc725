/** The recorder: writes what the streams and polls of this process receive, as it came. See docs/recording.md. */
import { statfs } from 'node:fs/promises';
import { type Cancel, every } from '../../kernel/clock.ts';
import type { StreamLease } from '../lease.ts';
import { Folder } from './folder.ts';
import type { NoteLine, RecordedType } from './format.ts';
import { StreamRecording } from './stream-recording.ts';
import { type RecorderOptions, VenueRecording, type Writer } from './venue-recording.ts';

/** Between two flushes, which a kill may lose, ms. */
const flushMs = 500;
/** Between two looks at the size of the folder, and after a failure, ms. */
const tidyMs = 60_000;
/** Nothing is recorded while the disk has fewer bytes left: the rest of the service needs some. */
const leastFree = 2 ** 29;
/** A difference of the clocks that is followed, ms: smaller ones are within the reading of whole milliseconds. */
const leastStep = 2;

const freeOf = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

export class Recorder implements Writer {
  readonly options: RecorderOptions;
  /** Why nothing is written now; null while it is. */
  stopped: string | null = null;
  #hasEnded = false;
  readonly #folder: Folder;
  readonly #venues = new Map<string, VenueRecording>();
  readonly #timers: Cancel[];
  /** What is added to `performance.now()`, ms. */
  #offset = performance.timeOrigin;
  #last = 0;

  constructor(options: RecorderOptions) {
    this.options = options;
    this.#folder = new Folder(options.folder, options);
    const { clock } = options;
    this.#timers = [
      every(clock, flushMs, () => this.#flush()),
      every(clock, tidyMs, () => this.tidy()),
    ];
    void this.tidy();
  }

  /** The time of the service, Unix microseconds. It goes back only where that of the service does by more than a second. */
  micros(): number {
    this.#agree();
    const time = Math.round((this.#offset + performance.now()) * 1_000);
    if (time >= this.#last || time < this.#last - 1_000_000) this.#last = time;
    return this.#last;
  }

  /** The recording of a stream, as `types` it has data of; null where it is not recorded. */
  stream(
    source: string,
    { name, part, types }: { name: string; part: string; types: readonly RecordedType[] },
    lease?: StreamLease,
  ): StreamRecording | null {
    const venue = this.#venueOf(source, types);
    if (venue === null) return null;
    venue.parts.add(part);
    return new StreamRecording(venue, { name, part, lease });
  }

  /** Records a poll; does nothing where none of its types is recorded. */
  poll(source: string, poll: Omit<Extract<NoteLine, { kind: 'poll' }>, 'kind' | 't'>): void {
    const types = poll.topics.flatMap((topic) => typeOf[topic] ?? []);
    const venue = this.#venueOf(source, [...types, 'polls']);
    venue?.parts.add(poll.part);
    venue?.note({ kind: 'poll', t: this.micros(), ...poll });
  }

  /** Nothing can be written any more: the files are given up, and others begun once there is room. */
  fail(error: NodeJS.ErrnoException): void {
    const reason = error.code === 'ENOSPC' ? 'the disk is full' : `${error.code ?? error.message}`;
    this.options.log.error({ err: error }, 'recording stopped');
    this.#stop(reason);
  }

  /** Removes what is too old or too much, and stops or begins again where the disk asks for it. */
  async tidy(): Promise<void> {
    const { clock, folder, mostBytes, free = freeOf } = this.options;
    try {
      const isFull = await this.#folder.tidy(clock.now());
      const left = await free(folder);
      if (isFull) this.#stop(`the recordings of today have ${mostBytes} bytes`);
      else if (left < leastFree) this.#stop('the disk is full');
      else if (!this.#hasEnded) this.stopped = null;
    } catch (error) {
      this.#stop(error instanceof Error ? error.message : 'the folder cannot be read');
    }
    for (const venue of this.#venues.values()) venue.report();
  }

  /** Ends all files. */
  async stop(): Promise<void> {
    for (const cancel of this.#timers) cancel();
    this.#hasEnded = true;
    this.stopped = 'the process ends';
    await Promise.all([...this.#venues.values()].map((venue) => venue.close()));
  }

  #stop(why: string): void {
    this.stopped = why;
    for (const venue of this.#venues.values()) void venue.close();
  }

  #venueOf(source: string, types: readonly RecordedType[]): VenueRecording | null {
    const { exchanges, types: wanted } = this.options;
    const isNamed = exchanges.length === 0 || exchanges.includes(source);
    if (!isNamed || !types.some((type) => wanted.has(type))) return null;
    const venue = this.#venues.get(source) ?? new VenueRecording(source, this);
    this.#venues.set(source, venue);
    return venue;
  }

  /** One file a time is replaced, so that its head delays no frames of the others. */
  #flush(): void {
    const venues = [...this.#venues.values()];
    for (const venue of venues) venue.flush();
    venues.find((venue) => venue.isDue)?.renew();
  }

  #agree(): void {
    const offset = this.options.clock.now() - performance.now();
    if (Math.abs(offset - this.#offset) > leastStep) this.#offset = offset;
  }
}

/** The recorded type of what a topic has; a topic that is not named is not recorded. */
export const typeOf: Readonly<Record<string, RecordedType>> = {
  prices: 'quotes',
  derivatives: 'derivatives',
  openInterest: 'derivatives',
  liquidations: 'liquidations',
  books: 'books',
  trades: 'trades',
};
