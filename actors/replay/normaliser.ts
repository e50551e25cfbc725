/** Reads the lines of a recording by the parsers of its exchange, into events of one form. */

import { messageOf, wideMessageOf } from '../read.ts';
import type { InstrumentMap, ParseContext, RowsOf } from '../sources/define.ts';
import {
  continues,
  type NoteLine,
  type OpenLine,
  type RecordLine,
} from '../sources/recording/format.ts';
import type { Venue } from '../sources/venue.ts';
import type { Instrument, LiveTopic } from '../topics/index.ts';
import { ReplayedBooks } from './books.ts';
import { Derivatives } from './derivatives.ts';
import type { EventType, MarketEvent, ReplayEvent } from './events.ts';
import { type Lists, type Peer, type ReplayedStream, replayedStreams } from './streams.ts';
import { Liquidations, Trades } from './trades.ts';

export interface NormaliserOptions {
  venue: Venue;
  /** Events that are wanted, and markets. */
  types: ReadonlySet<EventType>;
  wants(part: string, instrument: Instrument): boolean;
  /** From when on events are wanted, Unix ms: what is older is read, so that it is known what there was. */
  from: number;
  emit(event: ReplayEvent): void;
}

const topicsOf = ['prices', 'derivatives', 'openInterest'] as const;
const isLive = (topic: string): topic is LiveTopic => topicsOf.some((one) => one === topic);

interface Parsing {
  parse(bodies: readonly unknown[], context: ParseContext): Partial<RowsOf<LiveTopic>>;
}

/** Which events a stream is needed for. */
const eventsOf: Readonly<Record<ReplayedStream['kind'], readonly EventType[]>> = {
  trades: ['trade'],
  books: ['book_change'],
  liquidations: ['liquidation'],
  rows: ['book_ticker', 'derivative_ticker'],
};

export class Normaliser {
  readonly #options: NormaliserOptions;
  readonly #streams: ReadonlyMap<string, ReplayedStream>;
  readonly #lists = new Map<string, Lists>();
  readonly #peers = new Map<number, Peer>();
  readonly #books: ReplayedBooks;
  readonly #trades: Trades;
  readonly #liquidations: Liquidations;
  readonly #derivatives: Derivatives;
  /** The file that is read. */
  #file: string | undefined;
  #hasBegun = false;
  /** Messages that could not be read. */
  unreadable = 0;

  constructor(options: NormaliserOptions) {
    this.#options = options;
    this.#streams = replayedStreams(options.venue);
    const emit = (event: MarketEvent) => this.#emit(event);
    this.#books = new ReplayedBooks(options.venue.id, emit);
    this.#trades = new Trades(emit);
    this.#liquidations = new Liquidations(emit);
    this.#derivatives = new Derivatives(options.types, emit);
  }

  take(line: RecordLine): void {
    if (!this.#hasBegun && line.t >= this.#options.from * 1_000) {
      this.#hasBegun = true;
      this.renew();
    }
    if (line.kind === 'frame') {
      const peer = this.#peers.get(line.c);
      if (peer) this.#read(peer, line.text, line.t);
    } else this.#note(line);
  }

  /** The next change of each book is told as the whole book. */
  renew(): void {
    this.#books.renew();
  }

  #emit(event: ReplayEvent): void {
    if (this.#hasBegun) this.#options.emit(event);
  }

  #note(line: NoteLine): void {
    const { kind, t } = line;
    if (kind === 'file') this.#begin(line);
    else if (kind === 'open') this.#open(line);
    else if (kind === 'instruments') this.#list(line.part, line.rows);
    else if (kind === 'end') this.#end(line.c, t);
    else if (kind === 'poll') this.#poll(line);
    else if (kind === 'lost') this.#gap(t);
    else if (kind === 'recovered') this.#recovered(line);
    else if (!this.#options.types.has('book_change')) return;
    else if (kind === 'whole') this.#whole(line);
    else if (kind === 'resync') this.#books.resync(line);
    else if (kind === 'book')
      this.#books.restore(line, this.#peers.get(line.c), this.#lists.get(line.part)?.listed);
  }

  /** A file that does not continue the one before begins anew. */
  #begin(line: Extract<NoteLine, { kind: 'file' }>): void {
    const before = this.#file;
    this.#books.isPart = line.symbols.length > 0;
    this.#file = line.name;
    if (continues(line, before)) return;
    this.#peers.clear();
    this.#derivatives.forget();
    if (before !== undefined) this.#gap(line.t);
  }

  #gap(local: number): void {
    this.#books.drop(local);
    this.#trades.gap();
    this.#emit({ type: 'disconnect', part: null, local });
  }

  #open({ c, stream: name, part, url, t, earlier = [] }: OpenLine): void {
    const first = this.#streams.get(name);
    const behind = this.#streams.get(`${name} ${url}`);
    const of = behind ?? first;
    const isWanted = of && eventsOf[of.kind].some((type) => this.#options.types.has(type));
    if (!of || !isWanted || this.#peers.has(c)) return;
    const peer: Peer = { part, name, of, isBehind: behind !== undefined, send: () => {} };
    this.#peers.set(c, peer);
    if (first?.kind === 'books') this.#books.add(part, first.stream);
    // For what the parsers remember of them.
    for (const text of earlier) this.#parsed(peer, text, t);
  }

  #end(c: number, local: number): void {
    const peer = this.#peers.get(c);
    if (!peer) return;
    this.#peers.delete(c);
    if (peer.of.kind === 'books') this.#books.ended(peer, local);
    this.#trades.ended(peer);
    this.#emit({ type: 'disconnect', part: peer.part, local });
  }

  #list(part: string, rows: readonly Instrument[]): void {
    const wanted = rows.filter((row) => this.#options.wants(part, row));
    const mapOf = (change: Partial<Instrument>) =>
      new Map(wanted.map((row) => [row.market, { ...row, ...change }]));
    this.#lists.set(part, {
      listed: mapOf({}),
      native: mapOf({ scale: 1, contract: 1, inverse: false }),
      contracts: mapOf({ scale: 1, contract: 1 }),
    });
  }

  #read(peer: Peer, text: string, local: number): void {
    const take = this.#parsed(peer, text, local);
    take?.();
  }

  /** What a message has, as a call that takes it; null where that is nothing. */
  #parsed(peer: Peer, text: string, local: number): (() => void) | null {
    const { stream } = peer.of;
    const lists = this.#lists.get(peer.part);
    if (lists === undefined || stream.concerns?.(text) === false) return null;
    const message = stream.wide ? wideMessageOf(text) : messageOf(text);
    try {
      return this.#parse(peer, message, { local, lists });
    } catch {
      this.unreadable += 1;
      return null;
    }
  }

  #parse(peer: Peer, message: unknown, { local, lists }: { local: number; lists: Lists }) {
    const { of, part } = peer;
    const received = Math.floor(local / 1_000);
    const context = (instruments: InstrumentMap) => ({ received, instruments, connection: peer });
    const at = { part, local, list: lists.listed };
    if (of.kind === 'trades') {
      const found = of.stream.parse(message, context(lists.native));
      return found && (() => this.#trades.take(found.rows, peer, at));
    }
    if (of.kind === 'books') {
      const found = of.stream.parse(message, context(lists.listed));
      return found && (() => this.#books.take(found, peer, at));
    }
    if (of.kind === 'liquidations') {
      const found = of.stream.parse(message, context(lists.listed));
      return found && (() => this.#liquidations.take(found.rows, of.stream, { ...at, lists }));
    }
    const found = of.stream.parse(message, context(lists.contracts));
    return found && (() => this.#derivatives.take(found, at));
  }

  #poll({ part, topics, bodies, t }: Extract<NoteLine, { kind: 'poll' }>): void {
    const lists = this.#lists.get(part);
    const topic = topics.find(isLive);
    const isLost = bodies.every((body) => body === null);
    if (lists === undefined || topic === undefined || isLost) return;
    const parts: Readonly<Record<string, Parsing>> = this.#options.venue.feeds[topic]?.parts ?? {};
    const received = Math.floor(t / 1_000);
    try {
      const given = bodies.map((body) => body ?? undefined);
      const found = parts[part]?.parse(given, { received, instruments: lists.contracts });
      this.#derivatives.take(found ?? {}, { part, local: t, list: lists.listed });
    } catch {
      this.unreadable += 1;
    }
  }

  #recovered(line: Extract<NoteLine, { kind: 'recovered' }>): void {
    const instrument = this.#lists.get(line.part)?.listed.get(line.market);
    if (instrument && this.#options.types.has('trade')) this.#trades.recovered(line, instrument);
  }

  #whole({ part, market, asked, body, t }: Extract<NoteLine, { kind: 'whole' }>): void {
    const of = this.#streams.get(`books/${part}`);
    if (of?.kind !== 'books') return;
    try {
      const snapshot = of.stream.snapshot?.parse(body);
      if (snapshot) this.#books.seed({ part, market, asked, local: t }, snapshot);
    } catch {
      this.unreadable += 1;
    }
  }
}
