/** Writes batches in their order, and keeps them while the store cannot take them. */
import type { BusLog } from '../bus/bus.ts';
import { type Clock, sleep } from '../kernel/clock.ts';
import { type SmallBatch, type Store, StoreError, type Write } from './store.ts';

/** Refusals in a row after which a stop ends: more than the halves of any batch, as a store that takes nothing brings. */
const mostAtStop = 100;
/** Rows that wait at most: about 300 MB. Beyond them the oldest batch is given up, and counted. */
const maxWaiting = 1_000_000;
/** Between two attempts, ms. */
const pauses = { least: 1_000, most: 30_000 };

export interface WriterOptions {
  store: Store;
  clock: Clock;
  log: BusLog;
  /** `mostWaiting` when absent. */
  most?: number;
}

/** Why batches wait. */
export interface Problem {
  code: StoreError['code'];
  message: string;
  /** Unix ms. */
  since: number;
}

const rowsOf = ({ writes: [write] }: SmallBatch): number => write?.rows.length ?? 0;

/** The rows of a batch as two, one after the other; null for a single row, and for positions. */
function halves({ writes: [write] }: SmallBatch): [SmallBatch, SmallBatch] | null {
  if (write === undefined || write.rows.length < 2) return null;
  const { rows } = write;
  const middle = Math.ceil(rows.length / 2);
  const part = (some: Write['rows']): SmallBatch => ({ writes: [{ ...write, rows: some }] });
  return [part(rows.slice(0, middle)), part(rows.slice(middle))];
}

export class Writer {
  readonly #options: WriterOptions;
  readonly #queue: SmallBatch[] = [];
  /** Single rows that were refused, with the number of batches that were written before. */
  readonly #refused = new WeakMap<SmallBatch, number>();
  #written = 0;
  #waiting = 0;
  #lost = 0;
  #failures = 0;
  #problem: Problem | null = null;
  #working: Promise<void> | null = null;
  readonly #stopping = new AbortController();

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  /** Null while the store takes every batch. */
  get problem(): Problem | null {
    return this.#problem;
  }

  /** Rows that were given up, and rows that wait. */
  get counts(): { lost: number; waiting: number } {
    return { lost: this.#lost, waiting: this.#waiting };
  }

  /** Resolves when the batch is committed, or given up. */
  readonly add = async (batch: SmallBatch): Promise<void> => {
    if (rowsOf(batch) === 0 && !('positions' in batch)) return;
    this.#queue.push(batch);
    this.#waiting += rowsOf(batch);
    this.#shrink();
    this.#working ??= this.#work();
    await this.#working;
  };

  /** Tries the waiting batches once more, and gives the rest up. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#working;
  }

  #shrink(): void {
    const { most = maxWaiting } = this.#options;
    // The first one may be under way.
    while (this.#waiting > most && this.#queue.length > 2) this.#giveUp(1);
  }

  #giveUp(at: number): void {
    const [batch] = this.#queue.splice(at, 1);
    if (!batch) return;
    this.#waiting -= rowsOf(batch);
    this.#lost += rowsOf(batch);
  }

  async #work(): Promise<void> {
    for (let [batch] = this.#queue; batch !== undefined; [batch] = this.#queue) {
      const failure = await this.#attempt(batch);
      if (failure === null) {
        this.#queue.shift();
        this.#waiting -= rowsOf(batch);
      } else if (!(await this.#goesOn(batch, failure))) break;
    }
    // In the same turn as the last look at the queue, so that no batch is left behind.
    this.#working = null;
  }

  /** What follows a failure; false where the rest of the queue is left. */
  async #goesOn(batch: SmallBatch, failure: StoreError): Promise<boolean> {
    this.#failures++;
    const { code, message } = failure;
    this.#problem ??= { code, message, since: this.#options.clock.now() };
    if (this.#stopping.signal.aborted && (code !== 'failed' || this.#failures > mostAtStop))
      return false;
    if (code === 'failed') this.#sift(batch, failure);
    if (!this.#stopping.signal.aborted && this.#failures > 0) await this.#rest();
    return true;
  }

  /**
   * What the store refuses is tried by halves, so that only rows that it refuses by themselves are left out: those which
   * it refuses again after it has taken another batch. Where it takes nothing, nothing is left out.
   */
  #sift(batch: SmallBatch, { message }: StoreError): void {
    const [first, second] = halves(batch) ?? [];
    if (first && second) {
      this.#queue.splice(0, 1, first, second);
      return;
    }
    const written = this.#refused.get(batch);
    if (written !== undefined && written < this.#written) {
      const [write] = batch.writes;
      const row = { ...(write ?? batch), series: write?.series.name, reason: message };
      this.#options.log.error(row, 'the history refuses a row');
      this.#giveUp(0);
      this.#problem = null;
      this.#failures = 0;
      return;
    }
    this.#refused.set(batch, this.#written);
    this.#queue.shift();
    this.#queue.push(batch);
  }

  async #attempt(batch: SmallBatch): Promise<StoreError | null> {
    const { store, log } = this.#options;
    try {
      await store.write(batch);
      if (this.#problem) log.info({ ...this.#problem }, 'the history is written again');
      this.#problem = null;
      this.#failures = 0;
      this.#written++;
      return null;
    } catch (error) {
      const failure = error instanceof StoreError ? error : new StoreError('failed', String(error));
      if (this.#failures === 0) log.error({ err: error }, 'the history cannot be written');
      return failure;
    }
  }

  #rest(): Promise<void> {
    const pause = Math.min(pauses.most, pauses.least * 2 ** (this.#failures - 1));
    return sleep(this.#options.clock, pause, this.#stopping.signal);
  }
}
