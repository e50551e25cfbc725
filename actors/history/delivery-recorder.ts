/**
 * Stores the log of deliveries of alerts with the place in the log, in one transaction: each attempt is stored once. While the store
 * takes no writes, the log is not read.
 */
import { day, hour } from '../../config/time.ts';
import type { Bus, BusLog, LogPosition } from '../bus/bus.ts';
import { failed, type Result, success } from '../failure.ts';
import { type Clock, sleep } from '../kernel/clock.ts';
import type { AlertDeliveriesParams, AlertDelivery, Reply } from '../topics/index.ts';
import { runSessions } from './log-sessions.ts';
import { type Store, StoreError } from './store.ts';

/** The position that remembers the place in the log. */
const logPosition = 'log:alert-deliveries';
/** Between two transactions, and between two removals of old attempts, ms. */
const pauses = { write: 1_000, prune: hour } as const;
/** How long attempts are kept, ms. */
const keep = 30 * day;
/** Most attempts of a transaction, and most that wait: beyond them the log is read later; and of one answer. */
const most = { batch: 1_000, waiting: 20_000, answer: 500 } as const;

interface Waiting {
  delivery: AlertDelivery;
  at: LogPosition;
}

/** The place of a text that this file wrote; null for any other. */
function placeOf(text: string | null): LogPosition | null {
  const [seq, id] = text?.split(' ') ?? [];
  return id ? { id, seq: Number(seq) } : null;
}

interface Options {
  bus: Pick<Bus, 'follow'>;
  store: Store;
  clock: Clock;
  log: BusLog;
}

export class DeliveryRecorder {
  readonly #options: Options;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  #waiting: Waiting[] = [];
  #isFull = false;
  #pruned = Number.NEGATIVE_INFINITY;

  constructor(options: Options) {
    this.#options = options;
    const { clock, log } = options;
    const { signal } = this.#stopping;
    const warning = 'deliveries of alerts cannot be stored: they wait in the log';
    this.#running = runSessions(() => this.#session(), { clock, log, signal, warning });
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  /** Reads from the place that the store has, until the store fails or too many attempts wait. */
  async #session(): Promise<void> {
    const { bus, store, clock } = this.#options;
    const { signal } = this.#stopping;
    let text = await store.position(logPosition);
    const place = placeOf(text);
    this.#waiting = [];
    this.#isFull = false;
    const follower = bus.follow(
      {
        alertDeliveries: (_key, delivery, at) => {
          this.#isFull ||= this.#waiting.length >= most.waiting;
          // The rest is read again, from the place that is stored.
          if (!signal.aborted && !this.#isFull) this.#waiting.push({ delivery, at });
        },
      },
      place === null ? {} : { from: { alertDeliveries: place } },
    );
    try {
      while (!signal.aborted && !(this.#isFull && this.#waiting.length === 0)) {
        if (this.#waiting.length === 0) await sleep(clock, pauses.write, signal);
        while (!signal.aborted && this.#waiting.length > 0) text = await this.#write(text);
      }
    } finally {
      await follower.stop();
    }
  }

  /** Commits the first attempts that wait. The text of the place after them. */
  async #write(before: string | null): Promise<string | null> {
    const { store, clock } = this.#options;
    const some = this.#waiting.slice(0, most.batch);
    const last = some.at(-1)?.at;
    const text = last === undefined ? before : `${last.seq} ${last.id}`;
    await store.write({
      writes: [],
      deliveries: some.map(({ delivery }) => delivery),
      positions: text === null ? [] : [{ name: logPosition, from: before, to: text }],
    });
    this.#waiting.splice(0, some.length);
    if (clock.monotonic() - this.#pruned >= pauses.prune) {
      this.#pruned = clock.monotonic();
      await store.pruneDeliveries(clock.now() - keep);
    }
    return text;
  }
}

/** The handler of the bus, by the name of the query. */
export const deliveryAnswers = (store: Pick<Store, 'deliveries'>, clock: Clock) => ({
  async alertDeliveries({
    alert_id,
    limit,
  }: AlertDeliveriesParams): Promise<Result<Reply<readonly AlertDelivery[]>>> {
    const received = clock.now();
    try {
      const value = await store.deliveries(alert_id, Math.min(limit, most.answer));
      return success({ value, received, until: received });
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      return failed('unavailable', error.message);
    }
  },
});
