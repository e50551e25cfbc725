/** Requests of the TypeScript client against a server in this process. */
import { readFileSync } from 'node:fs';
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

t.test('a history comes page by page, the newest first', async (t) => {
  const { client, asked } = await clientStage(t);
  const seen: number[] = [];
  for await (const { close } of client.history('/v1/bars', { symbol: 'BTC', limit: 3, from: 2 })) {
    seen.push(close);
  }
  t.strictSame(seen, [10, 9, 8, 7, 6, 5, 4, 3, 2]);
  t.strictSame(asked, [10, 7, 4], 'three pages');
});

t.test("the README's lines are compiled", (t) => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
  const linesOf = (text: string) => text.split('\n').map((line) => line.trim());
  const compiled = linesOf(read('./support/client-readme.ts'));
  const blocks = read('../clients/typescript/README.md').matchAll(/```ts\n(.*?)```/gs);
  const shown = linesOf([...blocks].map(([, code]) => code).join('\n'));
  const lines = shown.filter((line) => line !== '' && !line.startsWith('import '));
  t.ok(lines.length > 10);
  t.strictSame(
    lines.filter((line) => !compiled.includes(line)),
    [],
  );
  t.end();
});
