/** One exchange of a replay: plays the lines of its recording at their times. */
import type { WebSocket } from 'ws';
import { type Clock, sleep } from '../../kernel/clock.ts';
import { continues, type RecordLine, requestText } from '../../sources/recording/format.ts';
import type { Venue } from '../../sources/venue.ts';
import { linesIn, linesOfFile, type Range } from '../reader.ts';
import { type ReplayedStream, replayedStreams } from '../streams.ts';
import { Bodies } from './bodies.ts';
import {
  type OpenConnection,
  OpenConnections,
  PlayedSocket,
  placeOf,
  subscriptionsIn,
} from './connections.ts';

/** How long before the range the recording is read, ms: lists are polled once an hour. */
const lead = 65 * 60_000;
/** For how long after the start bodies are waited for that are not known, ms. */
const beginning = 8_000;
/** What a socket gets from before its time: what came after the opening, with acknowledgements, and the latest rows, microseconds. */
const opening = 5_000_000;
const latest = 60_000_000;

export interface ExchangeOptions {
  folder: string;
  venue: Venue;
  range: Range;
  clock: Clock;
}

/** How the requests for whole books begin. */
const bookRequests = (streams: Iterable<ReplayedStream>): string[] =>
  [...streams].flatMap((of) => {
    const request = of.kind === 'books' ? of.stream.snapshot?.request('MARKET') : undefined;
    return request ? [requestText(request).replace(/MARKET.*/, '')] : [];
  });

/** Whether a line says what there was when its file began. */
const isOfHead = (line: RecordLine): boolean =>
  ['file', 'instruments', 'book'].includes(line.kind) ||
  (line.kind === 'open' && line.since !== undefined);

export class ReplayedExchange {
  readonly bodies = new Bodies();
  /** Resolves when the time of the replay is reached. */
  readonly ready: Promise<void>;
  readonly #options: ExchangeOptions;
  readonly #streams: ReadonlyMap<string, ReplayedStream>;
  /** How requests for whole books begin. */
  readonly #books: readonly string[];
  readonly #connections = new OpenConnections();
  #begun = () => {};
  /** The file that is read, how many of its lines were, and whether these are its head. */
  #file = '';
  #line = 0;
  #isHead = false;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.#streams = replayedStreams(options.venue);
    this.#books = bookRequests(this.#streams.values());
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ready = promise;
    this.#begun = resolve;
  }

  /** Plays the recording; resolves at its end, or when the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    const { folder, venue, range } = this.#options;
    const read = { from: range.from - lead, to: range.to };
    for await (const lines of linesIn(folder, venue.id, read))
      for (const line of lines) {
        const time = line.t / 1_000;
        if (time >= range.from) this.#begun();
        if (!(await this.#reaches(time, signal))) return;
        this.#take(line);
      }
    this.#begun();
  }

  /** Waits for a time (Unix ms); false where the signal is aborted. */
  async #reaches(time: number, signal: AbortSignal): Promise<boolean> {
    const { clock } = this.#options;
    for (let wait = time - clock.now(); wait > 0; wait = time - clock.now()) {
      await sleep(clock, Math.ceil(wait), signal);
      if (signal.aborted) return false;
    }
    return true;
  }

  /** Whether the recording may bring the body of a request soon: at the start, and of books that are asked for. */
  awaits(request: string): boolean {
    const isEarly = this.#options.clock.now() < this.#options.range.from + beginning;
    return isEarly || this.#books.some((text) => request.startsWith(text));
  }

  /** Whether a stream of it is at this host and path. */
  has(place: string): boolean {
    return [...this.#streams.values()].some(({ stream }) => placeOf(stream.url) === place);
  }

  /** Takes a socket of the service. */
  open(place: string, client: WebSocket): void {
    const socket = new PlayedSocket(place, client);
    const streams = [...this.#streams.values()].map(({ stream }) => stream);
    const idle = new Set(
      streams.flatMap(({ opening: first = [], keepAlive }) => [...first, keepAlive?.message]),
    );
    this.#connections.add(socket);
    client.on('error', () => client.terminate());
    client.on('close', () => this.#connections.remove(socket));
    client.on('message', (data) => {
      const text = String(data);
      if (socket.of || idle.has(text)) return;
      for (const channel of subscriptionsIn(text)) socket.channels.add(channel);
      this.#match();
    });
  }

  #take(line: RecordLine): void {
    const isHead = isOfHead(line);
    // Who waits for a connection gets the books of the head as well.
    if (this.#isHead && !isHead) this.#match();
    this.#isHead = isHead;
    this.#line += 1;
    this.#play(line);
    if (!isHead && line.kind !== 'frame') this.#match();
  }

  #play(line: RecordLine): void {
    if (line.kind === 'frame') {
      for (const socket of this.#connections.get(line.c)?.sockets ?? []) socket.push(line.text);
    } else if (line.kind === 'poll') this.#poll(line);
    else if (line.kind === 'whole') this.#whole(line);
    else if (line.kind === 'file') this.#head(line);
    else if (line.kind === 'open') this.#connections.open(line, this.#line);
    else if (line.kind === 'sent') this.#connections.sent(line.c, line.text);
    else if (line.kind === 'end') this.#connections.end(line.c);
    else if (line.kind === 'lost') this.#lose();
  }

  /** Lines are missing: books are known again at the head of the next file. */
  #lose(): void {
    this.#connections.lose(({ stream }) => this.#streams.get(stream)?.kind === 'books');
  }

  /** A file that does not continue the one before has connections of its own, and asks for everything anew. */
  #head(line: Extract<RecordLine, { kind: 'file' }>): void {
    if (!continues(line, this.#file)) {
      this.#connections.lose(() => true);
      this.bodies.clear();
    }
    this.#file = line.name ?? '';
    this.#line = 1;
  }

  #poll({ requests = [], bodies }: Extract<RecordLine, { kind: 'poll' }>): void {
    for (const [at, request] of requests.entries()) this.bodies.put(request, bodies[at] ?? null);
  }

  #whole({ part, market, body }: Extract<RecordLine, { kind: 'whole' }>): void {
    const of = this.#streams.get(`books/${part}`);
    const request = of?.kind === 'books' ? of.stream.snapshot?.request(market) : undefined;
    if (request) this.bodies.put(requestText(request), body);
  }

  #match(): void {
    for (const socket of this.#connections.matched()) this.#begin(socket);
  }

  #begin(socket: PlayedSocket): void {
    if (socket.of) void socket.begin(this.#before(socket.of));
  }

  /** What a connection had brought until now that the service needs. */
  async *#before(connection: OpenConnection): AsyncGenerator<string> {
    const { folder, range, clock } = this.#options;
    const { number, stream, earlier, line: first, since } = connection;
    const kind = this.#streams.get(stream)?.kind;
    const now = clock.now() * 1_000;
    const end = this.#line;
    const lines = linesOfFile(folder, this.#file, range.to);
    const isWanted = (t: number) =>
      kind === 'books' || t < since + opening || (kind === 'rows' && t > now - latest);
    const textOf = (line: RecordLine): string[] => {
      if (!('c' in line) || line.c !== number) return [];
      if (line.kind === 'book') return [JSON.stringify(line)];
      return line.kind === 'frame' && isWanted(line.t) ? [line.text] : [];
    };
    yield* earlier;
    let at = 0;
    for await (const some of lines) {
      yield* some.slice(Math.max(0, first - at), Math.max(0, end - at)).flatMap(textOf);
      at += some.length;
      if (at >= end) return;
    }
  }
}
