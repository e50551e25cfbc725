/** How feed processes share the sources: what this one takes over, and what it hands over to those that stand by. */
import type { Logger } from '../../config/log.ts';
import { minute } from '../../config/time.ts';
import type { Bus } from '../bus/bus.ts';
import { type Cancel, type Clock, every, sleep, within } from '../kernel/clock.ts';
import type { Held } from '../kernel/lease-store.ts';
import { toTake } from '../kernel/share.ts';
import type { ProcessReport } from '../topics/index.ts';
import type { LeasedWork } from './with-lease.ts';

export interface SharingOptions {
  /** Id of this process. */
  id: string;
  /** The ids of all sources that processes may run, one at least: each counts what others run and this one does not. */
  names: readonly string[];
  /** The sources that it offers to run, by their ids; more may come. */
  sources: ReadonlyMap<string, Pick<LeasedWork, 'isHeld' | 'takeOver' | 'handOver'>>;
  bus: Pick<Bus, 'leases'>;
  clock: Clock;
  /** Uniform in [0, 1). */
  random: () => number;
  log: Pick<Logger, 'info' | 'warn'>;
}

/** Between two looks at the leases, ms; of a process that ends less. */
const interval = { usual: 500, leaving: 50 };
/** Sources that a process stands by for at once: one that takes long does not hold up the others, and of a process that ends there is no time. */
const most = { shared: 3, left: 12 };
/** How long a process that ends waits for others to take over, ms: what is left of its ten seconds is for its end. */
const leaving = 6_000;
/** A process whose last sign of life is older, ms, is dead. */
const maxAge = 12_000;
/** How long a process takes nothing over after its start, since it first gets what is free, and a source that it failed to take, ms. */
const pauses = { start: 4_000, failed: 5 * minute };

/** By the names of the sources. */
type Leases = ReadonlyMap<string, Held>;

export class Sharing {
  readonly #options: SharingOptions;
  /** The last sign of life of each other feed process. */
  readonly #others = new Map<string, Pick<ProcessReport, 'at' | 'leaves'>>();
  /** When a source may be taken over again, in monotonic time. */
  readonly #notBefore = new Map<string, number>();
  readonly #taking = new Set<string>();
  readonly #giving = new Map<string, Promise<void>>();
  #beat: () => void = () => {};
  #stop: Cancel = () => {};
  #from = 0;
  #reported = { at: 0, published: 0 };
  #leaves = false;

  constructor(options: SharingOptions) {
    this.#options = options;
  }

  /** Begins to look at the leases. `beat` publishes a sign of life at once. */
  start(beat: () => void): void {
    const { clock } = this.#options;
    this.#beat = beat;
    this.#from = clock.monotonic() + pauses.start;
    this.#stop = every(clock, interval.usual, () => this.#look());
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
    while (this.#held.length > 0 && this.#hasHeir && clock.monotonic() < end) {
      await sleep(clock, interval.leaving);
      await within(clock, end - clock.monotonic(), this.#look());
    }
    await within(clock, end - clock.monotonic(), Promise.all(this.#giving.values()));
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
    const load = { cpu, sources: this.#held.length, rows_per_second: Math.round(rows) };
    return { load, leaves: this.#leaves };
  }

  /** Takes the sign of life of a process. */
  accept({ id, role, at, leaves = false }: ProcessReport): void {
    if (role === 'feed' && id !== this.#options.id) this.#others.set(id, { at, leaves });
  }

  get #held(): string[] {
    return [...this.#options.sources].flatMap(([name, { isHeld }]) => (isHeld ? [name] : []));
  }

  /** Whether another process lives that does not end. */
  get #hasHeir(): boolean {
    const now = this.#options.clock.now();
    for (const [id, { at }] of this.#others) if (now - at > maxAge) this.#others.delete(id);
    return [...this.#others.values()].some(({ leaves }) => !leaves);
  }

  async #look(): Promise<void> {
    const { bus, names } = this.#options;
    // Without Redis nothing moves.
    const found = await bus
      .leases()
      .look(names)
      .catch((): Held[] => []);
    const leases = new Map(found.map((held, at) => [names[at] ?? '', held]));
    this.#giveTo(leases);
    if (!this.#leaves) this.#takeFrom(leases);
  }

  /** Hands over what others are ready for: one source at a time, for which there is no time before the end. */
  #giveTo(leases: Leases): void {
    const { sources, log } = this.#options;
    for (const [name, { isReady }] of leases) {
      const source = sources.get(name);
      if (!isReady || !source?.isHeld || this.#giving.has(name)) continue;
      if (this.#giving.size > 0 && !this.#leaves) return;
      const given = source
        .handOver()
        .catch((error: unknown) => log.warn({ err: error, source: name }, 'not handed over'))
        .finally(() => this.#giving.delete(name));
      this.#giving.set(name, given);
    }
  }

  /** Takes over what processes run that end, in an order of its own, and one source from the process that runs most. */
  #takeFrom(leases: Leases): void {
    const { random, clock } = this.#options;
    const left = [...leases].filter(
      ([name, { holder }]) => this.#others.get(holder ?? '')?.leaves && this.#isFree(name, leases),
    );
    for (const [name] of left.sort(() => random() - 0.5))
      if (this.#taking.size < most.left) void this.#take(name, true);
    if (this.#taking.size >= most.shared || clock.monotonic() < this.#from) return;
    const name = this.#choose(leases);
    if (name !== null) void this.#take(name, false);
  }

  /** Whether this process may stand by for a source. */
  #isFree(name: string, leases: Leases): boolean {
    const isOthers = this.#options.sources.get(name)?.isHeld === false;
    return isOthers && leases.get(name)?.standby === null && !this.#taking.has(name);
  }

  #choose(leases: Leases): string | null {
    const { id, clock, random } = this.#options;
    const parts = new Map<string, string[]>();
    for (const [name, { holder, standby }] of leases) {
      // A source is counted at the process that will have it.
      const by = this.#taking.has(name) ? id : (standby ?? holder);
      if (by !== null) parts.set(by, [...(parts.get(by) ?? []), name]);
    }
    const own = parts.get(id)?.length ?? 0;
    parts.delete(id);
    const now = clock.monotonic();
    const canTake = (name: string) =>
      this.#isFree(name, leases) &&
      leases.get(name)?.rests === false &&
      now >= (this.#notBefore.get(name) ?? 0);
    return toTake({ own, others: [...parts.values()], canTake, random });
  }

  async #take(name: string, isLeft: boolean): Promise<void> {
    const { clock, log, sources } = this.#options;
    this.#taking.add(name);
    const outcome = await sources.get(name)?.takeOver(isLeft);
    this.#taking.delete(name);
    if (outcome === 'failed' && !isLeft)
      this.#notBefore.set(name, clock.monotonic() + pauses.failed);
    if (outcome !== 'refused') log.info({ source: name, isLeft, outcome }, 'sharing');
  }
}
