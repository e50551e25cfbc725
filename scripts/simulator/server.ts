/** The loopback server: `/<host>/<path>` is answered as `https://<host>/<path>` would be. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { Duplex } from 'node:stream';
import { Subscriptions, sendOn, spares } from './channels.ts';
import type { Controlled } from './control.ts';
import { control } from './control.ts';
import type { Reply } from './delivery.ts';
import { deliver, json, send, text } from './delivery.ts';
import type { ActiveFault } from './faults.ts';
import { keep } from './path.ts';
import type { Ask, Route, SimulatedVenue } from './venue.ts';
import { Refused } from './venue.ts';
import { acceptUpgrade } from './websocket.ts';

export interface ServerOptions extends Omit<Controlled, 'venues'> {
  venues: readonly SimulatedVenue[];
  /** Called once per answered request. */
  log?: (line: string) => void;
}

interface Target {
  host: string;
  path: string;
  query: URLSearchParams;
}

/** Host (without a port), path and query of a request. */
function targetOf(url: string): Target {
  const { pathname, searchParams } = new URL(url, 'http://simulator');
  const end = pathname.indexOf('/', 1);
  const host = pathname.slice(1, end < 0 ? undefined : end).replace(/:\d+$/, '');
  return { host, path: end < 0 ? '/' : pathname.slice(end), query: searchParams };
}

const maxBody = 64 * 1024;

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= maxBody) chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** The venues of each host, in the order in which they are asked whether a path is theirs. */
function byHost(venues: readonly SimulatedVenue[]): ReadonlyMap<string, SimulatedVenue[]> {
  const hosts = new Map<string, SimulatedVenue[]>();
  for (const venue of venues) {
    for (const host of venue.hosts) hosts.set(host, [...(hosts.get(host) ?? []), venue]);
  }
  return hosts;
}

/** The venue that answers a path of a host; the first venue of the host refuses unknown paths. */
function answering(venues: readonly SimulatedVenue[], path: string) {
  for (const venue of venues) {
    const route = venue.route(path);
    if (route) return { venue, route };
  }
  const [venue] = venues;
  return venue && { venue, route: undefined };
}

/** Everything the server does, without the sockets' life. */
class Gateway {
  readonly #options: ServerOptions;
  readonly #hosts: ReadonlyMap<string, SimulatedVenue[]>;
  readonly #controlled: Controlled;
  readonly #answers = new Map<string, Reply>();
  #answersAt = Number.NaN;

  constructor(options: ServerOptions) {
    this.#options = options;
    const { model, venues } = options;
    this.#hosts = byHost(venues);
    const ids = venues.map(({ id }) => id);
    const listed = ids.filter((id) => model.markets(id, model.now()).length > 0);
    this.#controlled = { ...options, venues: listed };
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = request.method ?? 'GET';
    const body = await bodyOf(request);
    const target = targetOf(request.url ?? '/');
    const { host, path, query } = target;
    if (host === '_control')
      return send(response, control(this.#controlled, { method, path, query, body }));
    const found = answering(this.#hosts.get(host) ?? [], path);
    if (!found) return send(response, json({ error: `unknown host ${host}` }, 404));
    const { venue } = found;
    const fault = this.#options.faults.hit(host, path, query);
    const reply = this.#reply(found, target, { method, body, fault });
    this.#options.log?.(`${method} ${request.url} ${reply.status} ${fault?.kind ?? ''}`.trimEnd());
    if (!fault) return send(response, reply);
    return deliver({ response, reply, venue, fault });
  }

  upgrade(request: IncomingMessage, socket: Duplex): void {
    const { host, path } = targetOf(request.url ?? '/');
    const venue = this.#hosts.get(host)?.find(({ channels }) => channels !== undefined);
    const { channels, reply } = venue ?? {};
    if (!channels) {
      socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    const fault = this.#options.faults.hit(host, path);
    if (fault?.kind === 'stall') return;
    if (fault && !spares(fault.kind)) {
      socket.destroy();
      return;
    }
    let subscriptions: Subscriptions | undefined;
    acceptUpgrade(request, socket, {
      text: (message, connection) => {
        for (const frame of reply?.(message) ?? []) sendOn(connection, channels, frame);
        subscriptions ??= new Subscriptions({ ...this.#options, channels, connection, host, path });
        subscriptions.hear(message);
      },
      closed: () => subscriptions?.end(),
    });
  }

  #reply(
    { venue, route }: { venue: SimulatedVenue; route: Route | undefined },
    { path, query }: Target,
    { method, body, fault }: { method: string; body: string; fault: ActiveFault | undefined },
  ): Reply {
    if (!route) return json({ error: `unknown path ${path}` }, 404);
    const { model } = this.#options;
    const now = fault?.kind === 'frozen' ? fault.since : model.now();
    return this.#answer(venue, route, { method, path, query, body, now, model });
  }

  /** Answers of one second are kept, at most 256 of them, so that a bulk body is built once. */
  #answer(venue: SimulatedVenue, route: Route, ask: Ask): Reply {
    const key = `${ask.now} ${venue.id} ${ask.method} ${ask.path}?${ask.query} ${ask.body}`;
    const second = ask.model.now();
    if (this.#answersAt !== second) this.#answers.clear();
    this.#answersAt = second;
    const known = this.#answers.get(key);
    if (known) return known;
    const made = answered(route, ask);
    keep(this.#answers, key, made, 256);
    return made;
  }
}

function answered(route: Route, ask: Ask): Reply {
  try {
    const answer = route.answer(ask);
    return typeof answer === 'string' ? text(answer, 'text/csv') : json(answer);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return json(error.refusal.body, error.refusal.status);
  }
}

/** A server that is not listening yet, and the function that ends it with every connection it has. */
export function simulatorServer(options: ServerOptions): { server: Server; stop(): Promise<void> } {
  const gateway = new Gateway(options);
  const upgraded = new Set<Duplex>();
  const server = createServer((request, response) => {
    gateway.handle(request, response).catch((error: unknown) => {
      options.log?.(`simulator failed: ${error instanceof Error ? error.stack : String(error)}`);
      if (!response.headersSent) send(response, json({ error: 'the simulator failed' }, 500));
      else response.destroy();
    });
  });
  server.on('upgrade', (request, socket, head) => {
    upgraded.add(socket);
    socket.on('close', () => upgraded.delete(socket));
    socket.on('error', () => socket.destroy());
    if (head.length > 0) socket.unshift(head);
    gateway.upgrade(request, socket);
  });
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
      for (const socket of upgraded) socket.destroy();
    });
  return { server, stop };
}
