/** A client of the Tidemark API. */
import { Connection } from './connection.ts';
import { books, type Events, events, patches, type Update, versions } from './forms.ts';
import type {
  AfterChange,
  Body,
  Changed,
  Changes,
  Data,
  DeletePath,
  GetPath,
  HistoryRow,
  Known,
  Made,
  Params,
  PatchPath,
  PostPath,
  Removal,
  Removed,
  TablePath,
} from './operations.ts';
import { isRecord } from './record.ts';
import { type SubscribeOptions, subscribe } from './subscribe.ts';
import {
  type Answer,
  type ClientOptions,
  type RequestOptions,
  Transport,
  type WriteOptions,
} from './transport.ts';

export { type Quota, SubscriptionError, TidemarkError } from './errors.ts';
export type { Events, Update } from './forms.ts';
export { bookChecksum, withLevels } from './levels.ts';
export type * from './operations.ts';
export { patched } from './patch.ts';
export type { SubscribeOptions } from './subscribe.ts';
export type {
  Answer,
  ClientOptions,
  RequestOptions,
  Socket,
  WriteOptions,
} from './transport.ts';
export type * from './types.ts';

/** How a subscription is told what has changed: by whole answers, patches, levels of a book or the events of a log. */
type Mode<M> = SubscribeOptions & { mode?: M | undefined };

export class Tidemark {
  readonly #url: string;
  readonly #transport: Transport;
  readonly #connection: Connection;

  constructor(options: ClientOptions) {
    this.#url = options.url.replace(/\/+$/, '');
    this.#transport = new Transport(options);
    this.#connection = new Connection({ ...options, url: this.#url });
  }

  /** The answer of a path; `{name}` in it is the parameter of that name. */
  async get<P extends GetPath, const Q extends Params<P> = Params<P>>(
    path: P,
    params: Known<Q, Params<P>>,
    options: RequestOptions = {},
  ): Promise<Answer<Data<P, Q>>> {
    const answer = await this.#read(path, params, options);
    return answer as Answer<Data<P, Q>>;
  }

  /** The table of a path as CSV: a header, then a line for each row. */
  csv<P extends TablePath, const Q extends Params<P> = Params<P>>(
    path: P,
    params: Known<Q, Params<P>>,
    options: RequestOptions = {},
  ): Promise<string> {
    const url = this.#url + pathOf(path, { ...params, format: 'csv' });
    return this.#transport.text(url, options);
  }

  /** Sends a body; null for a path that takes none. `params` of the options stand in the path. */
  async post<P extends PostPath>(
    path: P,
    body: Body<P>,
    options: WriteOptions = {},
  ): Promise<Answer<Made<P>>> {
    const url = this.#url + pathOf(path, options.params ?? {});
    const asked = { method: 'POST', url, body: body ?? undefined } as const;
    return (await this.#transport.ask(asked, options)) as Answer<Made<P>>;
  }

  /** Changes what the path names. */
  async patch<P extends PatchPath>(
    path: P,
    params: Changed<P>,
    body: Changes<P>,
    options: RequestOptions = {},
  ): Promise<Answer<AfterChange<P>>> {
    const asked = { method: 'PATCH', url: this.#url + pathOf(path, params), body } as const;
    return (await this.#transport.ask(asked, options)) as Answer<AfterChange<P>>;
  }

  /** Removes what the path names. */
  async delete<P extends DeletePath>(
    path: P,
    params: Removal<P>,
    options: RequestOptions = {},
  ): Promise<Answer<Removed<P>>> {
    const asked = { method: 'DELETE', url: this.#url + pathOf(path, params) } as const;
    return (await this.#transport.ask(asked, options)) as Answer<Removed<P>>;
  }

  /** The price of one symbol on every exchange. */
  price(
    symbol: string,
    options: RequestOptions = {},
  ): Promise<Answer<Data<'/v1/prices', { symbol: string }>>> {
    return this.get('/v1/prices', { symbol }, options);
  }

  /** The average price of every symbol. */
  prices(options: RequestOptions = {}): Promise<Answer<Data<'/v1/prices', object>>> {
    return this.get('/v1/prices', {}, options);
  }

  /** The prices of up to 100 symbols on every exchange. */
  pricesOf(
    symbols: readonly string[],
    options: RequestOptions = {},
  ): Promise<Answer<Data<'/v1/prices', { symbols: string }>>> {
    return this.get('/v1/prices', { symbols: symbols.join() }, options);
  }

  /**
   * The rows of a path with `from`, `to` and `limit`, the oldest first, from `from` on: asked for page by page of `limit` rows, as
   * long as an answer says where the next page begins. Without `from` the newest `limit` rows.
   */
  async *history<P extends GetPath, const Q extends Params<P> = Params<P>>(
    path: P,
    params: Known<Q, Params<P>>,
    options: RequestOptions = {},
  ): AsyncGenerator<HistoryRow<P, Q>, void, undefined> {
    let page: object = params;
    for (;;) {
      const { data } = await this.#read(path, page, options);
      yield* rowsIn(data) as HistoryRow<P, Q>[];
      if (!isRecord(data) || typeof data.next !== 'number') return;
      page = { ...params, from: data.next };
    }
  }

  /**
   * An answer, then each new version of it, over the WebSocket that all subscriptions of a client share. Lost connections
   * come back, and a version that is known is not given again. A slow reader gets the newest version only. Ends when the
   * signal aborts.
   *
   * With `mode: 'patch'` the same, but the service sends what has changed: the parts of `data` that have not changed are those of
   * the version before, so that a program must not write into them.
   *
   * With `mode: 'levels'`, for order books, the same again: the service sends the levels that change, and the client compares
   * the checksum of each version. Where one differs it asks for the whole book.
   *
   * With `mode: 'log'` the events of a log (of the newest liquidations, or of trades) instead: each once and in order. After a lost
   * connection the next one goes on at the last event that was taken, and says whether something is missing.
   */
  subscribe<P extends GetPath, const Q extends Params<P> = Params<P>>(
    path: P,
    params: Known<Q, Params<P>>,
    options: SubscribeOptions & { mode: 'log' },
  ): AsyncGenerator<Events<HistoryRow<P, Q>>, void, undefined>;
  subscribe<P extends GetPath, const Q extends Params<P> = Params<P>>(
    path: P,
    params: Known<Q, Params<P>>,
    options?: Mode<'full' | 'patch' | 'levels'>,
  ): AsyncGenerator<Update<Data<P, Q>>, void, undefined>;
  subscribe(path: string, params: object, options: Mode<'full' | 'patch' | 'log' | 'levels'> = {}) {
    const { mode, ...wishes } = options;
    const about = { connection: this.#connection, path: pathOf(path, params), ...wishes };
    if (mode === 'log') return subscribe({ ...about, form: events() });
    if (mode === 'levels') return subscribe({ ...about, form: books() });
    return subscribe({ ...about, form: mode === 'patch' ? patches() : versions() });
  }

  #read(path: string, params: object, options: RequestOptions): Promise<Answer<unknown>> {
    return this.#transport.ask({ method: 'GET', url: this.#url + pathOf(path, params) }, options);
  }
}

/** A path with its parameters. */
function pathOf(path: string, params: object): string {
  const query = new URLSearchParams();
  let place = path;
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined) continue;
    if (place.includes(`{${name}}`)) place = place.replace(`{${name}}`, encodeURIComponent(value));
    else query.set(name, String(value));
  }
  return query.size > 0 ? `${place}?${query}` : place;
}

const isDated = (row: unknown): row is { timestamp: number } =>
  isRecord(row) && typeof row.timestamp === 'number';

/** The rows with a time in the data of a history. */
function rowsIn(data: unknown): { timestamp: number }[] {
  const lists = Object.values(isRecord(data) ? data : {}).filter(Array.isArray);
  return lists.map((list) => list.filter(isDated)).find(({ length }) => length > 0) ?? [];
}
