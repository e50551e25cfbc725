/** Follows a recording that is being written: its newest file, and each one after it. */
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { day } from '../../config/time.ts';
import { filesOf, recordedDays } from '../sources/recording/folder.ts';
import type { RecordLine } from '../sources/recording/format.ts';
import { linesOf } from './reader.ts';

/** Between two looks for more, ms: the recorder writes twice a second. */
const pause = 100;
/** Bytes that are read at a time. */
const chunk = 2 ** 18;

/** The newest file of an exchange; null without one since yesterday. */
async function newest(folder: string, exchange: string): Promise<string | null> {
  const today = (await recordedDays(folder, exchange)).at(-1);
  if (today === undefined || Date.parse(today) < Date.now() - 2 * day) return null;
  return (await filesOf(folder, exchange, today)).at(-1)?.path ?? null;
}

/** The bytes of a file as they are written, until another one is the newest and this one has no more. */
async function* bytesOf(
  folder: string,
  { exchange, path, signal }: { exchange: string; path: string; signal: AbortSignal },
): AsyncGenerator<Buffer> {
  const file = await open(join(folder, path));
  const buffer = Buffer.alloc(chunk);
  try {
    for (let isLast = false; !signal.aborted; ) {
      const { bytesRead } = await file.read(buffer, 0, chunk, null);
      if (bytesRead > 0) yield Buffer.from(buffer.subarray(0, bytesRead));
      else if (isLast) return;
      else {
        isLast = (await newest(folder, exchange)) !== path;
        if (!isLast) await setTimeout(pause);
      }
    }
  } finally {
    await file.close();
  }
}

/** The lines of an exchange as they are recorded, from the head of the newest file on; ends by the signal. */
export async function* followed(
  folder: string,
  exchange: string,
  signal: AbortSignal,
): AsyncGenerator<RecordLine[]> {
  let last: string | null = null;
  while (!signal.aborted) {
    const path = await newest(folder, exchange);
    if (path === null || path === last) await setTimeout(pause);
    else {
      last = path;
      const bytes = Readable.from(bytesOf(folder, { exchange, path, signal }));
      yield* linesOf(bytes, { path, to: Number.POSITIVE_INFINITY });
    }
  }
}
