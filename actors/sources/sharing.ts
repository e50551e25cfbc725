/** How feed processes share the sources: what this one states about itself, what it takes over, and what it hands over. */
import type { Logger } from '../../config/log.ts';
import { minute } from '../../config/time.ts';
import type { Bus } from '../bus/bus.ts';
import { type Cancel, type Clock, every, sleep, within } from '../kernel/clock.ts';
import { type Choice, type Member, toTake } from '../kernel/share.ts';
import type { ProcessReport } from '../topics/index.ts';
import type { Leased } from './with-lease.ts';

export interface SharingOptions {
  /** Id of this process. */
  id: string;
  /** The sources that it offers to run, by their ids; more may come. */
  sources: ReadonlyMap<
    string,
    Pick<Leased, 'isHeld' | 'succeed' | 'handOver'> & { rows(): number }
  >;
  bus: Pick<Bus, 'leases'>;
  clock: Clock;
  /** Uniform in [0, 1). */
  random: () => number;
  log: Pick<Logger, 'info' | 'warn'>;
}

/** The part of a sign of life that says what a process runs. */
export type Stated = Pick<ProcessReport, 'load' | 'runs' | 'ready' | 'leaves'>;

/** What is taken over, and why: its holder has too much of it, or ends. */
type Taking = Pick<Choice, 'name' | 'from'> & { because: Choice['because'] | 'end' };

/** Between two looks at the others, ms. */
const interval = 1_000;
/** A process that looks so much too late, ms, is busy: it takes nothing over now. */
const late = 250;
/**
 * Sources that a process prepares to take over at once: one that takes long does not hold up the others. Of a process that ends
 * there is no time to take them in turns.
 */
const atOnce = { shared: 3, left: 12 };
/** How long a process that ends waits for its successors, ms, and between two looks: what is left of its ten seconds is for its end. */
const leaving = { most: 6_000, look: 50 };
/** A process whose last sign of life is older, ms, runs nothing. */
const maxAge = 12_000;
/**
 * How long a process takes nothing over: after its start, since it first gets what is free; a source that was `refused` to it, or that it
 * `failed` to take; and after it has relieved a busy process. In ms.
 */
const pauses = { start: 4_000, refused: 10_000, failed: 5 * minute, relieved: 15_000 };

export class Sharing {
  readonly #options: SharingOptions;
  /** The last sign of life of each other process. */
  readonly #others = new Map<string, ProcessReport>();
  /** When a source may be asked for again, Unix ms. */
  readonly #notBefore = new Map<string, number>();
  #beat: () => void = () => {};
  #stop: Cancel = () => {};
  #cpu = 0;
  /** The sources that were stated last. */
  #stated = '';
  /** What this process prepares to take over, with the rows a second that its holder states, and what is ready. */
  readonly #taking = new Map<string, number>();
  readonly #ready = new Set<string>();
  #giving: Promise<void> = Promise.resolve();
  #due = 0;
  #from = 0;
  #leaves = false;
  /** The sources of processes that end which this one does not get, with these processes. */
  readonly #given = new Map<string, string>();

  constructor(options: SharingOptions) {
    this.#options = options;
  }

  /** Begins to look at the others. `beat` states what this process runs, at once. */
  start(beat: () => void): void {
    const { clock } = this.#options;
    this.#beat = beat;
    this.#due = clock.monotonic() + interval;
    this.#from = clock.monotonic() + pauses.start;
    this.#stop = every(clock, interval, () => this.#look());
  }

  stop(): void {
    this.#stop();
    this.#beat = () => {};
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
    const end = clock.monotonic() + leaving.most;
    const runs = () => Object.keys(this.#self().runs).length > 0;
    while (runs() && this.#hasHeir(clock.now()) && clock.monotonic() < end) {
      await sleep(clock, leaving.look);
      this.#state();
    }
    await within(clock, end - clock.monotonic(), this.#giving);
  }

  /** What this process runs now. `cpu` is the share of a core that it uses. */
  report(cpu: number): Stated {
    this.#cpu = cpu;
    const { runs } = this.#self();
    const rows = Object.values(runs).reduce((sum, one) => sum + one, 0);
    const load = { cpu, sources: Object.keys(runs).length, rows_per_second: Math.round(rows) };
    return { load, runs, ready: [...this.#ready], leaves: this.#leaves };
  }

  /** Takes the sign of life of a process. */
  accept(report: ProcessReport): void {
    const { id, clock, sources } = this.#options;
    if (report.id === id || report.runs === undefined) return;
    this.#others.set(report.id, report);
    if (clock.now() - report.at > maxAge) return;
    if (report.leaves) this.#inherit(report);
    for (const name of report.ready ?? []) {
      if (!sources.get(name)?.isHeld) continue;
      // There is no time to hand one over at a time before the end.
      const before = this.#leaves ? Promise.resolve() : this.#giving;
      const given = before.then(() => this.#give(name, report.id));
      this.#giving = Promise.all([this.#giving, given]).then(() => {});
    }
  }

  /** Takes over what a process runs that ends: whichever of the others is first, in an order of its own. */
  #inherit({ id, runs = {} }: ProcessReport): void {
    const { random, sources } = this.#options;
    if (this.#leaves) return;
    const free = Object.keys(runs).filter((name) => {
      const source = sources.get(name);
      return source?.isHeld === false && !this.#taking.has(name) && this.#given.get(name) !== id;
    });
    const rank = new Map(free.map((name) => [name, random()]));
    free.sort((one, other) => (rank.get(one) ?? 0) - (rank.get(other) ?? 0));
    for (const name of free.slice(0, Math.max(0, atOnce.left - this.#taking.size))) {
      this.#taking.set(name, runs[name] ?? 0);
      void this.#take({ name, from: id, because: 'end' });
    }
  }

  /** Whether another process lives that does not end. */
  #hasHeir(now: number): boolean {
    return [...this.#others.values()].some(({ at, leaves }) => now - at <= maxAge && !leaves);
  }

  #look(): void {
    const { clock, random, sources } = this.#options;
    const now = clock.monotonic();
    const isLate = now - this.#due > late;
    this.#due = now + interval;
    const own = this.#state();
    if (this.#taking.size >= atOnce.shared || isLate || now < this.#from) return;
    const self = { ...own, runs: { ...own.runs, ...Object.fromEntries(this.#taking) } };
    const canTake = (name: string) => {
      const source = sources.get(name);
      return source?.isHeld === false && now >= (this.#notBefore.get(name) ?? 0);
    };
    const others = this.#living(clock.now(), Object.keys(self.runs));
    const choice = toTake({ self, others, canTake, random });
    if (!choice) return;
    const holder = others.find(({ id }) => id === choice.from);
    this.#taking.set(choice.name, holder?.runs[choice.name] ?? 0);
    void this.#take(choice);
  }

  /** What this process runs, which it states where that has changed. */
  #state(): Member {
    const own = this.#self();
    const stated = Object.keys(own.runs).join();
    if (stated !== this.#stated) this.#beat();
    this.#stated = stated;
    return own;
  }

  #self(): Member {
    const held = [...this.#options.sources].filter(([, source]) => source.isHeld);
    const runs = Object.fromEntries(held.map(([id, source]) => [id, Math.round(source.rows())]));
    return { id: this.#options.id, cpu: this.#cpu, runs };
  }

  /** The other processes without `own`; a source that several state is that of the one that has stated it last. */
  #living(now: number, own: readonly string[]): Member[] {
    const known = new Set(own);
    const members: Member[] = [];
    for (const report of [...this.#others.values()].sort((a, b) => b.at - a.at)) {
      const { id, at, load, runs = {} } = report;
      if (now - at > maxAge) {
        this.#others.delete(id);
        continue;
      }
      const left = Object.entries(runs).filter(([name]) => !known.has(name));
      for (const [name] of left) known.add(name);
      members.push({ id, cpu: load?.cpu ?? 0, runs: Object.fromEntries(left) });
    }
    return members;
  }

  async #take({ name, from, because }: Taking): Promise<void> {
    const { clock, log, sources } = this.#options;
    const onReady = () => {
      this.#ready.add(name);
      this.#beat();
    };
    const outcome = await sources.get(name)?.succeed(onReady, because === 'end');
    this.#ready.delete(name);
    this.#taking.delete(name);
    this.#beat();
    const now = clock.monotonic();
    if (because === 'end') {
      if (outcome !== 'taken') this.#given.set(name, from);
    } else if (outcome !== 'taken') {
      const pause = outcome === 'failed' ? pauses.failed : pauses.refused;
      this.#notBefore.set(name, now + pause);
    } else if (because === 'load') this.#from = now + pauses.relieved;
    if (outcome !== 'refused') log.info({ source: name, from, because, outcome }, 'sharing');
  }

  /** Hands a source over to a process that is its successor. */
  async #give(name: string, to: string): Promise<void> {
    const { bus, sources, log } = this.#options;
    const source = sources.get(name);
    try {
      if (source?.isHeld && (await bus.leases().successor(name)) === to) await source.handOver();
    } catch (error) {
      log.warn({ err: error, source: name }, 'a source was not handed over');
    }
  }
}
