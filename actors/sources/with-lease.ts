/** Work that runs for as long as this process holds its lease, and that another process may take over while it runs. */
import type { Logger } from '../../config/log.ts';
import type { Bus } from '../bus/bus.ts';
import { isLogged } from '../bus/script.ts';
import { type Clock, sleep } from '../kernel/clock.ts';
import { type Lease, seekLease } from '../kernel/lease.ts';
import type { Starts } from '../kernel/starts.ts';

/** Of the supervisors at work: a stop waits twice this at most, well within the ten seconds that a process has. */
export const stopPolicy = { stopDeadline: 3_000 };

/** How often sources were gained by this process, and threw as they began. */
export const processFailedStarts = new Map<string, number>();

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
  failedStarts?: Map<string, number>;
  /** Admits the starts of this process; each begins at once when absent. */
  starts?: Starts;
}

/** Work that runs. */
export interface Running {
  /** `isHandedOver`: another process goes on from here. */
  stop(isHandedOver?: boolean): Promise<void>;
}

/** Work that is prepared while another process still does it. */
export interface Standby extends Running {
  /** Whether it can go on without a gap. `isLate`: what the upstreams may not bring at all is not waited for. */
  isReady(isLate: boolean): boolean;
  /** Begins what both processes may do at once. */
  prepare(): Promise<void>;
  /** Goes on as the holder of the lease. */
  begin(fence: number): Running;
}

/** The work of a lease, and how it begins. */
export interface Work {
  /** Called each time that the lease is gained. Where it throws, that is counted, and the lease is given up until later. */
  begin(at: { fence: number; log: Logger }): Running;
  /** The work is not handed over when absent. */
  standBy?(at: { log: Logger }): Standby;
}

/** Mean pause between attempts, ms. With the 6 s of a lease this leaves 3 s of a pending query's 10 s to the next holder. */
const retry = 500;
/**
 * How long work that others may do at the same time goes on without an answer of Redis, ms: to begin it anew costs more than that it is
 * done twice for a while, and a busy process would become busier.
 */
const keep = 30_000;
/** Between two looks, and two attempts, of a process that stands by, ms. */
const soon = 100;
/**
 * How long one stands by without saying so again, and when it does, ms; how long it waits for `all` that its upstreams may bring
 * (`left`: of a holder that ends after six seconds), and for the lease.
 */
const standby = { ttl: 6_000, renew: 2_000, all: 5_000, left: 2_500, most: 45_000 };

/** A lease that this process offers to hold, with its work, until stopped. */
export class LeasedWork {
  readonly #name: string;
  readonly #context: LeaseContext;
  readonly #work: Work;
  readonly #log: Logger;
  readonly #lease: Lease;
  #running: Running | null = null;
  #standby: Standby | null = null;
  #isStopping = false;
  /** The end of what ran, or stood by, last. */
  #ending: Promise<void> = Promise.resolve();

  constructor(name: string, context: LeaseContext, work: Work) {
    const { bus, clock, random, process, starts } = context;
    this.#name = name;
    this.#context = context;
    this.#work = work;
    const log = context.log.child({ source: name });
    this.#log = log;
    this.#lease = seekLease({
      name,
      holder: process,
      store: bus.leases(),
      clock,
      random,
      retry: () => (this.#standby ? soon : retry),
      keep: work.standBy ? keep : 0,
      turn: async (attempt) => {
        await this.#ending;
        await (this.#standby || !starts ? attempt() : starts.turn(attempt));
      },
      onGained: (fence) => this.#begin(fence),
      onHandOver: () => this.#end(true),
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
    return this.#running !== null;
  }

  /**
   * Stands by for the holder, and waits for the lease. `taken`: this process has it; `refused`: another one stands by, or did
   * within the last minute and the holder is not about to end (`isLeft`); `failed`: within 45 s the work was not
   * ready, or the holder did not end.
   */
  async takeOver(isLeft = false): Promise<'taken' | 'refused' | 'failed'> {
    const { standBy } = this.#work;
    await this.#ending;
    if (!standBy || this.#isBusy || !(await this.#sayStandby({ isLeft }))) return 'refused';
    try {
      if (!this.#isBusy) await this.#untilHeld(standBy({ log: this.#log }), isLeft);
    } catch (error) {
      this.#failed();
      this.#log.error({ err: error }, 'this source cannot be taken over');
    }
    const hasTaken = this.#running !== null;
    await this.#stopStandby();
    return hasTaken ? 'taken' : 'failed';
  }

  /** Ends the work in order, and gives the lease up to the process that stands by. */
  async handOver(): Promise<void> {
    if (!this.#running) return;
    this.#log.info('another process goes on with this source');
    await this.#lease.handOver();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    if (this.#standby) await this.#stopStandby();
    await this.#lease.stop();
    await this.#ending;
  }

  get #isBusy(): boolean {
    return this.#running !== null || this.#standby !== null || this.#isStopping;
  }

  #begin(fence: number): void {
    const [own, log] = [this.#standby, this.#log];
    this.#standby = null;
    log.info({ fence }, 'running this source');
    try {
      this.#running = own ? own.begin(fence) : this.#work.begin({ fence, log });
    } catch (error) {
      this.#failed();
      if (own) this.#wait(own.stop());
      throw error;
    }
  }

  /** Says when the work is ready, and waits until it has begun; gives up where that takes too long. */
  async #untilHeld(own: Standby, isLeft: boolean): Promise<void> {
    const { clock } = this.#context;
    const began = clock.monotonic();
    const passed = () => clock.monotonic() - began;
    const all = isLeft ? standby.left : standby.all;
    this.#standby = own;
    let [isReady, said] = [false, 0];
    while (this.#standby === own && passed() < standby.most) {
      const becomesReady = !isReady && own.isReady(passed() >= all);
      if (becomesReady) await own.prepare();
      isReady ||= becomesReady;
      if (becomesReady || passed() - said >= standby.renew) {
        said = passed();
        if (!(await this.#sayStandby({ isReady }))) return;
      }
      await sleep(clock, soon);
    }
  }

  /** False as well where Redis does not answer. */
  #sayStandby(how: { isReady?: boolean; isLeft?: boolean }): Promise<boolean> {
    const { bus, process } = this.#context;
    const options = { ttl: standby.ttl, ...how };
    return bus
      .leases()
      .standBy(this.#name, process, options)
      .catch(() => false);
  }

  /** Ends what stands by, if it still does; another process may stand by next. */
  async #stopStandby(): Promise<void> {
    const { bus, process } = this.#context;
    const own = this.#standby;
    this.#standby = null;
    if (own) this.#wait(own.stop());
    // Without an answer of Redis it ends by itself.
    await bus
      .leases()
      .withdraw(this.#name, process)
      .catch(() => {});
    await this.#ending;
  }

  /** Ends the work, if it runs. */
  async #end(isHandedOver = false): Promise<void> {
    const running = this.#running;
    this.#running = null;
    if (running) this.#wait(running.stop(isHandedOver));
    await this.#ending;
  }

  #wait(end: Promise<void>): void {
    const ended = end.catch((error: unknown) =>
      this.#log.error({ err: error }, 'a source did not end in order'),
    );
    this.#ending = Promise.all([this.#ending, ended]).then(() => {});
  }

  #failed(): void {
    const { failedStarts = processFailedStarts } = this.#context;
    failedStarts.set(this.#name, (failedStarts.get(this.#name) ?? 0) + 1);
  }
}
