/** Which handler has which path and method. */
import type { TemplatedApp } from 'uWebSockets.js';
import type { RelayedChannels } from '../answers/relayed.ts';
import type { ReplaySource } from '../answers/replay.ts';
import { Endpoint } from '../endpoints/endpoint.ts';
import type { NoEnvelope, Route } from '../endpoints/route.ts';
import { rowsByPath } from '../endpoints/route-table.ts';
import { type ApiError, apiError } from '../wire/errors.ts';
import { byFormat, serveFiles } from './file-requests.ts';
import { wellFramed } from './framing.ts';
import type { Handler, Shared } from './handling.ts';
import { otherMethod, preflight, refuse } from './refuse.ts';
import { mountReplay } from './replay/mount.ts';
import { serve } from './serve.ts';
import { mountEvents } from './streams/event-stream.ts';
import { HyperliquidSockets } from './streams/hyperliquid.ts';
import type { Live } from './streams/live.ts';
import { mountSocket } from './streams/socket.ts';

/** What paths answer that no row has: an error in the form of the rows there. */
export interface Otherwise {
  /** One path, or with `/*` at its end all below it. */
  pattern: string;
  error: ApiError;
  noEnvelope: NoEnvelope;
}

/** What has a path. */
export interface Mounted {
  routes: readonly Route[];
  /** The paths with an error of their own; none when absent. */
  otherwise?: readonly Otherwise[];
  /** What was recorded; there are no paths for it when absent. */
  replay?: ReplaySource | undefined;
  /** Channels of Hyperliquid that are passed on; there is no path for them when absent. */
  relayed?: RelayedChannels;
}

type Verb = 'get' | 'head' | 'post' | 'patch' | 'del' | 'options' | 'any';
type Mount = (verb: Verb, pattern: string, handler: Handler) => void;

/** How an answer is written. Requests of other methods than GET and HEAD may have a body. */
const formOf = (verb: Verb) => (verb === 'get' ? 'GET' : verb === 'head' ? 'HEAD' : 'other');

function refuseReads(
  on: Mount,
  pattern: string,
  shared: Shared,
  { error, noEnvelope }: Pick<Otherwise, 'error'> & { noEnvelope?: NoEnvelope | undefined },
): void {
  on('get', pattern, refuse(shared, error, 'GET', noEnvelope));
  on('head', pattern, refuse(shared, error, 'HEAD', noEnvelope));
}

const writes = { POST: 'post', PATCH: 'patch', DELETE: 'del' } as const;

function mountRow(on: Mount, pattern: string, shared: Shared, endpoint: Endpoint): void {
  const { method } = endpoint.row;
  if (method === 'GET') {
    on('get', pattern, reading(shared, endpoint, 'GET'));
    on('head', pattern, reading(shared, endpoint, 'HEAD'));
  } else on(writes[method], pattern, serve(shared, endpoint, 'other'));
}

function reading(shared: Shared, endpoint: Endpoint, method: 'GET' | 'HEAD'): Handler {
  const json = serve(shared, endpoint, method);
  return endpoint.row.file === undefined
    ? json
    : byFormat(endpoint, json, serveFiles(shared, endpoint, method));
}

/**
 * Mounts every row. A path is matched byte by byte: letters in their case, no trailing slash, and only the
 * segments of path parameters are percent-decoded.
 */
export function mount(
  app: TemplatedApp,
  shared: Shared,
  { routes, otherwise = [], replay }: Mounted,
): Endpoint[] {
  const endpoints: Endpoint[] = [];
  const on: Mount = (verb, pattern, handler) =>
    app[verb](pattern, wellFramed(shared, formOf(verb), handler));
  for (const [path, rows] of rowsByPath(routes)) {
    const pattern = path.replaceAll(/\{(\w+)\}/g, ':$1');
    for (const row of rows) {
      const endpoint = new Endpoint(row, shared);
      mountRow(on, pattern, shared, endpoint);
      endpoints.push(endpoint);
    }
    on('options', pattern, preflight(shared, rows));
    const error = otherMethod(rows);
    const noEnvelope = rows.find((row) => row.noEnvelope)?.noEnvelope;
    // Without these a GET of such a path would be taken by the one for all paths.
    if (!rows.some(({ method }) => method === 'GET')) refuseReads(on, pattern, shared, { error });
    on('any', pattern, refuse(shared, error, 'other', noEnvelope));
  }
  for (const refused of [
    ...otherwise,
    { pattern: '/*', error: apiError('not_found'), noEnvelope: undefined },
  ]) {
    const { pattern } = refused;
    refuseReads(on, pattern, shared, refused);
    on('any', pattern, refuse(shared, refused.error, 'other', refused.noEnvelope));
  }
  if (replay) mountReplay(app, shared, replay);
  app.filter((_res, change) => shared.counters.connections.add(change));
  return endpoints;
}

export function mountStreams(app: TemplatedApp, live: Live, { relayed }: Mounted): void {
  mountEvents(app, live);
  mountSocket(app, live);
  if (relayed) new HyperliquidSockets(live, relayed).mount(app);
}
