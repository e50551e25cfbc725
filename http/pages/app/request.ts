/** Requests to the public API, with the types of their answers: those of the client, which the service's own description gives. */
import type {
  Data,
  GetPath,
  HistoryRow,
  Known,
  Params,
} from '../../../clients/typescript/src/operations.ts';
import type { Operations } from '../../../clients/typescript/src/types.ts';

export type * from '../../../clients/typescript/src/types.ts';

declare const answer: unique symbol;

/** The path of a GET with its query; D are the data of its answer. */
export type Path<D> = string & { readonly [answer]?: D };

/** A request that changes something; D are the data of its answer. */
export interface Sending<D> {
  readonly method: string;
  readonly path: Path<D>;
  /** JSON text. */
  readonly body?: string;
}

/** Values that come out of an address or a field may be any words: the service refuses those that it does not know. */
type Words<T> = {
  [K in keyof T]: [T[K]] extends [string | undefined] ? T[K] | string : T[K];
};

/** What fills `{name}` in a path stands there, the rest in the query; an empty or undefined value is left out. */
function textOf(path: string, params: object): string {
  const query = new URLSearchParams();
  let place = path;
  for (const [name, value] of Object.entries(params)) {
    if (place.includes(`{${name}}`)) place = place.replace(`{${name}}`, encodeURIComponent(value));
    else if (value !== undefined && value !== '') query.set(name, value);
  }
  return query.size === 0 ? place : `${place}?${query.toString().replaceAll('%2C', ',')}`;
}

/** The request for the answer of a path. */
export const at = <P extends GetPath, const Q extends Words<Params<P>>>(
  path: P,
  params: Known<Q, Params<P>>,
): Path<Data<P, Q>> => textOf(path, params) as Path<Data<P, Q>>;

/** The request for the events of a log: the rows of the list of a path, each once. */
export const logOf = <P extends GetPath, const Q extends Words<Params<P>>>(
  path: P,
  params: Known<Q, Params<P>>,
): Path<readonly HistoryRow<P>[]> => textOf(path, params) as Path<readonly HistoryRow<P>[]>;

type Change = Exclude<keyof Operations, `GET ${string}`>;
type BodyOf<K extends Change> = Operations[K] extends { body: infer B } ? Words<B> : undefined;

/** A request that changes something: its method with its path, what fills the path, and its body. */
export function to<K extends Change>(
  operation: K,
  params: Operations[K]['params'],
  body?: BodyOf<K>,
): Sending<Operations[K]['data']> {
  const [method = '', path = ''] = operation.split(' ');
  const sent = { method, path: textOf(path, params) as Path<Operations[K]['data']> };
  return body === undefined ? sent : { ...sent, body: JSON.stringify(body) };
}
