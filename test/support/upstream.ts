/** A client of one API on local servers, for tests of the upstream clients. */
import type { Test } from 'tap';
import type { Failure, Result } from '../../actors/failure.ts';
import {
  createHttpClient,
  type HttpClient,
  type HttpClientOptions,
  type SendOptions,
} from '../../actors/upstream/client.ts';
import type { Faults } from '../../actors/upstream/faults.ts';
import type { Api, UpstreamAnswer, UpstreamRequest } from '../../actors/upstream/request.ts';

const codes = {
  [-1]: 'refused',
  [-9]: 'unavailable',
  [-1003]: 'rate_limited',
  [-1100]: 'refused',
  [-1121]: 'unknown_instrument',
} as const;

/** `{code, msg}` bodies, which may come with a status of 200. */
export const faults: Faults = {
  name: 'Test',
  at: 'code',
  when: ({ code }) => typeof code === 'number' && Object.hasOwn(codes, code),
  codes,
};

export interface TestClient extends HttpClient {
  /** Sends a request of the one API; a deadline of 10 s when none is given. */
  get(
    path: string,
    more?: Partial<SendOptions> & Partial<UpstreamRequest>,
  ): Promise<Result<UpstreamAnswer>>;
}

/** Closed with the test. Retries are off, every timeout counts and windows are as stated, unless `options.limits` say otherwise. */
export function testClient(
  t: Pick<Test, 'teardown'>,
  hosts: Api['hosts'],
  {
    api = {},
    others = {},
    ...options
  }: Partial<HttpClientOptions> & { api?: Partial<Api>; others?: HttpClientOptions['apis'] } = {},
): TestClient {
  const client = createHttpClient({
    source: 'test',
    gateway: null,
    random: () => 0.5,
    ...options,
    apis: {
      a: { hosts, budgets: { default: { weight: 1_000, per: 1_000 } }, faults, ...api },
      ...others,
    },
    limits: {
      retries: 0,
      patience: 0,
      lag: Number.POSITIVE_INFINITY,
      spread: 0,
      abandoned: 0,
      ...options.limits,
    },
  });
  t.teardown(() => client.close());
  const get: TestClient['get'] = (path, { deadline = 10_000, signal, account, ...request } = {}) =>
    client.send(
      { api: 'a', path, ...request },
      { deadline, ...(signal && { signal }), ...(account !== undefined && { account }) },
    );
  return {
    send: (request, sendOptions) => client.send(request, sendOptions),
    state: (name) => client.state(name),
    close: () => client.close(),
    get,
  };
}

/** The failure of a result; throws when it is a success. */
export function failureOf(result: Result<unknown>): Failure {
  if (result.ok) throw new Error('a success where a failure was expected');
  return result.failure;
}
