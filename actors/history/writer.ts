/** Writes batches in their order, and keeps them while the store cannot take them. */
import type { BusLog } from '../bus/bus.ts';
import type { Cancel, Clock } from '../kernel/clock.ts';
import { type Batch, type Store, StoreError } from './store.ts';

/** Rows that wait at most: about 100 MB. Beyond them the oldest batch is given up, and counted. */
const mostWaiting = 1_000_000;
/** Between two attempts, ms. */
const pauses = { least: 1_000, most: 30_000 };
/** Attempts at a batch that the store refuses for an unknown reason. */
const mostAttempts = 5;

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

const rowsOf = ({ writes }: Batch): number =>
  writes.reduce((sum, { rows }) => sum + rows.keys.length, 0);

export class Writer {
  readonly #options: WriterOptions;
  readonly #queue: Batch[] = [];
  #waiting = 0;
  #lost = 0;
  #failures = 0;
  #problem: Problem | null = null;
  #working: Promise<void> | null = null;
  #wake: () => void = () => {};
  #stopped = false;

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
  async add(batch: Batch): Promise<void> {
    if (batch.writes.length === 0 && !batch.positions?.length) return;
    this.#queue.push(batch);
    this.#waiting += rowsOf(batch);
    this.#shrink();
    this.#working ??= this.#work();
    await this.#working;
  }

  /** Tries the waiting batches once more, and gives the rest up. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#wake();
    await this.#working;
  }

  #shrink(): void {
    const { most = mostWaiting } = this.#options;
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
        continue;
      }
      this.#failures++;
      const { code, message } = failure;
      this.#problem ??= { code, message, since: this.#options.clock.now() };
      const hopeless = code === 'failed' && this.#failures >= mostAttempts;
      if (hopeless || code === 'superseded') this.#giveUp(0);
      else if (this.#stopped) break;
      else await this.#rest();
    }
    // In the same turn as the last look at the queue, so that no batch is left behind.
    this.#working = null;
  }

  async #attempt(batch: Batch): Promise<StoreError | null> {
    const { store, log } = this.#options;
    try {
      await store.write(batch);
      if (this.#problem) log.info({ ...this.#problem }, 'the history is written again');
      this.#problem = null;
      this.#failures = 0;
      return null;
    } catch (error) {
      // The answer to a commit may be lost: then its positions are there.
      if (await this.#committed(batch, error)) return null;
      const failure = error instanceof StoreError ? error : new StoreError('failed', String(error));
      if (this.#failures === 0) log.error({ err: error }, 'the history cannot be written');
      return failure;
    }
  }

  async #committed({ positions = [] }: Batch, error: unknown): Promise<boolean> {
    if (!(error instanceof StoreError) || error.code !== 'superseded') return false;
    const { store } = this.#options;
    const places = await Promise.all(positions.map(({ name }) => store.position(name))).catch(
      () => [],
    );
    return positions.every(({ to }, at) => places[at] === to);
  }

  #rest(): Promise<void> {
    const pause = Math.min(pauses.most, pauses.least * 2 ** (this.#failures - 1));
    return new Promise((resolve) => {
      const done = () => {
        cancel();
        resolve();
      };
      this.#wake = done;
      const cancel: Cancel = this.#options.clock.after(pause, done);
    });
  }
}
