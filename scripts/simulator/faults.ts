/** Faults that can be set on requests: what real upstreams do on bad days. */
import { isRecord } from '../../actors/read.ts';

/** What each kind does; the words are those of the control endpoint. */
export const faultKinds = {
  stall: 'takes the request and never answers',
  stall_body: 'sends the head and half of the body, then nothing',
  reset: 'resets the connection',
  rate_limit: "the venue's 429 with Retry-After",
  ban: "the venue's own way to lock an address out (418 at Binance), with Retry-After",
  server_error: "the venue's 503",
  garbage: '200 with bytes that are no JSON',
  html: '200 with an HTML page',
  html_forbidden: '403 with an HTML page, as a CDN has it',
  html_missing: '404 with an HTML page, as a CDN has it',
  truncated: 'ends the connection in the middle of the body',
  wrong_shape: '200 with JSON in which lists are objects and values are null',
  bad_checksum: 'adds one to every checksum in the answer',
  frozen: 'the answer as it was in the second in which the fault was set',
  empty: '200 with every list of the answer emptied',
  multiplied:
    'the answer or message with the numbers of `fields`, and the prices of lists of levels there, times `factor` (1000 when absent)',
  huge: '200 with a JSON list of 100 MB, without a length',
  gzip_bomb: '200 with 400 MB of blanks in 400 KB of gzip',
  nested: '200 with 2 million arrays, one in the other',
} as const;
export type FaultKind = keyof typeof faultKinds;

/** One fault as it is set; the first active one that matches a request is applied. */
export interface Fault {
  /** A host, or `*`. */
  host: string;
  /** Prefix of the path; every path when absent. */
  path?: string;
  /** What the query holds, such as `symbol=X`; every query when absent. */
  query?: string;
  kind: FaultKind;
  /** `multiplied`: the keys of the numbers, wherever they stand in the body. */
  fields?: readonly string[];
  factor?: number;
  /** Seconds in Retry-After; 30 when absent. */
  retryAfter?: number;
  /** After so many hits it rests; never when absent. */
  count?: number;
}
/** A fault as it is shown: with the requests it hit, and since when (Unix ms). */
export interface ActiveFault extends Fault {
  hits: number;
  since: number;
}

/** A fault that could not be read; the message names the field and what is allowed. */
export class FaultError extends Error {
  override name = 'FaultError';
}

const most = 100;

/** Members of a fault that are numbers: the least and the largest. */
const numbers: Readonly<Record<string, readonly [number, number]>> = {
  factor: [0, 1e12],
  retryAfter: [0, 1_000_000],
  count: [0, 1_000_000_000],
};

function check(isRight: boolean, message: string): void {
  if (!isRight) throw new FaultError(message);
}

function faultOf(value: unknown): Fault {
  if (!isRecord(value)) throw new FaultError('a fault is an object');
  const { host, kind, fields = [] } = value;
  const kinds = Object.keys(faultKinds);
  check(typeof host === 'string' && host !== '', 'host must be a host or "*"');
  check(kinds.includes(String(kind)), `kind must be one of ${kinds.join(', ')}`);
  const isTexts = Array.isArray(fields) && fields.every((one) => typeof one === 'string');
  check(isTexts, 'fields must be a list of strings');
  for (const name of ['path', 'query'])
    check(['string', 'undefined'].includes(typeof value[name]), `${name} must be a string`);
  for (const [name, [least, largest]] of Object.entries(numbers)) {
    const given = value[name] ?? least;
    const isRight = typeof given === 'number' && given >= least && given <= largest;
    check(isRight, `${name} must be a number from ${least} to ${largest}`);
  }
  return value as unknown as Fault;
}

const isAbout = (fault: Fault, host: string, path: string, query: string): boolean =>
  (fault.host === '*' || fault.host === host) &&
  path.startsWith(fault.path ?? '') &&
  query.includes(fault.query ?? '');

/** The list of faults in force. */
export class Faults {
  readonly #now: () => number;
  #list: ActiveFault[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Replaces the list; throws FaultError, and then nothing changes. At most 100 entries. */
  set(values: readonly unknown[]): ActiveFault[] {
    if (values.length > most) throw new FaultError(`at most ${most} faults`);
    const since = this.#now();
    this.#list = values.map((value) => ({ ...faultOf(value), hits: 0, since }));
    return this.list();
  }

  clear(): void {
    this.#list = [];
  }

  list(): ActiveFault[] {
    return this.#list.map((fault) => ({ ...fault }));
  }

  /** The fault that this request meets, counted as a hit. */
  hit(host: string, path: string, query = new URLSearchParams()): ActiveFault | undefined {
    const text = `${query}`;
    const found = this.#list.find(
      (fault) =>
        isAbout(fault, host, path, text) && fault.hits < (fault.count ?? Number.POSITIVE_INFINITY),
    );
    if (found) found.hits++;
    return found;
  }
}
