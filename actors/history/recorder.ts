/** Samples every series on the boundaries of its steps, combines the coarse tiers, and removes expired rows. */
import { stepAt } from '../../indicators/market/buckets.ts';
import type { BusLog } from '../bus/bus.ts';
import type { Cancel, Clock } from '../kernel/clock.ts';
import { combineTier } from './combine.ts';
import type { Series } from './define.ts';
import type { MarketState } from './market-state.ts';
import { writeOf } from './rows.ts';
import type { Batch, Store, Write } from './store.ts';
import type { Writer } from './writer.ts';

/** The shortest step of all series, ms. */
const beat = 60_000;
/** Between two removals of old rows, ms. */
const pruning = 3_600_000;

export interface RecorderOptions {
  series: readonly Series[];
  store: Store;
  writer: Writer;
  market: MarketState;
  clock: Clock;
  log: BusLog;
  /** Called after every step with the rows of each series that was sampled. */
  onSampled?(rows: ReadonlyMap<Series, number>, at: number): void;
}

/** The position that remembers when the recording of a series began. */
export const begunName = ({ name }: Pick<Series, 'name'>): string => `recorded:${name}`;

export class Recorder {
  readonly #options: RecorderOptions;
  readonly #collectors: {
    series: Series;
    collect: NonNullable<ReturnType<NonNullable<Series['collector']>>>;
  }[];
  readonly #begun = new Set<Series>();
  #cancel: Cancel = () => {};
  #working: Promise<void> = Promise.resolve();
  #pruned = 0;
  /** The last sampled boundary, Unix ms. */
  #last = 0;
  #stopped = false;

  /** Samples from the next boundary on. */
  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#collectors = options.series.flatMap((series) => {
      const collect = series.collector?.();
      return collect ? [{ series, collect }] : [];
    });
    this.#plan();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#working;
  }

  #plan(): void {
    const { clock } = this.#options;
    const now = clock.now();
    // A timer may fire a little before its time: the step that it was meant for is the one that has ended.
    const next = Math.max(stepAt(now, beat), this.#last) + beat;
    this.#cancel = clock.after(next - now, () => this.#onBeat(next));
  }

  #onBeat(planned: number): void {
    const { clock, log } = this.#options;
    const boundary = Math.max(planned, stepAt(clock.now(), beat));
    this.#last = boundary;
    this.#plan();
    const written = this.#sample(boundary);
    this.#working = Promise.all([this.#working, written])
      .then(() => this.#maintain(boundary))
      .catch((error: unknown) => log.error({ err: error }, 'the history could not be combined'));
  }

  /** Writes the step that ends at the boundary: all series in one transaction. */
  async #sample(boundary: number): Promise<void> {
    const { series: all, market, writer, onSampled } = this.#options;
    const writes: Write[] = [];
    const counts = new Map<Series, number>();
    for (const series of all) {
      const [{ step }] = series.tiers;
      if (!series.sample || boundary % step !== 0) continue;
      const time = boundary - step;
      const rows = series.sample(market, boundary).map((row) => ({ ...row, time }));
      counts.set(series, rows.length);
      writes.push(writeOf(series, rows, { step, mode: 'put', backfilled: false }));
    }
    for (const { series, collect } of this.#collectors) {
      const [{ step }] = series.tiers;
      const rows = collect(market, boundary);
      counts.set(series, rows.length);
      writes.push(writeOf(series, rows, { step, mode: 'fill', backfilled: false }));
    }
    onSampled?.(counts, boundary);
    await writer.add({ writes: writes.filter(({ rows }) => rows.keys.length > 0) });
  }

  async #maintain(boundary: number): Promise<void> {
    if (this.#stopped || this.#options.writer.problem) return;
    const { store, writer } = this.#options;
    const combining = { store, write: (batch: Batch) => writer.add(batch) };
    for (const series of this.#options.series) {
      await this.#begin(series, boundary);
      const [finest, ...coarser] = series.tiers;
      let finer = finest;
      for (const tier of coarser) {
        if (series.sample)
          await combineTier(combining, series, { finer, tier }, { time: boundary });
        finer = tier;
      }
    }
    if (boundary - this.#pruned < pruning) return;
    this.#pruned = boundary;
    await this.#prune(boundary);
  }

  /** Remembers when the recording began. */
  async #begin(series: Series, boundary: number): Promise<void> {
    if (this.#begun.has(series)) return;
    const { store, writer } = this.#options;
    const name = begunName(series);
    if ((await store.position(name)) === null) {
      await writer.add({ writes: [], positions: [{ name, to: String(boundary) }] });
    }
    this.#begun.add(series);
  }

  async #prune(now: number): Promise<void> {
    const { series: all, store } = this.#options;
    for (const series of all) {
      for (const { step, keep } of series.tiers) {
        if (Number.isFinite(keep)) await store.prune(series, step, now - keep);
      }
    }
  }
}
