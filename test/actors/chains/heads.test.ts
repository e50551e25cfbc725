import t from 'tap';
import { bitcoinHead, esplora } from '../../../actors/chains/bitcoin.ts';
import { failureIn } from '../../../actors/chains/endpoint.ts';
import { solanaHead, solanaValue } from '../../../actors/chains/solana.ts';
import { isRecord } from '../../../actors/read.ts';
import { absent, recording } from '../../support/recordings.ts';
import { provider } from './provider.ts';

const codeOf = async (work: Promise<unknown>) =>
  failureIn(await work.then(() => null).catch((error: unknown) => error))?.code;

t.test('bitcoin: a whole number in the range of the main chain', async (t) => {
  for (const [body, block] of [
    [916_000, 916_000],
    [800_000, 800_000],
    [799_999, null],
    [3_000_000, 3_000_000],
    [3_000_001, null],
    [916_000.5, null],
    ['916000', null],
    [{ height: 916_000 }, null],
    [null, null],
  ] as const) {
    const { attempt } = await provider(t, () => ({ body }));
    const read = bitcoinHead(attempt());
    if (block === null) t.equal(await codeOf(read), 'shape', JSON.stringify(body));
    else t.same(await read, { identity: null, block });
  }
});

const answering = (answer: Readonly<Record<string, unknown>>) => (body: unknown) => ({
  body: { jsonrpc: '2.0', id: isRecord(body) ? body.id : null, ...answer },
});

t.test('solana: the hash of its first block and a slot', async (t) => {
  const identity = 'a hash';
  for (const [answer, outcome] of [
    [{ result: 341_197_933 }, { identity, block: 341_197_933 }],
    [{ result: 1 }, { identity, block: 1 }],
    [{ result: 2 ** 53 }, 'shape'],
    [{ result: '341197933' }, 'shape'],
    [{ result: null }, 'shape'],
    [{ result: 0 }, 'shape'],
    [{ result: -1 }, 'shape'],
    [{}, 'shape'],
    [{ error: { code: -32_601, message: 'secret' } }, 'refused'],
    [{ error: { code: 429, message: 'secret' } }, 'rate_limited'],
  ] as const) {
    const { attempt } = await provider(t, (body) =>
      answering(isRecord(body) && body.method === 'getSlot' ? answer : { result: identity })(body),
    );
    const look = solanaHead(attempt());
    if (typeof outcome === 'string') t.equal(await codeOf(look), outcome, JSON.stringify(answer));
    else t.same(await look, outcome);
  }
});

t.test('solana: an endpoint that is not there', async (t) => {
  for (const [status, code] of [
    [503, 'unavailable'],
    [403, 'blocked'],
    [429, 'rate_limited'],
  ] as const) {
    const { attempt, methods } = await provider(t, () => ({ status, body: {} }));
    t.equal(await codeOf(solanaHead(attempt())), code);
    t.equal(new Set(methods).size, methods.length, 'nothing is tried again');
  }
});

t.test('recorded token accounts', { skip: absent }, async (t) => {
  const recorded = recording('solana-rpc', 'getTokenAccountsByOwner');
  if (!recorded || !isRecord(recorded.response)) throw new Error('no recording');
  const { result } = recorded.response;
  const { attempt } = await provider(t, answering({ result }));
  const accounts = await solanaValue(attempt(), 'getTokenAccountsByOwner', []);
  t.ok(Array.isArray(accounts) && accounts.length > 0);
});

t.test('a recorded address of Esplora', { skip: absent }, async (t) => {
  const recorded = recording('esplora', 'address-stats');
  if (!recorded) throw new Error('no recording');
  const { attempt } = await provider(t, () => ({ body: recorded.response }));
  const address = 'bc1qq7gm20tgeauggamlh7m54fu9e54vkdyzxzy5rh';
  const path = `/address/${address}`;
  t.match(await esplora(attempt(), path), { address, chain_stats: { funded_txo_sum: 94_641 } });
});
