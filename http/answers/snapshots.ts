import { hash } from 'node:crypto';
import { noStamp } from '../wire/form.ts';
import type { Table } from './csv.ts';
import { jsonText } from './json.ts';
import { JsonText } from './json-text.ts';
import { Body } from './response-body.ts';

const before = '{"status":"ok","timestamp":';
const stamped = before + noStamp;

/** The envelope up to the data. `unknown` are the names of parameters of the request that its path does not have. */
function headOf(asOf: number | null, unknown: readonly string[]): string {
  const names = unknown.length === 0 ? '' : `"unknown_parameters":${JSON.stringify(unknown)},`;
  const age = asOf === null ? '' : `"as_of":${asOf},`;
  return `${stamped},${names}${age}"data":`;
}

/** The body with this head in front of the data. */
const partsOf = (head: string, data: string, asOf: number | null) => ({
  ...{ bytes: Buffer.from(`${head}${data}}`), asOf },
  // The part that compressed forms leave as it is.
  ...{ opening: stamped.length, stamp: before.length },
});

const tagOf = (text: string): string => `W/"${hash('sha1', text, 'base64url')}"`;

/**
 * An answer for as long as equal requests may be given it again, then null: whoever remembers this keeps no bytes of an old
 * answer. Times are Unix ms; before `from` a clock was set back.
 */
export interface Kept {
  answer: Snapshot | null;
  readonly from: number;
  readonly until: number;
}

/** Of an answer that is given once. */
export const notKept: Kept = { answer: null, from: 0, until: 0 };

/**
 * A ready 200 answer with data of type `T`: the envelope around `data` as bytes, serialised once. The response time is
 * written into the bytes when they are sent, so that a request costs no serialisation and no compression. The tag is
 * weak, because the timestamp in the body changes without the data; equal data has an equal tag in every process.
 */
export class Snapshot<out T = unknown> extends Body {
  /** Only for the compiler: snapshots of different data are different types. */
  declare readonly type: T;
  /** Set by whoever keeps it. */
  kept: Kept = notKept;
  readonly #start: number;
  #dataOnly: Body | null = null;
  #csv: { table: Table; body: Body | null } | null = null;
  #naming: { unknown: string; body: Body } | null = null;

  constructor({ text: data, asOf }: JsonText<T>) {
    const head = headOf(asOf, []);
    super({ ...partsOf(head, data, asOf), etag: tagOf(data) });
    this.#start = head.length;
  }

  /** The tag of the data without its quotes: equal data has an equal version in every process. */
  get version(): string {
    return this.etag.slice(3, -1);
  }

  /** The data as JSON text. */
  get dataText(): string {
    return this.text(this.#start, 1);
  }

  /** The data alone. */
  get json(): JsonText<T> {
    return new JsonText<T>(this.dataText, this.asOf);
  }

  /** The data as CSV, made once, at its first request; null where it is not a list of rows. */
  csv(table: Table): Body | null {
    if (this.#csv?.table !== table) this.#csv = { table, body: this.#csvBody(table) };
    return this.#csv.body;
  }

  /** The data alone, without the envelope; made once, at its first request. */
  dataOnly(): Body {
    this.#dataOnly ??= new Body({
      bytes: Buffer.from(this.dataText),
      etag: this.etag,
      opening: 0,
      stamp: null,
      asOf: this.asOf,
    });
    return this.#dataOnly;
  }

  /** The same with the names of unknown parameters in its head. It is kept for requests with the same ones. */
  naming(unknown: readonly string[]): Body {
    const names = unknown.join();
    if (this.#naming?.unknown !== names) {
      const parts = partsOf(headOf(this.asOf, unknown), this.dataText, this.asOf);
      this.#naming = { unknown: names, body: new Body({ ...parts, etag: this.etag }) };
    }
    return this.#naming.body;
  }

  #csvBody(table: Table): Body | null {
    const data: unknown = JSON.parse(this.dataText);
    const text = table.textOf(data);
    if (text === null) return null;
    const stale = typeof data === 'object' && data !== null && 'stale' in data;
    return new Body({
      bytes: Buffer.from(text),
      etag: tagOf(text),
      opening: 0,
      stamp: null,
      asOf: this.asOf,
      // The envelope is not in it.
      more: stale ? '\r\nwarning: 110 - "Response is Stale"' : '',
    });
  }
}

/** The snapshot of data; `asOf` is when its newest reading was received, Unix ms. */
export const snapshotOf = <T>(data: T | JsonText<T>, asOf: number | null = null): Snapshot<T> =>
  new Snapshot(jsonText(data, asOf));
