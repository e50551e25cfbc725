import type { HttpResponse } from 'uWebSockets.js';
import type { Table } from '../answers/csv.ts';
import { Body } from '../answers/response-body.ts';
import { Snapshot } from '../answers/snapshots.ts';
import type { ActResult, Answer } from '../endpoints/endpoint.ts';
import type { NoEnvelope, Raw, Route } from '../endpoints/route.ts';
import { corkable, endBare, endLarge, type Sharing } from '../wire/ends.ts';
import {
  type ApiError,
  errorBody,
  isApiError,
  kindOf,
  madeBody,
  statusLine,
} from '../wire/errors.ts';
import { matchesTag } from '../wire/etag.ts';
import { type Form, HeadWriter, retryLines } from '../wire/form.ts';
import { firstHeader } from '../wire/head.ts';
import { connectedOf } from './admission-check.ts';
import { pending, type Refused, type RequestFacts, type Shared } from './handling.ts';
import { FileReading } from './made-file.ts';

/** The challenge of a 401 (RFC 9110, 11.6.1). The registry has no scheme for API keys. */
const challenges = {
  open: '',
  key: '\r\nwww-authenticate: ApiKey realm="Tidemark"',
  bearer: '\r\nwww-authenticate: Bearer realm="Tidemark"',
} as const;

/** A body with the header lines of its media type, and those of a 304. */
interface Sent {
  type: string;
  unchanged: string;
  body: Body;
}

/** The row and method of a sender. */
export interface SenderRow {
  slot: number;
  method: 'GET' | 'HEAD' | 'other';
  access: Route['access'];
  /** Writes the answers as CSV; absent where there are none in CSV. */
  table?: Table | null;
  /** The form of its answers, where they stand outside the envelope. */
  noEnvelope?: NoEnvelope | undefined;
}

/**
 * Writes the answers of one row (or of no row) in one method. The caller corks `res` and checks that the client is
 * there.
 */
export class Sender {
  readonly #shared: Shared;
  /** The client at the other end of a connection. */
  readonly #peer: (res: HttpResponse) => string;
  readonly #slot: number;
  readonly #bodiless: boolean;
  readonly #challenge: string;
  readonly #table: Table | null;
  readonly #noEnvelope: NoEnvelope | null;
  /** Where answers exist in two media types, each of them states it, unless the query has chosen. */
  readonly #vary: string;
  readonly #writer = new HeadWriter();
  /** The lines of the latest media type, and the same with `vary`. */
  #type = '';
  #opening = '';
  #lastError: ApiError | null = null;
  #lastTime = 0;
  #lastBody = Buffer.alloc(0);

  constructor(shared: Shared, { slot, method, access, table = null, noEnvelope }: SenderRow) {
    this.#shared = shared;
    this.#peer = (res) => connectedOf(shared.guard, res);
    this.#slot = slot;
    this.#bodiless = method === 'HEAD';
    this.#challenge = challenges[access];
    this.#table = table;
    this.#noEnvelope = noEnvelope ?? null;
    this.#vary = table === null ? '' : '\r\nvary: accept';
  }

  answer(res: HttpResponse, visit: RequestFacts, answer: Answer | FileReading): void {
    this.#note(visit.admission);
    if (answer instanceof Snapshot) this.snapshot(res, visit, answer);
    else if (answer instanceof FileReading) this.#file(res, visit, answer);
    else if (isApiError(answer)) this.error(res, visit, answer);
    else if ('contentType' in answer) this.#page(res, visit, answer);
    else this.#made(res, visit, answer);
  }

  error(res: HttpResponse, { head, admission, notes }: Refused, error: ApiError): void {
    this.#note(admission);
    const { retryAfter, closes = false, ...kind } = kindOf(error);
    const form = this.#noEnvelope?.error(error);
    const { status } = form ?? kind;
    const challenge = status === 401 ? this.#challenge : '';
    const quota = retryLines(admission.lines(), status, error.retryAfter ?? retryAfter);
    res.writeStatus(statusLine(status));
    res.writeHeader(firstHeader, head.unkept + challenge + quota + notes + this.#own(quota));
    if (error.allow !== undefined) res.writeHeader('allow', error.allow);
    const body = form === undefined ? this.#errorBody(error) : Buffer.from(form.body);
    if (closes) this.#last(res, status, body);
    else this.#end(res, status, body);
  }

  /** Says whose request it is that is handled now. */
  #note({ caller }: RequestFacts['admission']): void {
    const { visit } = this.#shared.counters;
    if (visit !== null) visit.caller = caller;
  }

  /** The header lines of the form of its own. */
  #own(quota: string): string {
    return this.#noEnvelope?.lines?.(quota) ?? '';
  }

  /** Sends the last answer of a connection, to HEAD too: bytes that follow such a request are not processed. */
  #last(res: HttpResponse, status: number, body: Buffer): void {
    const sent = this.#bodiless ? Buffer.alloc(0) : body;
    this.#shared.counters.answered(this.#slot, status, sent.length);
    res.end(sent, true);
  }

  /** Reuses the last body: under attack most refusals are one error within one millisecond. */
  #errorBody(error: ApiError): Buffer {
    const now = this.#shared.clock.now();
    if (error !== this.#lastError || now !== this.#lastTime) {
      this.#lastBody = Buffer.from(errorBody(error, now));
      this.#lastError = error;
      this.#lastTime = now;
    }
    return this.#lastBody;
  }

  /** Whether the client has this answer already, by its tag. */
  isKnown(visit: RequestFacts, snapshot: Snapshot): boolean {
    const { etag } = this.#csvOf(visit, snapshot) ?? snapshot;
    return visit.tag !== '' && matchesTag(visit.tag, etag);
  }

  /** The answer as CSV where the client prefers that and it can be had. */
  #csvOf({ csv }: RequestFacts, snapshot: Snapshot): Body | null {
    return csv && this.#table !== null ? snapshot.csv(this.#table) : null;
  }

  /** An answer with data. */
  snapshot(res: HttpResponse, visit: RequestFacts, snapshot: Snapshot): void {
    this.#note(visit.admission);
    const { data, csv: table, unchanged } = visit.head;
    if (this.#noEnvelope !== null) {
      const notes = visit.notes + this.#own(visit.admission.lines());
      this.#tagged(res, { ...visit, notes }, { type: data, unchanged, body: snapshot.dataOnly() });
      return;
    }
    const csv = this.#csvOf(visit, snapshot);
    const plain = visit.unknown.length === 0;
    const body = csv ?? (plain ? snapshot : snapshot.naming(visit.unknown));
    this.#tagged(res, visit, { type: csv === null ? data : table, unchanged, body });
  }

  /** A body with a tag. A 304 is not counted where the answer was in memory. */
  #tagged(res: HttpResponse, visit: RequestFacts, { type, unchanged, body }: Sent): void {
    const { tag, encoding, named, admission, notes } = visit;
    if (tag !== '' && matchesTag(tag, body.etag)) {
      if (!visit.asked) admission.refund();
      const vary = named ? '' : this.#vary;
      const lines = unchanged + vary + body.plain.text(this.#shared.clock.now());
      res.writeStatus('304 Not Modified');
      res.writeHeader(firstHeader, lines + admission.lines() + notes);
      endBare(res, this.#shared.stopping);
      this.#shared.counters.answered(this.#slot, 304, 0);
      return;
    }
    const form = encoding === null ? body.plain : (body.encoded(encoding) ?? body.plain);
    if (form instanceof Promise) this.#whenEncoded(res, visit, { type, body, form });
    else this.#data(res, visit, type, form);
  }

  /** The first request after a change waits for the compression, and so do those that arrive meanwhile. */
  #whenEncoded(
    res: HttpResponse,
    visit: RequestFacts,
    { type, body, form }: { type: string; body: Body; form: Promise<Form | null> },
  ): void {
    const { answer } = pending(this.#shared, res, this.#slot);
    const later = { ...visit, now: null };
    void form.then((made) => answer(() => this.#data(res, later, type, made ?? body.plain)));
  }

  #data(res: HttpResponse, visit: RequestFacts, type: string, form: Form): void {
    const { admission, notes, named } = visit;
    const now = visit.now ?? this.#shared.clock.now();
    const quota = notes === '' && !named ? admission.quota(visit.now !== null) : undefined;
    if (quota !== undefined) {
      res.writeHeader(firstHeader, this.#writer.write(form, now, this.#openingOf(type), quota));
    } else {
      const lines = (named ? type : type + this.#vary) + form.text(now);
      res.writeHeader(firstHeader, lines + admission.lines() + notes);
    }
    const sharing = form.sealed ? 'ends change' : 'most';
    this.#end(res, 200, form.at(now), { now, sharing, client: visit.client });
  }

  #openingOf(type: string): string {
    if (type !== this.#type) {
      this.#type = type;
      this.#opening = type + this.#vary;
    }
    return this.#opening;
  }

  #made(
    res: HttpResponse,
    { head, admission, notes, client }: RequestFacts,
    { status, json, cookie }: ActResult,
  ): void {
    res.writeStatus(statusLine(status));
    res.writeHeader(
      firstHeader,
      (json === '' ? head.page : head.unkept) + admission.lines() + notes,
    );
    if (cookie !== undefined) res.writeHeader('set-cookie', cookie);
    const now = this.#shared.clock.now();
    this.#end(res, status, Buffer.from(this.#noEnvelope === null ? madeBody(json, now) : json), {
      now,
      sharing: 'none',
      client,
    });
  }

  #file(res: HttpResponse, visit: RequestFacts, reading: FileReading): void {
    const { head, named, admission, notes } = visit;
    const { file, range, size } = reading;
    const status = range === null ? 200 : 206;
    const part =
      range === null ? '' : `\r\ncontent-range: bytes ${range.from}-${range.to}/${file.size}`;
    const vary = named ? '' : this.#vary;
    if (range !== null) res.writeStatus(statusLine(status));
    res.writeHeader(firstHeader, head.page + file.lines + part + vary + admission.lines() + notes);
    this.#shared.counters.answered(this.#slot, status, this.#bodiless ? 0 : size);
    if (this.#bodiless) {
      res.writeHeader('content-length', String(size));
      reading.drop();
      endBare(res, this.#shared.stopping);
    } else reading.send(res);
  }

  #page(res: HttpResponse, visit: RequestFacts, page: Raw): void {
    const { head, admission, notes } = visit;
    const { contentType, body, cache = 'no-store', headers = {} } = page;
    const lines = Object.entries({ 'cache-control': cache, ...headers });
    const unchanged = head.page + lines.map(([name, value]) => `\r\n${name}: ${value}`).join('');
    const type = `${unchanged}\r\ncontent-type: ${contentType}`;
    if (body instanceof Body) this.#tagged(res, visit, { type, unchanged, body });
    else {
      res.writeHeader(firstHeader, type + admission.lines() + notes);
      this.#end(res, 200, typeof body === 'string' ? Buffer.from(body) : body);
    }
  }

  /** `sharing`: which bytes of `body` other answers have as well. */
  #end(
    res: HttpResponse,
    status: number,
    body: Buffer,
    { now, sharing, client = '' }: { now: number; sharing: Sharing; client?: string } = {
      now: this.#shared.clock.now(),
      sharing: 'most',
    },
  ): void {
    const { counters, stopping, unsent } = this.#shared;
    const size = body.length;
    counters.answered(this.#slot, status, this.#bodiless ? 0 : size, now);
    if (!this.#bodiless) {
      if (size > corkable) {
        const clientOf = client === '' ? this.#peer : () => client;
        endLarge(res, body, { closing: stopping, sharing, unsent, clientOf });
      } else res.end(body, stopping);
      return;
    }
    res.writeHeader('content-length', String(size));
    endBare(res, stopping);
  }
}
