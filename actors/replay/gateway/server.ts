/** Serves recordings at `UPSTREAM_GATEWAY`, as if their time was now: the newest body of each poll, and the frames of streams. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { WebSocketServer } from 'ws';
import type { Clock } from '../../kernel/clock.ts';
import { httpTarget } from '../../upstream/gateway.ts';
import { type ExchangeOptions, ReplayedExchange } from './exchange.ts';

/** For how long a request waits for a body that the recording may bring, ms: less than its deadline. */
const patience = 8_000;

export interface ReplayOptions extends Omit<ExchangeOptions, 'venue'> {
  venues: readonly ExchangeOptions['venue'][];
}

/** The start of the path of each API of an exchange, behind a gateway. */
function prefixesOf({ apis }: ExchangeOptions['venue']): [prefix: string, api: string][] {
  return Object.entries(apis).flatMap(([api, { hosts }]) =>
    hosts.map((host): [string, string] => [httpTarget(host, 'http://gateway').prefix, api]),
  );
}

class Gateway {
  readonly #exchanges: readonly { one: ReplayedExchange; prefixes: [string, string][] }[];
  readonly #clock: Clock;
  readonly #sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });

  constructor({ venues, clock, range, folder }: ReplayOptions) {
    this.#clock = clock;
    this.#exchanges = venues.map((venue) => ({
      one: new ReplayedExchange({ venue, clock, range, folder }),
      prefixes: prefixesOf(venue),
    }));
  }

  get exchanges(): ReplayedExchange[] {
    return this.#exchanges.map(({ one }) => one);
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, search } = new URL(request.url ?? '/', 'http://gateway');
    const body = await text(request);
    const asked = this.#exchanges.flatMap(({ one, prefixes }) =>
      prefixes
        .filter(([prefix]) => pathname.startsWith(`${prefix}/`))
        .map(([prefix, api]) => {
          const path = pathname.slice(prefix.length);
          return { one, wanted: `${api} ${path}${search}${body === '' ? '' : ` ${body}`}` };
        }),
    );
    const known = asked.find(({ one, wanted }) => one.bodies.has(wanted));
    const coming = asked.find(({ one, wanted }) => one.awaits(wanted)) ?? null;
    if (known) send(response, known.one.bodies.get(known.wanted));
    else if (coming === null) send(response, undefined);
    else {
      const { one, wanted } = coming;
      const reply = () => send(response, one.bodies.get(wanted));
      const cancels = [one.bodies.onNext(wanted, reply), this.#clock.after(patience, reply)];
      response.once('close', () => {
        for (const cancel of cancels) cancel();
      });
    }
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { pathname } = new URL(request.url ?? '/', 'http://gateway');
    const place = pathname.slice(1);
    const found = this.exchanges.find((one) => one.has(place));
    if (found === undefined) socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n');
    else this.#sockets.handleUpgrade(request, socket, head, (client) => found.open(place, client));
  }

  close(): void {
    for (const client of this.#sockets.clients) client.terminate();
  }
}

/** Answers with a body: null for a request that has failed, undefined where there is none. */
function send(response: ServerResponse, body: unknown): void {
  const status = body === undefined ? 404 : body === null ? 503 : 200;
  response.writeHead(status, { 'content-type': 'application/json' });
  const shown = status === 200 ? body : { error: 'this was not recorded' };
  response.end(typeof shown === 'string' ? shown : JSON.stringify(shown));
}

/**
 * A server that is not listening yet. `ready` resolves when it knows all that was known at the start of the range; `stop` ends it
 * with every connection.
 */
export function replayServer(options: ReplayOptions): {
  server: Server;
  ready: Promise<unknown>;
  stop(): Promise<void>;
} {
  const gateway = new Gateway(options);
  const ending = new AbortController();
  const server = createServer((request, response) => {
    gateway.answer(request, response).catch(() => response.destroy());
  });
  server.on('upgrade', (...asked) => gateway.upgrade(...asked));
  for (const one of gateway.exchanges)
    one.run(ending.signal).catch((error: unknown) => server.emit('error', error));
  return {
    server,
    ready: Promise.all(gateway.exchanges.map((one) => one.ready)),
    async stop() {
      ending.abort();
      gateway.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
