/** Reads recordings: the lines of an exchange in the order in which they were written, some thousands at a time. */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline, type Readable } from 'node:stream';
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

/** The text of compressed bytes as far as it can be read: a file that a kill has ended has no end. */
async function* textIn(bytes: Readable): AsyncGenerator<string> {
  const params = { [constants.ZSTD_d_windowLogMax]: 27 };
  const zstd = createZstdDecompress({ chunkSize, params });
  pipeline(bytes, zstd, () => {});
  const decoder = new TextDecoder();
  try {
    for await (const chunk of zstd) yield decoder.decode(chunk, { stream: true });
  } catch {
    // What was read stands; a line without its end is none.
  }
}

const bytesOf = (path: string) => createReadStream(path, { highWaterMark: chunkSize });

/** The first line of a file; null where there is none yet. */
export async function firstLine(path: string): Promise<RecordLine | null> {
  let text = '';
  for await (const part of textIn(bytesOf(path))) {
    text += part;
    if (text.includes('\n')) return readLine(text.slice(0, text.indexOf('\n')));
  }
  return null;
}

/** The lines of a file before a time (Unix ms), as far as they are whole, out of its compressed bytes. */
export async function* linesOf(
  bytes: Readable,
  { path, to }: { path: string; to: number },
): AsyncGenerator<RecordLine[]> {
  let rest = '';
  for await (const text of textIn(bytes)) {
    const texts = (rest + text).split('\n');
    rest = texts.pop() ?? '';
    const lines: RecordLine[] = [];
    for (const one of texts) {
      const line = readLine(one);
      if (line === null || line.t >= to * 1_000) continue;
      if (line.kind === 'file') line.name = path;
      lines.push(line);
    }
    yield lines;
  }
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
export const linesOfFile = (folder: string, path: string, to: number) =>
  linesOf(bytesOf(join(folder, path)), { path, to });
