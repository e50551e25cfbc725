/** Reads a response body: every chunk once, decompressed on the way, never more than the cap; then its content. */
import type { Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** Why a body was not read to its end; `shape` is an unknown or broken encoding or content. */
export class BodyError extends Error {
  override name = 'BodyError';
  readonly code: 'too_large' | 'shape' | 'network';

  constructor(code: 'too_large' | 'shape' | 'network', message: string) {
    super(message);
    this.code = code;
  }
}

/** Large enough that a body of some MB takes few turns through the thread pool. */
const options = { chunkSize: 128 * 1024 };
const decoders: Readonly<Record<string, () => Duplex>> = {
  gzip: () => createGunzip(options),
  'x-gzip': () => createGunzip(options),
  deflate: () => createInflate(options),
  br: () => createBrotliDecompress(options),
};

/** What the headers say of a body. */
export interface BodyHead {
  /** Content-Encoding; undefined and `identity` mean none. */
  encoding: string | undefined;
  /** Content-Length. */
  length: string | undefined;
}

/**
 * The decompressed bytes. Rejects with a BodyError, or with the stream's own error; the stream is destroyed
 * then, and its connection with it. `cap` counts bytes after decompression.
 */
export async function readBody(body: Readable, head: BodyHead, cap: number): Promise<Buffer> {
  const encoding = head.encoding?.trim().toLowerCase() ?? 'identity';
  const decoder = Object.hasOwn(decoders, encoding) ? decoders[encoding]?.() : undefined;
  const refusal = refuse(head, cap, decoder !== undefined || encoding === 'identity');
  if (refusal) {
    body.on('error', () => {}).destroy();
    throw refusal;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  const collect = async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) {
      size += chunk.length;
      if (size > cap) throw tooLarge(cap);
      chunks.push(chunk);
    }
  };
  try {
    await (decoder ? pipeline(body, decoder, collect) : pipeline(body, collect));
  } catch (error) {
    // With a decoder in between, a pipeline may report the abort of its source instead of what caused it.
    throw size > cap ? tooLarge(cap) : decodingError(error);
  }
  const [only] = chunks;
  return only && chunks.length === 1 ? only : Buffer.concat(chunks, size);
}

const tooLarge = (cap: number) =>
  new BodyError('too_large', `the body is larger than ${cap} bytes`);

function refuse({ length }: BodyHead, cap: number, readable: boolean): BodyError | null {
  if (!readable) return new BodyError('shape', 'the content encoding is unknown');
  return Number(length ?? 0) > cap ? tooLarge(cap) : null;
}

/** zlib's errors become ours; all others stay as they are. */
function decodingError(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'Z_BUF_ERROR') return new BodyError('network', 'the body ended early');
  return /^(Z_|ERR__ERROR_|ERR_BROTLI)/.test(code)
    ? new BodyError('shape', 'the body is not in its content encoding')
    : error;
}

/** The JSON value of a body, or a BodyError; the parser's own message would quote the body. */
export function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    throw new BodyError('shape', 'the body is not JSON');
  }
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
