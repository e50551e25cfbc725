/** What there is in the folder of recordings. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { filesOf, recordedDays, recordedExchanges } from '../sources/recording/folder.ts';
import type { NoteLine } from '../sources/recording/format.ts';
import type { RecordedDay } from '../topics/recordings.ts';
import { filesIn, firstLine, type Range } from './reader.ts';

type Head = Extract<NoteLine, { kind: 'file' }>;

/** The head of a file; null for one that has none yet. */
async function headOf(path: string): Promise<Head | null> {
  const line = await firstLine(path);
  return line?.kind === 'file' ? line : null;
}

/** What was recorded of an exchange at the start of a range; null for nothing. */
export async function typesIn(
  folder: string,
  exchange: string,
  range: Range,
): Promise<readonly string[] | null> {
  const [first] = await filesIn(folder, exchange, range);
  return first === undefined ? null : ((await headOf(join(folder, first.path)))?.types ?? null);
}

/** Reads the folder of recordings; heads of files are read once. */
export class Recorded {
  readonly #folder: string;
  readonly #heads = new Map<string, Head>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** By exchange and day, of one exchange or of all; the newest `most` days of each. */
  async days(exchange: string | undefined, most: number): Promise<RecordedDay[]> {
    const found: RecordedDay[] = [];
    for (const one of await recordedExchanges(this.#folder)) {
      if (exchange !== undefined && one !== exchange) continue;
      for (const day of (await recordedDays(this.#folder, one)).slice(-most))
        found.push(...(await this.#day(one, day)));
    }
    return found;
  }

  async #day(exchange: string, day: string): Promise<RecordedDay[]> {
    const files = await filesOf(this.#folder, exchange, day);
    const [first] = files;
    if (first === undefined) return [];
    const about = { exchange, day, from: first.from, to: first.from, files: files.length };
    const row: RecordedDay = { ...about, bytes: 0, types: [], symbols: [], gaps: 0 };
    let before = '';
    for (const { path } of files) {
      const { size, mtimeMs } = await stat(join(this.#folder, path)).catch(() => ({
        size: 0,
        mtimeMs: 0,
      }));
      row.bytes += size;
      row.to = Math.max(row.to, Math.floor(mtimeMs));
      const head = await this.#head(path);
      row.types = head?.types.toSorted() ?? row.types;
      row.symbols = [...(head?.symbols ?? row.symbols)];
      if (before !== '' && head?.follows !== before) row.gaps += 1;
      before = path;
    }
    return [row];
  }

  async #head(path: string): Promise<Head | null> {
    const known = this.#heads.get(path);
    if (known) return known;
    const head = await headOf(join(this.#folder, path));
    if (head !== null && this.#heads.size < 100_000) this.#heads.set(path, head);
    return head;
  }
}
