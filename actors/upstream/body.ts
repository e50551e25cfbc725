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
    if (decoder) {
      const collect = (source: AsyncIterable<Buffer>) => collector.collect(source);
      await pipeline(body, decoder, collect, { signal });
    } else await gather(body, collector, signal);
    return { bytes: collector.bytes(), end: () => collector.free() };
  } catch (error) {
    collector.free();
    // With a decoder in between, a pipeline may report the abort of its source instead of what caused it.
    throw collector.fault ?? decodingError(error);
  }
}

/** The bytes of a body without encoding: a pipeline would cost a short one more than its request does. */
function gather(body: Readable, collector: Collector, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // Not while the connection is being read, which it ends.
  const cut = () => queueMicrotask(() => body.destroy(collector.fault ?? undefined));
  signal.addEventListener('abort', cut, { once: true });
  body.on('data', (chunk: Buffer) => {
    if (collector.add(chunk)) cut();
  });
  body.once('end', resolve).once('error', reject);
  body.once('close', () => reject(new BodyError('network', 'the body ended early')));
  return promise.finally(() => signal.removeEventListener('abort', cut));
}

/** By how much the memory of a body grows. */
const step = 64 * 1024;
/** Chunks of a short body: one of a few bytes takes many times its size. */
const maxChunks = 16;

/**
 * The bytes of one body, in memory that is counted in its share. Beyond a first step it grows in place and goes back to the
 * system as soon as it is given up: buffers that wait for the garbage collector would double the memory under a flood of
 * bodies. To ask the system for memory costs more than to read a short body, which stays in the chunks that came.
 */
class Collector {
  /** Why the body was given up; null while it is not. */
  fault: BodyError | null = null;
  readonly #limits: BodyLimits;
  readonly #share: Share;
  #memory: ArrayBuffer | null = null;
  #chunks: Buffer[] = [];
  #room = 0;
  #size = 0;

  /** `onCut` is called when the memory is needed for other bodies; it is free by then. */
  constructor(limits: BodyLimits, onCut: () => void) {
    this.#limits = limits;
    this.#share = limits.budget.open(() => {
      this.fault = budgetExhausted(limits.budget);
      this.free();
      onCut();
    });
  }

  /** Rejects with the fault that gave the body up. */
  async collect(source: AsyncIterable<Buffer>): Promise<void> {
    for await (const chunk of source) {
      const fault = this.add(chunk);
      if (fault) throw fault;
    }
  }

  /** Takes a chunk; the fault that gave the body up, or null. */
  add(chunk: Buffer): BodyError | null {
    const size = this.#size + chunk.length;
    this.fault ??= this.#reserve(size);
    if (this.fault) return this.fault;
    if (!this.#memory && this.#chunks.length === maxChunks) this.#grow(this.#room);
    if (this.#memory) Buffer.from(this.#memory).set(chunk, this.#size);
    else this.#chunks.push(chunk);
    this.#size = size;
    return null;
  }

  /** The bytes, until `free`; throws the fault when there is one. */
  bytes(): Buffer {
    if (this.fault) throw this.fault;
    if (this.#memory) return Buffer.from(this.#memory, 0, this.#size);
    const [first, ...others] = this.#chunks;
    return first && others.length === 0 ? first : Buffer.concat(this.#chunks);
  }

  free(): void {
    this.#memory?.resize(0);
    this.#chunks = [];
    this.#share.end();
  }

  /** Makes room for `size` bytes; why there is none, or null. */
  #reserve(size: number): BodyError | null {
    const { cap, budget } = this.#limits;
    if (size > cap) return tooLarge(cap);
    if (size <= this.#room) return null;
    const room = Math.min(cap, Math.ceil(size / step) * step);
    if (!this.#share.take(room - this.#room)) return budgetExhausted(budget);
    this.#room = room;
    if (room > step) this.#grow(room);
    return null;
  }

  /** Moves the bytes to memory of their own, or gives that the size. */
  #grow(room: number): void {
    if (this.#memory) this.#memory.resize(room);
    else {
      this.#memory = new ArrayBuffer(room, { maxByteLength: this.#limits.cap });
      Buffer.concat(this.#chunks).copy(Buffer.from(this.#memory));
      this.#chunks = [];
    }
  }
}

const budgetExhausted = ({ maxBytes }: ByteBudget) =>
  new BodyError('over_budget', `all bodies under way were larger than ${maxBytes} bytes`);

const tooLarge = (cap: number) =>
  new BodyError('too_large', `the body is larger than ${cap} bytes`);

function refuse({ length }: BodyHead, cap: number, readable: boolean): BodyError | null {
  if (!readable) return new BodyError('shape', 'the content encoding is unknown');
  // A length that is not stated is no number, which is not above the cap.
  return Number(length) > cap ? tooLarge(cap) : null;
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
