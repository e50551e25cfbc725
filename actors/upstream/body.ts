/** Reads a response body: every chunk once, decompressed on the way, never more than the cap; then its content. */
import type { Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { ByteBudget, Share } from './budget.ts';
import { jsonIn } from './json.ts';

/**
 * `shape` is an unknown or broken encoding or content, `over_budget` a body that had to go because all bodies together
 * were too large.
 */
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
const decoders: Readonly<Record<string, () => Duplex>> = {
  gzip: () => createGunzip(options),
  'x-gzip': () => createGunzip(options),
  deflate: () => createInflate(options),
  br: () => createBrotliDecompress(options),
};

/** The headers about a body. */
export interface BodyHead {
  /** Content-Encoding; undefined and `identity` mean none. */
  encoding: string | undefined;
  /** Content-Length. */
  length: string | undefined;
}

/** How much of a body is read. */
export interface BodyLimits {
  /** Most bytes after decompression. */
  cap: number;
  /** The budget that the body counts in from its first byte until `end` of the result. */
  budget: ByteBudget;
}

/** A complete body. */
export interface Body {
  /** Empty after `end`. */
  bytes: Buffer;
  /** Releases the body's part of the budget, and its memory. */
  end(): void;
}

/**
 * The decompressed bytes. Rejects with a BodyError, or with the stream's own error; the stream is destroyed
 * then, and its connection with it.
 */
export async function readBody(body: Readable, head: BodyHead, limits: BodyLimits): Promise<Body> {
  const encoding = head.encoding?.trim().toLowerCase() ?? 'identity';
  const decoder = Object.hasOwn(decoders, encoding) ? decoders[encoding]?.() : undefined;
  const refusal = refuse(head, limits.cap, decoder !== undefined || encoding === 'identity');
  if (refusal) {
    body.on('error', () => {}).destroy();
    throw refusal;
  }
  const cut = new AbortController();
  const { signal } = cut;
  const collector = new Collector(limits, () => cut.abort());
  try {
    const collect = (source: AsyncIterable<Buffer>) => collector.collect(source);
    await (decoder
      ? pipeline(body, decoder, collect, { signal })
      : pipeline(body, collect, { signal }));
    return { bytes: collector.bytes(), end: () => collector.free() };
  } catch (error) {
    collector.free();
    // With a decoder in between, a pipeline may report the abort of its source instead of what caused it.
    throw collector.fault ?? decodingError(error);
  }
}

/** By how much the memory of a body grows. */
const step = 64 * 1024;

/**
 * The bytes of one body, in memory that is counted in its share. It grows in place and goes back to the system as soon as
 * it is given up: buffers that wait for the garbage collector would double the memory under a flood of bodies.
 */
class Collector {
  /** Why the body was given up; null while it is not. */
  fault: BodyError | null = null;
  readonly #limits: BodyLimits;
  readonly #share: Share;
  readonly #memory: ArrayBuffer;
  #size = 0;

  /** `onCut` is called when the memory is needed for other bodies; it is free by then. */
  constructor(limits: BodyLimits, onCut: () => void) {
    this.#limits = limits;
    this.#memory = new ArrayBuffer(0, { maxByteLength: limits.cap });
    this.#share = limits.budget.open(() => {
      this.fault = budgetExhausted(limits.budget);
      this.free();
      onCut();
    });
  }

  /** Rejects with the fault that gave the body up. */
  async collect(source: AsyncIterable<Buffer>): Promise<void> {
    for await (const chunk of source) {
      const size = this.#size + chunk.length;
      this.fault ??= this.#reserve(size);
      if (this.fault) throw this.fault;
      Buffer.from(this.#memory).set(chunk, this.#size);
      this.#size = size;
    }
  }

  /** The bytes, until `free`; throws the fault when there is one. */
  bytes(): Buffer {
    if (this.fault) throw this.fault;
    return Buffer.from(this.#memory, 0, this.#size);
  }

  free(): void {
    this.#memory.resize(0);
    this.#share.end();
  }

  /** Makes room for `size` bytes; why there is none, or null. */
  #reserve(size: number): BodyError | null {
    const { cap, budget } = this.#limits;
    const { byteLength } = this.#memory;
    if (size > cap) return tooLarge(cap);
    if (size <= byteLength) return null;
    const room = Math.min(cap, Math.ceil(size / step) * step);
    if (!this.#share.take(room - byteLength)) return budgetExhausted(budget);
    this.#memory.resize(room);
    return null;
  }
}

const budgetExhausted = ({ most }: ByteBudget) =>
  new BodyError('over_budget', `all bodies under way were larger than ${most} bytes`);

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
  const found = jsonIn(bytes.toString());
  if ('value' in found) return found.value;
  throw new BodyError(found.code, `the body is ${found.message}`);
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
