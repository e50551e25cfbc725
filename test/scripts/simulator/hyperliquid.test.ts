import t from 'tap';
import { hyperliquid } from '../../../scripts/simulator/venues/hyperliquid.ts';
import { absent, recording } from '../../support/recordings.ts';
import { differences } from '../../support/shape.ts';
import { type Simulated, simulated } from '../../support/simulated-venue.ts';

const post = async ({ url }: Simulated, body: string) => {
  const response = await fetch(`${url}/api.hyperliquid.xyz/info`, { method: 'POST', body });
  return { status: response.status, body: await response.json() };
};
const ask = (simulator: Simulated, body: object) => post(simulator, JSON.stringify(body));

const running = await simulated(hyperliquid);
t.teardown(() => running.close());

/** Keys that answers of today have and the older recordings lack. */
const newer = ['dayBaseVlm', 'coin', 'circulatingSupply'];

t.test('keys and types are those of the recordings', { skip: absent }, async (t) => {
  const coin = recording('hyperliquid', 'error-unknown-coin-book');
  t.strictSame(await ask(running, { type: 'l2Book', coin: 'NOPE' }), {
    status: coin?.status,
    body: coin?.response,
  });
  const type = recording('hyperliquid', 'error-unknown-type');
  t.strictSame(await ask(running, { type: 'nope' }), {
    status: type?.status,
    body: type?.response,
  });
  // A market and its context are rows of different form in one list.
  const listed: unknown[][] = [
    ['metaAndAssetCtxs', 'meta-and-asset-ctxs'],
    ['metaAndAssetCtxs', 'analytics-meta-and-asset-ctxs'],
    ['spotMetaAndAssetCtxs', 'spot-meta-and-asset-ctxs'],
  ];
  for (const [question, name] of listed) {
    const real = recording('hyperliquid', String(name))?.response;
    const { status, body } = await ask(running, { type: question });
    t.equal(status, 200);
    for (const i of [0, 1]) {
      const pair = [real, body].map((value) => (Array.isArray(value) ? value[i] : value));
      t.same(differences(pair[0], pair[1], { newer }), [], `${name} ${i}`);
    }
  }
  const book = await ask(running, { type: 'l2Book', coin: 'BTC' });
  t.same(differences(recording('hyperliquid', 'order-book')?.response, book.body), []);
  const req = { coin: 'kPEPE', interval: '1h', startTime: 0, endTime: 2e12 };
  const candles = await ask(running, { type: 'candleSnapshot', req });
  t.same(differences(recording('hyperliquid', 'candles')?.response, candles.body), []);
  t.equal(Array.isArray(candles.body) && candles.body.length, 5000, 'all that are kept');
});

t.test('refusals', async (t) => {
  const req = { coin: 'NOPE', interval: '1h', startTime: 0, endTime: 1 };
  t.strictSame(await ask(running, { type: 'candleSnapshot', req }), { status: 500, body: null });
  for (const body of [
    '',
    '7',
    '{}',
    '{"type":"l2Book"}',
    '{"type":"toString"}',
    '{"type":"candleSnapshot"}',
    '{"type":"candleSnapshot","req":{"coin":"BTC","interval":"6h","startTime":0,"endTime":1}}',
    '{"type":"candleSnapshot","req":{"coin":"BTC","interval":"1h","endTime":1}}',
  ]) {
    t.equal((await post(running, body)).status, 422, body);
  }
  const get = await fetch(`${running.url}/api.hyperliquid.xyz/info`);
  t.equal(get.status, 405);
});
