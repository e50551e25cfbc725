/**
 * Loads years of the past from the public archives of exchanges, from the newest file to the oldest, one file at a time: prices and what
 * takers bought and sold, by the minute as long as minutes are kept and by the hour before, and settled fundings. A position of each
 * asset says how far it is, so that a restart goes on there.
 */
import { day, hour } from '../../config/time.ts';
import type { BusLog } from '../bus/bus.ts';
import { ShapeError } from '../failure.ts';
import type { Cancel } from '../kernel/clock.ts';
import type { HttpClient } from '../upstream/client.ts';
import type { Api, UpstreamAnswer, UpstreamRequest } from '../upstream/request.ts';
import { mayCome, periodBefore, verify } from './archive-files.ts';
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
  /** The name of its position: the start of the oldest file that was read. */
  name: string;
  kind: ArchiveSubject['kind'];
  of: 'candles' | 'fundings';
  symbol: string;
  /** Where it is looked for. */
  among: readonly Archive[];
}
/** The end of what the archives have. */
const ended = 'ended';

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
  /** Unix ms of the start of the oldest file that was read, by position. */
  readonly #reached = new Map<string, number>();
  /** Until when a task waits for a file that is not there yet or could not be read, Unix ms, by position. */
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
    let task: Task | null = null;
    try {
      task = await this.#choose();
      pause = task ? pauses.file : pauses.idle;
      if (task) rest = await this.#load(task);
    } catch (error) {
      log.error({ err: error, task: task?.name }, 'a file of an archive could not be taken over');
    }
    if (task) this.#waiting.set(task.name, clock.now() + rest);
    this.#after(pause);
  }

  /** Of the tracked assets the one whose past reaches back least. */
  async #choose(): Promise<Task | null> {
    const { market, clock } = this.#options;
    const now = clock.now();
    let chosen: { task: Task; reached: number } | null = null;
    for (const task of market.tracked(now).flatMap(tasksOf)) {
      const reached = await this.#reachedBy(task, now);
      const isOpen =
        reached > now - this.#keepOf(task) && now >= (this.#waiting.get(task.name) ?? 0);
      if (isOpen && reached > (chosen?.reached ?? 0) && this.#marketsOf(task).length > 0)
        chosen = { task, reached };
    }
    return chosen?.task ?? null;
  }

  async #reachedBy({ name }: Task, now: number): Promise<number> {
    const known = this.#reached.get(name);
    if (known !== undefined) return known;
    const stored = await this.#options.store.position(name);
    const reached = stored === null ? now : stored === ended ? 0 : Number(stored);
    if (stored !== null) this.#reached.set(name, reached);
    return reached;
  }

  /** The markets of a task in the order in which they are read: of an exchange the most traded one first. */
  #marketsOf({ kind, symbol, among }: Task) {
    return among.flatMap((archive) =>
      this.#options.market
        .markets(archive.exchange, kind, symbol)
        .map(({ market }) => ({ archive, market })),
    );
  }

  /** How long the coarsest rows of a task are kept, ms. */
  #keepOf({ of }: Task): number {
    return (
      seriesOf(this.#options.series, of === 'candles' ? 'price' : 'funding').tiers.at(-1)?.keep ?? 0
    );
  }

  /**
   * Takes over the next file of a task: that of the first market that has one, and where it began to trade within that time those of
   * the next ones. Returns for how long the task has to wait then, ms.
   */
  async #load(task: Task): Promise<number> {
    const now = this.#options.clock.now();
    const { name, kind, symbol } = task;
    const isFunding = task.of === 'fundings';
    const period = periodBefore(await this.#reachedBy(task, now), now, isFunding);
    // Before its first month a market did not trade.
    let isBegin = period.to - period.from > day;
    for (const { archive, market } of this.#marketsOf(task)) {
      const of = this.#formOf(task, archive, period, now);
      const file = { archive, kind, market, symbol, period, of } as const;
      const zip = await this.#fetch(file);
      if (zip === null) return pauses.failed;
      if (zip === 'missing' && mayCome(period, now)) return pauses.idle;
      if (zip === 'missing') continue;
      isBegin = await takeFile(zip, file, { ...this.#options, signal: this.#stopping.signal });
      if (!isBegin) break;
    }
    // Then the rest of its rows is not stored.
    if (this.#stopping.signal.aborted) return 0;
    const to = isBegin ? ended : `${period.from}`;
    await this.#options.writer.add({ writes: [], positions: [{ name, to }] });
    this.#reached.set(name, isBegin ? 0 : period.from);
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
