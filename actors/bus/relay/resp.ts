/** The protocol of Redis, as far as a relay speaks it: https://redis.io/docs/latest/develop/reference/protocol-spec/ */

/** Longest request, bytes: one that reads every topic has less than 4 KB. */
const longest = 65_536;

const crlf = Buffer.from('\r\n');

/** Takes requests, lists of texts, out of what a socket receives. */
export class Requests {
  #rest: Buffer = Buffer.alloc(0);

  /** The requests that are complete with this chunk. Throws RangeError for what is no request, or is too long. */
  take(chunk: Buffer): string[][] {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const found: string[][] = [];
    let at = 0;
    for (let read = requestAt(bytes, 0); read !== null; read = requestAt(bytes, at)) {
      found.push(read.request);
      at = read.end;
    }
    this.#rest = bytes.subarray(at);
    if (this.#rest.length > longest) throw new RangeError('request is too long');
    return found;
  }
}

/** A request that begins here, and where it ends; null while it is not complete. */
function requestAt(bytes: Buffer, start: number): { request: string[]; end: number } | null {
  const head = lineAt(bytes, start, '*');
  if (head === null) return null;
  const request: string[] = [];
  let at = head.end;
  while (request.length < head.number) {
    const length = lineAt(bytes, at, '$');
    if (length === null) return null;
    const end = length.end + length.number;
    if (bytes.length < end + crlf.length) return null;
    request.push(bytes.toString('utf8', length.end, end));
    at = end + crlf.length;
  }
  return { request, end: at };
}

/** The number of a line that begins with `mark`, and where the line ends; null while it is not complete. */
function lineAt(
  bytes: Buffer,
  start: number,
  mark: '*' | '$',
): { number: number; end: number } | null {
  const end = bytes.indexOf(crlf, start);
  if (end === -1) return null;
  const text = bytes.toString('latin1', start, end);
  const number = Number(text.slice(1));
  if (text[0] !== mark || !/^.\d{1,5}$/.test(text)) throw new RangeError('not a request');
  return { number, end: end + crlf.length };
}

/** A reply in the pieces that are written one after the other. */
export type Reply = readonly (string | Buffer)[];

/** A text on the wire. */
export const textOf = (value: string): string => `$${Buffer.byteLength(value)}\r\n${value}\r\n`;

export const nil: Reply = ['$-1\r\n'];
export const noList: Reply = ['*-1\r\n'];
export const status = (text: string): Reply => [`+${text}\r\n`];
export const error = (text: string): Reply => [`-${text}\r\n`];
export const text = (value: string): Reply => [textOf(value)];
export const bytes = (value: Buffer): Reply => [`$${value.length}\r\n`, value, crlf];
export const list = (items: readonly Reply[]): Reply => [`*${items.length}\r\n`, ...items.flat()];
