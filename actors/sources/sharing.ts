/** How feed processes share the sources: what this one takes over, and what it hands over to those that stand by. */
import type { Logger } from '../../config/log.ts';
import { minute } from '../../config/time.ts';
import type { Bus } from '../bus/bus.ts';
import { type Cancel, type Clock, every, sleep, within } from '../kernel/clock.ts';
import type { Held, Lease } from '../kernel/lease.ts';
import type { ProcessReport } from '../topics/index.ts';

export interface SharingOptions {
  /** Id of this process. */
  id: string;
  /** The ids of all sources that processes may run, one at least: each counts what others run and this one does not. */
  names: readonly string[];
  /** The sources that it offers to run, by their ids; more may come. */
  sources: ReadonlyMap<string, Pick<Lease, 'isHeld' | 'takeOver' | 'handOver'>>;
  bus: Pick<Bus, 'leases'>;
  clock: Clock;
  /** Uniform in [0, 1). */
  random: () => number;
  log: Pick<Logger, 'info'>;
}

/** Between two looks at the leases, ms; of a process that ends less. */
const interval = { usual: 500, leaving: 50 };
/** How long a process that ends waits for others to take over, ms: what is left of its ten seconds is for its end. */
const leaving = 6_000;
/** A process whose last sign of life is older, ms, is dead. */
const maxAge = 12_000;
/** A source that began later stays where it is, ms. */
const rest = minute;
/** A source that this process failed to take over is not tried again for so long, ms. */
const failedPause = 5 * minute;

/** By the names of the sources. */
type Leases = ReadonlyMap<string, Held>;

/**
 * A process that runs fewer sources takes one at a time from the process that runs most, while that one runs at least two more,
 * and takes over what processes run that end. Each hands over one source at a time.
 */
export class Sharing {
  readonly #options: SharingOptions;
  /** The last sign of life of each other feed process. */
  readonly #others = new Map<string, Pick<ProcessReport, 'at' | 'leaves'>>();
  /** When a source may be taken over again, in monotonic time. */
  readonly #notBefore = new Map<string, number>();
  readonly #taking = new Set<string>();
  readonly #giving = new Set<string>();
  #beat: () => void = () => {};
  #stop: Cancel = () => {};
  #reported = { at: 0, published: 0 };
  #leaves = false;

  constructor(options: SharingOptions) {
    this.#options = options;
  }

  /** Begins to look at the leases. `beat` publishes a sign of life at once. */
  start(beat: () => void): void {
    this.#beat = beat;
    this.#stop = every(this.#options.clock, interval.usual, () => this.#look());
  }

  stop(): void {
    this.#stop();
  }

  /**
   * Hands over what this process runs before it ends: resolves when that is done, when no other process is left that stays, and
   * after six seconds at the latest.
   */
  async leave(): Promise<void> {
    const { clock } = this.#options;
    this.#stop();
    this.#leaves = true;
    this.#beat();
    const end = clock.monotonic() + leaving;
    while (this.#held + this.#giving.size > 0 && this.#staying > 0 && clock.monotonic() < end) {
      await sleep(clock, interval.leaving);
      await within(clock, end - clock.monotonic(), this.#look());
    }
  }

  /**
   * What a sign of life says of the sources. `cpu` is the share of a core that this process uses, `published` how many rows it has
   * published since its start.
   */
  report(cpu: number, published: number): Pick<ProcessReport, 'load' | 'leaves'> {
    const now = { at: this.#options.clock.monotonic(), published };
    const before = this.#reported;
    this.#reported = now;
    const rows = ((published - before.published) / Math.max(1, now.at - before.at)) * 1_000;
    const load = { cpu, sources: this.#held, rows_per_second: Math.round(rows) };
    return { load, leaves: this.#leaves };
  }

  /** Takes the sign of life of a process. */
  accept({ id, role, at, leaves = false }: ProcessReport): void {
    if (role === 'feed' && id !== this.#options.id) this.#others.set(id, { at, leaves });
  }

  /** How many sources this process runs. */
  get #held(): number {
    return [...this.#options.sources.values()].filter(({ isHeld }) => isHeld).length;
  }

  /** How many other processes live that do not end. */
  get #staying(): number {
    const now = this.#options.clock.now();
    for (const [id, { at }] of this.#others) if (now - at > maxAge) this.#others.delete(id);
    return [...this.#others.values()].filter(({ leaves }) => !leaves).length;
  }

  async #look(): Promise<void> {
    const { bus, names } = this.#options;
    // Without Redis nothing moves.
    const found = await bus
      .leases()
      .look(names)
      .catch((): Held[] => []);
    const leases = new Map(found.map((held, at) => [names[at] ?? '', held]));
    for (const [name, { isReady }] of leases) if (isReady) void this.#give(name);
    if (!this.#leaves) for (const name of this.#wanted(leases)) void this.#take(name);
  }

  /** Hands a source over: one at a time, for which there is no time before the end. */
  async #give(name: string): Promise<void> {
    const source = this.#options.sources.get(name);
    if (!source?.isHeld || (this.#giving.size > 0 && !this.#leaves)) return;
    this.#giving.add(name);
    await source.handOver();
    this.#giving.delete(name);
  }

  async #take(name: string): Promise<void> {
    const { clock, log, sources } = this.#options;
    this.#taking.add(name);
    const outcome = await sources.get(name)?.takeOver();
    this.#taking.delete(name);
    if (outcome === 'failed') this.#notBefore.set(name, clock.monotonic() + failedPause);
    if (outcome !== 'refused') log.info({ source: name, outcome }, 'sharing');
  }

  /** What this process should stand by for now. */
  #wanted(leases: Leases): string[] {
    const { clock, random, sources } = this.#options;
    const isFree = (name: string) =>
      sources.get(name)?.isHeld === false &&
      leases.get(name)?.standby === null &&
      !this.#taking.has(name);
    const ends = (name: string) => this.#others.get(leases.get(name)?.holder ?? '')?.leaves;
    const left = [...leases.keys()].filter((name) => ends(name) && isFree(name));
    // In an order of its own, and no more than its part: the others look as well.
    const part = Math.ceil(left.length / (this.#staying + 1));
    if (left.length > 0) return left.sort(() => random() - 0.5).slice(0, part);
    if (this.#taking.size > 0) return [];
    const canMove = (name: string) =>
      isFree(name) &&
      clock.now() - (leases.get(name)?.fence ?? 0) >= rest &&
      clock.monotonic() >= (this.#notBefore.get(name) ?? 0);
    const free = this.#larger(leases).map((names) => names.filter(canMove));
    const names = free.find(({ length }) => length > 0) ?? [];
    return names.slice(Math.floor(random() * names.length)).slice(0, 1);
  }

  /** The sources of each process that runs at least two more than this one, the largest first. */
  #larger(leases: Leases): string[][] {
    // A source is counted at the process that will have it.
    const byProcess = Map.groupBy(leases.keys(), (name) => {
      const { holder = null, standby = null } = leases.get(name) ?? {};
      return standby ?? holder;
    });
    const own = byProcess.get(this.#options.id)?.length ?? 0;
    byProcess.delete(null);
    return [...byProcess.values()]
      .filter(({ length }) => length >= own + 2)
      .sort((a, b) => b.length - a.length);
  }
}
