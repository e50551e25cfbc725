/** A client of the Tidemark API. */
import {
  type Events,
  events,
  patches,
  type SubscribeOptions,
  subscribe,
  type Update,
  versions,
} from './subscribe.ts';
import {
  type Answer,
  type ClientOptions,
  isRecord,
  type RequestOptions,
  Transport,
} from './transport.ts';
import type { Operations, PriceOfSymbol, PriceSummary, PricesOfSymbols } from './types.ts';

export { patched } from './patch.ts';
export {
  type Events,
  type SubscribeOptions,
  SubscriptionError,
  type Update,
} from './subscribe.ts';
export {
  type Answer,
  type ClientOptions,
  type RequestOptions,
  type Socket,
  TidemarkError,
} from './transport.ts';
export type * from './types.ts';

type PathOf<M extends string, K = keyof Operations> = K extends `${M} ${infer P}` ? P : never;
type Operation<M extends string, P extends string> = `${M} ${P}` extends keyof Operations
  ? Operations[`${M} ${P}`]
  : never;

export type GetPath = PathOf<'GET'>;
export type PostPath = PathOf<'POST'>;
export type Params<P extends GetPath> = Operation<'GET', P>['params'];
export type Data<P extends GetPath> = Operation<'GET', P>['data'];
export type Body<P extends PostPath> = Operation<'POST', P> extends { body: infer B } ? B : null;
export type Made<P extends PostPath> = Operation<'POST', P>['data'];

/** The rows of the list with times in the data of a history. */
type RowOf<D, K = keyof D> = K extends keyof D
  ? D[K] extends readonly (infer R extends { timestamp: number })[]
    ? R
    : never
  : never;
export type HistoryRow<P extends GetPath> = RowOf<Data<P>>;

export class Tidemark {
  readonly #url: string;
  readonly #key: string;
  readonly #transport: Transport;
  readonly #WebSocket: ClientOptions['WebSocket'];

  constructor(options: ClientOptions) {
    this.#url = options.url.replace(/\/+$/, '');
    this.#key = options.key ?? '';
    this.#transport = new Transport(options);
    this.#WebSocket = options.WebSocket;
  }

  /** The answer of a path; `{name}` in it is the parameter of that name. */
  async get<P extends GetPath>(
    path: P,
    params: Params<P>,
    options: RequestOptions = {},
  ): Promise<Answer<Data<P>>> {
    return this.#read<Data<P>>(path, params, options);
  }

  /** Sends a body. */
  async post<P extends PostPath>(
    path: P,
    body: Body<P>,
    options: RequestOptions = {},
  ): Promise<Answer<Made<P>>> {
    const answer = await this.#transport.ask(this.#url + path, options, body);
    return answer as Answer<Made<P>>;
  }

  /** The price of one symbol on every exchange. */
  price(symbol: string, options: RequestOptions = {}): Promise<Answer<PriceOfSymbol>> {
    return this.#read('/v1/prices', { symbol }, options);
  }

  /** The average price of every symbol. */
  prices(options: RequestOptions = {}): Promise<Answer<Readonly<Record<string, PriceSummary>>>> {
    return this.#read('/v1/prices', {}, options);
  }

  /** The prices of up to 100 symbols on every exchange. */
  pricesOf(
    symbols: readonly string[],
    options: RequestOptions = {},
  ): Promise<Answer<PricesOfSymbols>> {
    return this.#read('/v1/prices', { symbols: symbols.join() }, options);
  }

  /**
   * The rows of a path with `from`, `to` and `limit`, the newest first, asked for page by page of `limit` rows, down to
   * `from` or to the oldest that there is.
   */
  async *history<P extends GetPath>(
    path: P,
    params: Params<P>,
    options: RequestOptions = {},
  ): AsyncGenerator<HistoryRow<P>, void, undefined> {
    // With `from` a page would have the oldest rows of the range.
    const { from = 0, ...given }: Readonly<Record<string, unknown>> = { ...params };
    const since = Number(from);
    let to = Number(given.to ?? Number.POSITIVE_INFINITY);
    for (;;) {
      const range = Number.isFinite(to) ? { to } : {};
      const { data } = await this.#read(path, { ...given, ...range }, options);
      const rows = rowsIn(data).filter(({ timestamp }) => timestamp <= to);
      yield* rows.filter(({ timestamp }) => timestamp >= since) as HistoryRow<P>[];
      const oldest = rows.at(-1)?.timestamp;
      if (oldest === undefined || oldest <= since) return;
      to = oldest - 1;
    }
  }

  /**
   * An answer, then each new version of it, over a WebSocket. Lost connections come back, and a version that is known is
   * not given again. A slow reader gets the newest version only. Ends when the signal aborts.
   *
   * With `mode: 'patch'` the same, but the service sends what has changed: the parts of `data` that have not changed are those of
   * the version before, so that a program must not write into them.
   *
   * With `mode: 'log'` the events of a log (of the newest liquidations) instead: each once and in order. After a lost
   * connection the next one goes on at the last event that was taken, and says whether something is missing.
   */
  subscribe<P extends GetPath>(
    path: P,
    params: Params<P>,
    options: SubscribeOptions & { mode: 'log' },
  ): AsyncGenerator<Events<HistoryRow<P>>, void, undefined>;
  subscribe<P extends GetPath>(
    path: P,
    params: Params<P>,
    options?: SubscribeOptions & { mode?: 'full' | 'patch' },
  ): AsyncGenerator<Update<Data<P>>, void, undefined>;
  subscribe(
    path: string,
    params: object,
    options: SubscribeOptions & { mode?: 'full' | 'patch' | 'log' } = {},
  ) {
    const { mode, ...wishes } = options;
    const server = { url: this.#url, key: this.#key, WebSocket: this.#WebSocket };
    const about = { ...server, path: pathOf(path, params), ...wishes };
    if (mode === 'log') return subscribe({ ...about, form: events() });
    return subscribe({ ...about, form: mode === 'patch' ? patches() : versions() });
  }

  /** `T` is the form that these parameters choose: the description cannot say it. */
  async #read<T>(path: string, params: object, options: RequestOptions): Promise<Answer<T>> {
    return (await this.#transport.ask(this.#url + pathOf(path, params), options)) as Answer<T>;
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

/** The rows with a time in the data of a history, the newest first. */
function rowsIn(data: unknown): { timestamp: number }[] {
  const lists = Object.values(isRecord(data) ? data : {}).filter(Array.isArray);
  const rows = lists.map((list) => list.filter(isDated)).find(({ length }) => length > 0) ?? [];
  return rows.sort((a, b) => b.timestamp - a.timestamp);
}
