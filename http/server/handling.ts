import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import type { EndpointContext } from '../endpoints/endpoint.ts';
import type { Topics } from '../live/topics.ts';
import type { Encoding } from '../wire/compression.ts';
import type { ApiError } from '../wire/errors.ts';
import type { Head, Heads } from '../wire/head.ts';
import type { Held } from '../wire/held.ts';
import type { InFlightCounts } from '../wire/in-flight.ts';
import { collectBody, noBody } from '../wire/request-body.ts';
import type { AccessLog } from './access-log.ts';
import type { Admission } from './admission.ts';
import { clientOf, type Guard } from './admission-check.ts';
import type { Files } from './files.ts';

export type Handler = (res: HttpResponse, req: HttpRequest) => void;

/** A request that is being answered; `signal` aborts when the client disconnects. */
export interface Request {
  res: HttpResponse;
  req: HttpRequest;
  /** The address that it counts for. */
  client: string;
  signal: AbortSignal;
}

/** The facts of a request that its answer depends on. */
export interface RequestFacts {
  head: Head;
  /** The request's `If-None-Match`, empty when it has none. */
  tag: string;
  /** The content coding that the client prefers. */
  encoding: Encoding | null;
  /** The client prefers CSV to JSON. */
  csv: boolean;
  /** The query states the format, so that the answer does not depend on `Accept`. */
  named: boolean;
  admission: Admission;
  /** Header lines about the parameters of the request; each follows a line break. */
  notes: string;
  /** Names of parameters of the request that the row does not have. */
  unknown: readonly string[];
  /** The present, Unix ms, where nothing has been waited for since the request was counted; null otherwise. */
  now: number | null;
  /** Another process was asked for the answer: a 304 counts as well. */
  asked?: true | undefined;
  /** Whose request a trusted proxy passes on; empty where clients come without one. */
  client: string;
}

/** The facts of a request that an error depends on. */
export type Refused = Pick<RequestFacts, 'head' | 'admission' | 'notes'>;

/** Shared by all handlers of one server. */
export interface Shared extends EndpointContext {
  heads: Heads;
  guard: Guard;
  /** Gives requests ids, and logs some; null where it is off. */
  access: AccessLog | null;
  /** Request bodies that are being read. */
  bodies: Held;
  /** What waits for slow readers. */
  unsent: Held;
  inFlight: InFlightCounts;
  /** Requests of one client address that may wait at once. */
  inFlightPerAddress: number;
  /** The answers that clients follow or wait for. */
  topics: Topics;
  /** The files that are made and sent. */
  files: Files;
  /** Ends the waits of requests for a next version, when the server stops. */
  waiting: Set<() => void>;
  /** Every answer closes its connection. */
  stopping: boolean;
}

/** The header block for a request. It depends on the origin only where the configuration lists origins. */
export function headOf({ heads, access, counters }: Shared, req: HttpRequest): Head {
  const head = heads.any ?? heads.of(req.getHeader('origin'));
  return access === null ? head : access.headOf(head, counters.visit);
}

/** The request that is handled now has an id, where requests have any. */
export function beginVisit(
  { access, counters, guard }: Shared,
  res: HttpResponse,
  req: HttpRequest,
): void {
  if (access !== null) counters.visit = access.begin(req, () => clientOf(guard, res, req));
}

/** A signal that aborts when the client has gone; `res` must not be touched after that. */
export function onDisconnect(res: HttpResponse, note: () => void): AbortSignal {
  const client = new AbortController();
  res.onAborted(() => {
    note();
    client.abort();
  });
  return client.signal;
}

/** A request that is answered later. */
export interface Pending {
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
  /** Calls `write`, corked, unless the client has gone. Call it once. */
  answer(write: () => void): void;
}

/** Counts a request of a slot as waiting until it is answered. */
export function pending({ counters }: Shared, res: HttpResponse, slot: number): Pending {
  const { began, visit } = counters;
  const signal = onDisconnect(res, () => counters.left(slot));
  counters.inFlight.add(1);
  return {
    signal,
    answer(write) {
      counters.inFlight.add(-1);
      if (signal.aborted) return;
      counters.resume(began, visit);
      res.cork(write);
    },
  };
}

const noSegments: readonly string[] = [];

/** The raw segments of the path parameters. */
export const segmentsOf = (req: HttpRequest, count: number): readonly string[] =>
  count === 0 ? noSegments : Array.from({ length: count }, (_, i) => req.getParameter(i) ?? '');

/** Whether a body follows the head of a request (RFC 9112, 6.3). */
export const hasBody = (req: Pick<HttpRequest, 'getHeader'>): boolean =>
  Number(req.getHeader('content-length')) > 0 || req.getHeader('transfer-encoding') !== '';

/** The body of a request. It is read even when the caller is refused, so that the client can finish sending. Never rejects. */
export function bodyOf(
  { bodies, clock }: Shared,
  { res, req, client, signal }: Request,
  cap: number,
): Promise<Buffer | ApiError> {
  if (!hasBody(req)) return Promise.resolve(noBody);
  const declared = Number(req.getHeader('content-length'));
  return collectBody(res, bodies, { cap, declared, client, signal, clock });
}
