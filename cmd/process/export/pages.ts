/** Pages of `/v1/rows`, as a client gets them. */
import { request } from 'undici';
import type { Row } from '../../../http/answers/tables/file.ts';
import { StartError } from '../process.ts';
import type { ExportOptions } from './options.ts';

/** Tries of a request, its deadline, and the shortest and longest pause between two tries, ms. */
const tries = { most: 8, deadline: 60_000, pause: 1_000, longest: 60_000 } as const;
/** Most rows of a page. */
const limit = '20000';

/** A page of rows. */
export interface RowsPage {
  columns: readonly string[];
  rows: readonly Row[];
  /** The cursor of the next page; null on the last one. */
  next: string | null;
}

/** Waits; rejects when the signal aborts. */
export type Sleep = (ms: number) => Promise<unknown>;

interface Reply {
  status: number;
  retryAfter: number | null;
  body: unknown;
}

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

async function ask(url: string, key: string): Promise<Reply | Error> {
  try {
    const { statusCode, headers, body } = await request(url, {
      headers: { 'x-api-key': key, 'accept-encoding': 'identity' },
      headersTimeout: tries.deadline,
      bodyTimeout: tries.deadline,
    });
    const after = Number(headers['retry-after']);
    return {
      status: statusCode,
      retryAfter: Number.isFinite(after) ? after * 1_000 : null,
      body: await body.json(),
    };
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** The page of a reply; null where a part of it did not come, which a later try may have. */
function pageOf({ body }: Reply): RowsPage | null {
  const data = isObject(body) ? body.data : undefined;
  if (!isObject(data) || !Array.isArray(data.rows) || !Array.isArray(data.columns)) {
    throw new StartError('the answer is not one of /v1/rows: is --url that of Tidemark?');
  }
  const { rows, columns, next, missing, stale } = data;
  const failed = (one: unknown) => isObject(one) && one.symbol !== null && one.column !== null;
  if (stale === true || (Array.isArray(missing) && missing.some(failed))) return null;
  return { columns, rows, next: typeof next === 'string' ? next : null };
}

const messageOf = ({ body }: Reply): string =>
  isObject(body) && typeof body.message === 'string' ? body.message : '';

/** Statuses after which a request is sent again. */
const passing = new Set([429, 502, 503, 504]);

/** A try that failed: why, and after how long another one may succeed, ms; null where none will. */
interface Failed {
  why: string;
  again: number | null;
}

async function attempt(url: string, key: string, pause: number): Promise<RowsPage | Failed> {
  const reply = await ask(url, key);
  if (reply instanceof Error) return { why: reply.message, again: pause };
  const { status, retryAfter } = reply;
  if (status !== 200) {
    const again = passing.has(status) ? (retryAfter ?? pause) : null;
    return { why: `status ${status}: ${messageOf(reply)}`, again };
  }
  return pageOf(reply) ?? { why: 'an exchange or the history did not answer', again: pause };
}

/** One page. Throws StartError when the service refuses it, or does not give all of it after several tries. */
async function page(url: string, key: string, sleep: Sleep): Promise<RowsPage> {
  let failed: Failed = { why: '', again: 0 };
  for (let count = 0; count < tries.most && failed.again !== null; count++) {
    if (count > 0) await sleep(Math.min(failed.again, tries.longest));
    const found = await attempt(url, key, tries.pause * 2 ** count);
    if ('rows' in found) return found;
    failed = found;
  }
  throw new StartError(`${url} cannot be had: ${failed.why}`);
}

/** The pages of the rows that begin in [`from`, `to`), Unix ms. */
export async function* pagesIn(
  { url, key, query }: Pick<ExportOptions, 'url' | 'key' | 'query'>,
  { from, to }: { from: number; to: number },
  sleep: Sleep,
): AsyncGenerator<RowsPage> {
  let cursor: string | null = null;
  do {
    const asked = new URLSearchParams({ ...query, limit, from: `${from}`, to: `${to - 1}` });
    if (cursor !== null) asked.set('cursor', cursor);
    const found: RowsPage = await page(`${url}/v1/rows?${asked}`, key, sleep);
    yield found;
    cursor = found.next;
  } while (cursor !== null);
}
