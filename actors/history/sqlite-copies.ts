/** The check of a history file in turns, and its daily copies, of which the newest is restored where the file is damaged. */
import {
  copyFileSync,
  existsSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { day, hour } from '../../config/time.ts';
import type { BusLog } from '../bus/bus.ts';
import { type Clock, every } from '../kernel/clock.ts';
import type { FileTask } from './sqlite-worker.ts';

/** Between two checks, and the age from which on another copy is made, ms; copies that are kept. */
const times = { check: hour, copy: day } as const;
const kept = 2;

/** `2026-01-31T10-20-30Z`, for names of files. */
export const dateIn = (time: number): string =>
  `${new Date(time).toISOString().slice(0, 19).replaceAll(':', '-')}Z`;

/** A name beside that of a file: `history.sqlite` and `copy-x` make `history-copy-x.sqlite`. */
export const beside = (path: string, word: string): string =>
  path.replace(/(\.\w+)?$/, `-${word}$1`);

/** The copies of a file, the newest first. */
export function copiesOf(path: string): string[] {
  const folder = dirname(path);
  if (!existsSync(folder)) return [];
  const [before = '', after = ''] = basename(beside(path, 'copy-*')).split('*');
  return readdirSync(folder)
    .filter((name) => name.startsWith(before) && name.endsWith(after))
    .sort()
    .reverse()
    .map((name) => join(folder, name));
}

/** Does a task in a thread of its own: the faults of the file, none where it is whole. Rejects where it cannot be read. */
function inThread(task: FileTask): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./sqlite-worker.ts', import.meta.url), { workerData: task });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the check ended without a result')));
  });
}

/** Puts the newest copy in the place of a file that is not there. Its name, or null where there is no copy. */
export function restoreCopy(path: string): string | null {
  const [newest] = copiesOf(path);
  if (newest === undefined) return null;
  copyFileSync(newest, path);
  return newest;
}

export interface CareOptions {
  path: string;
  clock: Clock;
  log: BusLog;
}

/** Checks a file when it is opened and each hour, and copies it once a day. One task at a time. */
export class FileCare {
  readonly #options: CareOptions;
  #cancel: () => void;
  #running: Promise<void> | null = null;
  #faults: readonly string[] = [];
  #problem: string | null = null;
  /** Checks that found damage where the one before had found none, since the start. */
  found = 0;

  constructor(options: CareOptions) {
    this.#options = options;
    this.#cancel = options.clock.after(0, () => {
      this.#look();
      this.#cancel = every(options.clock, times.check, () => this.#look());
    });
  }

  /** What the last check found, in words; null where the file is whole. */
  get problem(): string | null {
    return this.#faults.length === 0
      ? this.#problem
      : `the file is damaged (${this.#faults[0]}): what cannot be read is missing`;
  }

  /** Checks the file once the present check has ended, and copies it where that is due. */
  check(): Promise<void> {
    const before = this.#running ?? Promise.resolve();
    const running = before
      .then(() => this.#check())
      .finally(() => {
        if (this.#running === running) this.#running = null;
      });
    this.#running = running;
    return running;
  }

  async #check(): Promise<void> {
    const { path, clock, log } = this.#options;
    const copyTo = this.#copyDue() ? beside(path, 'new') : null;
    if (copyTo !== null) rmSync(copyTo, { force: true });
    try {
      const faults = await inThread({ path, copyTo });
      if (faults.length > 0 && this.#faults.length === 0) {
        this.found++;
        log.error({ faults }, 'the history file is damaged');
      }
      this.#faults = faults;
      this.#problem = null;
      if (copyTo === null || faults.length > 0) return;
      renameSync(copyTo, beside(path, `copy-${dateIn(clock.now())}`));
      for (const old of copiesOf(path).slice(kept)) rmSync(old, { force: true });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#problem = `the file could not be checked or copied: ${why}`;
      log.error({ error: why }, 'the history file could not be checked or copied');
    }
  }

  async stop(): Promise<void> {
    this.#cancel();
    await this.#running;
  }

  #look(): void {
    if (this.#running === null) void this.check();
  }

  /** The file is copied where the newest copy is a day old and the disk has room for two more. */
  #copyDue(): boolean {
    const { path, clock } = this.#options;
    if (!existsSync(path)) return false;
    const [newest] = copiesOf(path);
    const isDue = newest === undefined || clock.now() - statSync(newest).mtimeMs >= times.copy;
    const { bavail, bsize } = statfsSync(dirname(path));
    return isDue && bavail * bsize > 2 * statSync(path).size;
  }
}
