/** The boundary of the bus: bytes of a stream entry to values, each checked here once. */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { Packr } from 'msgpackr';
import type { Result } from '../failure.ts';
import { isRecord } from '../read.ts';
import type { Schema } from '../topics/schemas.ts';

/**
 * MessagePack with records: the keys of rows that have the same ones are written once a message. Bytes that begin with the four
 * of zstd are compressed; no map, list or record begins with the first of these.
 */
const packr = new Packr({ useRecords: true, mapsAsObjects: true, int64AsType: 'number' });

/** From this size on, bytes are compressed: below, the time costs more than the bytes. */
const worthCompressing = 32 * 1024;
const fastest = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
/** The first byte of zstd's magic number. */
const zstd = 0x28;
/** Most bytes of a value: what is larger was not written by `pack`. */
const mostBytes = { maxOutputLength: 256 * 2 ** 20 };

/** The bytes of a value of their own: the encoder gives a part of its own memory. */
function pack(value: unknown): Buffer {
  const bytes = packr.pack(value);
  return bytes.length < worthCompressing ? Buffer.from(bytes) : zstdCompressSync(bytes, fastest);
}

const unpack = (bytes: Buffer) =>
  packr.unpack(
    bytes[0] === zstd && bytes.length > 1 ? zstdDecompressSync(bytes, mostBytes) : bytes,
  );

/** One stream entry; `fields` is null when the entry was deleted while it was pending. */
export interface Entry {
  id: string;
  fields: ReadonlyMap<string, Buffer> | null;
}

/** Under which name a value has the number of its schema; the first one is not written. */
const schemaName = 'schema';

/** A value of a topic, or a request, which has no schema. */
export function encode(value: unknown, schema?: Schema): Buffer {
  return pack(schema && isRecord(value) ? numbered(value, schema) : value);
}

const numbered = (value: Record<string, unknown>, { number }: Schema): Record<string, unknown> =>
  number === 1 ? value : { ...value, [schemaName]: number };

/** Several values of a topic, each with its key, as one: a list of these in turn. */
export const encodeJoined = (
  values: readonly { key: string; value: unknown }[],
  schema: Schema,
): Buffer =>
  pack(
    values.flatMap(({ key, value }) => [key, isRecord(value) ? numbered(value, schema) : value]),
  );

/** A value as bytes: a cache sends the same bytes many times, without encoding them again. */
export class PackedValue {
  readonly bytes: Buffer;

  constructor(value: unknown) {
    this.bytes = pack(value);
  }

  /** Bytes that it takes. */
  get size(): number {
    return this.bytes.length;
  }
}

/** A reply, whose value may be a packed one: it is read like any other. */
export function encodeResult(result: Result<unknown>): Buffer {
  const { value, ...reply } = result.ok && isRecord(result.value) ? result.value : {};
  if (!(value instanceof PackedValue)) return pack(result);
  return Buffer.from(packr.pack({ ok: true, value: reply, packed: value.bytes }));
}

/**
 * A published value or a request. With a schema, which may be another one than it was written with, its nullable columns are there.
 * Throws TypeError when the bytes are not one MessagePack map with the lists of the schema, or when it was written with a schema whose
 * number is another one by more than one.
 */
export function decode<T extends object>(bytes: Buffer, schema?: Schema): T {
  return checked(unpack(bytes), schema);
}

function checked<T extends object>(value: T, schema?: Schema): T {
  if (!isRecord(value)) throw new TypeError('payload is not a map');
  if (schema) complete(value, schema);
  return value;
}

/** The values of a stream entry with their keys, as of `decode`: one under the key of the entry, or those that are joined in it. */
export function decodeEntry<T extends object>(
  key: string,
  bytes: Buffer,
  schema: Schema,
): [key: string, value: T][] {
  const found: T | (string | T)[] = unpack(bytes);
  if (!Array.isArray(found)) return [[key, checked(found, schema)]];
  const values: [string, T][] = [];
  for (let at = 0; at + 1 < found.length; at += 2) {
    const [own, value] = [found[at], found[at + 1]];
    if (typeof own !== 'string' || typeof value !== 'object')
      throw new TypeError('no joined values');
    values.push([own, checked(value, schema)]);
  }
  return values;
}

/** Gives a value and its rows the nullable columns that their writer did not know. */
function complete(value: Record<string, unknown>, { number, own, lists }: Schema): void {
  const { [schemaName]: written = 1 } = value;
  if (!(Math.abs(Number(written) - number) <= 1))
    throw new TypeError(`schema ${written} is not read by one who knows ${number}`);
  fill(value, own);
  for (const [name, columns] of Object.entries(lists(value))) {
    const rows = value[name];
    if (!Array.isArray(rows)) throw new TypeError(`${name} is not a list`);
    for (const row of rows) if (columns.length > 0) fill(row, columns);
  }
}

function fill(row: Record<string, unknown>, columns: readonly string[]): void {
  for (const name of columns) if (row[name] === undefined) row[name] = null;
}

/** A reply. Throws when the bytes are not a Result. */
export function decodeResult<T>(bytes: Buffer): Result<T> {
  const { packed, ...result }: Result<T> & { packed?: Buffer } = unpack(bytes);
  if (!isResult(result)) throw new TypeError('reply is not a result');
  if (packed && result.ok) Object.assign(Object(result.value), { value: unpack(packed) });
  return result;
}

function isResult(value: unknown): boolean {
  if (!isRecord(value)) return false;
  if (value.ok === true) return 'value' in value;
  return value.ok === false && isRecord(value.failure) && typeof value.failure.code === 'string';
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Reply of XREAD or XREADGROUP: entries by stream; empty when the read timed out. */
export function readStreams(reply: unknown): Map<string, Entry[]> {
  const streams = new Map<string, Entry[]>();
  for (const row of list(reply)) {
    const [stream, entries] = list(row);
    streams.set(String(stream), readEntries(entries));
  }
  return streams;
}

/** An entry of a topic's stream, as `appendLua` writes it: `key`, `seq` and `data` in this order. */
export interface FeedEntry {
  id: string;
  /** NaN where it is missing. */
  seq: number;
  key: Buffer | null;
  data: Buffer | null;
}

const bytesAt = (fields: unknown[], at: number): Buffer | null => {
  const value = fields[at];
  return Buffer.isBuffer(value) ? value : null;
};

/** Reply of XRANGE or XREVRANGE of a topic's stream. */
export const readFeed = (reply: unknown): FeedEntry[] =>
  list(reply).map((row) => {
    const entry = list(row);
    const fields = list(entry[1]);
    return {
      id: String(entry[0]),
      seq: readNumber(fields[3]),
      key: bytesAt(fields, 1),
      data: bytesAt(fields, 5),
    };
  });

/** Reply of XREAD of topics' streams: each stream that has new entries. */
export const readFeeds = (reply: unknown): [stream: string, FeedEntry[]][] =>
  list(reply).map((row) => {
    const [stream, entries] = list(row);
    return [String(stream), readFeed(entries)];
  });

/** Reply of XRANGE, XREVRANGE or XCLAIM. */
export const readEntries = (reply: unknown): Entry[] =>
  list(reply).map((row) => {
    const [id, fields] = list(row);
    return { id: String(id), fields: Array.isArray(fields) ? readPairs(fields) : null };
  });

/** A flat list of names and values, such as the reply of HGETALL. */
export function readPairs(reply: unknown): Map<string, Buffer> {
  const flat = list(reply);
  const pairs = new Map<string, Buffer>();
  for (let i = 0; i + 1 < flat.length; i += 2) {
    const value = flat[i + 1];
    if (Buffer.isBuffer(value)) pairs.set(String(flat[i]), value);
  }
  return pairs;
}

/** An integer reply or a stored decimal; NaN when it is neither. */
export const readNumber = (value: unknown): number =>
  typeof value === 'number'
    ? value
    : Buffer.isBuffer(value)
      ? Number(value.toString())
      : Number.NaN;
