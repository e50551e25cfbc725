/** A response body: its bytes up to a cap, decompressed, as JSON or text. */
import { type Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  brotliDecompressSync,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  gunzipSync,
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

/** A content encoding: a whole body at once, and a stream whose work is done in the thread pool. */
interface Coding {
  decode(bytes: Buffer, options: { chunkSize: number; maxOutputLength: number }): Buffer;
  stream(): Duplex;
}

/** Large enough that a body takes few turns through the thread pool, small enough for a hundred decoders at once. */
const options = { chunkSize: 32 * 1024 };
const gzip: Coding = { decode: gunzipSync, stream: () => createGunzip(options) };
/** Null where nothing is to be decoded. */
const codings = new Map<string, Coding | null>([
  ['gzip', gzip],
  ['x-gzip', gzip],
  ['deflate', { decode: inflateSync, stream: () => createInflate(options) }],
  ['br', { decode: brotliDecompressSync, stream: () => createBrotliDecompress(options) }],
  ['identity', null],
]);
/**
 * A body of so many bytes, compressed and decompressed, is decoded in the turn in which its end comes: the thread pool takes two turns
 * more and three times the processor time. A longer one would keep the event loop for milliseconds.
 */
const small = { compressed: 32 * 1024, whole: 2 ** 20 };

/** Bytes of the bodies that this process receives, decompressed. No body may be larger than what it leaves free of `most`. */
export const received = { most: 64 * 2 ** 20, bytes: 0 };

/** The decompressed bytes, at most `cap`. Rejects with a BodyError, or with the stream's own error; the stream is destroyed then. */
export async function readBody(body: Readable, encoding: string, cap: number): Promise<Buffer> {
  const coding = codings.get(encoding.trim().toLowerCase());
  try {
    if (coding === undefined) throw new BodyError('shape', 'the content encoding is unknown');
    if (coding === null) return await collect(body, cap);
    const start = await startOf(body);
    if (body.readableEnded) {
      const source = () => Readable.from([start], { objectMode: false });
      return decode(coding, start, cap) ?? (await inThreadPool(source(), coding, cap));
    }
    body.unshift(start);
    return await inThreadPool(body, coding, cap);
  } catch (error) {
    body.on('error', () => {}).destroy();
    throw decodingError(error);
  }
}

/** All of a small body, of another one the first bytes. */
async function startOf(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > small.compressed) break;
  }
  return Buffer.concat(chunks);
}

/** All of a small body; null where it becomes larger than that, or than it may be. */
function decode(coding: Coding, bytes: Buffer, cap: number): Buffer | null {
  if (bytes.length === 0) return bytes;
  const most = Math.max(1, Math.min(cap, received.most - received.bytes, small.whole));
  try {
    return coding.decode(bytes, { ...options, maxOutputLength: most });
  } catch (error) {
    if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') return null;
    throw error;
  }
}

async function inThreadPool(body: Readable, coding: Coding, cap: number): Promise<Buffer> {
  let refusal: unknown = null;
  try {
    return await pipeline(body, coding.stream(), async (bytes: AsyncIterable<Buffer>) => {
      try {
        return await collect(bytes, cap);
      } catch (error) {
        // A pipeline may report the abort of its source instead of what caused it.
        if (error instanceof BodyError) refusal = error;
        throw error;
      }
    });
  } catch (error) {
    throw refusal ?? error;
  }
}

async function collect(body: AsyncIterable<Buffer>, cap: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      size += chunk.length;
      received.bytes += chunk.length;
      if (size > cap) throw new BodyError('too_large', `the body is larger than ${cap} bytes`);
      if (size > received.most - received.bytes)
        throw new BodyError('over_budget', `all bodies under way leave less than ${size} bytes`);
      chunks.push(chunk);
    }
  } finally {
    received.bytes -= size;
  }
  return Buffer.concat(chunks);
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
