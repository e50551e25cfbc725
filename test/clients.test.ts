/** The TypeScript client against a server in this process. */

import { readFileSync } from 'node:fs';
import net from 'node:net';
import t, { type Test } from 'tap';
import type { LogPosition } from '../actors/bus/bus.ts';
import type { Liquidations } from '../actors/topics/index.ts';
import { Tidemark } from '../clients/typescript/src/index.ts';
import { EventLog } from '../http/answers/event-log.ts';
import { type Snapshot, snapshotOf } from '../http/answers/snapshots.ts';
import { Source } from '../http/answers/source.ts';
import { batchRoute } from '../http/routes/batch.ts';
import { apiError } from '../http/wire/errors.ts';
import { echo, later, reads, startServer } from './support/http.ts';
import { alice, gateOf } from './support/quota.ts';
import { until } from './support/until.ts';

const text = { type: 'string', description: 'Text' } as const;
const integer = { type: 'integer', description: 'A number' } as const;

const since = 1_700_000_000_000;

/** An entry of the log with one event, whose number is its size, and its place. */
const logEntry = (number: number): [Liquidations, LogPosition] => [
  {
    source: 'okx',
    part: 'linear',
    at: since + number,
    since,
    events: [
      {
        symbol: 'BTC',
        contract: 'BTC-USDT-SWAP',
        side: 'long',
        price: 1,
        price_kind: 'fill',
        quantity_base: number,
        value_usd: 1,
        timestamp: since + number,
        id: `${number}`,
      },
    ],
  },
  { seq: number, id: `${since + number}-0` },
];

async function stage(t: Test) {
  const logs = { current: new EventLog() };
  let price = snapshotOf({ symbol: 'BTC', average_price: 1 }, Date.now() - 5_000);
  let failures = 0;
  const asked: number[] = [];
  const changes = new Source();
  const rows = [
    echo({
      path: '/v1/prices',
      params: { symbol: text, symbols: text },
      access: 'key',
      from: reads(
        ({ symbol }) => (symbol === 'NOPE' ? apiError('unknown_symbol') : price),
        changes,
      ),
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
    echo({
      path: '/v1/liquidations/orders',
      from: {
        ...reads(() => snapshotOf({})),
        log: () => ({ log: logs.current, limit: 50, item: (event) => event }),
      },
    }),
    batchRoute(),
  ];
  const server = await startServer(rows, { gate: gateOf({ good: alice }) });
  t.teardown(server.end);
  const set = async (next: Snapshot<{ symbol: string; average_price: number }>) => {
    price = next;
    changes.change();
    await server.clock.advance(100);
  };
  return { ...server, set, asked, logs, client: new Tidemark({ url: server.url, key: 'good' }) };
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

const levels = (quantity: number) =>
  [99, 98, 97, 96, 95, 94].map((at) => ({ price: at, quantity: at === 97 ? quantity : 1 }));

t.test('a subscription with patches: whole versions, of which the changes are sent', async (t) => {
  const { port, set } = await stage(t);
  const { url, cut } = await wayTo(t, port);
  const heard: Record<string, unknown>[] = [];
  class Heard extends WebSocket {
    constructor(address: string) {
      super(address);
      this.addEventListener('message', ({ data }) => heard.push(JSON.parse(data)));
    }
  }
  const client = new Tidemark({ url, key: 'good', WebSocket: Heard });
  const book = (quantity: number) => ({ symbol: 'BTC', average_price: 1, bids: levels(quantity) });
  await set(snapshotOf(book(1)));
  const signal = AbortSignal.timeout(20_000);
  const about = { mode: 'patch', signal } as const;
  const updates = client.subscribe('/v1/prices', { symbol: 'BTC' }, about);
  const first = (await updates.next()).value;
  t.match(first, { data: book(1) });
  await set(snapshotOf(book(2)));
  t.match((await updates.next()).value, { data: book(2) });
  t.match(first, { data: book(1) }, 'a version stays as it was');
  const patch = { bids: { key: ['price'], changed: [{ price: 97, quantity: 2 }] } };
  t.match(heard.at(-1), { type: 'patch', patch });
  cut();
  const next = updates.next();
  await until(() => heard.at(-1)?.type === 'current', 'it goes on with the version that it has');
  await set(snapshotOf(book(3)));
  const third = (await next).value;
  t.match([third, heard.at(-1)], [{ data: book(3) }, { type: 'patch' }]);
  await updates.return();
  const resume = String(Object(third).version);
  const later = client.subscribe('/v1/prices', { symbol: 'BTC' }, { ...about, resume });
  const fourth = later.next();
  await until(() => heard.at(-1)?.type === 'current', 'the service takes it for known');
  await set(snapshotOf(book(4)));
  t.match((await fourth).value, { data: book(4) }, 'whole, since a change alone is of no use');
  t.match(
    heard.slice(-3).map(({ type }) => type),
    ['patch', 'authenticated', 'snapshot'],
  );
  await later.return();
});

/** A way to a server that can be cut, or lose what is sent on the connections that are open. */
async function wayTo(t: Test, port: number) {
  const sockets = new Set<net.Socket>();
  const way = net.createServer((near) => {
    const far = net.connect(port, '127.0.0.1');
    for (const [one, other] of [[near, far] as const, [far, near] as const]) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => {});
      one.on('close', () => {
        other.destroy();
        sockets.delete(one);
      });
    }
  });
  await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  const lose = () => {
    for (const socket of sockets) socket.unpipe().resume();
  };
  t.teardown(() => {
    cut();
    way.close();
  });
  const { port: own } = way.address() as net.AddressInfo;
  return { url: `http://127.0.0.1:${own}`, cut, lose, isIdle: () => sockets.size === 0 };
}

t.test('a connection that goes silent without closing is opened again', async (t) => {
  const { port, set } = await stage(t);
  const { url, lose } = await wayTo(t, port);
  const beats = new Set<() => void>();
  let [opened, heard] = [0, 0];
  class Counted extends WebSocket {
    constructor(address: string) {
      super(address);
      opened += 1;
      this.addEventListener('message', () => {
        heard += 1;
      });
    }
  }
  t.intercept(globalThis, 'WebSocket', { value: Counted });
  const start = (beat: () => void) => {
    beats.add(beat);
    return beat;
  };
  t.intercept(globalThis, 'setInterval', { value: start });
  t.intercept(globalThis, 'clearInterval', { value: (beat: () => void) => beats.delete(beat) });
  const pass = (count: number) => {
    for (let n = 0; n < count; n++) for (const beat of beats) beat();
  };
  const updates = new Tidemark({ url, key: 'good' }).subscribe('/v1/prices', { symbol: 'BTC' });
  t.match((await updates.next()).value, { data: { average_price: 1 } });
  for (let round = 0; round < 2; round++) {
    const before = heard;
    pass(2);
    await until(() => heard > before, 'the ping is answered');
  }
  t.equal(opened, 1, 'quiet is not silent');
  lose();
  await set(snapshotOf({ symbol: 'BTC', average_price: 2 }));
  const next = updates.next();
  pass(3);
  t.match((await next).value, { data: { average_price: 2 } });
  t.equal(opened, 2);
  await updates.return();
  t.equal(beats.size, 0);
});

t.test('a log goes on over connections that are cut: each event once', async (t) => {
  const { port, logs } = await stage(t);
  const { url, cut, isIdle } = await wayTo(t, port);
  const client = new Tidemark({ url, key: 'good' });
  const signal = AbortSignal.timeout(20_000);
  let sent = 0;
  const send = (count: number) => {
    for (let n = 0; n < count; n++) {
      sent += 1;
      logs.current.accept(...logEntry(sent));
    }
  };
  const seen: number[] = [];
  const recovered: boolean[] = [];
  send(2);
  const stream = client.subscribe('/v1/liquidations/orders', {}, { mode: 'log', signal });
  const read = async (count: number) => {
    while (seen.length < count) {
      const { value } = await stream.next();
      if (!value) throw new Error('it has ended');
      seen.push(...value.events.map(({ quantity_base }) => quantity_base));
      if (value.recovered !== null) recovered.push(value.recovered);
    }
  };
  await read(2);
  for (let round = 0; round < 3; round++) {
    send(1);
    cut();
    send(2);
    await read(sent);
  }
  send(150);
  await until(isIdle, 'the client has ended the connection: too many messages wait');
  await read(sent);
  t.strictSame(
    seen,
    seen.map((_, at) => at + 1),
  );
  t.strictSame([...new Set(recovered)], [true]);
  t.ok(recovered.length >= 4, 'each connection but the first says so');
  logs.current = new EventLog();
  sent += 1_000;
  send(1);
  cut();
  await read(seen.length + 1);
  t.equal(recovered.at(-1), false, 'the log does not reach back so far');
  await stream.return();
});

t.test('the answer to the key may come long before the first version', async (t) => {
  let connections = 0;
  class Slow extends EventTarget {
    constructor() {
      super();
      connections += 1;
      setImmediate(() => this.dispatchEvent(new Event('open')));
    }

    send(text: string) {
      const isKey = JSON.parse(text).op === 'auth';
      const busy = { type: 'error', code: 'overloaded', message: 'try again' };
      const first = connections === 1 ? busy : { type: 'snapshot', data: 1, version: 'a' };
      const said = isKey ? { type: 'authenticated' } : first;
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
  t.equal(connections, 2, 'a refusal that passes is asked again');
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
