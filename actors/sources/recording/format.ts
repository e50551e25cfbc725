/**
 * The lines of a recording. A frame is `[time, connection, message]` with the message as it came, or as a JSON text where it is no JSON
 * of one line; everything else is an object with a `kind`. Times are Unix microseconds.
 */
import type { RecordedWord } from '../../../config/recorded.ts';
import type { Trade } from '../../../indicators/derivatives/trade-fold.ts';
import { isRecord } from '../../read.ts';
import type { Instrument } from '../../topics/index.ts';
import type { UpstreamRequest } from '../../upstream/request.ts';
import type { MarketUpdate } from '../streams/stream.ts';

/** What may be recorded, as `RECORD` names it. */
export type RecordedType = RecordedWord;

/** A message as it came. */
export interface FrameLine {
  kind: 'frame';
  t: number;
  /** Number of its connection within the process. */
  c: number;
  text: string;
}

/** A connection that is open; at the head of a file one that was opened at `since`. */
export interface OpenLine {
  kind: 'open';
  t: number;
  c: number;
  /** Name of the stream, such as `trades/linear`, and its part. */
  stream: string;
  part: string;
  url: string;
  /** At the head of a file: when it was opened, and what it has sent and received besides data. */
  since?: number;
  sent?: readonly string[];
  earlier?: readonly string[];
}

/** The number of a change as JSON has it: digits as a text above 2^53. */
type CountText = number | string | null;

/** What a recording holds besides frames. */
export type NoteLine =
  /** The head of a file. `follows`: the file that it continues without a gap, or null. */
  | {
      kind: 'file';
      t: number;
      version: 1;
      exchange: string;
      process: string;
      follows: string | null;
      types: readonly RecordedType[];
      /** Assets whose messages are recorded; all when empty. */
      symbols: readonly string[];
      /** Its own name, which a reader adds. */
      name?: string;
    }
  | OpenLine
  | { kind: 'sent'; t: number; c: number; text: string }
  /** The connection brings nothing any more; `why` is null where we have closed it. */
  | { kind: 'end'; t: number; c: number; why: string | null }
  /** The list of markets by which the messages of a part are read. */
  | { kind: 'instruments'; t: number; part: string; rows: readonly Instrument[] }
  /** A poll: its requests as `requestText` writes them, and the body of each; null for one that failed. */
  | {
      kind: 'poll';
      t: number;
      part: string;
      topics: readonly string[];
      requests: readonly string[];
      bodies: readonly unknown[];
    }
  /** A whole book that was asked for beside the stream. */
  | {
      kind: 'whole';
      t: number;
      part: string;
      market: string;
      /** When it was asked for, Unix microseconds. */
      asked: number;
      body: unknown;
    }
  /** Trades that the stream had missed, and that were asked for, the oldest first: in canonical units. */
  | { kind: 'recovered'; t: number; part: string; market: string; trades: readonly Trade[] }
  /** A book that was dropped, and comes again. */
  | { kind: 'resync'; t: number; part: string; market: string; why: string }
  /** At the head of a file: a book as it is, in the numbers of its exchange, price and quantity in turns. */
  | {
      kind: 'book';
      t: number;
      c: number;
      part: string;
      market: string;
      bids: readonly number[];
      asks: readonly number[];
      /** The prices of bids and asks beyond which nothing is known; null where all is. */
      edges: readonly [bids: number | null, asks: number | null];
      last: CountText;
      stated: number | null;
    }
  /** So many lines were not written, since the disk did not keep up. */
  | { kind: 'lost'; t: number; lines: number };

export type RecordLine = FrameLine | NoteLine;
type FileLine = Extract<NoteLine, { kind: 'file' }>;

/** Whether a file goes on where another one has ended: nothing is missing between. */
export const continues = ({ follows }: FileLine, before: string | undefined): boolean =>
  follows !== null && follows === before;
export type BookLine = Extract<NoteLine, { kind: 'book' }>;

/** A request in one form: `api /path?query body`. */
export function requestText({ api, path, query = {}, body }: UpstreamRequest): string {
  const pairs = Object.entries(query).map(([name, value]): [string, string] => [name, `${value}`]);
  const search = pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : '';
  return `${api} ${path}${search}${body === undefined ? '' : ` ${JSON.stringify(body)}`}`;
}

const isPlain = (text: string): boolean => {
  const ends = `${text[0]}${text.at(-1)}`;
  return (ends === '{}' || ends === '[]') && !text.includes('\n');
};

/** The line of a frame, without its end. */
export const frameLine = (t: number, c: number, text: string): string =>
  `[${t},${c},${isPlain(text) ? text : JSON.stringify(text)}]`;

/** The line of anything else. */
export const noteLine = (note: NoteLine): string => JSON.stringify(note);

/** A line as it was written; null for one that is damaged. */
export function readLine(line: string): RecordLine | null {
  try {
    return line[0] === '[' ? frameIn(line) : JSON.parse(line);
  } catch {
    return null;
  }
}

function frameIn(line: string): FrameLine | null {
  const first = line.indexOf(',');
  const second = line.indexOf(',', first + 1);
  const [t, c] = [+line.slice(1, first), +line.slice(first + 1, second)];
  if (second < 0 || !line.endsWith(']') || !(t > 0 && c >= 0)) return null;
  const text = line.slice(second + 1, -1);
  return { kind: 'frame', t, c, text: text[0] === '"' ? JSON.parse(text) : text };
}

/** Whether a message of a gateway is the book of a recording; no exchange sends such. */
export const isRecordedBook = (message: unknown): message is BookLine =>
  isRecord(message) && message.kind === 'book' && Array.isArray(message.edges);

/** The book as the message that replaces what there was. */
export function restoredBook({ last, market, bids, asks, edges, stated }: BookLine): MarketUpdate {
  const number = typeof last === 'string' ? BigInt(last) : (last ?? undefined);
  return { kind: 'snapshot', market, bids, asks, edges, last: number, stated };
}
