/**
 * Loads years of the past from the public archives of exchanges, from the newest file to the oldest, one file at a time: prices and what
 * takers bought and sold, by the minute as long as minutes are kept and by the hour before, and settled fundings. Each new day follows
 * when its file has come. A position of each asset says which time was read, so that a restart goes on there.
 */
import { day, hour } from '../../config/time.ts';
import { stepAt } from '../../indicators/market/buckets.ts';
import type { BusLog } from '../bus/bus.ts';
import { ShapeError } from '../failure.ts';
import type { Cancel } from '../kernel/clock.ts';
import type { HttpClient } from '../upstream/client.ts';
import type { Api, UpstreamAnswer, UpstreamRequest } from '../upstream/request.ts';
import { dayFrom, dayLate, mayCome, mostPause, periodBefore, verify } from './archive-files.ts';
import { type ArchivedFile, seriesOf, type Taking, takeFile } from './archive-rows.ts';
import { type Archive, type ArchiveSubject, archives } from './archive-table.ts';
import type { Period } from './periods.ts';

export const archiveSource = 'archive';
/** An API of each archive, by its exchange. */
export const archiveApis: Readonly<Record<string, Api>> = Object.fromEntries(
  archives.map(({ exchange, api }) => [exchange, api]),
);

/**
 * Ms: between two files, so that the rows reach their files as fast as they come and other work goes first; while nothing is to be done;
 * after a failure; for a file.
 */
const pauses = { file: 30_000, idle: hour, failed: 600_000, deadline: 120_000 };

export interface ArchiveOptions extends Taking {
  client: Pick<HttpClient, 'send'>;
  log: BusLog;
}

/** A history of an asset that is loaded. */
interface Task {
  /** The name of its position. */
  name: string;
  kind: ArchiveSubject['kind'];
  of: 'candles' | 'fundings';
  symbol: string;
  /** Where it is looked for. */
  among: readonly Archive[];
}
/** The time whose files were read, Unix ms; from 0 where there are no older ones. */
type Loaded = Record<'from' | 'to', number>;
/** A file of a task that may be read. */
interface Due {
  task: Task;
  loaded: Loaded;
  period: Period;
}
const idOf = ({ task, period }: Due): string => `${task.name} ${period.name}`;

/** What was read with a period whose rows begin at `first`: before its first month a market did not trade. */
function joined(loaded: Loaded, { from, to }: Period, first: number): Loaded {
  if (from >= loaded.to) return { ...loaded, to };
  return { ...loaded, from: first - from > mostPause ? 0 : from };
}

/** Prices are those of an asset, wherever they come from; fundings those of an exchange. */
const tasksOf = (symbol: string): Task[] => [
  ...(['spot', 'perpetual'] as const).map((kind): Task => {
    const name = `archive:candles:${kind}/${symbol}`;
    return { name, kind, of: 'candles', symbol, among: archives };
  }),
  ...archives.map((archive): Task => {
    const name = `archive:fundings:${archive.exchange}/${symbol}`;
    return { name, kind: 'perpetual', of: 'fundings', symbol, among: [archive] };
  }),
];

export class Archives {
  readonly #options: ArchiveOptions;
  /** By position. */
  readonly #loaded = new Map<string, Loaded>();
  /** Until when a file that is not there yet, or could not be read, is left alone, Unix ms. */
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
    const { clock, log } = this.#options;
    let [pause, rest] = [pauses.failed, pauses.failed];
    let due: Due | null = null;
    try {
      due = await this.#choose();
      pause = due ? pauses.file : pauses.idle;
      if (due) rest = await this.#load(due);
    } catch (error) {
      const file = due && idOf(due);
      log.error({ err: error, file }, 'a file of an archive could not be taken over');
    }
    if (due && rest > 0) this.#waiting.set(idOf(due), clock.now() + rest);
    else if (due) this.#waiting.delete(idOf(due));
    this.#after(pause);
  }

  /** Of the files of tracked assets the newest one. */
  async #choose(): Promise<Due | null> {
    const { market, clock } = this.#options;
    const now = clock.now();
    let chosen: Due | null = null;
    for (const task of market.tracked(now).flatMap(tasksOf)) {
      if (this.#marketsOf(task).length === 0) continue;
      const loaded = await this.#loadedOf(task, now);
      for (const period of this.#nextOf(task, loaded, now)) {
        const due = { task, loaded, period };
        const isOpen = now >= (this.#waiting.get(idOf(due)) ?? 0);
        if (isOpen && period.to > (chosen?.period.to ?? 0)) chosen = due;
      }
    }
    return chosen;
  }

  /** The next day that has ended, and the file before what was read. New fundings come from the exchange itself. */
  #nextOf({ of }: Task, { from, to }: Loaded, now: number): Period[] {
    const isFunding = of === 'fundings';
    const series = seriesOf(this.#options.series, isFunding ? 'funding' : 'price');
    const next = isFunding ? null : dayFrom(to, now);
    const keep = series.tiers.at(-1)?.keep ?? 0;
    const before = from > now - keep ? periodBefore(from, now, isFunding) : null;
    return [next, before].filter((period) => period !== null);
  }

  /** It begins before the days whose files may be missing yet: these come one after the other. */
  async #loadedOf({ name }: Task, now: number): Promise<Loaded> {
    const known = this.#loaded.get(name);
    if (known) return known;
    const start = stepAt(now, day) - dayLate;
    const stored = await this.#options.store.position(name);
    const [from = start, to = start] = stored?.split(' ').map(Number) ?? [];
    const loaded = { from, to };
    this.#loaded.set(name, loaded);
    return loaded;
  }

  /** The markets of a task in the order in which they are read: of an exchange the most traded one first. */
  #marketsOf({ kind, symbol, among }: Task) {
    return among.flatMap((archive) =>
      this.#options.market
        .markets(archive.exchange, kind, symbol)
        .map(({ market }) => ({ archive, market })),
    );
  }

  /**
   * Takes over a file: that of the first market that has one, and those of the next ones where it does not reach back to the start of
   * its period. Returns for how long it is left alone then, ms.
   */
  async #load({ task, loaded, period }: Due): Promise<number> {
    const now = this.#options.clock.now();
    const { name, kind, symbol } = task;
    const { signal } = this.#stopping;
    let first = period.to;
    for (const { archive, market } of this.#marketsOf(task)) {
      const of = this.#formOf(task, archive, period, now);
      const file = { archive, kind, market, symbol, period, of } as const;
      const zip = await this.#fetch(file);
      if (zip === null) return pauses.failed;
      if (zip === 'missing' && mayCome(period, now)) return pauses.idle;
      if (zip === 'missing') continue;
      first = Math.min(first, await takeFile(zip, file, { ...this.#options, signal }));
      if (first <= period.from) break;
    }
    // Then the rest of its rows is not stored.
    if (signal.aborted) return 0;
    const next = joined(loaded, period, first);
    const positions = [{ name, to: `${next.from} ${next.to}` }];
    await this.#options.writer.add({ writes: [], positions });
    this.#loaded.set(name, next);
    return 0;
  }

  /** Of candles minutes as long as they are kept, and where there is nothing else. */
  #formOf({ of }: Task, { hasHours }: Archive, { from }: Period, now: number): ArchivedFile['of'] {
    if (of === 'fundings') return of;
    const [{ keep }] = seriesOf(this.#options.series, 'price').tiers;
    return hasHours && from < now - keep ? '1h' : '1m';
  }

  /** The bytes of a file; null where the archive does not answer. ShapeError for a damaged one. */
  async #fetch({ archive, period, ...subject }: ArchivedFile): Promise<Buffer | 'missing' | null> {
    const path = archive.path(subject, period.name);
    const zip = await this.#ask(archive, { path, bytes: true });
    if (zip === null || zip === 'missing') return zip;
    if (!Buffer.isBuffer(zip.body)) throw new ShapeError('the file has no bytes');
    if (!archive.hasChecksum) return zip.body;
    const checksum = await this.#ask(archive, { path: `${path}.CHECKSUM`, text: true });
    if (checksum === null || checksum === 'missing') return checksum;
    verify(zip.body, String(checksum.body));
    return zip.body;
  }

  async #ask(
    { exchange: api }: Archive,
    request: Omit<UpstreamRequest, 'api'>,
  ): Promise<UpstreamAnswer | 'missing' | null> {
    const { client, log } = this.#options;
    // A file that is missing is no fault of the archive: no question opens its breaker.
    const options = { account: '', deadline: pauses.deadline, signal: this.#stopping.signal };
    const result = await client.send({ api, ...request }, options);
    if (result.ok) return result.value;
    if (result.failure.status === 404) return 'missing';
    if (result.failure.code !== 'stopped')
      log.warn({ failure: result.failure }, 'an archive does not answer');
    return null;
  }
}
