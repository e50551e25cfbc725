/** One follower of a relay: its requests are answered one after the other, as Redis does. */
import type { Socket } from 'node:net';
import type { Clock } from '../../kernel/clock.ts';
import { reason } from '../log.ts';
import { type HeldTopics, RequestError, type StreamRead, streamReadOf } from './held-topics.ts';
import type { Reply } from './resp.ts';
import * as resp from './resp.ts';

/** What the connections of a relay share. */
export interface Source {
  held: HeldTopics;
  clock: Clock;
  /** Whether what is held is complete and followed. */
  isUp(): boolean;
  /** The newest number of a log, as Redis has it: what a follower has from elsewhere may be newer than what is held. */
  published(name: string): Promise<Reply>;
}

/** Requests of one follower that wait, at most: it sends the next one when it has the reply. */
const mostWaiting = 64;
/** How long a reply may wait for its reader, ms. */
const patience = 5_000;

/** Redis' answer to INFO while it reads its data: the client asks again after that time, and is not ready before. */
const loading = 'loading:1\r\nloading_eta_seconds:0.1\r\n';

export class Connection {
  readonly #socket: Socket;
  readonly #source: Source;
  readonly #requests = new resp.Requests();
  #queue: string[][] = [];
  #transaction: string[][] | null = null;
  #reading: { read: StreamRead; until: number } | null = null;
  #hasRead = false;
  /** A request that Redis is asked for. */
  #isAsking = false;
  /** Since when a reply waits for its reader, Unix ms. */
  #unread: number | null = null;

  constructor(socket: Socket, source: Source) {
    this.#socket = socket;
    this.#source = source;
    socket.on('data', (chunk) => this.#take(chunk));
    socket.on('drain', () => {
      this.#unread = null;
      this.#work();
    });
    socket.on('error', () => socket.destroy());
  }

  /** Gives a waiting read what has come. `found` has the replies that others have got for the same read. */
  wake(found: Map<string, Reply | null>): void {
    if (this.#reading === null) return;
    const { read } = this.#reading;
    const known = found.get(read.same);
    const reply = known === undefined ? this.#source.held.read(read) : known;
    found.set(read.same, reply);
    if (reply === null) return;
    this.#reading = null;
    this.#write(reply);
    this.#work();
  }

  /** Answers a read that has waited long enough; ends a connection whose reader takes nothing. */
  check(now: number): void {
    if (this.#unread !== null && now - this.#unread >= patience) this.end();
    if (this.#reading === null || now < this.#reading.until) return;
    this.#reading = null;
    this.#write(resp.noList);
    this.#work();
  }

  /** Ends the connection where it has read anything. */
  cut(): void {
    if (this.#hasRead) this.end();
  }

  end(): void {
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    try {
      this.#queue.push(...this.#requests.take(chunk));
    } catch {
      this.end();
    }
    if (this.#queue.length > mostWaiting) this.end();
    this.#work();
  }

  #work(): void {
    while (this.#reading === null && !this.#isAsking && this.#unread === null) {
      const request = this.#queue.shift();
      if (request === undefined || this.#socket.destroyed) return;
      const reply = this.#reply(request);
      if (reply !== null) this.#write(reply);
    }
  }

  /** The reply to a request; null where it comes later, or the connection has ended. */
  #reply(request: readonly string[]): Reply | null {
    const [command = '', name = ''] = request;
    switch (command.toUpperCase()) {
      case 'PING':
        return resp.status('PONG');
      case 'CLIENT':
      case 'SELECT':
        return resp.status('OK');
      case 'INFO':
        return resp.text(this.#source.isUp() ? '' : loading);
    }
    if (this.#source.isUp()) return this.#read(command.toUpperCase(), name, request);
    this.end();
    return null;
  }

  #read(command: string, name: string, request: readonly string[]): Reply | null {
    this.#hasRead = true;
    if (command === 'MULTI') {
      this.#transaction = [];
      return resp.status('OK');
    }
    if (command === 'EXEC') {
      const requests = this.#transaction ?? [];
      this.#transaction = null;
      return resp.list(requests.map((one) => this.#answer(one)));
    }
    if (this.#transaction !== null) {
      this.#transaction.push([...request]);
      return resp.status('QUEUED');
    }
    if (command === 'XREAD') return this.#readStreams(request);
    if (command !== 'GET' || !this.#source.held.isLogNumber(name)) return this.#answer(request);
    void this.#ask(name);
    return null;
  }

  #readStreams(request: readonly string[]): Reply | null {
    try {
      const read = streamReadOf(request);
      const reply = this.#source.held.read(read);
      if (reply !== null || read.block === null) return reply ?? resp.noList;
      this.#reading = { read, until: this.#source.clock.now() + read.block };
      return null;
    } catch (error) {
      return failure(error);
    }
  }

  async #ask(name: string): Promise<void> {
    this.#isAsking = true;
    const reply = await this.#source.published(name).catch(() => null);
    this.#isAsking = false;
    if (reply === null) this.end();
    else this.#write(reply);
    this.#work();
  }

  #answer(request: readonly string[]): Reply {
    try {
      return this.#source.held.answer(request);
    } catch (error) {
      return failure(error);
    }
  }

  #write(reply: Reply): void {
    if (this.#socket.destroyed) return;
    this.#socket.cork();
    for (const piece of reply) this.#socket.write(piece);
    this.#socket.uncork();
    if (this.#socket.writableNeedDrain) this.#unread = this.#source.clock.now();
  }
}

/** A fault of the request as a reply; throws any other. */
function failure(error: unknown): Reply {
  if (error instanceof RequestError) return resp.error(`ERR ${reason(error)}`);
  throw error;
}
