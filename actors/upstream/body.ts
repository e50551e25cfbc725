/** A response body: its bytes up to a cap, decompressed, as JSON or text. */
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import {
  brotliDecompress,
  brotliDecompressSync,
  gunzip,
  gunzipSync,
  inflate,
  inflateSync,
} from 'node:zlib';
import { jsonIn } from './json.ts';

/** `shape` is an unknown or broken encoding or content, `over_budget` a body that other bodies leave no room for. */
type BodyCode = 'too_large' | 'over_budget' | 'shape' | 'network';

/** Why a body was not read to its end. */
export class BodyError extends Error {
  override name = 'BodyError';
  readonly code: BodyCode;

  constructor(code: BodyCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** A content encoding: in this turn of the event loop, and in the thread pool. */
interface Coding {
  now(bytes: Buffer, bound: Bound): Buffer;
  later(bytes: Buffer, bound: Bound): Promise<Buffer>;
}
type Bound = { maxOutputLength: number };

/** Null where nothing is to be decoded. */
const codings = new Map<string, Coding | null>([
  ['gzip', { now: gunzipSync, later: promisify<Buffer, Bound, Buffer>(gunzip) }],
  ['deflate', { now: inflateSync, later: promisify<Buffer, Bound, Buffer>(inflate) }],
  ['br', { now: brotliDecompressSync, later: promisify<Buffer, Bound, Buffer>(brotliDecompress) }],
  ['identity', null],
]);
/**
 * A body of so many bytes, compressed and decompressed, is decoded in the turn in which its end comes: the thread pool takes two turns
 * more and three times the processor time. A longer one would keep the event loop for milliseconds.
 */
const small = { compressed: 32 * 1024, whole: 2 ** 20 };

/** Bytes of the bodies that this process receives, as far as they are here. No body may be larger than what it leaves free of `most`. */
export const received = { most: 64 * 2 ** 20, bytes: 0 };
/** One larger body is decoded after the other, so that what they become is within that bound too. */
let decoding: Promise<unknown> = Promise.resolve();

/** The decompressed bytes, at most `cap`. Rejects with a BodyError, or with the stream's own error; the stream is destroyed then. */
export async function readBody(body: Readable, encoding: string, cap: number): Promise<Buffer> {
  const coding = codings.get(encoding.trim().toLowerCase().replace(/^x-/, ''));
  try {
    if (coding === undefined) throw new BodyError('shape', 'the content encoding is unknown');
    // What does not shrink grows by a little.
    const bytes = await collect(body, coding ? cap + 1_024 : cap);
    return coding === null || bytes.length === 0 ? bytes : await decode(coding, bytes, cap);
  } catch (error) {
    body.on('error', () => {}).destroy();
    throw decodingError(error);
  }
}

async function collect(body: AsyncIterable<Buffer>, cap: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      size += chunk.length;
      received.bytes += chunk.length;
      if (size > cap || size > room()) throw tooLarge(cap, size > cap);
      chunks.push(chunk);
    }
  } finally {
    received.bytes -= size;
  }
  return Buffer.concat(chunks);
}

const room = (): number => Math.max(1, received.most - received.bytes);

const tooLarge = (cap: number, isOver: boolean): BodyError =>
  isOver
    ? new BodyError('too_large', `the body is larger than ${cap} bytes`)
    : new BodyError('over_budget', 'all bodies under way leave less than its size');

async function decode({ now, later }: Coding, bytes: Buffer, cap: number): Promise<Buffer> {
  if (bytes.length <= small.compressed) {
    try {
      return now(bytes, { maxOutputLength: Math.min(cap, room(), small.whole) });
    } catch (error) {
      if (codeOf(error) !== 'ERR_BUFFER_TOO_LARGE') throw error;
    }
  }
  received.bytes += bytes.length;
  const turn = decoding.then(async () => {
    const most = Math.min(cap, room());
    try {
      return await later(bytes, { maxOutputLength: most });
    } catch (error) {
      throw codeOf(error) === 'ERR_BUFFER_TOO_LARGE' ? tooLarge(cap, most === cap) : error;
    } finally {
      received.bytes -= bytes.length;
    }
  });
  decoding = turn.catch(() => {});
  return turn;
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/** zlib's errors become ours; all others stay as they are. */
function decodingError(error: unknown): unknown {
  const code = codeOf(error);
  if (code === 'Z_BUF_ERROR' || code === 'ERR_STREAM_PREMATURE_CLOSE')
    return new BodyError('network', 'the body ended early');
  return /^(Z_|ERR__ERROR_|ERR_BROTLI)/.test(code)
    ? new BodyError('shape', 'the body is not in its content encoding')
    : error;
}

/** The JSON value of a body, or a BodyError; the parser's own message would quote the body. */
export function jsonOf(bytes: Buffer): unknown {
  const found = jsonIn(bytes.toString());
  if ('value' in found) return found.value;
  throw new BodyError('shape', `the body is ${found.fault}`);
}

/** Takes a byte order mark off, and refuses what is not UTF-8. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The text of a body without its byte order mark, or a BodyError for what is not UTF-8. A page of HTML is refused,
 * by its Content-Type or by its first character: firewalls put one in the place of a table, with status 200.
 */
export function textOf(bytes: Buffer, contentType = ''): string {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw new BodyError('shape', 'the body is not UTF-8');
  }
  if (/^\s*(text\/html|application\/xhtml\+xml)\b/i.test(contentType) || /^\s*</.test(text))
    throw new BodyError('shape', 'the body is a page of HTML');
  return text;
}
