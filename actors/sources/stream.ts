/** The form of a stream: channels of an upstream's WebSocket, independent of any poll. */
import type { Codec } from '../upstream/frames.ts';
import type { InstrumentMap, ParseContext, Parsed } from './define.ts';

interface Channels<Item> {
  /** `wss://HOST/PATH`; goes through the gateway as the requests do. */
  url: string;
  /** The messages that subscribe, one per channel; they are sent after every connect. */
  channels(instruments: InstrumentMap): readonly string[];
  /** Most channels of one connection; all on one when absent. */
  perConnection?: number;
  /** How binary frames are compressed; `text` when absent: they are UTF-8. */
  codec?: Codec;
  /** A message that keeps the connection open, and its interval in ms. */
  keepAlive?: { every: number; message: string };
  /** The answer that the upstream wants to this message (its own ping); null to any other, whatever it is. */
  reply?(message: unknown): string | null;
  /** Milliseconds without a message, and without any item, after which the connection is dead. */
  silence: number;
  /**
   * `message` is the JSON of a message, or its text where that is no JSON. Null for one that is not about data
   * (a greeting, a pong). Throws ShapeError (or any error) for one that should have been readable: it is counted. A
   * snapshot is read like an update: a market that it does not name leaves by its age.
   */
  parse(message: unknown, context: ParseContext): Parsed<Item> | null;
}

/** A stream of rows about markets, of which the newest counts. */
export interface LatestStream<Row> extends Channels<Row> {
  collect: 'latest';
  /**
   * One row out of the last polled and the last streamed row of a market, where the part is polled as well; the
   * streamed row when absent. A market that only one of the two has is published as that one has it.
   */
  merge?(polled: Row, streamed: Row): Row;
}

/** A stream of events, of which each counts once. */
export interface EachStream<Event> extends Channels<Event> {
  collect: 'each';
  /** The same for an event that the upstream repeats after a reconnect, and for no other. */
  keyOf(event: Event): string;
}

export type Stream<Item> = LatestStream<Item> | EachStream<Item>;
