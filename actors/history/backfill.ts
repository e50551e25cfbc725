/** Asks upstreams for what the store lacks: slowly, through the same queries as clients. */
import { hour } from '../../config/time.ts';
import { stepAt } from '../../indicators/market/buckets.ts';
import type { Bus, BusLog } from '../bus/bus.ts';
import { type Cancel, type Clock, within } from '../kernel/clock.ts';
import type { MarketState } from '../state/market-state.ts';
import { intervals, tracking } from '../topics/index.ts';
import { writeLate } from './combine.ts';
import type { Ask, Backfill, Row, Series } from './define.ts';
import type { Store } from './store.ts';
import type { Writer } from './writer.ts';

/**
 * Ms: between two keys, between two searches for work, after a failure, before a key is checked again for holes, and
 * before one without a known market is tried again.
 */
const pauses = { key: 300, idle: 5_000, failed: 600_000, round: hour, unknown: 30_000 };
/** Assets whose keys are filled before all others: answers show BTC by default. */
const first = tracking.always.slice(0, 2);
/** Keys that clients wait for at most, and keys that are remembered. */
const most = { wanted: 256, known: 20_000 };
/** Newest steps of a question that count as recorded live. */
const liveSteps = 3;

export interface BackfillOptions {
  series: readonly Series[];
  bus: Pick<Bus, 'query'>;
  store: Store;
  writer: Writer;
  market: MarketState;
  clock: Clock;
  log: BusLog;
}

interface Job {
  series: Series;
  backfill: Backfill;
  key: string;
}

/** A row of the key that is asked about. */
type Given = Omit<Row, 'key'>;

/** Rows of several markets added up, at the times that all of them have: a sum without one of them would be too low. */
function addUp(lists: readonly (readonly Given[])[]): Given[] {
  const [first = [], ...more] = lists;
  const byTime = more.map((rows) => new Map(rows.map((row) => [row.time, row.values])));
  return first.flatMap(({ time, values }) => {
    const others = byTime.map((rows) => rows.get(time)).filter((row) => row !== undefined);
    const all = [values, ...others];
    if (all.length < lists.length) return [];
    const sumOf = (name: string): number | null => {
      const parts = all.map((one) => one[name] ?? null);
      return parts.reduce((sum, part) => (sum === null || part === null ? null : sum + part));
    };
    return { time, values: Object.fromEntries(Object.keys(values).map((n) => [n, sumOf(n)])) };
  });
}

export class Backfiller {
  readonly #options: BackfillOptions;
  /** When a key is due again, Unix ms. */
  readonly #due = new Map<string, number>();
  /** The newest row that an upstream gave of a key and step, Unix ms: it has none of the missing rows before it. */
  readonly #given = new Map<string, number>();
  readonly #wanted = new Map<string, { job: Job; done: PromiseWithResolvers<void> }>();
  /** What was due when it was last looked for, the most important first: looking goes over thousands of keys. */
  #plan: { jobs: Job[]; until: number } = { jobs: [], until: 0 };
  #cancel: Cancel = () => {};
  #working: Promise<void> = Promise.resolve();
  /** Waits no longer for the answer of an upstream. */
  #abandon: () => void = () => {};
  #stopped = false;

  constructor(options: BackfillOptions) {
    this.#options = options;
    this.#after(pauses.idle);
  }

  /**
   * Takes a key before all others. Resolves when that is done, `timeoutMs` later at most; null where it was checked lately, or too
   * many keys wait.
   */
  want(series: Series, key: string, timeoutMs: number): Promise<unknown> | null {
    const { backfill } = series;
    const id = `${series.name} ${key}`;
    const { clock } = this.#options;
    if (!backfill || (this.#due.get(id) ?? 0) > clock.now()) return null;
    const waiting = this.#wanted.get(id);
    if (!waiting && this.#wanted.size >= most.wanted) return null;
    const entry = waiting ?? {
      job: { series, backfill, key },
      done: Promise.withResolvers<void>(),
    };
    this.#wanted.set(id, entry);
    this.#cancel();
    this.#after(0);
    return within(clock, timeoutMs, entry.done.promise);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#abandon();
    this.#cancel();
    for (const { done } of this.#wanted.values()) done.resolve();
    await this.#working;
  }

  #after(ms: number): void {
    if (this.#stopped) return;
    this.#cancel = this.#options.clock.after(ms, () => {
      this.#working = this.#working.then(() => this.#next());
    });
  }

  async #next(): Promise<void> {
    if (this.#stopped) return;
    const [[id, entry] = [null, null]] = this.#wanted;
    if (id !== null) this.#wanted.delete(id);
    const job = entry?.job ?? this.#routine();
    const asked = job !== null && (await this.#run(job));
    entry?.done.resolve();
    this.#cancel();
    const soon = this.#wanted.size > 0 || (job !== null && !asked);
    this.#after(soon ? 0 : asked ? pauses.key : pauses.idle);
  }

  /** The next key that is due: one of the assets that are filled first, else the first of the first series. */
  #routine(): Job | null {
    const { series, clock } = this.#options;
    const now = clock.now();
    if (now >= this.#plan.until) {
      const due = series.flatMap((one) => this.#dueOf(one));
      const ofFirst = first.flatMap((symbol) =>
        due.filter(({ key }) => key.endsWith(`/${symbol}`)),
      );
      this.#plan = { jobs: [...ofFirst, ...due].reverse(), until: now + pauses.idle };
    }
    const { jobs } = this.#plan;
    for (let job = jobs.pop(); job !== undefined; job = jobs.pop()) {
      if (this.#isDue(job.series, job.key, now)) return job;
    }
    return null;
  }

  #isDue({ name }: Series, key: string, now: number): boolean {
    return (this.#due.get(`${name} ${key}`) ?? 0) <= now;
  }

  #dueOf(series: Series): Job[] {
    const { market, clock } = this.#options;
    const now = clock.now();
    const { backfill } = series;
    const keys = backfill?.keys(market, now) ?? [];
    return keys
      .filter((key) => this.#isDue(series, key, now))
      .flatMap((key) => (backfill ? [{ series, backfill, key }] : []));
  }

  /** False without a request: the lists of the exchange are not known yet, or it has no such market. */
  async #run({ series, backfill, key }: Job): Promise<boolean> {
    const { clock, market, log } = this.#options;
    let groups: readonly (readonly Ask[])[] = [];
    let pause = pauses.unknown;
    try {
      groups = backfill.asks(key, market).filter((asks) => asks.length > 0);
      if (groups.length > 0) pause = backfill.every ?? pauses.round;
      for (const asks of groups) {
        if (!(await this.#group(series, backfill, asks))) pause = pauses.failed;
      }
    } catch (error) {
      pause = pauses.failed;
      log.error({ err: error, series: series.name, key }, 'the back-fill of a key failed');
    }
    remember(this.#due, `${series.name} ${key}`, nextAfter(clock.now(), pause));
    return groups.length > 0;
  }

  /** Asks an upstream and writes its rows; false where it did not answer. */
  async #group(series: Series, backfill: Backfill, asks: readonly Ask[]): Promise<boolean> {
    const [first] = asks;
    if (!first) return true;
    const isRepeated = backfill.every !== undefined && first.step === series.tiers[0].name;
    if (!isRepeated && (await this.#isWhole(series, first))) return true;
    const lists: (readonly Given[])[] = [];
    for (const { source, name, params, rows } of asks) {
      // Of a key with several groups the next ones are not begun either.
      if (this.#stopped) return false;
      const { promise: abandoned, resolve } = Promise.withResolvers<null>();
      this.#abandon = () => resolve(null);
      const asked = this.#options.bus.query({ source, name, params });
      const reply = await Promise.race([asked, abandoned]);
      if (!reply?.ok) return false;
      // The type of the reply is that of the query's name, which `Ask` ties to `rows`.
      lists.push(rows(reply.value.value as never));
    }
    await this.#write(series, backfill, first, addUp(lists));
    return true;
  }

  /**
   * Whether the store has all rows that the question can give. The newest step that has ended may be under way to the
   * store, or to the upstream's list.
   */
  async #isWhole(series: Series, { key, step, params }: Ask): Promise<boolean> {
    const { store, clock } = this.#options;
    const length = intervals[step];
    const steps = 'limit' in params ? params.limit : 0;
    const to = stepAt(clock.now(), length) - 2 * length;
    const given = this.#given.get(`${series.name} ${key} ${step}`) ?? 0;
    const from = Math.max(to - (steps - 3) * length, given + length);
    if (from > to) return true;
    const found = (await store.read(series, length, [key], { from, to })).get(key);
    return (found?.times.length ?? 0) > (to - from) / length;
  }

  async #write(
    series: Series,
    { exact, every = 0 }: Backfill,
    { key, step: name }: Ask,
    found: readonly Given[],
  ): Promise<void> {
    const { clock, store, writer } = this.#options;
    const step = intervals[name];
    const now = clock.now();
    const keep = series.tiers.find((tier) => tier.step === step)?.keep ?? 0;
    // What runs is sampled at its end: a value of before would stand for it until then.
    const last = now - (series.sample ? step : 0);
    const since = every > 0 ? now - liveSteps * Math.max(step, every) : Number.POSITIVE_INFINITY;
    const rows = found
      .filter(({ time }) => time <= last && time > now - keep)
      .map(({ time: stated, values }) => {
        const time = stepAt(stated, step);
        return { key, time, values, backfilled: time < since };
      });
    const mode = exact ? 'put' : 'fill';
    await writeLate({ store, write: writer.add }, series, rows, { step, mode, now });
    const newest = rows.reduce((most, { time }) => Math.max(most, time), 0);
    if (newest > 0) remember(this.#given, `${series.name} ${key} ${name}`, newest);
  }
}

/** Sets an entry, in the place of the oldest one where there are too many. */
function remember(entries: Map<string, number>, id: string, value: number): void {
  entries.delete(id);
  entries.set(id, value);
  const [oldest] = entries.keys();
  if (entries.size > most.known && oldest !== undefined) entries.delete(oldest);
}

/** A little after the next multiple of a pause: upstreams have the step that ends there by then. */
const nextAfter = (now: number, pause: number): number => stepAt(now, pause) + pause + 5_000;
