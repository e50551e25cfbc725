import { once } from 'node:events';
import net from 'node:net';
import type { Test } from 'tap';
import { request } from 'undici';
import { JsonText } from '../../http/answers/json-text.ts';
import type { Question } from '../../http/answers/queries.ts';
import { Snapshot, snapshotOf } from '../../http/answers/snapshots.ts';
import { type Memory, Source } from '../../http/answers/source.ts';
import { type Call, type Done, type Route, route } from '../../http/endpoints/route.ts';
import { createServer, type Server, type ServerOptions } from '../../http/server/server.ts';
import { type ApiError, apiError } from '../../http/wire/errors.ts';
import { FakeClock } from './clock.ts';

/** A running server with its clock, which stands still unless the test moves it, and its base URL. */
export interface TestServer extends Server {
  clock: FakeClock;
  url: string;
  /** Stops it without waiting for connections that are kept alive. */
  end(): Promise<void>;
}

/** A server on a free port of loopback, which ends with the test. */
export async function startServer(
  t: Pick<Test, 'teardown'>,
  routes: readonly Route[],
  { clock = new FakeClock(), ...more }: Partial<ServerOptions> & { clock?: FakeClock } = {},
): Promise<TestServer> {
  const server = await createServer({
    routes,
    host: '127.0.0.1',
    port: 0,
    cors: { origins: ['*'] },
    version: 'test',
    clock,
    queries,
    ...more,
  });
  const end = async () => {
    const stopped = server.stop();
    await clock.advance(10_000);
    await stopped;
  };
  t.teardown(end);
  return { ...server, clock, url: `http://127.0.0.1:${server.port}`, end };
}

/** The origin of a row whose answers `view` makes; `source` announces their changes, and nothing does without it. */
export const reads = <V, D>(
  view: (values: V) => Snapshot<D> | ApiError,
  source = new Source(),
): Memory<V, D> => ({ view, listen: (_values, listener) => source.listen(undefined, listener) });

/** A snapshot of JSON text. */
export const ready = (text: string): Snapshot => new Snapshot(new JsonText(text));

type Later = (values: Readonly<Record<string, string>>) => Snapshot | ApiError | Promise<Snapshot>;
const handlers = new Map<string, Later>();

/** A query that `handler` answers in place of the bus: those of a server that `startServer` has started. */
export function later(handler: Later): { query(values: object): Question } {
  const source = `test-${handlers.size}`;
  handlers.set(source, handler);
  return {
    query: (values) => ({
      source,
      name: 'orderBook',
      params: { market: JSON.stringify(values), depth: 1 },
      what: source,
      data: () => null,
    }),
  };
}

const queries: ServerOptions['queries'] = {
  known: () => null,
  once: async () => apiError('internal'),
  read({ source, params }) {
    const values = 'market' in params ? `${params.market}` : '{}';
    return handlers.get(source)?.(JSON.parse(values)) ?? apiError('internal');
  },
};

/** A row that answers at once with the values it was called with. */
export const echo = (row: Partial<Route> = {}): Route =>
  route({
    method: 'GET',
    path: '/v1/echo',
    summary: 'The values',
    params: {},
    answer: {},
    access: 'open',
    from: reads((values) => snapshotOf(values)),
    ...row,
  });

/** A row that answers with what it was called with, and keeps the calls. */
export function acting(
  row: Partial<Route>,
  calls: Call<unknown>[] = [],
  act: () => Promise<Done | ApiError> | undefined = () => undefined,
): Route {
  return route({
    ...echo({ method: 'POST', path: '/act' }),
    params: { id: { type: 'string', description: '' } },
    ...row,
    from: {
      async act(made) {
        calls.push(made);
        return (await act()) ?? { status: 201, data: made };
      },
    },
  });
}

/** The part of a call to an act that knows nothing of the server. */
export const alone = {
  account: 'a',
  count: async () => null,
  isHttps: false,
  session: async () => null,
  follow: () => null,
  look: async () => [],
  batch: async () => {
    throw new Error('there are no other rows');
  },
} as const;

export interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** One request on a connection of the shared pool. */
export async function call(
  url: string,
  options: Parameters<typeof request>[1] = {},
): Promise<Reply> {
  const { statusCode, headers, body } = await request(url, options);
  return { status: statusCode, headers, text: await body.text() };
}

/** Status and public message of an error answer. */
export async function refusal(url: string): Promise<[number, string]> {
  const { status, text } = await call(url);
  return [status, JSON.parse(text).message];
}

/** What paths answer, to be held against a table: the data, or status and message of an error. */
export async function answersOf(base: string, paths: readonly string[]) {
  const answers: Record<string, string> = {};
  for (const path of paths) {
    const { status, text } = await call(base + path);
    const { data, message } = JSON.parse(text);
    answers[path] = status === 200 ? JSON.stringify(data) : `${status} ${message}`;
  }
  return answers;
}

/** A bare socket that keeps what it has received. */
export interface Wire {
  socket: net.Socket;
  received(): string;
  /** Resolves when the other side has closed, whether politely or not. */
  closed: Promise<void>;
}

/** Opens a connection; rejects when it is refused. */
export async function connect(port: number): Promise<Wire> {
  const socket = net.connect(port, '127.0.0.1').setEncoding('latin1');
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await once(socket, 'connect');
  socket.on('error', () => {});
  return { socket, received: () => received, closed };
}

/** Sends bytes and gives all that comes back until the server closes the connection. */
export async function exchange(port: number, bytes: string): Promise<string> {
  const wire = await connect(port);
  wire.socket.write(bytes, 'latin1');
  await wire.closed;
  return wire.received();
}
