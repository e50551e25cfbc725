/** Samples every series on the boundaries of its steps, combines the coarse tiers, and removes expired rows. */
import { setImmediate } from 'node:timers/promises';
import { hour, minute } from '../../config/time.ts';
import { stepAt } from '../../indicators/market/buckets.ts';
import type { BusLog } from '../bus/bus.ts';
import type { Cancel, Clock } from '../kernel/clock.ts';
import type { MarketState } from '../state/market-state.ts';
import { combineTier } from './combine.ts';
import type { Row, SampleRow, Series } from './define.ts';
import { partsOf, writeOf } from './rows.ts';
import type { Mode, Store } from './store.ts';
import type { Writer } from './writer.ts';

/** The shortest step of all series, ms. */
const beat = minute;
/** A timer may fire a little before its time, ms: the step that it was meant for is the one that has ended. */
const early = 1_000;
/** Between two removals of old rows, ms. */
const pruning = hour;

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

function* timed(rows: Iterable<SampleRow>, time: number): Generator<Row> {
  for (const row of rows) yield { ...row, time };
}

export class Recorder {
  readonly #options: RecorderOptions;
  readonly #collectors: {
    series: Series;
    collect: NonNullable<ReturnType<NonNullable<Series['collector']>>>;
  }[];
  readonly #begun = new Set<Series>();
  #cancel: Cancel = () => {};
  #working: Promise<void> = Promise.resolve();
  #pruned = Number.NEGATIVE_INFINITY;
  #archiving: Promise<void> | null = null;
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
    const now = this.#options.clock.now();
    const next = stepAt(now + early, beat) + beat;
    this.#cancel = this.#options.clock.after(next - now, () => this.#onBeat());
  }

  #onBeat(): void {
    const { clock, log } = this.#options;
    const boundary = stepAt(clock.now() + early, beat);
    this.#plan();
    const written = this.#sample(boundary);
    this.#working = Promise.all([this.#working, written])
      .then(() => this.#maintain(boundary))
      .catch((error: unknown) => {
        if (!this.#stopped) log.error({ err: error }, 'the history could not be combined');
      });
  }

  /** Writes the step that ends at the boundary, some rows at a time and in turns with questions. */
  async #sample(boundary: number): Promise<void> {
    const { series: all, market, writer, onSampled } = this.#options;
    const counts = new Map<Series, number>();
    // Not awaited one by one: a store that is away must not delay the next sample.
    const written: Promise<void>[] = [];
    const write = async (
      series: Series,
      rows: Iterable<Row>,
      { step, mode }: { step: number; mode: Mode },
    ) => {
      let count = 0;
      for (const some of partsOf(rows)) {
        count += some.length;
        written.push(writer.add({ writes: [writeOf(series, some, { step, mode })] }));
        await setImmediate();
      }
      counts.set(series, count);
    };
    for (const series of all) {
      for (const { step, isSampled } of series.tiers) {
        if (!series.sample || !isSampled || boundary % step !== 0) continue;
        const rows = timed(series.sample(market, boundary, step), boundary - step);
        await write(series, rows, { step, mode: 'put' });
      }
    }
    for (const { series, collect } of this.#collectors) {
      const [{ step }] = series.tiers;
      await write(series, collect(market, boundary), { step, mode: 'fill' });
    }
    onSampled?.(counts, boundary);
    await Promise.all(written);
  }

  async #maintain(boundary: number): Promise<void> {
    if (this.#options.writer.problem) return;
    for (const series of this.#options.series) {
      if (this.#stopped) return;
      await this.#begin(series, boundary);
      await this.#combine(series, boundary);
    }
    const now = this.#options.clock.monotonic();
    if (now - this.#pruned < pruning) return;
    this.#pruned = now;
    await this.#prune(boundary);
    if (this.#stopped) return;
    this.#archiving ??= this.#archive(boundary).finally(() => {
      this.#archiving = null;
    });
  }

  /** The coarser tiers of a sampled series, each from the one before it. */
  async #combine(series: Series, time: number): Promise<void> {
    const { store, writer } = this.#options;
    const combining = { store, write: writer.add };
    let [finer] = series.tiers;
    for (const tier of series.tiers.slice(1)) {
      if (series.sample && !tier.isSampled)
        await combineTier(combining, series, { finer, tier }, { time });
      finer = tier;
    }
  }

  /** Not awaited: a day of rows takes a while, and the store ends it where it is closed. */
  async #archive(now: number): Promise<void> {
    const { store, log } = this.#options;
    try {
      await store.archive?.(now);
    } catch (error) {
      log.error({ err: error }, 'ended days of the history could not be moved to files');
    }
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
        if (this.#stopped) return;
        if (Number.isFinite(keep)) await store.prune(series, step, now - keep);
      }
    }
  }
}
