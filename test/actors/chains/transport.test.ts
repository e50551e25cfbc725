import t from 'tap';
import { createClient } from 'viem';
import { failureIn, viemTransport } from '../../../actors/chains/endpoint.ts';
import { isRecord } from '../../../actors/read.ts';
import { absent, recording } from '../../support/recordings.ts';
import { provider } from './provider.ts';

const failureOf = async (work: Promise<unknown>) =>
  failureIn(await work.then(() => null).catch((error: unknown) => error));

t.test('a rate limit inside a 200 silences the endpoint', async (t) => {
  const error = { code: -32005, message: 'limit exceeded' };
  const { methods, ask } = await provider(t, () => ({ body: { jsonrpc: '2.0', id: null, error } }));
  const found = [];
  for (const method of ['a', 'b']) {
    const { code, retryAfter = 0 } = (await failureOf(ask(method))) ?? {};
    found.push([code, retryAfter > 0 && retryAfter < 60_000]);
  }
  t.strictSame(found, Array(2).fill(['rate_limited', true]));
  t.same(methods, ['a'], 'the second is not sent');
});

t.test('an answer is a result, an error of the call, or none of JSON-RPC', async (t) => {
  const error = { code: 3, message: 'execution reverted: secret', data: '0x01' };
  for (const [body, outcome] of [
    [{ id: 1, result: 'good' }, 'good'],
    [{ id: 1, result: null }, null],
    [
      { id: 1, error },
      { code: 'refused', message: 'RPC error 3' },
    ],
    [{ id: 1 }, { code: 'shape', message: 'an answer without a result' }],
    ['noise', { code: 'shape', message: 'not an answer of JSON-RPC' }],
    [[{ id: 1, result: 'good' }], { code: 'shape', message: 'not an answer of JSON-RPC' }],
    [null, { code: 'shape', message: 'not an answer of JSON-RPC' }],
  ] as const) {
    const { ask } = await provider(t, () => ({ body }));
    const found = ask('a').catch((error: unknown) => failureIn(error));
    t.same(await found, outcome, JSON.stringify(body));
  }
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
});

t.test('a body above the cap is not read to its end', async (t) => {
  for (const [length, code] of [
    [8 * 2 ** 20, 'shape'],
    [8 * 2 ** 20 + 1, 'too_large'],
  ] as const) {
    // With its quotation marks.
    const { ask } = await provider(t, () => ({ body: 'x'.repeat(length - 2) }));
    t.equal((await failureOf(ask('a')))?.code, code);
  }
});

t.test('five failures open the breaker; none is tried again', async (t) => {
  const { methods, ask } = await provider(t, () => ({ status: 503, body: {} }));
  for (let at = 0; at < 8; at++) await failureOf(ask('a'));
  t.equal(methods.length, 5);
});

t.test('recorded answers', { skip: absent }, async (t) => {
  const methods = ['eth-blockNumber', 'eth-gasPrice', 'eth-getBalance', 'eth-feeHistory'];
  for (const name of [...methods, 'eth-call-revert-error']) {
    const recorded = recording('ethereum-rpc', name);
    if (!recorded) throw new Error(`no recording ${name}`);
    const response = isRecord(recorded.response) ? recorded.response : {};
    const { ask } = await provider(t, () => ({ status: recorded.status, body: response }));
    const request = ask(name);
    if (isRecord(response.error)) {
      const message = `RPC error ${response.error.code}`;
      await t.rejects(request, { cause: { failure: { code: 'refused', message } } });
    } else t.same(await request, response.result, name);
  }
});
