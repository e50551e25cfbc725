/** The rows of the messages of a stream, with the fields that messages before them have brought. Pure. */
import { asRow, type WireRow } from '../read.ts';
import type { StreamContext } from '../sources/streams/stream.ts';
import type { LiveTopic } from '../topics/index.ts';
import { type IdOfRow, idIn } from './cells.ts';

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
