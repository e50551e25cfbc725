/** What the messages of a stream go into, and which markets it subscribes to. */
import type { Failure } from '../../failure.ts';
import type { Cancel, Clock } from '../../kernel/clock.ts';
import type { FeedStatus } from '../../topics/index.ts';
import type { InstrumentMap } from '../define.ts';
import type { InstrumentBook } from '../instruments.ts';
import type { StreamLease } from '../leased-topics.ts';
import type { Counter, StatusRow } from '../status/status.ts';
import type { Peer } from './connection.ts';
import type { Connections } from './connections.ts';
import type { StreamContext } from './stream.ts';

/** The context of a message, with the connection that brought it. */
export type SinkContext = StreamContext & { connection: Peer };

/** What every stream needs besides what its sink does. */
export interface StreamOf<Stream> {
  source: string;
  part: string;
  stream: Stream;
  /** Base URL that every connection goes through, or null. */
  gateway: string | null;
  /** Uniform in [0, 1). */
  random(): number;
  /** The lease of its source, which is held when absent. */
  lease?: StreamLease | undefined;
}

/** What is known of the messages since the last call of `takeIntake`. */
export interface Intake {
  /** When the newest message about data came, Unix ms; null when none did. */
  received: number | null;
  /** Why the last unreadable message is unreadable; null when there was none. */
  failure: Failure | null;
  /** Messages and items that were not used, by reason. */
  unused: Readonly<Record<string, number>>;
}

/** What a sink reports about itself. */
export interface SinkReport {
  /** Null leaves the state as it is. */
  state: 'up' | 'standby' | Failure | null;
  rows: number;
  dropped: Readonly<Record<string, number>>;
  /** Milliseconds until the next report. */
  next: number;
}

/** A stream as its sink sees it. */
export interface StreamView {
  readonly clock: Clock;
  /** Aborts when the actor ends. */
  readonly signal: AbortSignal;
  readonly connections: Pick<Connections, 'exist' | 'open' | 'subscribed'>;
  /** The markets that a message may be about. */
  readonly known: InstrumentMap;
  /** Counts what was not used, unreadable and missed messages among it. */
  readonly counter: Counter;
  readonly intake: Intake;
  takeIntake(): Intake;
  /** A part of its status; empty where the upstream acknowledges nothing. */
  readonly subscriptions: Pick<FeedStatus, 'subscriptions'>;
  /** Refusals after which the rest was subscribed to, as counts of its status; empty without any. */
  readonly refusals: Readonly<Record<string, number>>;
  /** A market has brought data, of a topic where there are several. */
  noteData(market: string, topic?: string): void;
  /** Calls `flush` in `delay` ms at the latest. */
  flushWithin(delay: number): void;
  /** Reports the row of the stream in `/v1/status`. */
  report(status: StatusRow, report: SinkReport): void;
  /** Ends this life of the actor: a bug. */
  crash(error: unknown): void;
}

/** One sink for one life of the stream's actor. Times are Unix ms. */
export interface Sink<Found> {
  /** Prepares it, before the connections are opened. */
  open?(now: number): void | Promise<void>;
  /** These markets, and no others, are subscribed to from now on. */
  follow?(markets: InstrumentMap, now: number): void;
  /** Takes what a message has. True where that is data. */
  take(found: Found, context: SinkContext): boolean;
  /** Publishes what is due; the milliseconds until the next call. */
  flush(now: number): number | Promise<number>;
  /**
   * Whether it has what it needs besides the subscriptions in order to go on for another process; of what the upstream may not
   * bring at all nothing is needed once it `isLate`. So it is when absent.
   */
  isReady?(isLate: boolean): boolean;
  /** A connection was lost, or did not open. */
  lost?(failure: Failure, now: number): void;
  /** A connection has all of its subscriptions. */
  ready?(now: number): void;
  /** So many messages have not come, by their numbers. */
  missed?(count: number, now: number): void;
  /** This connection brings no message until it has subscribed again: it has ended, or another one has taken over. */
  ended?(by: Peer, now: number): void;
  /**
   * On a connection that answers, or on a channel of it, no data came for so many milliseconds: it is opened again. Without it data
   * may be absent for any time.
   */
  starved?(quiet: number, now: number): void;
  /** Ends it after the last message, at the time of the stop. */
  close?(at: number): void | Promise<void>;
}

/** The markets of a stream, for one life of its actor. */
export interface StreamMarkets {
  /** The markets that a message may be about. */
  readonly known: InstrumentMap;
  /** The markets to subscribe to at `now`, Unix ms; null where they stay as they are. */
  next(now: number): InstrumentMap | null;
  /** Calls `wake` when `next` should be asked again. */
  onChange?(wake: () => void): Cancel;
}

/** Between two choices out of an unchanged list, ms: turnovers change. */
const choiceMs = 60_000;

/** The markets of the newest list of a part, or some of them. */
export class ListedMarkets implements StreamMarkets {
  readonly #list: () => InstrumentMap;
  readonly #select: (all: InstrumentMap, before: InstrumentMap) => InstrumentMap;
  readonly onChange: (wake: () => void) => Cancel;
  #used: InstrumentMap | null = null;
  #selected: InstrumentMap = new Map();
  #due = Number.NEGATIVE_INFINITY;

  /** `select` gives the markets to subscribe to, out of all and of those that it gave before. */
  constructor(
    { book, source, part }: { book: InstrumentBook; source: string; part: string },
    select: (all: InstrumentMap, before: InstrumentMap) => InstrumentMap = (all) => all,
  ) {
    this.#list = () => book.part(source, part);
    this.#select = select;
    this.onChange = (wake) => book.onChange(source, part, wake);
  }

  get known(): InstrumentMap {
    return this.#list();
  }

  /** Null as well while there are none: the most traded ones are known only after a poll. */
  next(now: number): InstrumentMap | null {
    const list = this.#list();
    if (list === this.#used && now < this.#due) return null;
    const selected = this.#select(list, this.#selected);
    if (selected.size === 0) return null;
    const isKnown = list === this.#used && isSame(selected, this.#selected);
    this.#used = list;
    this.#due = now + choiceMs;
    this.#selected = selected;
    return isKnown ? null : selected;
  }
}

/** Whether both have the same markets. */
const isSame = (a: InstrumentMap, b: InstrumentMap): boolean =>
  a.size === b.size && [...a.keys()].every((market) => b.has(market));

/** Between two questions for tracked markets: before there are any, and afterwards; ms. */
const pauses = { before: 3_000, after: 60_000 };

/** The markets of tracked assets, which change with turnovers. */
export class TrackedMarkets implements StreamMarkets {
  readonly #tracked: (now: number) => InstrumentMap;
  known: InstrumentMap = new Map();
  #due = Number.NEGATIVE_INFINITY;
  #pause = pauses.before;

  /** `tracked` gives the markets at a time, Unix ms; none while they are not known. */
  constructor(tracked: (now: number) => InstrumentMap) {
    this.#tracked = tracked;
  }

  /** Where none are tracked any more, the last ones stay: prices may be absent for a moment. */
  next(now: number): InstrumentMap | null {
    if (now < this.#due) return null;
    const markets = this.#tracked(now);
    if (markets.size > 0) this.#pause = pauses.after;
    this.#due = now + this.#pause;
    if (markets.size === 0) return null;
    this.known = markets;
    return markets;
  }
}
