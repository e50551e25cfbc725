/** What is recorded of one stream and of each of its connections. */
import type { Trade } from '../../../indicators/derivatives/trade-fold.ts';
import type { InstrumentMap } from '../define.ts';
import type { StreamLease } from '../lease.ts';
import { type BookLine, frameLine, type NoteLine, type OpenLine } from './format.ts';
import type { VenueRecording } from './venue-recording.ts';

/** Characters of what a connection has sent, and of what it has heard besides data, that the head of a file repeats. */
const mostRepeated = 65_536;

/** What is recorded of one stream. */
export class StreamRecording {
  readonly name: string;
  readonly part: string;
  readonly venue: VenueRecording;
  /** The books that it keeps, by market; none when absent. */
  books?: () => readonly Omit<BookLine, 'kind' | 't' | 'part'>[];
  readonly #lease: StreamLease | undefined;
  readonly #connections = new Set<ConnectionRecording>();

  constructor(
    venue: VenueRecording,
    { name, part, lease }: { name: string; part: string; lease: StreamLease | undefined },
  ) {
    this.venue = venue;
    this.name = name;
    this.part = part;
    this.#lease = lease;
  }

  /** False while another process has the exchange: it records. */
  get isHeld(): boolean {
    return this.#lease?.isHeld !== false;
  }

  /** The recording of a connection, which is to open. */
  connection(url: string): ConnectionRecording {
    return new ConnectionRecording(this, url);
  }

  /** A connection has opened, or ended. */
  changed(one: ConnectionRecording, isOpen: boolean): void {
    if (isOpen) this.#connections.add(one);
    else this.#connections.delete(one);
    if (this.#connections.size > 0) this.venue.streams.add(this);
    else this.venue.streams.delete(this);
  }

  /** A whole book was asked for at a time (Unix microseconds), and has come. */
  whole(market: string, asked: number, body: unknown): void {
    this.#noteOf({ kind: 'whole', t: this.time, part: this.part, market, asked, body });
  }

  /** Trades of a market that were missed were asked for. */
  recovered(market: string, trades: readonly Trade[]): void {
    this.#noteOf({ kind: 'recovered', t: this.time, part: this.part, market, trades });
  }

  /** A book was dropped. */
  resync(market: string, why: string): void {
    this.#noteOf({ kind: 'resync', t: this.time, part: this.part, market, why });
  }

  get time(): number {
    return this.venue.recorder.micros();
  }

  /** What the head of a file says of it. */
  state(): NoteLine[] {
    if (!this.isHeld) return [];
    const t = this.time;
    const books = (this.books?.() ?? []).filter(({ market }) => this.venue.has(this.part, market));
    return [
      ...[...this.#connections].map((one) => one.line(t, true)),
      ...books.map((book) => ({ kind: 'book' as const, t, part: this.part, ...book })),
    ];
  }

  /** Notes what is about a market. */
  #noteOf(note: NoteLine & { market: string }): void {
    if (this.isHeld && this.venue.has(this.part, note.market)) this.venue.note(note);
  }
}

/** Of the connections of this process. */
let lastNumber = 0;

/** Different texts in the order in which they came, as far as there is room. */
class Repeated {
  readonly texts = new Set<string>();
  #room = mostRepeated;

  add(text: string): void {
    if (text.length > this.#room || this.texts.has(text)) return;
    this.texts.add(text);
    this.#room -= text.length;
  }
}

/** What is recorded of one connection. */
export class ConnectionRecording {
  readonly number = ++lastNumber;
  readonly #stream: StreamRecording;
  readonly #url: string;
  #since = 0;
  readonly #sent = new Repeated();
  readonly #earlier = new Repeated();
  /** The markets of which messages are kept; null for all. */
  #wanted: ReadonlySet<string> | null = null;
  #isWanted = false;

  constructor(stream: StreamRecording, url: string) {
    this.#stream = stream;
    const { protocol, host, pathname } = new URL(url);
    // What follows may be a credential.
    this.#url = `${protocol}//${host}${pathname}`;
  }

  get time(): number {
    return this.#stream.time;
  }

  opened(): void {
    this.#since = this.time;
    // The head of a file that this line begins does not name it.
    this.#note(this.line(this.#since, false));
    this.#stream.changed(this, true);
  }

  /** These markets are subscribed to. */
  follow(markets: InstrumentMap): void {
    const { venue } = this.#stream;
    const wanted = [...markets.values()].filter((one) => venue.isWanted(one));
    this.#wanted =
      wanted.length < markets.size ? new Set(wanted.map(({ market }) => market)) : null;
    // By these its messages are read.
    if (this.#stream.isHeld) venue.list();
  }

  sent(text: string): void {
    this.#sent.add(text);
    this.#note({ kind: 'sent', t: this.time, c: this.number, text });
  }

  /** The message that is being read is about a market. */
  note(market: string): void {
    if (this.#wanted?.has(market)) this.#isWanted = true;
  }

  /** Records a message that `take` reads; true where that has data. */
  hear(text: string, take: () => boolean): boolean {
    const at = this.time;
    let hasData = false;
    try {
      hasData = take();
    } finally {
      this.#frame(text, at, hasData);
    }
    return hasData;
  }

  #frame(text: string, t: number, hasData: boolean): void {
    if (!hasData) this.#earlier.add(text);
    const isLeftOut = hasData && this.#wanted !== null && !this.#isWanted;
    this.#isWanted = false;
    if (!isLeftOut && this.#stream.isHeld)
      this.#stream.venue.write(frameLine(t, this.number, text));
  }

  ended(why: string | null): void {
    this.#note({ kind: 'end', t: this.time, c: this.number, why });
    this.#stream.changed(this, false);
  }

  /** The line that says that it is open; at the head of a file with what came before. */
  line(t: number, isHead: boolean): OpenLine {
    const { name: stream, part } = this.#stream;
    const line: OpenLine = { kind: 'open', t, c: this.number, stream, part, url: this.#url };
    if (!isHead) return line;
    return {
      ...line,
      since: this.#since,
      sent: [...this.#sent.texts],
      earlier: [...this.#earlier.texts],
    };
  }

  #note(note: NoteLine): void {
    if (this.#stream.isHeld) this.#stream.venue.note(note);
  }
}
