/** What the clients of streams notice: order, gaps, repetitions and values, over all of their connections. */
import { patched } from '../../../clients/typescript/src/patch.ts';
import { follows } from '../../../http/answers/numbered-log.ts';
import type { EventRow, PriceEntry, Truth } from './truth.ts';

/** A message of `/v1/ws` or `/v1/stream`, as far as it is read. */
export interface StreamMessage {
  type: string;
  timestamp?: number;
  as_of?: number;
  version?: string;
  /** The version that a patch changes. */
  from?: string;
  patch?: unknown;
  position?: string;
  recovered?: boolean;
  /** Milliseconds until a client that is sent away may come back. */
  wait?: number;
  code?: string;
  data?: unknown;
  events?: readonly EventRow[];
}

/** Answers state numbers with twelve digits. */
const digits = (value: number): string => value.toPrecision(9);

/** The same for two messages about one event. */
export const eventKey = (event: EventRow): string =>
  [
    event.exchange,
    event.contract,
    event.side,
    event.timestamp,
    digits(event.price),
    digits(event.quantity_base),
  ].join('|');

/** One client of a log. */
export class EventAccount {
  /** How often each event came, in the order of the first time. */
  readonly counts = new Map<string, number>();
  /** Messages whose position does not follow that of the one before. */
  unordered = 0;
  /** Messages that say that something may be missing. */
  unrecovered = 0;
  #position = '';

  take(
    { events = [], position = '', recovered }: StreamMessage,
    truth: Pick<Truth, 'event'>,
  ): void {
    if (recovered === false) this.unrecovered++;
    // After a loss the log may be another one, whose positions begin anew.
    else if (events.length > 0 && this.#position !== '' && !follows(position, this.#position)) {
      this.unordered++;
    }
    this.#position = position;
    for (const event of events) {
      truth.event(event);
      const key = eventKey(event);
      this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
    }
  }
}

/** One client of the price of a symbol. */
export class PriceAccount {
  readonly symbol: string;
  messages = 0;
  /** Messages whose newest reading is older than that of the one before, on one connection. */
  unordered = 0;
  /** Updates of the version that the client has. */
  repeated = 0;
  /** Patches of a version that the client does not have. */
  unfit = 0;
  /** When the newest reading was received, Unix ms. */
  asOf = 0;
  #version = '';
  #data: unknown = null;

  constructor(symbol: string) {
    this.symbol = symbol;
  }

  /** A process may be behind the one of the connection before. */
  connected(): void {
    this.asOf = 0;
  }

  take(message: StreamMessage, truth: Pick<Truth, 'price'>): void {
    const { type, as_of = 0, version = '', from } = message;
    if (type === 'snapshot' || type === 'update') this.#data = message.data;
    else if (type === 'patch') this.#data = patched(this.#data, message.patch);
    else return;
    this.messages++;
    if (as_of < this.asOf) this.unordered++;
    if (type !== 'snapshot' && version === this.#version) this.repeated++;
    if (type === 'patch' && from !== this.#version) this.unfit++;
    this.asOf = as_of;
    this.#version = version;
    for (const [exchange, entry] of entriesOf(this.#data)) {
      truth.price(exchange, this.symbol, entry);
    }
  }
}

/** The exchanges of an answer of `/v1/prices`. */
export const entriesOf = (data: unknown): [string, PriceEntry][] => {
  const { exchanges } = Object(data) as { exchanges?: Record<string, PriceEntry> };
  return Object.entries(exchanges ?? {});
};

export interface EventFindings {
  /** Keys of those that are first in the log after the first event that is there, and are not. */
  missing: string[];
  /** There more often than the log has them. */
  repeated: number;
  /** There, and not in the log: a server that was lost had them alone. */
  beyond: number;
}

/**
 * Compares how often a client received each event, or how often it is stored, with the log, whose events are given by their keys in
 * its order: `early` some seconds before the client ended, and `all` thereafter.
 */
export function compareEvents(
  counts: ReadonlyMap<string, number>,
  { early, all }: { early: readonly string[]; all: readonly string[] },
): EventFindings {
  const inLog = new Map<string, number>();
  for (const key of all) inLog.set(key, (inLog.get(key) ?? 0) + 1);
  const first = early.findIndex((key) => counts.has(key));
  const expected = new Set(first < 0 ? early : early.slice(first));
  // No event is given again that the log had before.
  for (const key of early.slice(0, Math.max(0, first))) expected.delete(key);
  const missing = [...expected].filter((key) => !counts.has(key));
  const found: EventFindings = { missing, repeated: 0, beyond: 0 };
  for (const [key, count] of counts) {
    const most = inLog.get(key) ?? 0;
    if (most === 0) found.beyond++;
    if (count > Math.max(1, most)) found.repeated++;
  }
  return found;
}
