/** The folder of recordings: `<exchange>/<day>/<time>-<process>.jsonl.zst`, with the bounds of its size and age. */
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The end of the name of each file. */
const suffix = '.jsonl.zst';

/** The day of a time (Unix ms), UTC, as a folder is named. */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Where a file that begins at a time (Unix ms) stands below the folder of recordings. */
export function fileOf(exchange: string, time: number, process: string): string {
  const clock = new Date(time).toISOString().slice(11, 23).replaceAll(/\D/g, '');
  return join(exchange, dayOf(time), `${clock}-${process}${suffix}`);
}

/** A file of recordings. */
export interface RecordingFile {
  /** Below the folder of recordings. */
  path: string;
  /** When it begins, Unix ms. */
  from: number;
}

/** The time in the name of a file of a day, Unix ms; null for a name of another form. */
function timeIn(day: string, name: string): number | null {
  const [, h, m, s, ms] = /^(\d\d)(\d\d)(\d\d)(\d{3})-/.exec(name) ?? [];
  return h === undefined ? null : Date.parse(`${day}T${h}:${m}:${s}.${ms}Z`);
}

/** The names in a folder in their order; none where it is not there. */
const namesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder).catch(() => [])).sort();

/** The exchanges that were recorded. */
export const recordedExchanges = namesIn;

/** The days of an exchange that were recorded, the oldest first. */
export const recordedDays = async (folder: string, exchange: string): Promise<string[]> =>
  (await namesIn(join(folder, exchange))).filter((name) => /^\d{4}-\d\d-\d\d$/.test(name));

/** The files of a day in the order in which they begin. */
export async function filesOf(
  folder: string,
  exchange: string,
  day: string,
): Promise<RecordingFile[]> {
  const names = await namesIn(join(folder, exchange, day));
  return names.flatMap((name) => {
    const from = name.endsWith(suffix) ? timeIn(day, name) : null;
    return from === null ? [] : [{ path: join(exchange, day, name), from }];
  });
}

/** Bytes of all files of a day of an exchange. */
async function bytesOf(folder: string, exchange: string, day: string): Promise<number> {
  const files = await filesOf(folder, exchange, day);
  const sizes = files.map(({ path }) =>
    stat(join(folder, path)).then(
      ({ size }) => size,
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** Bounds of the folder. */
export interface Bounds {
  /** Days that are kept besides the running one. */
  keepDays: number;
  mostBytes: number;
}

/** Keeps the folder within its bounds. */
export class Folder {
  readonly path: string;
  readonly #bounds: Bounds;
  /** Bytes of days that are over, by exchange and day. */
  readonly #known = new Map<string, number>();

  constructor(path: string, bounds: Bounds) {
    this.path = path;
    this.#bounds = bounds;
  }

  /**
   * Removes whole days, the oldest first, of all exchanges: those beyond their time, and more where the bytes are too many. The
   * running day stays. Gives whether the bytes that are left are too many. `now`: Unix ms.
   */
  async tidy(now: number): Promise<boolean> {
    const today = dayOf(now);
    const first = dayOf(now - this.#bounds.keepDays * 86_400_000);
    const days = await this.#days(now);
    let bytes = [...days.values()].reduce((sum, size) => sum + size, 0);
    for (const day of [...days.keys()].sort()) {
      if (day >= today || (day >= first && bytes <= this.#bounds.mostBytes)) break;
      for (const exchange of await recordedExchanges(this.path)) {
        await rm(join(this.path, exchange, day), { recursive: true, force: true });
        this.#known.delete(`${exchange}/${day}`);
      }
      bytes -= days.get(day) ?? 0;
    }
    return bytes > this.#bounds.mostBytes;
  }

  /** Bytes of each day. */
  async #days(now: number): Promise<Map<string, number>> {
    const found = new Map<string, number>();
    const changing = dayOf(now - 86_400_000);
    for (const exchange of await recordedExchanges(this.path))
      for (const day of await recordedDays(this.path, exchange)) {
        const key = `${exchange}/${day}`;
        const bytes = this.#known.get(key) ?? (await bytesOf(this.path, exchange, day));
        if (day < changing) this.#known.set(key, bytes);
        found.set(day, (found.get(day) ?? 0) + bytes);
      }
    return found;
  }
}
