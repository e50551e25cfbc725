/** Work that runs for as long as this process holds its lease, and that another process may take over while it runs. */
import type { Logger } from '../../config/log.ts';
import type { Bus } from '../bus/bus.ts';
import { isLogged } from '../bus/script.ts';
import { type Clock, sleep } from '../kernel/clock.ts';
import { type Contention, contend } from '../kernel/lease.ts';
import type { Starts } from '../kernel/starts.ts';

/** Of the supervisors at work: a stop waits twice this at most, well within the ten seconds that a process has. */
export const stopPolicy = { stopDeadline: 3_000 };

/** The context of a lease. */
export interface LeaseContext {
  bus: Pick<Bus, 'leases'>;
  clock: Clock;
  /** Uniform in [0, 1). */
  random: () => number;
  log: Logger;
  /** This process, as the leases and `/v1/status` name it. */
  process: string;
  /** Those of this process when absent. */
  failedStarts?: FailedStarts;
  /** Admits the starts of this process; each begins at once when absent. */
  starts?: Starts;
}

/** How a run ends. */
export interface Ending {
  /** Another process goes on from here. */
  handedOver: boolean;
}

/** The time from gaining a lease to losing it. */
export interface Run {
  stop(ending?: Ending): Promise<void>;
}

/** Work that is prepared while another process still does it. */
export interface Standby extends Run {
  /** Whether it can go on without a gap. `isLate`: what the upstreams may not bring at all is not waited for. */
  isReady(isLate: boolean): boolean;
  /** Begins what both processes may do at once. */
  prepare(): Promise<void>;
  /** Goes on as the holder of the lease. */
  begin(fence: number): Run;
}

/** A lease that this process offers to hold. */
export interface Leased {
  readonly isHeld: boolean;
  /**
   * Prepares to go on for the holder, calls `onReady`, and waits for the lease. `taken`: this process has it; `refused`: there
   * is a successor already, or there was one within the last minute and the holder is not about to end (`isLeft`); `failed`: in the
   * time for it the work was not ready, or the holder did not end.
   */
  succeed(onReady: () => void, isLeft?: boolean): Promise<'taken' | 'refused' | 'failed'>;
  /** Ends the work in order, and gives the lease up to its successor. */
  handOver(): Promise<void>;
  stop(): Promise<void>;
}

/** Mean pause, ms. With the 6 s of a lease this leaves 3 s of a pending query's 10 s to the next holder. */
const retry = 500;
/**
 * How long work that others may do at the same time goes on without an answer of Redis, ms: to begin it anew costs more than that it is
 * done twice for a while, and a busy process would become busier.
 */
const keep = 30_000;
/** Between two looks, and two attempts, of a process that stands by, ms. */
const soon = 100;
/**
 * How long one is the successor without renewing that, and when it does, ms; until when it waits for `all` that its upstreams
 * may bring (`left`: of a holder that ends after six seconds), until when it must be `ready`, and how long it then waits for
 * the lease.
 */
const patience = {
  ...{ reserved: 6_000, renew: 2_000, all: 5_000, left: 2_500 },
  ...{ ready: 30_000, lease: 15_000 },
};

/** The work of a lease, and how it begins. */
export interface Work {
  /** Called each time that the lease is gained. Where it throws, that is counted, and the lease is given up until later. */
  begin(at: { fence: number; log: Logger }): Run;
  /** The work is not handed over when absent. */
  standBy?(at: { log: Logger }): Standby;
}

/** Offers to hold the lease `name` until stopped. */
export const withLease = (name: string, context: LeaseContext, work: Work): Leased =>
  new LeasedWork(name, context, work);

class LeasedWork implements Leased {
  readonly #name: string;
  readonly #context: LeaseContext;
  readonly #work: Work;
  readonly #log: Logger;
  readonly #contention: Contention;
  #run: Run | null = null;
  #standby: Standby | null = null;
  /** When this process became the successor, or did so again, Unix ms. */
  #reservedAt = Number.NEGATIVE_INFINITY;
  #isStopping = false;
  /** What ran, or stood by, is ending. */
  #ending: Promise<void> | null = null;

  constructor(name: string, context: LeaseContext, work: Work) {
    const { bus, clock, random, process, starts } = context;
    this.#name = name;
    this.#context = context;
    this.#work = work;
    const log = context.log.child({ source: name });
    this.#log = log;
    this.#contention = contend({
      name,
      holder: process,
      store: bus.leases(),
      clock,
      random,
      retry: () => (this.#standby ? soon : retry),
      keep: work.standBy ? keep : 0,
      turn: async () => {
        await this.#ending;
        return this.#standby || !starts ? null : starts.turn();
      },
      onGained: (fence) => this.#begin(fence),
      onHandOver: () => this.#end({ handedOver: true }),
      onLost: () => {
        log.info('no longer running this source');
        return this.#end();
      },
      onError(error) {
        if (!isLogged(error)) log.warn({ err: error }, 'lease');
      },
    });
  }

  get isHeld(): boolean {
    return this.#run !== null;
  }

  async succeed(onReady: () => void, isLeft = false): Promise<'taken' | 'refused' | 'failed'> {
    const { standBy } = this.#work;
    if (standBy === undefined || this.#isBusy || !(await this.#reserve(isLeft))) return 'refused';
    try {
      const all = isLeft ? patience.left : patience.all;
      if (!this.#isBusy) await this.#untilHeld(standBy, { onReady, all });
    } catch (error) {
      const { failedStarts = processFailedStarts } = this.#context;
      failedStarts.add(this.#name);
      this.#log.error({ err: error }, 'this source cannot be taken over');
    }
    const hasTaken = this.#run !== null;
    await this.#stopStandby();
    return hasTaken ? 'taken' : 'failed';
  }

  async handOver(): Promise<void> {
    if (!this.#run) return;
    this.#log.info('another process goes on with this source');
    await this.#contention.handOver();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    const ended = this.#standby ? this.#stopStandby() : this.#end();
    await this.#contention.stop();
    await ended;
    await this.#ending;
  }

  get #isBusy(): boolean {
    return [this.#run, this.#standby, this.#ending].some((one) => one !== null) || this.#isStopping;
  }

  #begin(fence: number): void {
    const { failedStarts = processFailedStarts } = this.#context;
    const [standby, log] = [this.#standby, this.#log];
    this.#standby = null;
    log.info({ fence }, 'running this source');
    try {
      if (this.#ending !== null) throw new Error(`${this.#name}: the last run has not ended`);
      this.#run = standby ? standby.begin(fence) : this.#work.begin({ fence, log });
    } catch (error) {
      failedStarts.add(this.#name);
      if (standby) this.#wait(standby.stop());
      throw error;
    }
  }

  /** Prepares the work, says that it is ready, and waits for the lease; gives up when one of them takes too long. */
  async #untilHeld(
    standBy: Required<Work>['standBy'],
    { onReady, all }: { onReady: () => void; all: number },
  ): Promise<void> {
    const { clock } = this.#context;
    const own = standBy({ log: this.#log });
    this.#standby = own;
    const began = clock.monotonic();
    const isReady = () => own.isReady(clock.monotonic() - began >= all);
    if (!(await this.#standBy(own, isReady, patience.ready))) return;
    await own.prepare();
    if (this.#standby !== own) return;
    onReady();
    await this.#standBy(own, () => false, patience.lease);
  }

  /** Whether `isOver` within `longest` ms, while this process is the successor and has not gained the lease. */
  async #standBy(own: Standby, isOver: () => boolean, longest: number): Promise<boolean> {
    const { clock } = this.#context;
    const began = clock.monotonic();
    while (this.#standby === own && clock.monotonic() - began < longest) {
      if (isOver()) return true;
      await sleep(clock, soon);
      const isDue = clock.monotonic() - this.#reservedAt >= patience.renew;
      if (isDue && !(await this.#reserve())) return false;
    }
    return false;
  }

  /** False as well where Redis does not answer. */
  async #reserve(isLeft = false): Promise<boolean> {
    const { bus, clock, process } = this.#context;
    this.#reservedAt = clock.monotonic();
    return bus
      .leases()
      .reserve(this.#name, process, patience.reserved, isLeft)
      .catch(() => false);
  }

  /** Ends what stands by, if it still does; another process may be the successor. */
  async #stopStandby(): Promise<void> {
    const { bus, process } = this.#context;
    const standby = this.#standby;
    this.#standby = null;
    if (standby) this.#wait(standby.stop());
    // Without an answer of Redis it ends by itself.
    await bus
      .leases()
      .withdraw(this.#name, process)
      .catch(() => {});
    await this.#ending;
  }

  /** Ends the run, if there is one. */
  async #end(ending?: Ending): Promise<void> {
    const run = this.#run;
    this.#run = null;
    if (run) this.#wait(run.stop(ending));
    await this.#ending;
  }

  #wait(end: Promise<void>): void {
    const ending = end
      .catch((error: unknown) => this.#log.error({ err: error }, 'a source did not end in order'))
      .finally(() => {
        if (this.#ending === ending) this.#ending = null;
      });
    this.#ending = ending;
  }
}

/** Counts the failed starts of a process, by source. */
export class FailedStarts {
  readonly #counts = new Map<string, number>();

  /** A source was gained, and threw as it began. */
  add(source: string): void {
    this.#counts.set(source, (this.#counts.get(source) ?? 0) + 1);
  }

  counts(): Record<string, number> {
    return Object.fromEntries(this.#counts);
  }
}

/** Those of this process. */
export const processFailedStarts = new FailedStarts();
