/** Files of `/v1/rows`, as a client gets them: each is whole or not there. */
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { request } from 'undici';
import { tableFormats } from '../../../http/answers/tables/formats.ts';
import { StartError } from '../process.ts';
import type { Day } from './days.ts';
import type { ExportOptions } from './options.ts';

/** Tries of a request, its deadline, and the shortest and longest pause between two tries, ms. */
const tries = { most: 8, deadline: 60_000, pause: 1_000, longest: 60_000 } as const;

/** Statuses after which a request is sent again. */
const passing = new Set([429, 502, 503, 504]);

/** Waits; rejects when the signal aborts. */
export type Sleep = (ms: number) => Promise<unknown>;

/** A try that failed: why, and after how long another one may succeed, ms; null where none will. */
interface Failed {
  why: string;
  again: number | null;
}

const messageIn = (body: unknown): string => String(Reflect.get(Object(body), 'message') ?? '');

/** Saves the answer to a request at a path, durably; null when that is done. */
async function attempt(
  url: string,
  { key, format }: Pick<ExportOptions, 'key' | 'format'>,
  { path, pause }: { path: string; pause: number },
): Promise<Failed | null> {
  try {
    const {
      statusCode: status,
      headers,
      body,
    } = await request(url, {
      headers: { 'x-api-key': key },
      headersTimeout: tries.deadline,
      bodyTimeout: tries.deadline,
    });
    if (status !== 200) {
      const after = Number(headers['retry-after'] ?? Number.NaN) * 1_000;
      const again = Number.isFinite(after) ? after : pause;
      // What stands before the service may answer with a page.
      const why = `status ${status}: ${messageIn(await body.json().catch(() => null))}`;
      return { why, again: passing.has(status) ? again : null };
    }
    // A proxy may add a charset.
    if (!`${headers['content-type']}`.startsWith(tableFormats[format].mediaType))
      return { why: 'the answer is no file of rows: is --url that of Tidemark?', again: null };
    await pipeline(body, createWriteStream(path, { flush: true }));
    return null;
  } catch (error) {
    return { why: error instanceof Error ? error.message : String(error), again: pause };
  }
}

/**
 * Saves the rows that begin in [`from`, `to`), Unix ms, as a file, and gives its bytes. The one before stays until all has come. Throws
 * StartError when the service refuses it, or does not give it after several tries.
 */
export async function saveDay(
  path: string,
  options: ExportOptions,
  { from, to }: Pick<Day, 'from' | 'to'>,
  sleep: Sleep,
): Promise<number> {
  const { format, query } = options;
  const asked = new URLSearchParams({ ...query, format, from: `${from}`, to: `${to - 1}` });
  const url = `${options.url}/v1/rows?${asked}`;
  const partial = `${path}.partial`;
  await mkdir(dirname(path), { recursive: true });
  let failed: Failed | null = { why: '', again: 0 };
  for (let count = 0; count < tries.most && failed !== null && failed.again !== null; count++) {
    if (count > 0) await sleep(Math.min(failed.again, tries.longest));
    failed = await attempt(url, options, { path: partial, pause: tries.pause * 2 ** count });
  }
  if (failed !== null) {
    await rm(partial, { force: true });
    throw new StartError(`${url} cannot be had: ${failed.why}`);
  }
  await rename(partial, path);
  return (await stat(path)).size;
}
