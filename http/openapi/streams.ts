/** The streams in the description: they are not rows of the route table (docs/streaming.md). */
import type { ErrorCode } from '../wire/errors.ts';
import { usualHeaders } from './components.ts';
import { failedResponses } from './failures.ts';

const mode = {
  name: 'mode',
  in: 'query' as const,
  description:
    'Whole data in each message, what has changed (JSON merge patches, RFC 7396, and lists of rows by their keys), each event of a log (liquidations, trades), or the levels of an order book that change.',
  schema: { type: 'string', enum: ['full', 'patch', 'log', 'levels'], default: 'full' },
};

const every = {
  name: 'every',
  in: 'query' as const,
  description: 'Least time between a version of an answer and the next message about it, ms.',
  schema: { type: 'number', minimum: 0, maximum: 3_600_000, default: 0 },
};

const path = {
  name: 'path',
  in: 'query' as const,
  required: true as const,
  description:
    'Path of an answer with its query; up to 20 of them. `symbol=*` and `exchange=*` mean all of them.',
  schema: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 20 },
  example: ['/v1/prices?symbol=BTC'],
};

const lastEvent = {
  name: 'Last-Event-ID',
  in: 'header' as const,
  description: 'The id of the last event of an earlier stream of the same paths.',
  schema: { type: 'string' },
};

const resume = {
  name: 'resume',
  in: 'query' as const,
  description:
    'The same as `Last-Event-ID`, for an EventSource that is made anew with another ticket.',
  schema: { type: 'string' },
};

const ticket = {
  name: 'ticket',
  in: 'query' as const,
  description: 'A ticket (`POST /v1/auth/ticket`) in place of the key.',
  schema: { type: 'string' },
};

const event = `event: snapshot
id: 3pq
data: {"path":"/v1/prices?symbol=BTC","timestamp":1700000000000,"version":"3pq","position":"3pq","as_of":1699999999000,"data":{"symbol":"BTC"}}

`;

/** Those of the request itself, and of its first path where none of them can be followed. */
const errors: readonly ErrorCode[] = [
  ...(['bad_parameter', 'bad_request', 'unauthorized', 'not_found', 'unknown_exchange'] as const),
  ...(['too_many_requests', 'warming_up', 'overloaded', 'store_unavailable'] as const),
];

const common = { tags: ['Service'], security: [{}, { ApiKey: [] }] };

/** Path items of what is no row of the route table. */
export const streamPaths = {
  '/v1/stream': {
    get: {
      ...common,
      operationId: 'getV1Stream',
      summary: 'Answers and each new version of them as Server-Sent Events',
      description:
        'Events `snapshot`, `update`, `patch`, `current`, `events`, `fault` and `end`; their data names the path. `fault` is an error of one path, which also comes under the name `error` after it: a browser uses that name for a lost connection. A path of an answer that needs an API key needs one here.',
      parameters: [path, mode, every, ticket, lastEvent, resume],
      responses: {
        200: {
          description: 'The events, until the client or the server ends them.',
          headers: usualHeaders,
          content: { 'text/event-stream': { schema: { type: 'string' }, example: event } },
        },
        ...failedResponses(errors),
      },
    },
  },
  // A WebSocket has no 2xx answer, without which an operation is not valid for most tools.
  '/v1/ws': {
    summary: 'Answers and each new version of them over a WebSocket',
    description:
      'Messages are JSON: `{"op":"subscribe","id":1,"path":"/v1/prices?symbol=BTC"}` is answered with `snapshot`, then `update` or `patch`. The key is in `X-API-Key` or in a first message `{"op":"auth","key":"…"}`.',
  },
  '/compat/hyperliquid/ws': {
    summary: "Hyperliquid's public channels over a WebSocket, in its own form",
    description:
      'Messages are those of Hyperliquid: `{"method":"subscribe","subscription":{"type":"trades","coin":"BTC"}}` with allMids, l2Book, trades, bbo, candle or activeAssetCtx. The key is in `X-API-Key`. All clients that want a channel cause one subscription at the exchange; users and orders are refused.',
  },
};
