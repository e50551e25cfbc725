/** JSON-RPC 2.0 over an endpoint, and the failures behind the errors of the libraries. https://www.jsonrpc.org/specification */
import { type CustomTransport, custom } from 'viem';
import { type Failure, failed, ShapeError } from '../failure.ts';
import { isRecord } from '../read.ts';
import { type Endpoint, EndpointError, isRateLimit, type Time } from './endpoint.ts';

/** The endpoint of a request, and its deadline. */
export interface Attempt extends Time {
  endpoint: Endpoint;
}

/** The identity and height that an endpoint states. */
export interface Look {
  /** Compared with the chain's; null where nothing is asked. */
  identity: number | string | null;
  block: number;
}

/** How a chain is asked. Both reject with what `failureIn` knows; anything else is a bug. */
export interface Protocol<S> {
  look(attempt: Attempt): Promise<Look>;
  /** Everything that one poll needs besides the height. */
  read(attempt: Attempt): Promise<S>;
}

/** The error object of an answer. Its text is dropped: it may quote anything. */
export class RpcError extends Error {
  override name = 'RpcError';
  readonly code: number;
  /** Of a revert: the bytes that the contract gave. */
  readonly data: unknown;

  constructor(error: Readonly<Record<string, unknown>>) {
    const code = Number.isInteger(error.code) ? Number(error.code) : 0;
    super(`RPC error ${code}`);
    this.code = code;
    this.data = error.data;
  }
}

/**
 * viem's transport for one attempt at one endpoint: our deadline, our cap of bodies, no timer and no retry of its own. Calls
 * are never joined to a batch of JSON-RPC: some endpoints take none, and the others count each call in it. A request
 * rejects with a RpcError, an EndpointError or a ShapeError.
 */
export const viemTransport = ({ endpoint, ...time }: Attempt): CustomTransport => {
  const request = async ({ method, params = [] }: { method: string; params?: unknown }) => {
    const result = await endpoint.send({ body: { jsonrpc: '2.0', id: 1, method, params } }, time);
    if (!result.ok) throw new EndpointError(result.failure);
    const { body } = result.value;
    if (!isRecord(body)) throw new ShapeError('not an answer of JSON-RPC');
    if (isRecord(body.error)) throw new RpcError(body.error);
    if (body.result === undefined) throw new ShapeError('an answer without a result');
    return body.result;
  };
  return custom({ request }, { retryCount: 0 });
};

const noCause = (error: Error): Failure | null => {
  if (error instanceof EndpointError) return error.failure;
  if (error instanceof ShapeError) return failed('shape', error.message).failure;
  if (!(error instanceof RpcError)) return null;
  return failed(isRateLimit(error.code) ? 'rate_limited' : 'refused', error.message).failure;
};

/**
 * The failure among the causes of an error that a library threw; null when there is none. Messages of the libraries are
 * dropped: they quote requests.
 */
export function failureIn(error: unknown): Failure | null {
  for (let at = error, depth = 0; at instanceof Error && depth < 10; at = at.cause, depth++) {
    const failure = noCause(at);
    if (failure) return failure;
  }
  return null;
}
