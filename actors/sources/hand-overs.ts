/** Hand-overs between feed processes: what this one begins and takes over, and what it hands over to those that stand by. */
import type { Logger } from '../../config/log.ts';
import { minute } from '../../config/time.ts';
import type { Bus } from '../bus/bus.ts';
import { type Cancel, type Clock, every, sleep, within } from '../kernel/clock.ts';
import type { Lease, LeaseState } from '../kernel/lease.ts';
import type { ProcessReport } from '../topics/index.ts';

export interface HandOversOptions {
  /** Id of this process. */
  id: string;
  /** The ids of all sources that processes may run, one at least: each counts what others run and this one does not. */
  names: readonly string[];
  /** The sources that it offers to run, by their ids; more may come. */
  sources: ReadonlyMap<string, Pick<Lease, 'isHeld' | 'attempt' | 'takeOver' | 'handOver'>>;
  bus: Pick<Bus, 'leases'>;
  clock: Clock;
  /** Uniform in [0, 1). */
  random: () => number;
  log: Pick<Logger, 'info'>;
}

/** Between two looks at the leases, ms; of a process that ends less. */
const interval = { usual: 500, leaving: 50 };
/** After a source has begun the next one waits so long, ms, and in a busy process until its timers run: it is not held up by many at once. */
const startPause = 100;
/** How long a process that ends waits for others to take over, ms: what is left of its ten seconds is for its end. */
const leaving = 6_000;
/** A process whose last sign of life is older, ms, is dead. */
const maxAge = 12_000;
/** A source that began later stays where it is, ms. */
const rest = minute;
/** A source that this process could not take over is not tried again for so long, ms. */
const failedPause = 5 * minute;

/**
 * Each process begins what nobody runs, one after the other. One that runs fewer sources takes one at a time from the process that
 * runs most, while that one runs at least two more, and its part of what processes run that end. Each hands over one at a time.
 */
export class HandOvers {
  readonly #options: HandOversOptions;
  /** The last sign of life of each other feed process. */
  readonly #others = new Map<string, Pick<ProcessReport, 'at' | 'leaves'>>();
  /** When a source may be taken over again, in monotonic time. */
  readonly #notBefore = new Map<string, number>();
  /** What is on its way to this process, and from it. */
  readonly #takingOver = new Set<string>();
  readonly #handingOver = new Set<string>();
  #stop: Cancel = () => {};
  #leaves = false;

  constructor(options: HandOversOptions) {
    this.#options = options;
  }

  /** Begins to look at the leases. */
  start(): void {
    this.#stop = every(this.#options.clock, interval.usual, () => this.#look());
  }

  stop(): void {
    this.#stop();
  }

  /** Whether this process ends, which its signs of life tell the others. */
  get leaves(): boolean {
    return this.#leaves;
  }

  /** How many sources this process runs. */
  get held(): number {
    return [...this.#options.sources.values()].filter(({ isHeld }) => isHeld).length;
  }

  /**
   * Hands over what this process runs before it ends: resolves when that is done, when no other process is left that stays, and
   * after six seconds at the latest. `beat` publishes a sign of life at once.
   */
  async leave(beat: () => void): Promise<void> {
    const { clock } = this.#options;
    this.#stop();
    this.#leaves = true;
    beat();
    const end = clock.monotonic() + leaving;
    while (this.held + this.#handingOver.size > 0 && this.#staying > 0 && clock.monotonic() < end) {
      await sleep(clock, interval.leaving);
      await within(clock, end - clock.monotonic(), this.#look());
    }
  }

  /** Takes the sign of life of a process. */
  accept({ id, role, at, leaves = false }: ProcessReport): void {
    if (role === 'feed' && id !== this.#options.id) this.#others.set(id, { at, leaves });
  }

  /** How many other processes live that do not end. */
  get #staying(): number {
    const now = this.#options.clock.now();
    for (const [id, { at }] of this.#others) if (now - at > maxAge) this.#others.delete(id);
    return [...this.#others.values()].filter(({ leaves }) => !leaves).length;
  }

  async #look(): Promise<void> {
    const { bus, names, random, sources } = this.#options;
    // Without Redis nothing moves.
    const found = await bus
      .leases()
      .look(names)
      .catch((): LeaseState[] => []);
    const leases = new Map(found.map((lease, at) => [names[at] ?? '', lease]));
    for (const [name, { isReady }] of leases) if (isReady) void this.#handOver(name);
    if (this.#leaves) return;
    // In an order of its own: the others look as well.
    const open = [...leases.keys()]
      .filter((name) => leases.get(name)?.standby === null && sources.get(name)?.isHeld === false)
      .sort(() => random() - 0.5);
    for (const name of this.#movable(open, leases)) void this.#takeOver(name);
    await this.#begin(open.filter((name) => leases.get(name)?.holder === null));
  }

  /** Begins what nobody runs. */
  async #begin(free: readonly string[]): Promise<void> {
    const { clock, sources } = this.#options;
    for (const name of free) {
      if (this.#leaves) return;
      if (await sources.get(name)?.attempt()) await sleep(clock, startPause);
    }
  }

  /** Hands a source over: one at a time, for which there is no time before the end. */
  async #handOver(name: string): Promise<void> {
    const source = this.#options.sources.get(name);
    if (!source?.isHeld || (this.#handingOver.size > 0 && !this.#leaves)) return;
    this.#handingOver.add(name);
    await source.handOver();
    this.#handingOver.delete(name);
  }

  async #takeOver(name: string): Promise<void> {
    const { clock, log, sources } = this.#options;
    this.#takingOver.add(name);
    const isTaken = await sources.get(name)?.takeOver();
    this.#takingOver.delete(name);
    if (!isTaken) this.#notBefore.set(name, clock.monotonic() + failedPause);
    log.info({ source: name, isTaken }, 'take over');
  }

  /** Of the sources that this process could stand by for now those that it should: its part of what ends, or one of the largest process. */
  #movable(open: readonly string[], leases: ReadonlyMap<string, LeaseState>): string[] {
    const { clock, id } = this.#options;
    const leavesOf = (name: string) => this.#others.get(leases.get(name)?.holder ?? '')?.leaves;
    const left = [...leases.keys()].filter(leavesOf);
    if (left.length > 0) {
      const free = open.filter((name) => left.includes(name) && !this.#takingOver.has(name));
      return free.slice(0, Math.ceil(free.length / (this.#staying + 1)));
    }
    if (this.#takingOver.size > 0) return [];
    // A source is counted at the process that will have it.
    const runs = Map.groupBy(leases.values(), ({ holder, standby }) => standby ?? holder);
    const countOf = (process: string | null) => runs.get(process)?.length ?? 0;
    const holderOf = (name: string) => leases.get(name)?.holder ?? null;
    const [largest] = open
      .filter(
        (name) =>
          holderOf(name) !== null &&
          countOf(holderOf(name)) >= countOf(id) + 2 &&
          clock.now() - (leases.get(name)?.fence ?? 0) >= rest &&
          clock.monotonic() >= (this.#notBefore.get(name) ?? 0),
      )
      .sort((a, b) => countOf(holderOf(b)) - countOf(holderOf(a)));
    return largest === undefined ? [] : [largest];
  }
}
