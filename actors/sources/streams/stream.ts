/** The form of a stream: channels of an upstream's WebSocket, independent of any poll. */
import type { Trade } from '../../../indicators/derivatives/trade-fold.ts';
import type { BookSnapshot, BookUpdate } from '../../../indicators/order-book/followed-book.ts';
import type { LiveBookOptions } from '../../../indicators/order-book/live-book.ts';
import type { Rule } from '../../../indicators/order-book/sequence.ts';
import type { Instrument, LiveTopic } from '../../topics/index.ts';
import type { UpstreamRequest } from '../../upstream/request.ts';
import type { InstrumentMap, ParseContext, Parsed, RowsOf } from '../define.ts';

/** The context of the parser of a stream. */
export interface StreamContext extends ParseContext {
  /** The same for all messages of one connection, where what a message means depends on those before it. */
  connection?: object;
}

/** A message that was refused, and the one that subscribes to the rest of it: all that the upstream knows; null where that is none. */
export interface Refusal {
  of: string;
  rest: string | null;
}

/** How a stream is connected and subscribed to, whatever its items are. */
export interface Wiring {
  /** `wss://HOST/PATH`; goes through the gateway as the requests do. */
  url: string;
  /** Sent with the handshake. */
  headers?: Readonly<Record<string, string>>;
  /** Connections that the host takes in a minute from one address, where it documents fewer than 60. */
  connects?: number;
  /**
   * The messages that subscribe to the channels of these markets, with a list of channels in each or one channel. The channels of a
   * market do not depend on the others; a message without a word that ends it (`ending`) is one channel, whatever it lists.
   */
  channels(instruments: InstrumentMap): readonly string[];
  /**
   * The messages that end the channels of these markets, where they are not those of `channels` with the word for that. `by` is the
   * connection of `parse`.
   */
  unsubscribe?(instruments: InstrumentMap, by: object): readonly string[];
  /** Most channels of one connection; all on one when absent. */
  perConnection?: number;
  /** Messages that every connection sends before it subscribes. */
  opening?: readonly string[];
  /** Milliseconds between two messages of ours, where the upstream limits them; all at once when absent. */
  pace?: number;
  /** Whose messages the pace is of: all connections to the host, or each by itself when absent. */
  paceOf?: 'host';
  /** Milliseconds from the opening of a connection to the first of them, where the upstream requires that; it needs `pace`. */
  settle?: number;
  /**
   * How long the upstream lets a connection live, ms, where it documents that: a little earlier another one is opened, and
   * brings data, before the old one is closed.
   */
  lifetime?: number;
  /** Largest message, bytes, after decompression; 4 MiB when absent. */
  maxMessage?: number;
  /** True where whole numbers above 2^53 occur: they are read as the texts that they are. */
  wide?: boolean;
  /** A message that keeps the connection open, or null for a ping of WebSocket itself, and its interval in ms. */
  keepAlive?: { every: number; message: string | null };
  /** Writes the time of our clock, Unix ms, into a message that is sent, where the upstream wants it. */
  stamp?(message: string, now: number): string;
  /** False for a frame that holds nothing of interest, by its text: it is passed over unparsed. */
  concerns?(text: string): boolean;
  /** The answer that the upstream wants to this message (its own ping); null to any other, whatever it is. */
  reply?(message: unknown): string | null;
  /** How many subscriptions a message acknowledges; 0 for any other message, whatever it is. */
  acknowledges?(message: unknown): number;
  /** True where such a message counts all subscriptions that there are by then, and not those that are new. */
  acknowledgesAll?: true;
  /**
   * What is left of a refused message, where an upstream refuses a whole message for one name that it does not know: `rest` is
   * sent. `sent` are the messages that have subscribed. Null for any other message, whatever it is.
   */
  refuses?(message: unknown, sent: readonly string[]): Refusal | null;
  /**
   * True where the upstream ends a connection without a word that names a market which it does not know: the first message without an
   * acknowledgement is left out once two connections in a row have ended with it. Each message is one channel.
   */
  endsOnUnknown?: true;
  /** True for a message that announces the end of the connection: another one is opened, and brings data, before that. */
  ends?(message: unknown): boolean;
  /** Milliseconds without a message, and for rows also without any of them, after which the connection is dead. */
  silence: number;
  /** The same at another address: a connection is made there after one to this address has failed, and the other way round. */
  behind?: Wiring;
}

/** A stream whose messages are read. */
export interface Readable<Found> extends Wiring {
  /**
   * `message` is the JSON of a message, or its text where that is not JSON. Null for one that is not about data
   * (a greeting, a pong). Throws ShapeError (or any error) for one that should have been readable: it is counted. A
   * snapshot is read like an update: a market that it does not name leaves by its age.
   */
  parse(message: unknown, context: StreamContext): Found | null;
  behind?: Readable<Found>;
}

/** A stream of rows about markets, of which the newest counts: of each topic those that a message has. */
export interface LatestStream<T extends LiveTopic> extends Readable<Partial<RowsOf<T>>> {
  /** So many of the most traded markets are subscribed to, where the upstream has no channel of all markets. */
  most?: number;
}

/** The fields of every event. */
export interface AnyEvent {
  /** The exchange's own id of its market. */
  contract: string;
  /** When it happened, Unix ms. */
  timestamp: number;
}

/** A stream of events, of which each counts once. */
export interface EachStream<Event extends AnyEvent> extends Readable<Parsed<Event>> {
  /** The same for an event that the upstream repeats after a reconnect, and for no other. */
  keyOf(event: Event): string;
}

/** A stream whose frames are passed on as they come; a subscription stands in the place of a market. */
export interface RelayStream extends Omit<Wiring, 'behind'> {
  /** The subscription that a frame belongs to; null for one without data. Throws ShapeError for a refusal. */
  nameOf(message: unknown): string | null;
}

/** A stream of the public trades of single markets, which are folded in the process that receives them. */
export interface TradeStream extends Readable<Parsed<Trade>> {
  /** True where missed trades stay missing: to ask for those of each market after a reconnect would take the whole budget. */
  isForgetful?: true;
}

/** An update of the book of a market. */
export interface MarketUpdate extends BookUpdate {
  market: string;
}

/** The updates of books in a message. */
export interface BookMessage {
  updates: readonly MarketUpdate[];
  /** Number of the message where all messages of a connection are counted: a hole concerns all of its books. */
  count?: number;
  /** Why something of ours is refused, in a message that is counted. */
  refusal?: string;
}

/** A stream of the order books of single markets, in the numbers of the exchange. */
export interface BookStream<Request = UpstreamRequest>
  extends Readable<BookMessage>,
    LiveBookOptions {
  /** Both ask for whole books, or neither does. */
  behind?: BookStream<Request>;
  /** How the updates of one market follow each other. */
  rule: Rule;
  /**
   * How late an answer may come, ms, where messages are counted and an answer has the number of the time of its question: for so long
   * a hole is none, and no book is served meanwhile.
   */
  answersWithin?: number;
  /** The message that asks for the whole book of a market, once its first update has come, where the stream answers such. */
  ask?(market: Instrument): string;
  /** The whole book, asked for when the first update has come; absent where the stream itself brings it. */
  snapshot?: {
    request(market: string): Request;
    /** Throws ShapeError (or any error) for a body that is not of the documented form. */
    parse(body: unknown): BookSnapshot;
  };
}
