import type { HttpResponse } from 'uWebSockets.js';
import { STATUS_CODES } from 'node:http';
import type { Encoding } from '../compression.ts';
import type { Answer, Made } from '../endpoint.ts';
import { type ApiError, errorBody, errors, isApiError, madeBody } from '../errors.ts';
import { matchesTag } from '../etag.ts';
import { firstHeader, type Head } from '../head.ts';
import type { Raw, Route } from '../routes/route.ts';
import type { Snapshot } from '../snapshots.ts';
import type { Stamped } from '../stamped.ts';
import type { Admission } from './door.ts';
import { leaving, type Shared } from './shared.ts';

const statusLines = new Map(
  [200, 201, ...Object.values(errors).map(({ status }) => status)].map((status) => [
    status,
    `${status} ${STATUS_CODES[status]}`,
  ]),
);
const statusLine = (status: number): string => statusLines.get(status) ?? String(status);

/** What a 401 asks for (RFC 9110, 11.6.1); API keys have no scheme in the registry. */
const challenges = {
  open: '',
  key: '\r\nwww-authenticate: ApiKey realm="Tidemark"',
  bearer: '\r\nwww-authenticate: Bearer realm="Tidemark"',
} as const;

/** What an answer needs to know of its request. */
export interface Visit {
  head: Head;
  /** The request's `If-None-Match`, empty when it has none. */
  tag: string;
  /** The content coding that it would take. */
  encoding: Encoding | null;
  admission: Admission;
}

/** What an error needs to know of it. */
export type Refused = Pick<Visit, 'head' | 'admission'>;

/** Where the answers of a sender belong. */
export interface Place {
  slot: number;
  method: 'GET' | 'HEAD' | 'other';
  access: Route['access'];
}

/** Writes answers of one row (or none) in one method. Callers see to it that `res` is corked and still there. */
export class Sender {
  readonly #shared: Shared;
  readonly #slot: number;
  readonly #bodiless: boolean;
  readonly #challenge: string;
  #lastError: ApiError | null = null;
  #lastTime = 0;
  #lastBody = Buffer.alloc(0);

  constructor(shared: Shared, { slot, method, access }: Place) {
    this.#shared = shared;
    this.#slot = slot;
    this.#bodiless = method === 'HEAD';
    this.#challenge = challenges[access];
  }

  answer(res: HttpResponse, visit: Visit, answer: Answer): void {
    if (isApiError(answer)) this.error(res, visit, answer);
    else if ('etag' in answer) this.#snapshot(res, visit, answer);
    else if ('contentType' in answer) this.#page(res, visit, answer);
    else this.#made(res, visit, answer);
  }

  /** With quotas, `retry-after` is theirs on every answer (specification 8), whatever the error says. */
  error(res: HttpResponse, { head, admission }: Refused, error: ApiError): void {
    const { status } = errors[error.error];
    const quota = admission.lines();
    const challenge = status === 401 ? this.#challenge : '';
    res.writeStatus(statusLine(status));
    res.writeHeader(firstHeader, head.unkept + challenge + quota);
    if (quota === '' && error.retryAfter !== undefined) {
      res.writeHeader('retry-after', String(error.retryAfter));
    }
    if (error.allow !== undefined) res.writeHeader('allow', error.allow);
    this.#end(res, status, this.#errorBody(error));
  }

  /** A flood of refusals is mostly one error in one millisecond. */
  #errorBody(error: ApiError): Buffer {
    const now = this.#shared.clock.now();
    if (error !== this.#lastError || now !== this.#lastTime) {
      this.#lastBody = Buffer.from(errorBody(error, now));
      this.#lastError = error;
      this.#lastTime = now;
    }
    return this.#lastBody;
  }

  /** A 304 is not counted. */
  #snapshot(res: HttpResponse, visit: Visit, snapshot: Snapshot): void {
    const { head, tag, encoding, admission } = visit;
    if (tag !== '' && matchesTag(tag, snapshot.etag)) {
      admission.refund();
      const block = head.unchanged + snapshot.lines + admission.lines();
      res.writeStatus('304 Not Modified').writeHeader(firstHeader, block);
      endBare(res, this.#shared.stopping);
      this.#shared.counters.answered(this.#slot, 304, 0);
      return;
    }
    const form = encoding === null ? null : snapshot.encoded(encoding);
    if (form instanceof Promise) this.#whenEncoded(res, visit, { snapshot, form });
    else this.#data(res, visit, { snapshot, form });
  }

  /** The first after a change waits for the compression, and so does whoever comes meanwhile. */
  #whenEncoded(
    res: HttpResponse,
    visit: Visit,
    { snapshot, form }: { snapshot: Snapshot; form: Promise<Stamped | null> },
  ): void {
    const { counters } = this.#shared;
    const signal = leaving(res, () => counters.left(this.#slot));
    counters.inFlight.add(1);
    void form.then((made) => {
      counters.inFlight.add(-1);
      if (!signal.aborted) res.cork(() => this.#data(res, visit, { snapshot, form: made }));
    });
  }

  #data(
    res: HttpResponse,
    { head, encoding, admission }: Visit,
    { snapshot, form }: { snapshot: Snapshot; form: Stamped | null },
  ): void {
    const coding = form === null ? '' : `\r\ncontent-encoding: ${encoding}`;
    res.writeHeader(firstHeader, head.data + snapshot.lines + coding + admission.lines());
    const body = (form ?? snapshot).at(this.#shared.clock.now());
    this.#end(res, 200, body, form?.sealed);
  }

  #made(res: HttpResponse, { head, admission }: Visit, { status, json }: Made): void {
    res.writeStatus(statusLine(status));
    res.writeHeader(firstHeader, head.unkept + admission.lines());
    this.#end(res, status, Buffer.from(madeBody(json, this.#shared.clock.now())));
  }

  #page(res: HttpResponse, { head, admission }: Visit, page: Raw): void {
    res.writeHeader(firstHeader, head.page + admission.lines());
    res.writeHeader('content-type', page.contentType);
    res.writeHeader('cache-control', page.cache ?? 'no-store');
    for (const [name, value] of Object.entries(page.headers ?? {})) res.writeHeader(name, value);
    this.#end(res, 200, typeof page.body === 'string' ? Buffer.from(page.body) : page.body);
  }

  /** `fleeting`: the next answer changes the end of `body`, too. */
  #end(res: HttpResponse, status: number, body: Buffer, fleeting = false): void {
    const { counters, stopping } = this.#shared;
    const size = body.length;
    counters.answered(this.#slot, status, this.#bodiless ? 0 : size);
    if (!this.#bodiless) {
      if (size > corkable) endLarge(res, body, { closing: stopping, fleeting });
      else res.end(body, stopping);
      return;
    }
    res.writeHeader('content-length', String(size));
    endBare(res, stopping);
  }
}

/** Bytes of a body that fit, with any head of ours, into the 16 KiB that uWebSockets.js gathers before it writes. */
const corkable = 8 * 1024;
/** More than the bytes in front of what no answer changes, in any content coding. */
const longestOpening = 128;
const noop = () => {};

/**
 * Sends a large body as the client takes it, without a copy. `end` would copy what the socket does not take, for
 * every pipelined request again; and without an abort handler, uWebSockets.js ends the process when the client
 * has reset the connection by the time of such an answer.
 */
function endLarge(
  res: HttpResponse,
  body: Buffer,
  { closing, fleeting }: { closing: boolean; fleeting: boolean },
): void {
  if (closing) res.writeHeader('connection', 'close');
  res.onAborted(noop);
  const [, done] = res.tryEnd(body, body.length);
  if (done) return;
  // What is still to be sent must not get another answer's time, or the checksum that goes with it.
  const changes = fleeting || res.getWriteOffset() < longestOpening;
  const rest = changes ? Buffer.from(body) : body;
  res.onWritable((offset) => res.tryEnd(rest.subarray(offset), rest.length)[0]);
}

/**
 * Ends an answer that has no body. Given any argument, endWithoutBody of this version waits for a body of that
 * length; so the client is only told to close, and `stop` sees to those that do not.
 */
export function endBare(res: HttpResponse, closing: boolean): void {
  if (closing) res.writeHeader('connection', 'close');
  res.endWithoutBody();
}
