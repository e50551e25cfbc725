/** A response body: its bytes up to a cap, decompressed, as JSON or text. */
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { jsonIn } from '../read.ts';

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

const decoders = new Map([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/** Decompressed bytes of the bodies that this process receives, as far as they are here. No body may be larger than what it leaves free of `most`. */
export const received = { most: 64 * 2 ** 20, bytes: 0 };

/** Gives the decompressed bytes of a body to `take`. Rejects with a BodyError, or with the stream's own error; the stream is destroyed then. */
async function decode(
  body: Readable,
  encoding: string,
  take: (chunk: Buffer) => BodyError | undefined,
): Promise<void> {
  let refusal: BodyError | undefined;
  const collect = async (bytes: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of bytes) {
      refusal = take(chunk);
      if (refusal) throw refusal;
    }
  };
  const name = encoding.trim().toLowerCase().replace(/^x-/, '');
  const decoder = decoders.get(name)?.();
  try {
    if (decoder) await pipeline(body, decoder, collect);
    else if (name === 'identity') await pipeline(body, collect);
    else throw new BodyError('shape', 'the content encoding is unknown');
  } catch (error) {
    body.on('error', () => {}).destroy();
    // A body without any bytes needs no end of its encoding.
    if (codeOf(error) === 'Z_BUF_ERROR' && decoder?.bytesWritten === 0) return;
    // A pipeline that ends early may report that in place of its cause.
    throw refusal ?? decodingError(error);
  }
}

const tooLarge = (cap: number) =>
  new BodyError('too_large', `the body is larger than ${cap} bytes`);

/** The decompressed bytes, at most `cap`. Rejects as `decode` does. */
export async function readBody(body: Readable, encoding: string, cap: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    await decode(body, encoding, (chunk) => {
      size += chunk.length;
      received.bytes += chunk.length;
      if (size > cap) return tooLarge(cap);
      if (size > received.most - received.bytes)
        return new BodyError('over_budget', 'all bodies under way leave less than its size');
      chunks.push(chunk);
      return undefined;
    });
    return Buffer.concat(chunks);
  } finally {
    received.bytes -= size;
  }
}

/** The text by itself: a part of another one holds all of that. */
const copyOf = (text: string): string => Buffer.from(text).toString();

/** The longest match of a pattern that is looked for in a body. */
const mostMatch = 4_096;

/** The groups of all matches of a pattern in the text of a body, of which no more is kept than a match may take. Rejects as `decode` does. */
export async function matchesIn(
  body: Readable,
  encoding: string,
  { cap, pattern }: { cap: number; pattern: RegExp },
): Promise<string[][]> {
  const found: string[][] = [];
  const decoder = new TextDecoder();
  let [size, rest] = [0, ''];
  await decode(body, encoding, (chunk) => {
    size += chunk.length;
    if (size > cap) return tooLarge(cap);
    rest += decoder.decode(chunk, { stream: true });
    let end = Math.max(0, rest.length - mostMatch);
    for (const match of rest.matchAll(pattern)) {
      found.push(match.slice(1).map(copyOf));
      end = Math.max(end, match.index + match[0].length);
    }
    rest = rest.slice(end);
    return undefined;
  });
  return found;
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
