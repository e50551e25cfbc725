/** Streams by Server-Sent Events: /v1/stream?path=…&path=… (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
import type { HttpRequest, HttpResponse, TemplatedApp } from 'uWebSockets.js';
import type { Message } from '../../live/message.ts';
import { anyVersion, type Subscribed } from '../../live/subscription.ts';
import { type ApiError, errorMembers, isApiError } from '../../wire/errors.ts';
import { firstHeader, type Head } from '../../wire/head.ts';
import { names } from '../../wire/header-names.ts';
import { clientOf } from '../admission-check.ts';
import { wellFramed } from '../framing.ts';
import { headOf, onDisconnect, type Shared } from '../handling.ts';
import { otherMethod, preflight, refuse } from '../refuse.ts';
import { Sender } from '../sender.ts';
import { reconnectWithin } from './close-codes.ts';
import { identityOf, refusalOf } from './credential.ts';
import type { Connection, Live } from './live.ts';
import { queryOf, type StreamQuery } from './request.ts';
import type { Transport } from './session.ts';
import type { Client } from './share.ts';

/** Seconds after which a comment is sent, so that proxies keep the connection. */
const beatEvery = 15;

/**
 * The events for an error of one path. An EventSource dispatches an `error` of its own where the connection is lost, so this one
 * comes as `fault`, and as `error` for clients that know that name.
 */
const faultOf = (rest: string): string => `event: fault\n${rest}event: error\n${rest}`;

const comment = ':\n\n';

/** Writes the events of one client. */
class EventStream implements Transport {
  readonly #res: HttpResponse;
  readonly #paths: readonly string[];
  /** The version of the last event of each path: together they are the id of an event. */
  readonly #versions: string[];
  #blocked = false;
  #beats = 0;
  #over = false;
  /** What is sent once the head is written: until then the request may still be refused. At most a message a path. */
  #waiting: (string | Buffer)[] | null = [];
  readonly #ended: () => void;
  readonly #shared: Pick<Shared, 'unsent' | 'counters'>;
  readonly #client: string;
  /** Bytes that are counted as waiting for the client. */
  #held = 0;

  /** `ended` is called once when the stream is over, whoever has ended it; `client` is the one for whom what waits is counted. */
  constructor(
    res: HttpResponse,
    asked: StreamQuery,
    {
      ended,
      shared,
      client,
    }: { ended: () => void; shared: Pick<Shared, 'unsent' | 'counters'>; client: string },
  ) {
    this.#res = res;
    this.#ended = ended;
    this.#shared = shared;
    this.#client = client;
    this.#paths = asked.paths;
    this.#versions = asked.paths.map((_, at) => asked.versions[at] ?? '');
  }

  get full(): boolean {
    return this.#blocked;
  }

  write({ id }: Subscribed, message: Message, one: string | null): void {
    const at = Number(id);
    const { event, version } = message;
    if (version !== '') this.#versions[at] = one === null ? version : anyVersion;
    const path = JSON.stringify(one ?? this.#paths[at]);
    const versions = this.#versions.join(',');
    const make = () => {
      const rest = `id: ${versions}\ndata: {"path":${path}${message.members}}\n\n`;
      return Buffer.from(event === 'error' ? faultOf(rest) : `event: ${event}\n${rest}`);
    };
    const bytes = message.form(`events ${versions} ${path}`, make);
    this.#shared.counters.streams.sent('events', bytes.length);
    this.#send(bytes);
  }

  /** An error of one path; the others go on. */
  refuse(at: number, error: ApiError): void {
    const path = JSON.stringify(this.#paths[at]);
    this.#send(faultOf(`data: {"path":${path},${errorMembers(error)}}\n\n`));
  }

  fail({ id }: Subscribed, error: ApiError): void {
    this.refuse(Number(id), error);
  }

  /** Writes the head, and what waited for it. */
  open(head: string): void {
    const waiting = this.#waiting;
    if (this.#over || waiting === null) return;
    this.#waiting = null;
    this.#write(`${comment}${waiting.join('')}`, () => {
      this.#res.writeHeader(firstHeader, head);
      this.#res.writeHeader('content-type', 'text/event-stream');
      this.#res.writeHeader('cache-control', 'no-store').writeHeader('x-accel-buffering', 'no');
    });
  }

  /**
   * The client has read more; whether that is all. uWebSockets.js sends the rest of what it has buffered with the next bytes only, so
   * a comment follows.
   */
  read(): boolean {
    if (!this.#over && this.#blocked && this.#res.write(comment)) this.#free();
    return !this.#blocked;
  }

  #free(): void {
    this.#blocked = false;
    if (this.#held === 0) return;
    this.#shared.unsent.release(this.#client, this.#held);
    this.#held = 0;
  }

  /** Sends a sign of life when one is due. Whether the client has not read what was sent. */
  look(): boolean {
    this.#beats = (this.#beats + 1) % beatEvery;
    if (this.#beats === 0) this.#send(comment);
    return this.#blocked;
  }

  end(code: number, reason: string): void {
    if (this.#over) return;
    if (this.#waiting !== null) {
      this.gone();
      this.#res.close();
      return;
    }
    const wait = Math.round(Math.random() * reconnectWithin);
    this.#send(
      `retry: ${wait}\nevent: end\ndata: {"code":${code},"message":${JSON.stringify(reason)}}\n\n`,
    );
    // uWebSockets.js does not say that a response has ended which we end.
    this.gone();
    // With `closeConnection` it would write a header between the chunks.
    this.#res.cork(() => this.#res.end());
  }

  gone(): void {
    if (this.#over) return;
    this.#over = true;
    this.#free();
    this.#ended();
  }

  #send(text: string | Buffer): void {
    if (this.#over) return;
    if (this.#waiting !== null) {
      this.#waiting.push(text);
      return;
    }
    this.#write(text);
  }

  /** Writes behind what `begin` does. Where too much waits for the client, over all its connections, this one ends. */
  #write(text: string | Buffer, begin = () => {}): void {
    let isTaken = false;
    this.#res.cork(() => {
      begin();
      isTaken = this.#res.write(text);
    });
    if (isTaken) {
      this.#free();
      return;
    }
    this.#blocked = true;
    const bytes = Buffer.byteLength(text);
    if (this.#shared.unsent.hold(this.#client, bytes)) {
      this.#held += bytes;
      return;
    }
    this.#shared.counters.streams.closed('unsent');
    this.gone();
    this.#res.close();
  }
}

/** A request for a stream that may begin. */
interface Request {
  res: HttpResponse;
  asked: StreamQuery;
  client: Client;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
  head: Head;
  /** Answers with an error as JSON, before a stream begins. */
  refuse(client: Pick<Client, 'caller' | 'address'>, error: ApiError): void;
}

/** Begins a stream of the paths that can be followed; where none can, the answer is the error of the first. */
async function begin(
  live: Live,
  { res, asked, client, signal, head, refuse }: Request,
): Promise<void> {
  const { shared } = live.context;
  const ended = () => live.remove(connection);
  const stream = new EventStream(res, asked, { ended, shared, client: client.address });
  const session = live.open(client, stream);
  if (isApiError(session)) return refuse(client, session);
  const connection: Connection = { transport: 'events', session, look: () => stream.look() };
  live.add(connection);
  signal.addEventListener('abort', () => stream.gone());
  res.onWritable(() => {
    if (stream.read()) session.flush();
    return true;
  });
  const refusals: ApiError[] = [];
  for (const [at, path] of asked.paths.entries()) {
    const resume = asked.versions[at];
    const refusal = await session.subscribe(at, path, { ...asked.options, resume });
    if (refusal === null) stream.open(head.page);
    else {
      refusals.push(refusal);
      stream.refuse(at, refusal);
    }
  }
  const [first] = refusals;
  if (first === undefined || refusals.length < asked.paths.length || signal.aborted) return;
  stream.gone();
  refuse(client, first);
}

function serveStream(live: Live, sender: Sender, res: HttpResponse, req: HttpRequest): void {
  const { shared } = live.context;
  const { began, visit } = shared.counters;
  const signal = onDisconnect(res, () => {});
  const address = clientOf(shared.guard, res, req);
  const key = req.getHeader(names.key);
  const head = headOf(shared, req);
  const query = req.getQuery() ?? '';
  const asked = queryOf(query, req.getHeader('last-event-id'));
  const ticket = new URLSearchParams(query).get('ticket') ?? '';
  const refuse: Request['refuse'] = (client, error) => {
    const admission = refusalOf(shared, client, error);
    shared.counters.resume(began, visit);
    res.cork(() => sender.error(res, { head, admission, notes: '' }, error));
  };
  const work = async () => {
    const found = isApiError(asked) ? asked : await identityOf(shared, { key, ticket }, address);
    if (signal.aborted) return;
    if (isApiError(asked)) return refuse({ caller: null, address }, asked);
    if (isApiError(found)) return refuse({ caller: null, address }, found);
    await begin(live, { res, asked, client: { address, ...found }, signal, head, refuse });
  };
  void work().catch((error: unknown) => {
    shared.log.error({ route: '/v1/stream', err: error }, 'handler threw');
    if (!signal.aborted) res.close();
  });
}

/** Serves GET /v1/stream. */
export function mountEvents(app: TemplatedApp, live: Live): void {
  const { shared } = live.context;
  const slot = shared.counters.stream;
  const sender = new Sender(shared, { slot, method: 'GET', access: 'key' });
  const serve = (res: HttpResponse, req: HttpRequest) => serveStream(live, sender, res, req);
  const rows = [{ method: 'GET' }] as const;
  app.get('/v1/stream', wellFramed(shared, 'GET', serve));
  app.options('/v1/stream', wellFramed(shared, 'other', preflight(shared, rows)));
  const refusal = refuse(shared, otherMethod(rows), 'other');
  app.any('/v1/stream', wellFramed(shared, 'other', refusal));
}
