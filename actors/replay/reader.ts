/** Reads recordings: the lines of an exchange in the order in which they were written, some thousands at a time. */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { constants, createZstdDecompress } from 'node:zlib';
import { day } from '../../config/time.ts';
import { filesOf, type RecordingFile, recordedDays } from '../sources/recording/folder.ts';
import { type RecordLine, readLine } from '../sources/recording/format.ts';

/** Bytes that are decompressed at a time. */
const chunkSize = 2 ** 18;

/** Times in Unix ms; `to` is not included. */
export interface Range {
  from: number;
  to: number;
}

/** The files of an exchange that hold a range, from the one in which it begins. */
export async function filesIn(
  folder: string,
  exchange: string,
  { from, to }: Range,
): Promise<RecordingFile[]> {
  const days = await recordedDays(folder, exchange);
  const wanted = days.filter((name) => {
    const start = Date.parse(name);
    return start < to && start + 2 * day > from;
  });
  const files = (await Promise.all(wanted.map((name) => filesOf(folder, exchange, name)))).flat();
  const first = files.findLastIndex((file) => file.from <= from);
  return files.slice(Math.max(0, first)).filter((file) => file.from < to);
}

/** The text of a file as far as it can be read: one that a kill has ended has no end. */
async function* textIn(path: string): AsyncGenerator<string> {
  const zstd = createZstdDecompress({
    chunkSize,
    params: { [constants.ZSTD_d_windowLogMax]: 27 },
  });
  const file = createReadStream(path, { highWaterMark: chunkSize });
  file.on('error', (error) => zstd.destroy(error));
  file.pipe(zstd);
  const decoder = new TextDecoder();
  try {
    for await (const chunk of zstd) yield decoder.decode(chunk, { stream: true });
  } catch {
    // What was read stands; a line without its end is none.
  } finally {
    file.destroy();
  }
}

/** The lines of a file, as far as they are whole. */
async function* linesOf(path: string): AsyncGenerator<string[]> {
  let rest = '';
  for await (const text of textIn(path)) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    yield lines;
  }
}

/** What the texts of a file say before a time (Unix microseconds). */
export function readIn(texts: readonly string[], name: string, end: number): RecordLine[] {
  const lines: RecordLine[] = [];
  for (const text of texts) {
    const line = readLine(text);
    if (line === null || line.t >= end) continue;
    if (line.kind === 'file') line.name = name;
    lines.push(line);
  }
  return lines;
}

/** The lines of the files of a range. The first ones may be older: they say what there was when it began. */
export async function* linesIn(
  folder: string,
  exchange: string,
  range: Range,
): AsyncGenerator<RecordLine[]> {
  for (const { path } of await filesIn(folder, exchange, range))
    yield* linesOfFile(folder, path, range.to);
}

/** The lines of a file before a time (Unix ms). */
export async function* linesOfFile(
  folder: string,
  path: string,
  to: number,
): AsyncGenerator<RecordLine[]> {
  for await (const texts of linesOf(join(folder, path))) yield readIn(texts, path, to * 1_000);
}
