/**
 * Stores the log of liquidations: the events, their sums by minute, for how long each stream was received, and the place in the
 * log, all in one transaction. So each event of the log is stored once, even when a process is killed at any moment. While the store takes
 * no writes, the log is not read.
 */
import { day, hour } from '../../config/time.ts';
import type { Bus, BusLog, Follower } from '../bus/bus.ts';
import { type Clock, sleep } from '../kernel/clock.ts';
import { combineTier } from './combine.ts';
import {
  eventsOf,
  heardOf,
  type LogEntry,
  lateness,
  logPosition,
  type Place,
  placeOf,
  sumsOf,
  textOf,
} from './liquidation-rows.ts';
import { runSessions } from './log-sessions.ts';
import { liquidationFeeds, liquidations } from './series/liquidations.ts';
import type { Store } from './store.ts';

/** Between two transactions, and between two removals of old events, ms. */
const pauses = { write: 1_000, prune: hour };
/** How long events are kept, ms. */
const keep = 7 * day;
/** Most events of a transaction, and most that wait: beyond them the log is read later. */
const most = { batch: 5_000, waiting: 50_000 };
/** Hours that are combined at the first start: the log holds about a day. */
const firstHours = 48;

export interface LiquidationRecorderOptions {
  bus: Pick<Bus, 'follow'>;
  store: Store;
  clock: Clock;
  log: BusLog;
  /** Takes the number of stored events. */
  onStored?(events: number, at: number): void;
}

export class LiquidationRecorder {
  readonly #options: LiquidationRecorderOptions;
  readonly #running: Promise<void>;
  #waiting: LogEntry[] = [];
  #events = 0;
  /** More entries came than may wait: the following ones were not taken. */
  #isFull = false;
  /** The sequence number of the last entry; null where it is not known. */
  #seq: number | null = 0;
  #hour = 0;
  #pruned = Number.NEGATIVE_INFINITY;
  readonly #stopping = new AbortController();

  constructor(options: LiquidationRecorderOptions) {
    this.#options = options;
    const { clock, log } = options;
    const { signal } = this.#stopping;
    const warning = 'liquidations cannot be stored: they wait in the log';
    this.#running = runSessions(() => this.#session(), { clock, log, signal, warning });
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  /** Reads from the place that the store has, until the store fails or too many entries wait. */
  async #session(): Promise<void> {
    const { store, clock } = this.#options;
    const text = await store.position(logPosition);
    let at = { place: placeOf(text), text };
    this.#waiting = [];
    this.#events = 0;
    this.#isFull = false;
    this.#seq = at.place?.seq ?? 0;
    const follower = this.#follow(at.place);
    try {
      while (!this.#stopping.signal.aborted && !(this.#isFull && this.#waiting.length === 0)) {
        if (!this.#isFull) await sleep(clock, pauses.write, this.#stopping.signal);
        while (!this.#stopping.signal.aborted && this.#waiting.length > 0)
          at = await this.#write(at);
      }
    } finally {
      await follower.stop();
    }
  }

  #follow(place: Place | null): Follower {
    const { bus } = this.#options;
    return bus.follow(
      {
        liquidations: (_key, entry, at) => {
          this.#isFull ||= this.#events > most.waiting;
          // The rest is read again, from the place that is stored.
          if (this.#stopping.signal.aborted || this.#isFull) return;
          this.#waiting.push({ entry, at, afterGap: at.seq - 1 !== this.#seq });
          this.#events += entry.events.length;
          this.#seq = at.seq;
        },
      },
      {
        ...(place && { from: { liquidations: { id: place.id, seq: place.seq } } }),
        onRestart: () => {
          this.#seq = null;
        },
      },
    );
  }

  /** Commits the first entries that wait. */
  async #write(before: { place: Place | null; text: string | null }) {
    const { store, clock, onStored } = this.#options;
    const entries: LogEntry[] = [];
    for (let events = 0; events < most.batch; ) {
      const next = this.#waiting[entries.length];
      if (!next) break;
      entries.push(next);
      events += next.entry.events.length;
    }
    const { writes, place } = heardOf(entries, before.place);
    const rows = eventsOf(entries);
    const text = place ? textOf(place) : null;
    await store.write({
      writes,
      events: { rows, sums: sumsOf },
      positions: text === null ? [] : [{ name: logPosition, from: before.text, to: text }],
    });
    this.#waiting.splice(0, entries.length);
    this.#events -= rows.length;
    onStored?.(rows.length, clock.now());
    await this.#maintain(entries.at(-1)?.entry.at ?? 0);
    return { place, text };
  }

  /** Combines the hours that are complete by the time of the log, and removes expired rows. */
  async #maintain(time: number): Promise<void> {
    const { store, clock } = this.#options;
    const [finer, tier] = liquidations.tiers;
    const ended = tier ? Math.floor((time - lateness) / tier.step) : 0;
    if (tier && ended > this.#hour) {
      const combining = { store, write: store.write.bind(store) };
      for (const series of [liquidations, liquidationFeeds]) {
        const settled = { time: time - lateness, before: firstHours };
        await combineTier(combining, series, { finer, tier }, settled);
      }
      this.#hour = ended;
    }
    if (clock.monotonic() - this.#pruned < pauses.prune) return;
    this.#pruned = clock.monotonic();
    await store.pruneEvents(clock.now() - keep);
  }
}
