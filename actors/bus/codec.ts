/** The boundary of the bus: bytes of a stream entry to values, each checked here once. */
import { Packr } from 'msgpackr';
import type { Result } from '../failure.ts';
import type { Schema } from '../topics/index.ts';
import { isMap } from './packed-numbers.ts';
import { hasRows, packLists, packRows, unpackRows } from './packed-rows.ts';

// MessagePack without msgpackr's record extension; `packed-numbers.ts` and `packed-rows.ts` have the extensions that there are.
const packr = new Packr({ useRecords: false, int64AsType: 'number' });

/** One stream entry; `fields` is null when the entry was deleted while it was pending. */
export interface Entry {
  id: string;
  fields: ReadonlyMap<string, Buffer> | null;
}

/** Under which names values of topics have their rows. */
const rowLists = ['rows', 'events'] as const;
/** Fewer rows travel as they are: to make columns of one row takes twice its time at both ends. */
const worthColumns = 4;

/** Under which name a value has the number of its schema; the first one is not written. */
const schemaName = 'schema';

/** A value of a topic, or a request, which has no schema. */
export function encode(value: unknown, schema?: Schema): Buffer {
  if (!isMap(value)) return packr.pack(value);
  const packed: Record<string, unknown> = { ...value };
  if (schema && schema.number > 1) packed[schemaName] = schema.number;
  for (const name of rowLists) {
    const rows = value[name];
    if (hasRows(rows) && rows.length >= worthColumns) packed[name] = packRows(rows);
  }
  return packr.pack(packed);
}

/** A value as bytes: a cache sends the same bytes many times, without encoding or copying them. */
export class PackedValue {
  /** The bytes of the value, behind those of the reply that it was last given in. */
  #bytes: Buffer;
  #head: Buffer = Buffer.alloc(0);

  constructor(value: unknown) {
    // A copy: the encoder gives a part of its own memory, which is several times as long.
    this.#bytes = Buffer.from(packr.pack(packLists(value)));
  }

  /** Bytes that it takes. */
  get size(): number {
    return this.#bytes.length;
  }

  /** The bytes of a result that begins like this, and ends with the value. */
  after(head: Buffer): Buffer {
    if (!head.equals(this.#head)) {
      this.#bytes = Buffer.concat([head, this.#bytes.subarray(this.#head.length)]);
      this.#head = head;
    }
    return this.#bytes;
  }
}

/** A reply, whose value may be a packed one: it is read like any other. */
export function encodeResult(result: Result<unknown>): Buffer {
  const { value, ...reply } = result.ok && isMap(result.value) ? result.value : {};
  if (!(value instanceof PackedValue)) return packr.pack(packLists(result));
  return value.after(Buffer.concat([mapOf({ ok: true }), name, mapOf(reply), name]));
}

const name = packr.pack('value');

/** A map to which one more entry is added: msgpackr writes the number of entries in the two bytes after the first. */
function mapOf(entries: Record<string, unknown>): Buffer {
  const bytes = packr.pack(entries);
  bytes.writeUInt16BE(Object.keys(entries).length + 1, 1);
  return bytes;
}

/**
 * A published value or a request. With a schema, which may be another one than it was written with, it has the columns of that
 * schema. Throws TypeError when the bytes are not one MessagePack map, or when it was written with a schema that is newer by
 * more than one.
 */
export function decode<T extends object>(bytes: Buffer, schema?: Schema): T {
  const value: T = packr.unpack(bytes);
  if (!isMap(value)) throw new TypeError('payload is not a map');
  Object.assign(value, unpackLists(value, schema));
  if (schema) readColumns(value, schema);
  return value;
}

/** The lists of rows in a value. */
function unpackLists(value: Record<string, unknown>, schema?: Schema): Record<string, unknown> {
  const lists = schema?.lists(value) ?? {};
  const unpacked: Record<string, unknown> = {};
  for (const name of rowLists) {
    const packed = value[name];
    if (isMap(packed)) unpacked[name] = unpackRows(packed, lists[name]);
  }
  for (const [name, columns] of Object.entries(lists)) {
    const rows = value[name];
    if (hasRows(rows)) unpacked[name] = rows.map((row) => columns.read(row));
  }
  return unpacked;
}

/** Leaves the columns of the schema alone in a value. */
function readColumns(value: Record<string, unknown>, { number, columns }: Schema): void {
  const { [schemaName]: written = 1 } = value;
  if (!(Number(written) <= number + 1))
    throw new TypeError(`schema ${written} is too new for one who knows ${number}`);
  const names = Object.keys(value);
  columns.check(names);
  for (const name of names) if (!columns.has(name)) delete value[name];
  for (const name of columns.absent(names)) value[name] = null;
}

/** A reply. Throws when the bytes are not a Result. */
export function decodeResult<T>(bytes: Buffer): Result<T> {
  const value: Result<T> = packr.unpack(bytes);
  if (!isResult(value)) throw new TypeError('reply is not a result');
  return value;
}

function isResult(value: unknown): boolean {
  if (!isMap(value)) return false;
  if (value.ok === true) return 'value' in value;
  return value.ok === false && isMap(value.failure) && typeof value.failure.code === 'string';
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
