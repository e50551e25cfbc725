/** The TypeScript client against a server in this process. */

import { readFileSync } from 'node:fs';
import t, { type Test } from 'tap';
import { Tidemark } from '../clients/typescript/src/index.ts';
import { apiError } from '../http/errors.ts';
import { batchRoute } from '../http/routes/batch.ts';
import { type Snapshot, snapshotOf } from '../http/snapshots.ts';
import { echo, later, startServer } from './support/http.ts';
import { alice, gateOf } from './support/quota.ts';

const text = { type: 'string', description: 'Text' } as const;
const integer = { type: 'integer', description: 'A number' } as const;

async function stage(t: Test) {
  let price = snapshotOf({ symbol: 'BTC', average_price: 1 }, Date.now() - 5_000);
  let failures = 0;
  const asked: number[] = [];
  const rows = [
    echo({
      path: '/v1/prices',
      params: { symbol: text, symbols: text },
      access: 'key',
      from: {
        view: ({ symbol }) => (symbol === 'NOPE' ? apiError('unknown_symbol') : price),
      },
    }),
    echo({
      path: '/v1/bars',
      params: { symbol: text, limit: integer, from: integer, to: integer },
      from: later(({ limit, from = 0, to = 10 }) => {
        asked.push(Number(to));
        const all = Array.from({ length: 11 }, (_, i) => ({ timestamp: i, close: i }));
        const bars = all.filter(({ timestamp: at }) => at >= Number(from) && at <= Number(to));
        return snapshotOf({ bars: bars.slice(-Number(limit)) });
      }),
    }),
    echo({
      path: '/v2/dex/token/{address}',
      params: { address: { ...text, required: true } },
      from: later((values) => {
        failures += 1;
        return failures === 1
          ? apiError('upstream_failed', 'not now', { retryAfter: 0 })
          : snapshotOf(values);
      }),
    }),
    batchRoute(),
  ];
  const server = await startServer(rows, { gate: gateOf({ good: alice }) });
  t.teardown(server.end);
  const set = async (next: Snapshot<{ symbol: string; average_price: number }>) => {
    price = next;
    server.touch();
    await server.clock.advance(100);
  };
  return { ...server, set, asked, client: new Tidemark({ url: server.url, key: 'good' }) };
}

t.test('answers, entity tags, errors', async (t) => {
  const { client, url } = await stage(t);
  const first = await client.price('BTC');
  t.match(first, { data: { average_price: 1 }, unchanged: false });
  t.match(await client.price('BTC'), { data: { average_price: 1 }, unchanged: true });
  await t.rejects(client.price('NOPE'), { status: 404, code: 'unknown_symbol' });
  await t.rejects(new Tidemark({ url, key: 'bad' }).prices(), { code: 'unauthorized' });
  const batch = await client.post('/v1/batch', { paths: ['/v1/prices?symbol=BTC'] });
  t.match(batch.data.answers, [{ status: 200, data: { average_price: 1 } }]);
});

t.test('a failure that passes is asked again, within the deadline', async (t) => {
  const { client } = await stage(t);
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
        'x-ratelimit-after': '60',
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
  const { client, asked } = await stage(t);
  const seen: number[] = [];
  for await (const { close } of client.history('/v1/bars', { symbol: 'BTC', limit: 3, from: 2 })) {
    seen.push(close);
  }
  t.strictSame(seen, [10, 9, 8, 7, 6, 5, 4, 3, 2]);
  t.strictSame(asked, [10, 7, 4], 'three pages');
});

t.test('a subscription goes on over connections that are lost', async (t) => {
  const { client, set, stop, clock } = await stage(t);
  const done = new AbortController();
  const updates = client.subscribe('/v1/prices', { symbol: 'BTC' }, { signal: done.signal });
  t.match((await updates.next()).value, { data: { average_price: 1 } });
  const next = updates.next();
  await set(snapshotOf({ symbol: 'BTC', average_price: 2 }));
  t.match((await next).value, { data: { average_price: 2 } });
  const later = updates.next();
  const stopped = stop();
  await clock.advance(10_000);
  await stopped;
  done.abort();
  t.equal((await later).done, true);
});

t.test('the answer to the key may come long before the first version', async (t) => {
  class Slow extends EventTarget {
    constructor() {
      super();
      setImmediate(() => this.dispatchEvent(new Event('open')));
    }

    send(text: string) {
      const isKey = JSON.parse(text).op === 'auth';
      const said = isKey ? { type: 'authenticated' } : { type: 'snapshot', data: 1, version: 'a' };
      const message = new MessageEvent('message', { data: JSON.stringify(said) });
      setTimeout(() => this.dispatchEvent(message), isKey ? 0 : 20);
    }

    close() {}
  }
  t.intercept(globalThis, 'WebSocket', { value: Slow });
  const client = new Tidemark({ url: 'http://x', key: 'good' });
  const signal = AbortSignal.timeout(5_000);
  const updates = client.subscribe('/v1/status', {}, { signal });
  t.match((await updates.next()).value, { data: 1, version: 'a' });
  await updates.return();
});

t.test('a subscription ends with what a new connection would not mend', async (t) => {
  const { client } = await stage(t);
  const refused = client.subscribe('/v1/exchanges', {});
  await t.rejects(refused.next(), { name: 'SubscriptionError', code: 'not_found' });
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
