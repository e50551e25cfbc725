/** A response body: its bytes up to a cap, decompressed, as JSON or text. */
import { type Duplex, PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
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

/** Large enough that a body takes few turns through the thread pool, small enough for a hundred decoders at once. */
const options = { chunkSize: 32 * 1024 };
const decoders = new Map<string, () => Duplex>([
  ['gzip', () => createGunzip(options)],
  ['x-gzip', () => createGunzip(options)],
  ['deflate', () => createInflate(options)],
  ['br', () => createBrotliDecompress(options)],
  ['identity', () => new PassThrough()],
]);

/** Bytes of the bodies that this process receives, decompressed. No body may be larger than what it leaves free of `most`. */
export const received = { most: 64 * 2 ** 20, bytes: 0 };

/** The decompressed bytes, at most `cap`. Rejects with a BodyError, or with the stream's own error; the stream is destroyed then. */
export async function readBody(body: Readable, encoding: string, cap: number): Promise<Buffer> {
  const decoder = decoders.get(encoding.trim().toLowerCase())?.();
  let refusal: unknown = null;
  try {
    if (!decoder) throw new BodyError('shape', 'the content encoding is unknown');
    return await pipeline(body, decoder, async (bytes: AsyncIterable<Buffer>) => {
      try {
        return await collect(bytes, cap);
      } catch (error) {
        // A pipeline may report the abort of its source instead of what caused it.
        if (error instanceof BodyError) refusal = error;
        throw error;
      }
    });
  } catch (error) {
    body.on('error', () => {}).destroy();
    throw refusal ?? decodingError(error);
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

/** zlib's errors become ours; all others stay as they are. */
function decodingError(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
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
