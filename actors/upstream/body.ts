/** A response body: its bytes up to a cap, decompressed, as JSON or text. */
import type { Readable } from 'node:stream';
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
const decoders = {
  gzip: () => createGunzip(options),
  'x-gzip': () => createGunzip(options),
  deflate: () => createInflate(options),
  br: () => createBrotliDecompress(options),
};
const isEncoding = (name: string): name is keyof typeof decoders => Object.hasOwn(decoders, name);

/** Bytes of the bodies that this process receives, decompressed. No body may be larger than what it leaves free of `most`. */
export const received = { most: 64 * 2 ** 20, bytes: 0 };

/** Content-Encoding and Content-Length. */
export interface BodyHead {
  encoding: string | undefined;
  length: string | undefined;
}

/** The decompressed bytes, at most `cap`. Rejects with a BodyError, or with the stream's own error; the stream is destroyed then. */
export async function readBody(body: Readable, head: BodyHead, cap: number): Promise<Buffer> {
  const encoding = head.encoding?.trim().toLowerCase() ?? 'identity';
  let refusal: BodyError | null = null;
  const collected = async (bytes: AsyncIterable<Buffer>) => {
    try {
      return await collect(bytes, cap);
    } catch (error) {
      if (error instanceof BodyError) refusal = error;
      throw error;
    }
  };
  try {
    if (encoding !== 'identity' && !isEncoding(encoding))
      throw new BodyError('shape', 'the content encoding is unknown');
    // A length that is not stated is no number, which is not above the cap.
    if (Number(head.length) > cap) throw tooLarge(cap);
    if (!isEncoding(encoding)) return await collected(body);
    return await pipeline(body, decoders[encoding](), collected);
  } catch (error) {
    body.on('error', () => {}).destroy();
    // A pipeline may report the abort of its source instead of what caused it.
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
      if (size > cap) throw tooLarge(cap);
      if (size > received.most - received.bytes)
        throw new BodyError('over_budget', `all bodies under way leave less than ${size} bytes`);
      chunks.push(chunk);
    }
  } finally {
    received.bytes -= size;
  }
  return Buffer.concat(chunks);
}

const tooLarge = (cap: number) =>
  new BodyError('too_large', `the body is larger than ${cap} bytes`);

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
  const text = decoded(bytes);
  const isPage =
    /^\s*(text\/html|application\/xhtml\+xml)\b/i.test(contentType) || /^\s*</.test(text);
  if (isPage) throw new BodyError('shape', 'the body is a page of HTML');
  return text;
}

function decoded(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new BodyError('shape', 'the body is not UTF-8');
  }
}
