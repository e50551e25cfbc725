/** JSON-RPC 2.0 over an endpoint: calls made together go out as one batch. https://www.jsonrpc.org/specification */
import { type CustomTransport, custom } from 'viem';
import { type Failure, failed, ShapeError } from '../failure.ts';
import { isRecord } from '../read.ts';
import { type Endpoint, EndpointError, isRateLimit, sizeRefusals, type Time } from './endpoint.ts';

/** The endpoint of a request, and its deadline. */
export interface Attempt extends Time {
  endpoint: Endpoint;
}

/** One call, as EIP-1193 has it. */
export interface RpcRequest {
  method: string;
  params?: unknown;
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

interface Waiting {
  request: RpcRequest;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/**
 * An EIP-1193 provider for one attempt at one endpoint. `request` rejects with a RpcError, an EndpointError or a
 * ShapeError.
 */
export class JsonRpc {
  readonly #attempt: Attempt;
  #waiting: Waiting[] = [];

  constructor(attempt: Attempt) {
    this.#attempt = attempt;
  }

  /** Sent with all that is asked in the same turn of the event loop. */
  request(request: RpcRequest): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    if (this.#waiting.push({ request, resolve, reject }) === 1) {
      setImmediate(() => void this.#flush());
    }
    return promise;
  }

  /**
   * In parts as large as the endpoint takes them. A part that it refuses goes again in halves; a size that has worked
   * is remembered, so that this happens once.
   */
  async #flush(): Promise<void> {
    const { endpoint } = this.#attempt;
    let rest = this.#waiting;
    this.#waiting = [];
    let size = Math.min(endpoint.batchSize, rest.length);
    while (rest.length > 0) {
      const part = rest.slice(0, size);
      const answers = await this.#post(part.map(({ request }) => request));
      if (answers === 'too_many') {
        size = Math.ceil(part.length / 2);
        continue;
      }
      if (answers instanceof Error) {
        for (const { reject } of rest) reject(answers);
        return;
      }
      if (size < rest.length) endpoint.batchSize = size;
      settle(part, answers);
      rest = rest.slice(part.length);
    }
  }

  /** A batch of one is sent as the call alone: some endpoints take no batches. */
  async #post(calls: readonly RpcRequest[]): Promise<'too_many' | unknown[] | Error> {
    const bodies = calls.map(({ method, params = [] }, at) => ({
      jsonrpc: '2.0',
      id: at + 1,
      method,
      params,
    }));
    const { endpoint, ...time } = this.#attempt;
    const alone = bodies.length === 1;
    const result = await endpoint.send({ body: alone ? bodies[0] : bodies }, time);
    if (!result.ok) {
      return !alone && sizeRefusals.has(result.failure.status ?? 0)
        ? 'too_many'
        : new EndpointError(result.failure);
    }
    const { body } = result.value;
    if (alone) return [body];
    return Array.isArray(body) ? body : 'too_many';
  }
}

/** Answers in a batch come in any order: they are matched by id. */
function settle(part: readonly Waiting[], answers: readonly unknown[]): void {
  for (const [at, { resolve, reject }] of part.entries()) {
    const answer = answers.find((candidate) => isRecord(candidate) && candidate.id === at + 1);
    if (!isRecord(answer)) reject(new ShapeError('a call without an answer'));
    else if (isRecord(answer.error)) reject(new RpcError(answer.error));
    else if (answer.result === undefined) reject(new ShapeError('an answer without a result'));
    else resolve(answer.result);
  }
}

/** viem's transport for one attempt: no timer and no retry of its own, batches as above. */
export const viemTransport = (attempt: Attempt): CustomTransport =>
  custom(new JsonRpc(attempt), { retryCount: 0 });

const noCause = (error: Error): Failure | null => {
  if (error instanceof EndpointError) return error.failure;
  if (error instanceof ShapeError) return failed('shape', error.message).failure;
  if (!(error instanceof RpcError)) return null;
  return failed(isRateLimit(error.code) ? 'rate_limited' : 'refused', error.message).failure;
};

/**
 * The EndpointError among the causes of an error that a library threw; null when there is none. Messages of
 * the libraries are dropped: they quote requests.
 */
export function failureIn(error: unknown): Failure | null {
  for (let at = error, depth = 0; at instanceof Error && depth < 10; at = at.cause, depth++) {
    const failure = noCause(at);
    if (failure) return failure;
  }
  return null;
}
