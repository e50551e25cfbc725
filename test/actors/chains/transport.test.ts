import t from 'tap';
import { createClient } from 'viem';
import { EndpointError } from '../../../actors/chains/endpoint.ts';
import { failureIn, RpcError, viemTransport } from '../../../actors/chains/transport.ts';
import { ShapeError } from '../../../actors/failure.ts';
import { isRecord } from '../../../actors/read.ts';
import { absent, recording } from '../../support/recordings.ts';
import { type Answer, provider } from './provider.ts';

/** Echoes the method; refuses batches above `most` in the given way. */
const echo =
  (most: number, refusal: Answer) =>
  (body: unknown): Answer => {
    const one = (call: unknown) =>
      isRecord(call) ? { jsonrpc: '2.0', id: call.id, result: call.method } : null;
    if (!Array.isArray(body)) return { body: one(body) };
    return body.length > most ? refusal : { body: body.map(one).reverse() };
  };
const refusals: Record<string, Answer> = {
  'an error object in a 200': { body: { jsonrpc: '2.0', id: null, error: { code: -32600 } } },
  '400 with an error object': { status: 400, body: { error: { code: 31, message: 'too many' } } },
  '413 without one': { status: 413, body: 'no' },
  '500 with an error object': { status: 500, body: { error: { code: 31, message: 'too many' } } },
};
const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

t.test('calls made together are one batch, in any order of answers', async (t) => {
  const { sizes, ask } = await provider(t, echo(100, { body: null }));
  const rpc = ask();
  const results = await Promise.all(names.map((method) => rpc.request({ method })));
  t.same(results, names);
  t.same(sizes, [7]);
  t.equal(await rpc.request({ method: 'alone' }), 'alone');
  t.same(sizes, [7, 0], 'one call is no batch');
});

for (const [name, refusal] of Object.entries(refusals)) {
  t.test(`batches are split where they are refused: ${name}`, async (t) => {
    for (const [most, wanted, remembered] of [
      [3, [7, 4, 2, 2, 2, 0], 2],
      [4, [7, 4, 3], 4],
      [0, [7, 4, 2, 0, 0, 0, 0, 0, 0, 0], 1],
    ] as const) {
      const { sizes, ask, endpoint } = await provider(t, echo(most, refusal));
      const first = ask();
      t.same(await Promise.all(names.map((method) => first.request({ method }))), names);
      t.same(sizes, wanted, `at most ${most}`);
      t.equal(endpoint.batchSize, remembered);
      sizes.length = 0;
      const next = ask();
      t.same(await Promise.all(names.map((method) => next.request({ method }))), names);
      t.notOk(sizes.includes(7), 'the size that works is known');
    }
  });
}

t.test('only a refusal because of the size splits a batch', async (t) => {
  for (const [status, code] of [
    [404, 'refused'],
    [403, 'blocked'],
    [429, 'rate_limited'],
    [503, 'unavailable'],
  ] as const) {
    const { sizes, ask } = await provider(t, () => ({ status, body: {} }));
    const rpc = ask();
    const calls = Promise.allSettled(names.map((method) => rpc.request({ method })));
    for (const outcome of await calls) {
      t.match(outcome, { status: 'rejected', reason: { failure: { code, status } } });
    }
    t.same(sizes, [7], `${status}`);
  }
});

t.test('a rate limit inside a 200 silences the endpoint', async (t) => {
  const error = { code: -32005, message: 'limit exceeded' };
  const { sizes, ask } = await provider(t, () => ({ body: { jsonrpc: '2.0', id: null, error } }));
  const found = [];
  for (const method of ['a', 'b']) {
    const error: unknown = await ask()
      .request({ method })
      .catch((e) => e);
    const { code, retryAfter = 0 } = failureIn(error) ?? {};
    found.push([code, retryAfter > 0 && retryAfter < 60_000]);
  }
  t.strictSame(found, Array(2).fill(['rate_limited', true]));
  t.same(sizes, [0], 'the second is not sent');
});

t.test('a batch in which answers are missing, strange or errors', async (t) => {
  const answers = [
    { id: 1, result: 'good' },
    { id: 2, error: { code: 3, message: 'execution reverted: secret', data: '0x01' } },
    { id: 3 },
    'noise',
    { id: 7, result: null },
  ];
  const { ask } = await provider(t, () => ({ body: answers }));
  const rpc = ask();
  const [a, b, c, d, e, f, g] = await Promise.allSettled(
    names.map((method) => rpc.request({ method })),
  );
  t.match(a, { value: 'good' });
  t.match(b, { reason: { message: 'RPC error 3', code: 3, data: '0x01' } });
  for (const missing of [c, d, e, f]) {
    t.ok(missing?.status === 'rejected' && missing.reason instanceof ShapeError);
  }
  t.match(g, { status: 'fulfilled', value: null });
});

t.test('failures are found through the libraries that wrapped them', async (t) => {
  const gone = await provider(t, () => ({ status: 503, body: {} }));
  const reverted = await provider(t, (body) => ({
    body: { id: isRecord(body) ? body.id : null, error: { code: 3, message: 'secret' } },
  }));
  for (const [{ attempt }, code] of [
    [gone, 'unavailable'],
    [reverted, 'refused'],
  ] as const) {
    const client = createClient({ transport: viemTransport(attempt()) });
    const error: unknown = await client.request({ method: 'eth_chainId' }).catch((e) => e);
    const failure = failureIn(error);
    t.equal(failure?.code, code);
    t.notMatch(failure?.message, /secret|eth_chainId|rpc\//);
  }
  t.equal(failureIn(new TypeError('a bug')), null);
  t.equal(failureIn(new EndpointError({ code: 'timeout', message: 'x' }))?.code, 'timeout');
  t.equal(failureIn(new RpcError({ code: 429 }))?.code, 'rate_limited');
});

t.test('a body above the cap is not read to its end', async (t) => {
  for (const [length, code] of [
    [8 * 2 ** 20, 'shape'],
    [8 * 2 ** 20 + 1, 'too_large'],
  ] as const) {
    // With its quotation marks.
    const { ask } = await provider(t, () => ({ body: 'x'.repeat(length - 2) }));
    const error: unknown = await ask()
      .request({ method: 'a' })
      .catch((e) => e);
    t.equal(failureIn(error)?.code, code);
  }
});

t.test('six failures open the breaker; none is tried again', async (t) => {
  const { sizes, ask } = await provider(t, () => ({ status: 503, body: {} }));
  for (let at = 0; at < 8; at++)
    await ask()
      .request({ method: 'a' })
      .catch(() => {});
  t.equal(sizes.length, 6);
});

t.test('recorded answers', { skip: absent }, async (t) => {
  const methods = ['eth-blockNumber', 'eth-gasPrice', 'eth-getBalance', 'eth-feeHistory'];
  for (const name of [...methods, 'eth-call-revert-error']) {
    const recorded = recording('ethereum-rpc', name);
    if (!recorded) throw new Error(`no recording ${name}`);
    const response = isRecord(recorded.response) ? recorded.response : {};
    const { ask } = await provider(t, () => ({ status: recorded.status, body: response }));
    const request = ask().request({ method: name });
    if (isRecord(response.error)) {
      const { code, data } = response.error;
      await t.rejects(request, { name: 'RpcError', code, data });
    } else t.same(await request, response.result, name);
  }
});
