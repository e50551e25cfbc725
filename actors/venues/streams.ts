/** Shared by the streams of the venues: channels, acknowledgements, refusals, and rows of messages with the fields that those before them have brought. Pure. */
import { ShapeError } from '../failure.ts';
import { asRow, isRecord, type WireRow } from '../read.ts';
import type { InstrumentMap } from '../sources/define.ts';
import type { Refusal, StreamContext } from '../sources/streams/stream.ts';
import type { LiveTopic } from '../topics/index.ts';
import { type IdOfRow, idIn, pieces } from './cells.ts';

/** The messages that subscribe to a channel of each market. */
export const forMarkets =
  (request: (market: string) => string) =>
  (instruments: InstrumentMap): string[] =>
    [...instruments.keys()].map(request);

/** The messages that subscribe to the channels of so many markets each. */
export const forPieces =
  (size: number, request: (markets: readonly string[]) => string) =>
  (instruments: InstrumentMap): string[] =>
    pieces([...instruments.keys()], size).map(request);

/** Takes a message that has these values as the acknowledgement of one subscription. */
export function acknowledgedBy(values: Readonly<Record<string, unknown>>) {
  const wanted = Object.entries(values);
  return (message: unknown): number =>
    isRecord(message) && wanted.every(([key, value]) => message[key] === value) ? 1 : 0;
}

/** The object at a key of a message, or ShapeError. */
export function objectIn(message: unknown, key: string): Record<string, unknown> {
  const value = isRecord(message) ? message[key] : undefined;
  if (!isRecord(value)) throw new ShapeError(`${key}: no object`);
  return value;
}

/** How the messages of a venue name what they subscribe to. */
interface Subscribing {
  namesIn(message: string): readonly string[];
  subscription(names: readonly string[]): string;
}

/** The message in `sent` with a name that `why` holds, and what is left of it without these; null where there is none. */
export function leftOf(
  why: string,
  sent: readonly string[],
  { namesIn, subscription }: Subscribing,
): Refusal | null {
  const refused = new Set(why.split(/[^\p{L}\p{M}\p{N}\p{Sc}_.-]+/u));
  const of = sent.find((message) => namesIn(message).some((name) => refused.has(name)));
  if (of === undefined) return null;
  const rest = namesIn(of).filter((name) => !refused.has(name));
  return { of, rest: rest.length === 0 ? null : subscription(rest) };
}

/** The value that `make` made for a connection, the same until it ends; a new one where no connection is given. */
export function memoryOf<State>(make: () => State): (connection: object | undefined) => State {
  const states = new WeakMap<object, State>();
  return (connection) => {
    const state = (connection && states.get(connection)) ?? make();
    if (connection) states.set(connection, state);
    return state;
  };
}

/** The rows of a message of a stream. */
export interface Message {
  rows: readonly unknown[];
  stated?: number | null;
  /** Topics in it, where a channel has only some of those of the tables. */
  topics?: readonly LiveTopic[];
  /**
   * Fields that a row may lack: those of the messages before it about its market, on the same connection, stand in for them, and its
   * own are known from now on. `all` where messages state what has changed.
   */
  remember?: 'all' | readonly string[];
  /** For how many ms a remembered field stands in, where the channel that brings it may stop while others go on; without an end when absent. */
  lasts?: number;
  /** True for rows that replace what is remembered of their markets. */
  whole?: boolean;
  /** A field without which, remembered or not, a row waits: it is left out without a count. */
  needs?: string;
}

/** What is remembered of a market, and when a message last had any of it, Unix ms. */
export interface Known {
  row: WireRow;
  at: number;
}

/** The rows of a message that remembers, with the fields that those before it have brought; what is sent is known from now on. */
export function withKnown(
  { rows, remember = [], whole, needs, lasts = Infinity }: Message,
  id: IdOfRow,
  known: Map<string, Known>,
  { instruments, received }: StreamContext,
): readonly unknown[] {
  const all = rows.map((value) => {
    const sent = asRow(value);
    const key = idIn(id, sent);
    const before = known.get(key);
    const isKnown = !whole && before !== undefined && received - before.at <= lasts;
    const row = isKnown ? { ...before.row, ...sent } : sent;
    const isSent = remember === 'all' || remember.some((name) => sent[name] !== undefined);
    if (instruments.has(key) && (isSent || !isKnown))
      known.set(key, { row: remember === 'all' ? row : picked(row, remember), at: received });
    return row;
  });
  return needs === undefined ? all : all.filter((row) => row[needs] !== undefined);
}

function picked(row: WireRow, keys: readonly string[]): WireRow {
  const found: Record<string, unknown> = {};
  for (const key of keys) if (row[key] !== undefined) found[key] = row[key];
  return found;
}
