/**
 * Stores a log of the bus with the place in it, in one transaction: so each entry is stored once, even when a process is killed at any
 * moment. While the store takes no writes, the log is not read.
 */
import { hour } from '../../config/time.ts';
import type { BusLog, Follower, LogPosition } from '../bus/bus.ts';
import { type Clock, sleep } from '../kernel/clock.ts';
import { type Batch, type Store, StoreError } from './store.ts';

/** Between two transactions, after a failure of the store, and between two removals of old rows, ms. */
const pauses = { write: 1_000, failed: 5_000, prune: hour } as const;

/** An entry of a log with its position. */
export interface LogEntry<E> {
  entry: E;
  at: LogPosition;
  /** Entries before it are lost: no time before it counts as received. */
  afterGap: boolean;
}

/** A log, and what is stored of it. */
export interface RecordedLog<E> {
  /** The position that remembers the place in the log. */
  position: string;
  /** What is logged when the store fails: what is not stored is in the log of the bus still. */
  warning: string;
  /** Most rows of a transaction, and most that wait: beyond them the log is read later. */
  most: { batch: number; waiting: number };
  /** The rows of an entry. */
  rowsOf(entry: E): number;
  /** The place of a text that `batch` gave; null for any other. */
  placeOf(text: string | null): LogPosition | null;
  /** Reads the log from after a place; `onRestart` where entries may be missing. */
  follow(
    from: LogPosition | null,
    take: (entry: E, at: LogPosition) => void,
    onRestart: () => void,
  ): Follower;
  /** What is written for entries, and the text of the place after them. */
  batch(entries: readonly LogEntry<E>[], before: string | null): Batch & { text: string | null };
  /** Called after each transaction. */
  stored?(entries: readonly LogEntry<E>[]): Promise<void>;
  /** Removes expired rows. */
  prune(now: number): Promise<void>;
}

export interface LogOptions {
  store: Store;
  clock: Clock;
  log: BusLog;
}

export class LogRecorder<E> {
  readonly #of: RecordedLog<E>;
  readonly #options: LogOptions;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  #pruned = Number.NEGATIVE_INFINITY;

  constructor(of: RecordedLog<E>, options: LogOptions) {
    this.#of = of;
    this.#options = options;
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { clock, log } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await this.#session();
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        log.warn({ err: error }, this.#of.warning);
        await sleep(clock, pauses.failed, signal);
      }
    }
  }

  /** Reads from the place that the store has, until the store fails or too much waits. */
  async #session(): Promise<void> {
    const { store, clock } = this.#options;
    const { position, placeOf, most, rowsOf } = this.#of;
    const { signal } = this.#stopping;
    let text = await store.position(position);
    const place = placeOf(text);
    const waiting: LogEntry<E>[] = [];
    const state = { rows: 0, isFull: false, seq: (place?.seq ?? 0) as number | null };
    const take = (entry: E, at: LogPosition) => {
      state.isFull ||= state.rows > most.waiting;
      // The rest is read again, from the place that is stored.
      if (signal.aborted || state.isFull) return;
      waiting.push({ entry, at, afterGap: at.seq - 1 !== state.seq });
      state.rows += rowsOf(entry);
      state.seq = at.seq;
    };
    const follower = this.#of.follow(place, take, () => {
      state.seq = null;
    });
    try {
      while (!signal.aborted && !(state.isFull && waiting.length === 0)) {
        if (!state.isFull) await sleep(clock, pauses.write, signal);
        while (!signal.aborted && waiting.length > 0) {
          const { entries, rows } = this.#first(waiting);
          text = await this.#write(entries, text);
          waiting.splice(0, entries.length);
          state.rows -= rows;
        }
      }
    } finally {
      await follower.stop();
    }
  }

  /** The first entries, as many as a transaction takes. */
  #first(waiting: readonly LogEntry<E>[]) {
    const { most, rowsOf } = this.#of;
    let [count, rows] = [0, 0];
    for (; count < waiting.length && rows < most.batch; count++) {
      const next = waiting[count];
      rows += next ? rowsOf(next.entry) : 0;
    }
    return { entries: waiting.slice(0, count), rows };
  }

  /** Commits entries; gives the text of the place after them. */
  async #write(entries: readonly LogEntry<E>[], before: string | null): Promise<string | null> {
    const { store, clock } = this.#options;
    const { position: name } = this.#of;
    const { text, ...batch } = this.#of.batch(entries, before);
    const positions = text === null ? [] : [{ name, from: before, to: text }];
    await store.write({ ...batch, positions });
    await this.#of.stored?.(entries);
    if (clock.monotonic() - this.#pruned >= pauses.prune) {
      this.#pruned = clock.monotonic();
      await this.#of.prune(clock.now());
    }
    return text;
  }
}
