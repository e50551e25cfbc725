import {
  App,
  type HttpRequest,
  type HttpResponse,
  type TemplatedApp,
  type us_listen_socket,
  us_listen_socket_close,
  us_socket_local_port,
} from 'uWebSockets.js';
import { STATUS_CODES } from 'node:http';
import { type Clock, systemClock, within } from '../actors/kernel/clock.ts';
import type { Logger } from '../config/log.ts';
import { Counters } from './counters.ts';
import { type Answer, Endpoint, type Surroundings } from './endpoint.ts';
import { type ApiError, apiError, errorBody, errors, isApiError } from './errors.ts';
import { matchesTag } from './etag.ts';
import { createHeads, firstHeader, type Head, type Heads } from './head.ts';
import { listenFault } from './listen-fault.ts';
import type { Raw, Route } from './routes/route.ts';
import type { Snapshot } from './snapshots.ts';
import { allowOf, assertServable, grantOf, rowsByPath } from './table.ts';

export interface ServerOptions {
  routes: readonly Route[];
  host: string;
  /** 0 picks a free one. */
  port: number;
  /** Origins that browsers may read from; `*` for all. */
  cors: { origins: readonly string[] };
  version: string;
  clock?: Clock;
  log?: Pick<Logger, 'info' | 'error'>;
  /** Made for the same rows; give them to read them. */
  counters?: Counters;
}

export interface Server {
  readonly port: number;
  /** Refuses new connections, answers what is in flight, closes the rest; takes less than 10 s. */
  stop(): Promise<void>;
}

type Handler = (res: HttpResponse, req: HttpRequest) => void;

/** Largest request body, bytes. */
const bodyCap = 64 * 1024;

/**
 * Milliseconds that `stop` waits, at most: for idle connections to ask once more and be told to close, for
 * answers in flight, and for the last bytes to leave.
 */
const patience = { idle: 1000, inFlight: 6000, flush: 1000 };

const noSegments: readonly string[] = [];
const statusLine = (status: number) => `${status} ${STATUS_CODES[status]}`;

/** What every handler of one server shares. */
interface Shared extends Surroundings {
  heads: Heads;
  /** Every answer closes its connection. */
  stopping: boolean;
}

/** Writes answers of one row (or none) in one method. Callers see to it that `res` is corked and still there. */
class Sender {
  readonly #shared: Shared;
  readonly #slot: number;
  readonly #bodiless: boolean;

  constructor(shared: Shared, slot: number, method: 'GET' | 'HEAD' | 'other') {
    this.#shared = shared;
    this.#slot = slot;
    this.#bodiless = method === 'HEAD';
  }

  /** `tag` is the request's `If-None-Match`, empty when it has none. */
  answer(res: HttpResponse, head: Head, answer: Answer, tag: string): void {
    if (isApiError(answer)) this.error(res, head, answer);
    else if ('contentType' in answer) this.#page(res, head, answer);
    else this.#snapshot(res, head, answer, tag);
  }

  error(res: HttpResponse, head: Head, error: ApiError): void {
    const { status } = errors[error.error];
    res.writeStatus(statusLine(status)).writeHeader(firstHeader, head.error);
    if (error.retryAfter !== undefined) res.writeHeader('retry-after', String(error.retryAfter));
    if (error.allow !== undefined) res.writeHeader('allow', error.allow);
    this.#end(res, status, Buffer.from(errorBody(error, this.#shared.clock.now())));
  }

  #snapshot(res: HttpResponse, head: Head, snapshot: Snapshot, tag: string): void {
    if (tag !== '' && matchesTag(tag, snapshot.etag)) {
      res.writeStatus('304 Not Modified').writeHeader(firstHeader, head.unchanged);
      res.writeHeader('etag', snapshot.etag);
      endBare(res, this.#shared.stopping);
      this.#shared.counters.answered(this.#slot, 304, 0);
      return;
    }
    res.writeHeader(firstHeader, head.data).writeHeader('etag', snapshot.etag);
    this.#end(res, 200, snapshot.at(this.#shared.clock.now()));
  }

  #page(res: HttpResponse, head: Head, { contentType, body }: Raw): void {
    res.writeHeader(firstHeader, head.page).writeHeader('content-type', contentType);
    this.#end(res, 200, Buffer.from(body));
  }

  #end(res: HttpResponse, status: number, body: Buffer): void {
    const { counters, stopping } = this.#shared;
    counters.answered(this.#slot, status, this.#bodiless ? 0 : body.length);
    if (!this.#bodiless) {
      res.end(body, stopping);
      return;
    }
    res.writeHeader('content-length', String(body.length));
    endBare(res, stopping);
  }
}

/**
 * Ends an answer that has no body. Given any argument, endWithoutBody of this version waits for a body of that
 * length; so the client is only told to close, and `stop` sees to those that do not.
 */
function endBare(res: HttpResponse, closing: boolean): void {
  if (closing) res.writeHeader('connection', 'close');
  res.endWithoutBody();
}

/** The block of headers for a request; its origin matters only where origins are listed. */
const headOf = ({ heads }: Shared, req: HttpRequest): Head =>
  heads.of(heads.anyOrigin ? '' : req.getHeader('origin'));

/** Answers the requests of one row; `method` is HEAD for the same answers without their bodies. */
function serve(shared: Shared, endpoint: Endpoint, method: 'GET' | 'HEAD' | 'other'): Handler {
  const { run } = endpoint;
  const sender = new Sender(shared, endpoint.slot, method);
  return (res, req) => {
    const head = headOf(shared, req);
    const tag = method === 'other' ? '' : req.getHeader('if-none-match');
    const segments = endpoint.segments === 0 ? noSegments : segmentsOf(req, endpoint.segments);
    // The query is undefined when the URL has no question mark, whatever its type says.
    const checked = endpoint.check(req.getQuery() ?? '', segments);
    if (isApiError(checked)) return sender.error(res, head, checked);
    if ('now' in run) return sender.answer(res, head, run.now(checked.values), tag);
    const signal = leaving(res, () => shared.counters.left(endpoint.slot));
    shared.counters.inFlight.add(1);
    void run.later(checked.values, signal).then((answer) => {
      shared.counters.inFlight.add(-1);
      if (!signal.aborted) res.cork(() => sender.answer(res, head, answer, tag));
    });
  };
}

/** A signal that aborts when the client has gone; `res` must not be touched after that. */
function leaving(res: HttpResponse, note: () => void): AbortSignal {
  const client = new AbortController();
  res.onAborted(() => {
    note();
    client.abort();
  });
  return client.signal;
}

const segmentsOf = (req: HttpRequest, count: number): string[] =>
  Array.from({ length: count }, (_, i) => req.getParameter(i) ?? '');

/**
 * Refuses requests that no row takes. A body is read to its end first, so that the client is done sending when
 * the answer comes, but no further than the cap.
 */
function refuse(shared: Shared, error: ApiError): Handler {
  const slot = shared.counters.unmatched;
  const full = new Sender(shared, slot, 'other');
  const bodiless = new Sender(shared, slot, 'HEAD');
  const tooLarge = apiError('too_large');
  return (res, req) => {
    const head = headOf(shared, req);
    const sender = req.getMethod() === 'head' ? bodiless : full;
    const declared = Number(req.getHeader('content-length'));
    if (declared > bodyCap) return sender.error(res, head, tooLarge);
    if (declared === 0 && req.getHeader('transfer-encoding') === '') {
      return sender.error(res, head, error);
    }
    skipBody(res, (fits) => sender.error(res, head, fits ? error : tooLarge));
  };
}

/** Reads a body and drops it; `done` is called, corked, at its end or as soon as it is larger than the cap. */
function skipBody(res: HttpResponse, done: (fits: boolean) => void): void {
  let size = 0;
  let open = true;
  res.onAborted(() => {
    open = false;
  });
  res.onData((chunk, last) => {
    size += chunk.byteLength;
    if (!open || (!last && size <= bodyCap)) return;
    open = false;
    res.cork(() => done(size <= bodyCap));
  });
}

function preflight(shared: Shared, rows: readonly Route[]): Handler {
  const allow = allowOf(rows);
  const grant = grantOf(rows, shared.heads.anyOrigin);
  return (res, req) => {
    res.writeStatus('204 No Content').writeHeader(firstHeader, headOf(shared, req).preflight);
    res.writeHeader('allow', allow).writeHeader('access-control-allow-methods', grant);
    endBare(res, shared.stopping);
    shared.counters.answered(shared.counters.preflight, 204, 0);
  };
}

/**
 * Mounts every row. A path is matched byte by byte: letters in their case, no trailing slash, and only the
 * segments of path parameters are percent-decoded.
 */
function mount(app: TemplatedApp, shared: Shared, routes: readonly Route[]): void {
  for (const [path, rows] of rowsByPath(routes)) {
    const pattern = path.replaceAll(/\{(\w+)\}/g, ':$1');
    for (const row of rows) {
      const endpoint = new Endpoint(row, shared);
      if (row.method === 'POST') app.post(pattern, serve(shared, endpoint, 'other'));
      else if (row.method === 'DELETE') app.del(pattern, serve(shared, endpoint, 'other'));
      else {
        app.get(pattern, serve(shared, endpoint, 'GET'));
        app.head(pattern, serve(shared, endpoint, 'HEAD'));
      }
    }
    app.options(pattern, preflight(shared, rows));
    const allow = allowOf(rows);
    app.any(pattern, refuse(shared, apiError('method_not_allowed', undefined, { allow })));
  }
  app.any('/*', refuse(shared, apiError('not_found')));
  app.filter((_res, change) => shared.counters.connections.add(change));
}

const silent = { info: () => {}, error: () => {} };

/**
 * Serves a route table over HTTP/1.1. Several processes may listen on one port and share its connections.
 * Rejects when the port cannot be had; throws when the table itself is at fault.
 */
export async function createServer(options: ServerOptions): Promise<Server> {
  const { routes, host, port, cors, version, clock = systemClock, log = silent } = options;
  assertServable(routes);
  const counters = options.counters ?? new Counters(routes);
  const shared = { clock, log, counters, heads: createHeads(cors.origins), stopping: false };
  const app = App();
  mount(app, shared, routes);
  const socket = await new Promise<us_listen_socket | false>((resolve) => {
    app.listen(host, port, resolve);
  });
  if (socket === false) throw await listenFault(host, port);
  const bound = us_socket_local_port(socket);
  log.info({ host, port: bound, version, routes: routes.length }, 'listening');

  const stop = async () => {
    shared.stopping = true;
    us_listen_socket_close(socket);
    await within(clock, patience.idle, counters.connections.empty());
    await within(clock, patience.inFlight, counters.inFlight.empty());
    await within(clock, patience.flush, counters.connections.empty());
    app.close();
  };
  let stopped: Promise<void> | undefined;
  return {
    port: bound,
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}
