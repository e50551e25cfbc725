import {
  App,
  type TemplatedApp,
  type us_listen_socket,
  us_listen_socket_close,
  us_socket_local_port,
} from 'uWebSockets.js';
import { type Clock, systemClock, within } from '../../actors/kernel/clock.ts';
import type { Logger } from '../../config/log.ts';
import type { Interval } from '../../config/pace.ts';
import type { Deliveries } from '../answers/deliveries.ts';
import type { Gate } from '../auth/caller.ts';
import { Counters } from '../endpoints/counters.ts';
import type { EndpointContext } from '../endpoints/endpoint.ts';
import { assertServable } from '../endpoints/route-table.ts';
import type { Publish } from '../live/audience.ts';
import type { SymbolList } from '../live/paths.ts';
import { Topics } from '../live/topics.ts';
import { createAddressOf, createIsLocal } from '../quota/address.ts';
import type { Quota } from '../quota/quota.ts';
import { apiError } from '../wire/errors.ts';
import { createHeads } from '../wire/head.ts';
import { Held, type HeldBounds } from '../wire/held.ts';
import { InFlightCounts } from '../wire/in-flight.ts';
import { AccessLog } from './access-log.ts';
import { Files } from './files.ts';
import type { Shared } from './handling.ts';
import { mountMcp } from './mcp.ts';
import { type Mounted, mount, mountStreams } from './mount.ts';
import { Live } from './streams/live.ts';

export interface ServerOptions extends Mounted {
  host: string;
  /** 0 picks a free one. */
  port: number;
  /** Origins that browsers may read from; `*` for all. */
  cors: { origins: readonly string[] };
  /** Every answer says that its data are simulated. */
  simulated?: boolean;
  version: string;
  /** Identifies the caller. Without it, rows for API keys are open and rows for bearers are refused at start. */
  gate?: Gate | undefined;
  /** Counts requests; its headers are on every answer. Without it nothing is counted. */
  quota?: Quota | undefined;
  /** Addresses and CIDR ranges of the proxies whose `X-Forwarded-For` is trusted; none when absent. */
  trustedProxies?: readonly string[];
  /** Opens the rows for clients on this machine (`/metrics`) to all clients. */
  publicMetrics?: boolean;
  /** Requests of one client address that may wait for upstreams or for their body at once; 512 when absent. */
  inFlightPerAddress?: number;
  /** When what has changed of the answers that clients follow is sent: ms between two looks at it, or `auto`, also when absent. */
  liveInterval?: Interval;
  /** Streams, and subscriptions, of one client address without a key; 64 and 2,000 when absent. */
  mostStreams?: number;
  /** Measures how long values take to the clients of streams; nothing does when absent. */
  deliveries?: Deliveries;
  /** The symbols that `symbol=*` means in a path that is followed; none when absent. */
  symbols?: SymbolList;
  /** Bytes of answers that may wait for slow readers; 256 MiB, and 64 MiB of one client, when absent. */
  unsent?: HeldBounds;
  /** Bytes of request bodies that are held at once; 64 MiB, and 16 MiB of one client, when absent. */
  bodies?: HeldBounds;
  clock?: Clock;
  log?: Pick<Logger, 'info' | 'error'>;
  /** Share of the requests that are logged, from 0 to 1, where requests have ids; null, or absent, where they have none. */
  accessLog?: number | null;
  /** Must be made for the same rows. Pass them to read them. */
  counters?: Counters;
  /** Answers the rows with queries; without it they are not available. */
  queries?: EndpointContext['queries'];
}

export interface Server {
  readonly port: number;
  /** Call it after each change of keys: streams of a key that is not valid any more end. */
  checkKeys(): void;
  /** Refuses new connections, answers what is in flight, closes the rest; takes less than 10 s. */
  stop(): Promise<void>;
}

/**
 * Milliseconds that `stop` waits at most: for idle connections to send one more request and receive
 * `connection: close`, for answers in flight, and for the last bytes to leave.
 */
const patience = { idle: 1000, inFlight: 6000, flush: 1000 };

/** The values of absent options. */
export const serverDefaults = {
  inFlightPerAddress: 512,
  bodies: { most: 64 * 1024 * 1024, ofClient: 16 * 1024 * 1024 },
  unsent: { most: 256 * 1024 * 1024, ofClient: 64 * 1024 * 1024 },
};

const noQueries: EndpointContext['queries'] = {
  read: () => apiError('store_unavailable'),
  once: async () => apiError('store_unavailable'),
  known: () => null,
};
const silent = { info: () => {}, error: () => {} };

/** Sends to all who take part in a group. */
const publishTo =
  (app: TemplatedApp, { streams }: Counters): Publish =>
  (group, { bytes, isBinary }, members) => {
    app.publish(group, bytes, isBinary);
    streams.sent('socket', bytes.length, members);
  };

/**
 * Resolves right after uWebSockets.js has accepted all connections that the kernel holds ready: it does so at the
 * beginning of each turn of the event loop. The kernel resets those that it still holds when the port is closed.
 */
async function acceptWaiting(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** A port that is not available: uWebSockets.js does not say why. */
export class ListenError extends Error {}

/** What all requests and streams of a server share. */
function sharedBy(app: TemplatedApp, options: ServerOptions): Shared {
  const { cors, clock = systemClock, log = silent, simulated = false } = options;
  const { gate, quota, trustedProxies = [], queries = noQueries } = options;
  const { inFlightPerAddress = serverDefaults.inFlightPerAddress, accessLog = null } = options;
  const counters = options.counters ?? new Counters(options.routes, clock);
  return {
    clock,
    log,
    counters,
    queries,
    heads: createHeads(cors.origins, simulated),
    guard: {
      gate,
      quota,
      addressOf: createAddressOf(trustedProxies),
      isProxied: trustedProxies.length > 0,
      isLocal: options.publicMetrics ? null : createIsLocal(trustedProxies),
    },
    access:
      accessLog === null ? null : new AccessLog({ share: accessLog, random: Math.random, log }),
    bodies: new Held(options.bodies ?? serverDefaults.bodies),
    unsent: new Held(options.unsent ?? serverDefaults.unsent),
    inFlight: new InFlightCounts(),
    inFlightPerAddress,
    topics: new Topics({
      ...{ clock, every: options.liveInterval ?? 'auto', symbols: options.symbols, log },
      publish: publishTo(app, counters),
      deliveries: options.deliveries,
    }),
    files: new Files({ clock, log }),
    waiting: new Set(),
    stopping: false,
  };
}

/**
 * Serves a route table over HTTP/1.1. Several processes may listen on one port and share its connections.
 * Rejects with a ListenError when the port is not available; throws when the table has a fault.
 */
export async function createServer(options: ServerOptions): Promise<Server> {
  const { routes, host, port, cors, version, simulated = false } = options;
  assertServable(routes, { gated: options.gate !== undefined });
  const app = App();
  const shared = sharedBy(app, options);
  const { clock, log, counters } = shared;
  const endpoints = mount(app, shared, options);
  shared.topics.serve(endpoints);
  mountMcp(app, shared, { endpoints, version, simulated, origins: cors.origins });
  const live = new Live(shared, options.mostStreams);
  mountStreams(app, live, options);
  const socket = await new Promise<us_listen_socket | false>((resolve) => {
    app.listen(host, port, resolve);
  });
  if (socket === false) throw new ListenError(`port ${port} on ${host} is not available`);
  const bound = us_socket_local_port(socket);
  log.info({ host, port: bound, version, routes: routes.length }, 'listening');

  const stop = async () => {
    shared.stopping = true;
    live.stop();
    const freed = shared.files.stop();
    for (const end of [...shared.waiting]) end();
    await acceptWaiting();
    us_listen_socket_close(socket);
    await within(clock, patience.idle, counters.connections.empty());
    await within(clock, patience.inFlight, counters.inFlight.empty());
    await within(clock, patience.flush, freed);
    await within(clock, patience.flush, counters.connections.empty());
    app.close();
  };
  let stopped: Promise<void> | undefined;
  return {
    port: bound,
    checkKeys: () => live.checkKeys(),
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}
