import {
  App,
  type TemplatedApp,
  type us_listen_socket,
  us_listen_socket_close,
  us_socket_local_port,
} from 'uWebSockets.js';
import { type Clock, systemClock, within } from '../actors/kernel/clock.ts';
import type { Logger } from '../config/log.ts';
import type { Gate } from './caller.ts';
import { Counters } from './counters.ts';
import { Endpoint } from './endpoint.ts';
import { type ApiError, apiError } from './errors.ts';
import { createHeads } from './head.ts';
import { listenFault } from './listen-fault.ts';
import { createAddressOf, createIsLocal } from './quota/address.ts';
import type { Quota } from './quota/quota.ts';
import type { Route } from './routes/route.ts';
import { assertServable, rowsByPath } from './table.ts';
import { Crowd } from './wire/crowd.ts';
import { otherMethod, preflight, refuse } from './wire/refuse.ts';
import { serve } from './wire/serve.ts';
import type { Shared } from './wire/shared.ts';

export interface ServerOptions {
  routes: readonly Route[];
  host: string;
  /** 0 picks a free one. */
  port: number;
  /** Origins that browsers may read from; `*` for all. */
  cors: { origins: readonly string[] };
  version: string;
  /** Tells who makes a request. Without it, rows for API keys are open and rows for bearers are refused at start. */
  gate?: Gate | undefined;
  /** Counts requests; its headers are on every answer. Without it nothing is counted. */
  quota?: Quota | undefined;
  /** Addresses and CIDR ranges of the proxies whose `X-Forwarded-For` is believed; none when absent. */
  trustedProxies?: readonly string[];
  /** Rows for clients on this machine (`/metrics`) are for everyone. */
  publicMetrics?: boolean;
  /** Requests of one client address that may wait for upstreams or for their body at once; 512 when absent. */
  inFlightPerAddress?: number;
  /** Bytes of request bodies that are held at once; 64 MiB when absent. */
  bodyMemory?: number;
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

/**
 * Milliseconds that `stop` waits, at most: for idle connections to ask once more and be told to close, for
 * answers in flight, and for the last bytes to leave.
 */
const patience = { idle: 1000, inFlight: 6000, flush: 1000 };

function refuseReads(app: TemplatedApp, pattern: string, shared: Shared, error: ApiError): void {
  app.get(pattern, refuse(shared, error, 'GET'));
  app.head(pattern, refuse(shared, error, 'HEAD'));
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
    const refusal = otherMethod(rows);
    // Without these a GET of such a path would be taken by the one for all paths.
    if (!rows.some(({ method }) => method === 'GET')) refuseReads(app, pattern, shared, refusal);
    app.any(pattern, refuse(shared, refusal, 'other'));
  }
  const nothing = apiError('not_found');
  refuseReads(app, '/*', shared, nothing);
  app.any('/*', refuse(shared, nothing, 'other'));
  app.filter((_res, change) => shared.counters.connections.add(change));
}

const silent = { info: () => {}, error: () => {} };

/**
 * Serves a route table over HTTP/1.1. Several processes may listen on one port and share its connections.
 * Rejects when the port cannot be had; throws when the table itself is at fault.
 */
export async function createServer(options: ServerOptions): Promise<Server> {
  const { routes, host, port, cors, version, clock = systemClock, log = silent } = options;
  const { gate, quota, trustedProxies = [], inFlightPerAddress = 512 } = options;
  const { bodyMemory = 64 * 1024 * 1024, publicMetrics = false } = options;
  assertServable(routes, { gated: gate !== undefined });
  const counters = options.counters ?? new Counters(routes);
  const shared: Shared = {
    clock,
    log,
    counters,
    heads: createHeads(cors.origins),
    guard: {
      gate,
      quota,
      addressOf: createAddressOf(trustedProxies),
      isLocal: publicMetrics ? () => true : createIsLocal(trustedProxies),
    },
    bodies: { held: 0, most: bodyMemory },
    crowd: new Crowd(inFlightPerAddress),
    stopping: false,
  };
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
