/** Ids of requests, and a line of the log for some of them: what is off costs nothing. */
import type { HttpRequest } from 'uWebSockets.js';
import { randomUUID } from 'node:crypto';
import type { Logger } from '../../config/log.ts';
import type { Caller } from '../auth/caller.ts';
import type { Answered, Visit } from '../endpoints/counters.ts';
import type { Head } from '../wire/head.ts';
import { names } from '../wire/header-names.ts';

/** What a proxy may call a request. */
const idForm = /^[\w.:/+=-]{1,128}$/;

/** What is read of a request. */
type Arrived = Pick<HttpRequest, 'getHeader' | 'getMethod' | 'getUrl'>;

export interface AccessLogOptions {
  /** Share of the requests that are logged, from 0 to 1. */
  share: number;
  /** From 0 to 1, not 1 itself. */
  random(): number;
  log: Pick<Logger, 'info'>;
}

/** A request that has an id; `line` is null where it is not logged. */
class Request implements Visit {
  readonly id: string;
  caller: Caller | null = null;
  readonly #line: { method: string; path: string; client: string } | null;
  readonly #log: AccessLogOptions['log'];

  constructor(
    id: string,
    line: { method: string; path: string; client: string } | null,
    log: AccessLogOptions['log'],
  ) {
    this.id = id;
    this.#line = line;
    this.#log = log;
  }

  answered({ route, status, bytes, ms }: Answered): void {
    if (this.#line === null) return;
    const { account = null, key: keyId = null } = this.caller ?? {};
    const { method, path, client } = this.#line;
    this.#log.info(
      { request: this.id, method, path, route, status, bytes, ms, client, account, keyId },
      'request',
    );
  }
}

/** The heads of answers with the id of their request. */
class HeadWithId implements Head {
  readonly #head: Head;
  readonly #line: string;

  constructor(head: Head, id: string) {
    this.#head = head;
    this.#line = `\r\nx-request-id: ${id}`;
  }

  get data(): string {
    return this.#head.data + this.#line;
  }

  get csv(): string {
    return this.#head.csv + this.#line;
  }

  get unchanged(): string {
    return this.#head.unchanged + this.#line;
  }

  get unkept(): string {
    return this.#head.unkept + this.#line;
  }

  get page(): string {
    return this.#head.page + this.#line;
  }

  get preflight(): string {
    return this.#head.preflight + this.#line;
  }
}

export class AccessLog {
  readonly #options: AccessLogOptions;

  constructor(options: AccessLogOptions) {
    this.#options = options;
  }

  /** A request that has arrived; `clientOf` gives its address. The query is not logged: it may hold a key. */
  begin(req: Arrived, clientOf: () => string): Visit {
    const { share, random, log } = this.#options;
    const given = req.getHeader(names.requestId);
    const isLogged = random() < share;
    const method = req.getMethod().toUpperCase();
    const line = isLogged ? { method, path: req.getUrl(), client: clientOf() } : null;
    return new Request(idForm.test(given) ? given : randomUUID(), line, log);
  }

  /** The lines of an answer with the id of its request. */
  headOf(head: Head, visit: Visit | null): Head {
    return visit === null ? head : new HeadWithId(head, visit.id);
  }
}
