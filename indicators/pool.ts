/**
 * The threads that indicators are computed in. Jobs wait in one bounded queue; a thread that is free gets its share of
 * it as one batch, so that under load the round trip to a thread is paid once for many jobs. A job of one or two
 * indicators takes about 50 µs, and with a thread 240 µs: such jobs run in the loop itself, as long as that holds it
 * for no more than 1 ms a turn.
 */
import { Piscina } from 'piscina';
import { costOf, type Job } from './job.ts';
import { DurationCounter, type DurationCounts } from './pool-durations.ts';
import { type Batch, type Outcome, outcomeOf } from './worker.ts';

/** Why a job has no result: all of these may be tried again, but `threw`, which is a bug. */
export type Refusal =
  /** The queue has no room. */
  | 'full'
  /** Its deadline passed before a thread was free. */
  | 'late'
  /** Its batch ran too long and was ended with its thread. */
  | 'overran'
  /** Its thread died. */
  | 'died'
  | 'threw'
  | 'stopped';

export type PoolResult =
  | { ok: true; json: string }
  | { ok: false; refusal: Refusal; message: string };

export interface PoolOptions {
  threads: number;
  /** The machine's own outside of tests. */
  clock: PoolClock;
  /** Called for threads that die and jobs that throw. */
  log?: { error(fields: object, message: string): void };
  /** The file that the threads run. */
  worker?: URL;
  /** Jobs that may wait, and the bytes that they hold together. */
  capacity?: { jobs: number; bytes: number };
  /** A batch that runs for longer, ms, is ended within twice this time. */
  runLimit?: number;
  /** Jobs of at most this cost run in the loop, microseconds; 0: none. */
  inline?: number;
}

interface PoolClock {
  monotonic(): number;
  after(ms: number, fn: () => void): () => void;
}

/** What the pool has come to. */
export interface PoolCounts {
  threads: number;
  queued: number;
  /** Finished jobs: `inline`, `thread`, or their refusal. */
  jobs: Record<'inline' | 'thread' | Refusal, number>;
  batches: number;
  replaced: number;
  wait: DurationCounts;
  run: DurationCounts;
}

interface Waiting {
  job: Job;
  cost: number;
  deadline: number;
  since: number;
  settle(result: PoolResult): void;
}

/** Work that jobs share a dispatch up to, µs: a short one never waits for a long one to end. */
const batchCost = 2_000;
const batchLength = 64;
/** How many times the run limit a new thread may take to start. */
const startLooks = 15;
/** What the loop may be held for by jobs that run in it, ms a turn. */
const turnBudget = 1;

export class IndicatorPool {
  readonly #options: Required<Omit<PoolOptions, 'log'>> & Pick<PoolOptions, 'log'>;
  readonly #piscina: Piscina<Batch, Outcome[]>;
  readonly #queue: Waiting[] = [];
  readonly #wait = new DurationCounter();
  readonly #run = new DurationCounter();
  readonly #jobs = {
    ...{ inline: 0, thread: 0 },
    ...{ full: 0, late: 0, overran: 0, died: 0, threw: 0, stopped: 0 },
  };
  #bytes = 0;
  #running = 0;
  #batches = 0;
  #replaced = 0;
  /** Milliseconds that jobs have held this turn of the loop; null when none has. */
  #held: number | null = null;
  #stopped = false;

  constructor(options: PoolOptions) {
    this.#options = {
      worker: new URL('./worker.ts', import.meta.url),
      capacity: { jobs: 512, bytes: 64 * 2 ** 20 },
      runLimit: 4_000,
      inline: 250,
      ...options,
    };
    const { threads, worker } = this.#options;
    this.#piscina = new Piscina({
      filename: worker.href,
      minThreads: threads,
      maxThreads: threads,
      // A batch waits here only while a thread that died is being replaced.
      maxQueue: threads,
      concurrentTasksPerWorker: 1,
    });
    this.#piscina.on('error', (error) => this.#options.log?.error({ err: error }, 'thread failed'));
    this.#piscina.on('workerDestroy', () => {
      if (!this.#stopped) this.#replaced += 1;
    });
  }

  /** Runs a job. `deadline` is monotonic ms: a job that has not begun by then is refused. Never rejects. */
  run(job: Job, deadline: number): Promise<PoolResult> | PoolResult {
    if (this.#stopped) return this.#refuse('stopped', 'the pool is stopped');
    const cost = costOf(job);
    if (cost <= this.#options.inline && (this.#held ?? 0) + cost / 1_000 <= turnBudget) {
      return this.#runHere(job);
    }
    const { jobs, bytes } = this.#options.capacity;
    if (this.#queue.length >= jobs || this.#bytes + job.block.byteLength > bytes) {
      return this.#refuse('full', `${this.#queue.length} jobs wait already`);
    }
    return new Promise((settle) => {
      this.#bytes += job.block.byteLength;
      this.#queue.push({ job, cost, deadline, since: performance.now(), settle });
      this.#pump();
    });
  }

  counts(): PoolCounts {
    return {
      threads: this.#options.threads,
      queued: this.#queue.length,
      jobs: { ...this.#jobs },
      batches: this.#batches,
      replaced: this.#replaced,
      wait: this.#wait.read(),
      run: this.#run.read(),
    };
  }

  /** Refuses what waits, ends the threads with what they run. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const { settle } of this.#queue.splice(0)) {
      settle(this.#refuse('stopped', 'the pool is stopped'));
    }
    this.#bytes = 0;
    await this.#piscina.destroy();
  }

  #refuse(refusal: Refusal, message: string): PoolResult {
    this.#jobs[refusal] += 1;
    return { ok: false, refusal, message };
  }

  #runHere(job: Job): PoolResult {
    if (this.#held === null) {
      setImmediate(() => {
        this.#held = null;
      });
    }
    this.#wait.add(0);
    const outcome = outcomeOf(job);
    this.#held = (this.#held ?? 0) + outcome.ms;
    return this.#finish(outcome, 'inline');
  }

  #finish(outcome: Outcome, where: 'inline' | 'thread'): PoolResult {
    this.#run.add(outcome.ms);
    if ('fault' in outcome) {
      this.#options.log?.error({ fault: outcome.fault }, 'a job threw');
      return this.#refuse('threw', outcome.fault);
    }
    this.#jobs[where] += 1;
    return { ok: true, json: outcome.json };
  }

  /** Gives every free thread its batch. */
  #pump(): void {
    while (this.#running < this.#options.threads && !this.#stopped) {
      const batch = this.#take();
      if (batch.length === 0) return;
      this.#running += 1;
      void this.#dispatch(batch);
    }
  }

  /** A thread's share of the queue, oldest first; what is too late is refused on the way. */
  #take(): Waiting[] {
    const batch: Waiting[] = [];
    const free = this.#options.threads - this.#running;
    const share = Math.min(batchLength, Math.ceil(this.#queue.length / free));
    for (let cost = 0; batch.length < share; ) {
      const next = this.#queue[0];
      if (!next || (batch.length > 0 && cost + next.cost > batchCost)) break;
      this.#queue.shift();
      this.#bytes -= next.job.block.byteLength;
      if (next.deadline <= this.#options.clock.monotonic()) {
        next.settle(this.#refuse('late', 'no thread was free in time'));
        continue;
      }
      cost += next.cost;
      batch.push(next);
    }
    return batch;
  }

  async #dispatch(batch: readonly Waiting[]): Promise<void> {
    const begun = new Int32Array(new SharedArrayBuffer(4));
    const { signal, cancel } = this.#overrun(begun);
    this.#batches += 1;
    const jobs = batch.map(({ job }) => job);
    const buffers = jobs.map(({ block }) => block.buffer);
    const transferList = buffers.filter((buffer) => buffer instanceof ArrayBuffer);
    const sent = this.#piscina.run({ jobs, begun }, { transferList, signal });
    const settle = await sent.then(
      (outcomes) => () => this.#settle(batch, outcomes),
      (error) => () => this.#lose(batch, error, signal.aborted ? 'overran' : 'died'),
    );
    cancel();
    // The thread starts the waiting jobs before the finished ones are reported.
    this.#running -= 1;
    this.#pump();
    settle();
  }

  /** Aborts when a batch runs too long; the time that a new thread takes to start does not count. */
  #overrun(begun: Int32Array): { signal: AbortSignal; cancel(): void } {
    const { clock, runLimit } = this.#options;
    const overrun = new AbortController();
    let looks = 0;
    const look = (): void => {
      looks += 1;
      if (Atomics.load(begun, 0) === 1 || looks === startLooks) overrun.abort();
      else cancel = clock.after(runLimit, look);
    };
    let cancel = clock.after(runLimit, look);
    return { signal: overrun.signal, cancel: () => cancel() };
  }

  #settle(batch: readonly Waiting[], outcomes: readonly Outcome[]): void {
    const now = performance.now();
    const ran = outcomes.reduce((sum, { ms }) => sum + ms, 0);
    for (const [i, { since, settle }] of batch.entries()) {
      this.#wait.add(now - since - ran);
      settle(this.#finish(outcomes[i] ?? { fault: 'no outcome', ms: 0 }, 'thread'));
    }
  }

  #lose(batch: readonly Waiting[], error: unknown, how: 'overran' | 'died'): void {
    const message = error instanceof Error ? error.message : String(error);
    const refusal = this.#stopped ? 'stopped' : how;
    if (!this.#stopped) {
      this.#options.log?.error({ refusal, jobs: batch.length, reason: message }, 'batch lost');
    }
    for (const { settle } of batch) settle(this.#refuse(refusal, message));
  }
}
