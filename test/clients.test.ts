/** Requests of the TypeScript client against a server in this process. */
import t from 'tap';
import { Tidemark } from '../clients/typescript/src/index.ts';
import { clientStage } from './support/client-stage.ts';

t.test('answers, entity tags, errors', async (t) => {
  const { client, url } = await clientStage(t);
  const first = await client.price('BTC');
  t.match(first, { data: { average_price: 1 }, unchanged: false });
  t.match(await client.price('BTC'), { data: { average_price: 1 }, unchanged: true });
  await t.rejects(client.price('NOPE'), { status: 404, code: 'unknown_symbol' });
  await t.rejects(new Tidemark({ url, key: 'bad' }).prices(), { code: 'unauthorized' });
  const batch = await client.post('/v1/batch', { paths: ['/v1/prices?symbol=BTC'] });
  t.match(batch.data.answers, [{ status: 200, data: { average_price: 1 } }]);
});

t.test('a failure that passes is asked again, within the deadline', async (t) => {
  const { client } = await clientStage(t);
  const { data } = await client.get('/v2/dex/token/{address}', { address: '0x/a' });
  t.match(data, { address: '0x/a' });
  const never: typeof fetch = (_, init) =>
    new Promise((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
    });
  const silent = new Tidemark({ url: 'http://127.0.0.1:1', fetch: never, timeout: 20 });
  await t.rejects(silent.prices(), { status: 0, code: 'timeout' });
  const away = new AbortController();
  const stopped = silent.prices({ signal: away.signal, timeout: 60_000 });
  away.abort(new Error('enough'));
  await t.rejects(stopped, { message: 'enough' });
  const answers = [
    new Response('{}', { status: 429, headers: { 'retry-after': '0' } }),
    Response.json({ status: 'ok', timestamp: 1, data: {} }),
  ];
  const limited = new Tidemark({
    url: 'http://x',
    fetch: async () => answers.shift() ?? never(''),
  });
  t.match(await limited.post('/v1/batch', { paths: ['/'] }), { timestamp: 1 });
  const used = { status: 'error', code: 'too_many_requests', message: 'used up' };
  const asked: string[] = [];
  const gone = new Tidemark({
    url: 'http://x',
    fetch: async (url) => {
      asked.push(String(url));
      const headers = {
        'retry-after': '60',
        ratelimit: '"default";r=0;t=60',
        'ratelimit-policy': '"default";q=60;w=60',
      };
      return Response.json(used, { status: 429, headers });
    },
  });
  await t.rejects(gone.prices(), { status: 429, code: 'too_many_requests' });
  await t.rejects(
    gone.prices(),
    { status: 429, code: 'too_many_requests' },
    'a reset after the deadline is not waited for',
  );
  t.equal(asked.length, 2);
  const page = async () => new Response('<html>', { status: 504, statusText: 'Gateway Timeout' });
  const behind = new Tidemark({ url: 'http://x', fetch: page });
  await t.rejects(behind.prices(), { status: 504, message: 'Gateway Timeout' });
});

t.test('a history comes page by page, over a gap that is longer than a page', async (t) => {
  const asked: string[] = [];
  const barsAt = (...times: number[]) =>
    times.map((timestamp) => ({ timestamp, close: timestamp }));
  // Nothing was recorded from 4 to 8.
  const pages = new Map([
    ['2', { bars: barsAt(2, 3), next: 5 }],
    ['5', { bars: [], next: 8 }],
    ['8', { bars: barsAt(9, 10), next: 11 }],
    ['11', { bars: barsAt(11, 12) }],
  ]);
  const client = new Tidemark({
    url: 'http://x',
    fetch: async (url) => {
      const { search, searchParams } = new URL(String(url));
      asked.push(search);
      const data = pages.get(searchParams.get('from') ?? '');
      return Response.json({ status: 'ok', timestamp: 1, data });
    },
  });
  const seen: number[] = [];
  const range = { symbol: 'BTC', limit: 3, from: 2, to: 12 };
  for await (const { close } of client.history('/v1/bars', range)) seen.push(close);
  t.strictSame(seen, [2, 3, 9, 10, 11, 12]);
  t.strictSame(
    asked,
    ['2', '5', '8', '11'].map((from) => `?symbol=BTC&limit=3&from=${from}&to=12`),
  );
});
