/**
 * Loads years of the past from the public archive of Binance, from the newest file to the oldest, one file at a time: prices and what
 * takers bought and sold, by the minute as long as minutes are kept and by the hour before, and settled fundings. A position of each
 * market says how far it is, so that a restart goes on there.
 */
import { setImmediate } from 'node:timers/promises';
import { day, hour, minute } from '../../config/time.ts';
import type { BusLog } from '../bus/bus.ts';
import { ShapeError } from '../failure.ts';
import type { Cancel, Clock } from '../kernel/clock.ts';
import type { MarketState } from '../state/market-state.ts';
import { type Interval, intervals, recordedKey } from '../topics/index.ts';
import type { HttpClient } from '../upstream/client.ts';
import type { Api } from '../upstream/request.ts';
import {
  type ArchiveSubject,
  afterPause,
  archivePath,
  candlesIn,
  fundingsIn,
  hoursOf,
  linesIn,
  mayCome,
  periodBefore,
} from './archive-files.ts';
import { writeLate } from './combine.ts';
import type { Row, Series } from './define.ts';
import type { Period } from './periods.ts';
import type { Batch, Store } from './store.ts';
import type { Writer } from './writer.ts';

export const archiveSource = 'archive';
/** The archive is a store of files without a stated limit. */
export const archiveApis = {
  files: {
    hosts: ['https://data.binance.vision'],
    budgets: { default: { weight: 2, per: 1_000 } },
    maxBody: 16 * 2 ** 20,
  },
} as const satisfies Readonly<Record<string, Api>>;

/**
 * Ms: between two files, so that the rows reach their files as fast as they come and other work goes first; while nothing is to be done;
 * after a failure; for a file.
 */
const pauses = { file: 30_000, idle: hour, failed: 600_000, deadline: 120_000 };
const exchange = 'binance';

export interface ArchiveOptions {
  client: Pick<HttpClient, 'send'>;
  series: readonly Series[];
  store: Store;
  writer: Pick<Writer, 'add'>;
  market: MarketState;
  clock: Clock;
  log: BusLog;
}

/** A history of an asset that is loaded; its position is the start of the oldest file that was read. */
interface Task {
  kind: ArchiveSubject['kind'];
  of: 'candles' | 'fundings';
  symbol: string;
}
type Taken = Omit<Task, 'of'> & ArchiveSubject & { period: Period };

/** The end of what an archive has. */
const ended = 'ended';
const positionOf = ({ kind, of, symbol }: Task) => `archive:${of}:${kind}/${symbol}`;

export class Archives {
  readonly #options: ArchiveOptions;
  /** Unix ms of the start of the oldest file that was read, by position. */
  readonly #reached = new Map<string, number>();
  /** Until when a task waits for a file that is not there yet, Unix ms, by position. */
  readonly #waiting = new Map<string, number>();
  #cancel: Cancel = () => {};
  #working: Promise<void> = Promise.resolve();
  readonly #stopping = new AbortController();

  constructor(options: ArchiveOptions) {
    this.#options = options;
    this.#after(pauses.file);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#cancel();
    await this.#working;
  }

  #after(ms: number): void {
    if (this.#stopping.signal.aborted) return;
    this.#cancel = this.#options.clock.after(ms, () => {
      this.#working = this.#next();
    });
  }

  async #next(): Promise<void> {
    const { log } = this.#options;
    let pause = pauses.failed;
    try {
      const task = await this.#choose();
      pause = task === null ? pauses.idle : pauses.file;
      if (task && !(await this.#load(task))) pause = pauses.failed;
    } catch (error) {
      pause = pauses.failed;
      log.error({ err: error }, 'a file of an archive could not be taken over');
    }
    this.#after(pause);
  }

  /** Of the tracked assets the one whose past reaches back least. */
  async #choose(): Promise<Task | null> {
    const { market, clock } = this.#options;
    const now = clock.now();
    let chosen: { task: Task; reached: number } | null = null;
    for (const symbol of market.tracked(now)) {
      const tasks: Task[] = [
        { kind: 'spot', of: 'candles', symbol },
        { kind: 'perpetual', of: 'candles', symbol },
        { kind: 'perpetual', of: 'fundings', symbol },
      ];
      for (const task of tasks) {
        const reached = await this.#reachedBy(task, now);
        const isOpen =
          reached > now - this.#keepOf(task) && now >= (this.#waiting.get(positionOf(task)) ?? 0);
        if (isOpen && reached > (chosen?.reached ?? 0) && this.#marketsOf(task).length > 0)
          chosen = { task, reached };
      }
    }
    return chosen?.task ?? null;
  }

  async #reachedBy(task: Task, now: number): Promise<number> {
    const name = positionOf(task);
    const known = this.#reached.get(name);
    if (known !== undefined) return known;
    const stored = await this.#options.store.position(name);
    const reached = stored === null ? now : stored === ended ? 0 : Number(stored);
    if (stored !== null) this.#reached.set(name, reached);
    return reached;
  }

  #marketsOf({ kind, symbol }: Task) {
    return this.#options.market.markets(exchange, kind, symbol);
  }

  #seriesOf(name: Series['name']): Series {
    const found = this.#options.series.find((one) => one.name === name);
    if (!found) throw new RangeError(`no series ${name}`);
    return found;
  }

  /** How long the coarsest rows of a task are kept, ms. */
  #keepOf({ of }: Task): number {
    return this.#seriesOf(of === 'candles' ? 'price' : 'funding').tiers.at(-1)?.keep ?? 0;
  }

  /**
   * Takes over the next file of a task: that of the most traded market that has one, and where it began to trade within that time those
   * of the next ones. False where the archive does not answer.
   */
  async #load(task: Task): Promise<boolean> {
    const now = this.#options.clock.now();
    const isFunding = task.of === 'fundings';
    const period = periodBefore(await this.#reachedBy(task, now), now, isFunding);
    const of = isFunding ? 'fundingRate' : this.#stepOf(period, now);
    const name = positionOf(task);
    let isThere = false;
    // Before its first month a market did not trade.
    let isBegin = period.to - period.from > day;
    for (const { market } of this.#marketsOf(task)) {
      const lines = await this.#fetch(archivePath({ kind: task.kind, market, of }, period));
      if (lines === null) return false;
      if (lines === 'missing') continue;
      isThere = true;
      isBegin = await this.#take(lines, { ...task, market, period, of });
      if (!isBegin) break;
    }
    if (!isThere && mayCome(period, now)) {
      this.#waiting.set(name, now + pauses.idle);
      return true;
    }
    const to = isBegin ? ended : `${period.from}`;
    await this.#options.writer.add({ writes: [], positions: [{ name, to }] });
    this.#reached.set(name, isBegin ? 0 : period.from);
    return true;
  }

  /** Minutes as long as they are kept. */
  #stepOf({ from }: Period, now: number): '1m' | '1h' {
    const [{ keep }] = this.#seriesOf('price').tiers;
    return from >= now - keep ? '1m' : '1h';
  }

  /** Whether the market began to trade within the period. */
  #take(lines: string[][], taken: Taken): Promise<boolean> {
    const { of } = taken;
    return of === 'fundingRate'
      ? this.#takeFundings(lines, taken)
      : this.#takeCandles(lines, taken, of);
  }

  /** The lines of a file; null where the archive does not answer. ShapeError for a damaged one. */
  async #fetch(path: string): Promise<string[][] | 'missing' | null> {
    const { client, log } = this.#options;
    // A file that is missing is no fault of the archive: no question opens its breaker.
    const options = { account: '', deadline: pauses.deadline, signal: this.#stopping.signal };
    const bodies: unknown[] = [];
    for (const form of [
      { path, bytes: true },
      { path: `${path}.CHECKSUM`, text: true },
    ] as const) {
      const result = await client.send({ api: 'files', ...form }, options);
      if (!result.ok) {
        if (result.failure.status === 404) return 'missing';
        if (result.failure.code !== 'stopped')
          log.warn({ failure: result.failure }, 'an archive does not answer');
        return null;
      }
      bodies.push(result.value.body);
    }
    const [zip, checksum] = bodies;
    if (!Buffer.isBuffer(zip)) throw new ShapeError('the file has no bytes');
    return linesIn(zip, String(checksum));
  }

  async #takeFundings(lines: readonly string[][], { symbol, period }: Taken): Promise<boolean> {
    const { rows, isBegin } = afterPause(fundingsIn(lines, period), period);
    const key = recordedKey(exchange, 'stable', symbol);
    const all = rows.map(({ time, rate, hours }) => ({ key, time, values: { rate, hours } }));
    await this.#write('funding', '1h', all);
    return isBegin;
  }

  async #takeCandles(
    lines: readonly string[][],
    { kind, market, symbol, period }: Taken,
    step: '1m' | '1h',
  ): Promise<boolean> {
    const { rows, isBegin } = afterPause(candlesIn(lines, period), period);
    const scale = this.#options.market.scaleOf(exchange, market);
    const key = recordedKey(kind, symbol);
    const prices = (candles: readonly { time: number; close: number }[]) =>
      candles.map(({ time, close }) => ({
        key,
        time,
        values: { price: close / scale, turnover: null },
      }));
    await this.#write('price', step, prices(rows));
    if (step === '1m') await this.#write('price', '1h', prices(hoursOf(rows)));
    const minutes = intervals[step] / minute;
    const flow = rows.map(({ time, bought, sold }) => ({
      key: recordedKey(exchange, kind, symbol),
      time,
      values: { buy_usd: bought, sell_usd: sold, minutes },
    }));
    await this.#write('taker-flow', step, flow);
    return isBegin;
  }

  /** Fills in what is not known, a day at a time, in turns with other work. */
  async #write(name: Series['name'], interval: Interval, rows: readonly Row[]): Promise<void> {
    const { store, writer, clock } = this.#options;
    const series = this.#seriesOf(name);
    const step = intervals[interval];
    const keep = series.tiers.find((tier) => tier.step === step)?.keep ?? 0;
    const now = clock.now();
    const kept = rows.flatMap((row) =>
      row.time > now - keep ? [{ ...row, backfilled: true }] : [],
    );
    const write = (batch: Batch) => writer.add(batch);
    for (const part of Map.groupBy(kept, ({ time }) => Math.floor(time / day)).values()) {
      if (this.#stopping.signal.aborted) return;
      await writeLate({ store, write }, series, part, { step, mode: 'fill', now });
      await setImmediate();
    }
  }
}
