/** Subscriptions of the TypeScript client against a server in this process. */
import { crc32 } from 'node:zlib';
import t from 'tap';
import { bookChecksum, Tidemark, withLevels } from '../clients/typescript/src/index.ts';
import { EventLog } from '../http/answers/event-log.ts';
import { snapshotOf } from '../http/answers/snapshots.ts';
import { clientStage, levels, logEntry, recorded, wayTo } from './support/client-stage.ts';
import { until } from './support/until.ts';

t.test('a subscription goes on over connections that are lost', async (t) => {
  const { client, set, stop, clock } = await clientStage(t);
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

t.test('a subscription with patches: whole versions, of which the changes are sent', async (t) => {
  const { port, set } = await clientStage(t);
  const { url, cut } = await wayTo(t, port);
  const { WebSocket, heard } = recorded();
  const client = new Tidemark({ url, key: 'good', WebSocket });
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
    ['patch', 'unsubscribed', 'snapshot'],
  );
  await later.return();
});

t.test('a connection that goes silent without closing is opened again', async (t) => {
  const { port, set } = await clientStage(t);
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
  const { port, logs } = await clientStage(t);
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
  let [connections, asked] = [0, 0];
  class Slow extends EventTarget {
    constructor() {
      super();
      connections += 1;
      setImmediate(() => this.dispatchEvent(new Event('open')));
    }

    send(text: string) {
      const { op, id } = JSON.parse(text);
      const isKey = op === 'auth';
      asked += op === 'subscribe' ? 1 : 0;
      const busy = { type: 'error', id, code: 'overloaded', message: 'try again' };
      const first = asked === 1 ? busy : { type: 'snapshot', id, data: 1, version: 'a' };
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
  t.match(
    [connections, asked],
    [1, 2],
    'a refusal that passes is asked again, on the same connection',
  );
  await updates.return();
});

t.test(
  'of a pattern the newest version of each answer waits, and is patched by itself',
  async (t) => {
    const version = (path: string, data: object, version: string) => ({
      type: 'snapshot',
      id: 1,
      path,
      data,
      version,
      timestamp: 1,
    });
    const [bitcoin, ether] = ['/v1/prices?symbol=BTC', '/v1/prices?symbol=ETH'];
    const messages = [
      version(bitcoin, { symbol: 'BTC', average_price: 1 }, 'a'),
      version(ether, { symbol: 'ETH', average_price: 2 }, 'b'),
      {
        type: 'patch',
        id: 1,
        path: bitcoin,
        from: 'a',
        version: 'c',
        timestamp: 2,
        patch: { average_price: 3 },
      },
    ];
    class Scripted extends EventTarget {
      constructor() {
        super();
        setImmediate(() => this.dispatchEvent(new Event('open')));
      }

      send() {
        for (const message of messages.splice(0))
          this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }));
      }

      close() {}
    }
    t.intercept(globalThis, 'WebSocket', { value: Scripted });
    const client = new Tidemark({ url: 'http://x' });
    const updates = client.subscribe('/v1/prices', { symbol: '*' }, { mode: 'patch' });
    t.match((await updates.next()).value, { path: ether, data: { average_price: 2 } });
    t.match((await updates.next()).value, {
      path: bitcoin,
      data: { symbol: 'BTC', average_price: 3 },
    });
    await updates.return();
  },
);

t.test('a subscription ends with what a new connection would not mend', async (t) => {
  const { client } = await clientStage(t);
  const refused = client.subscribe('/v1/exchanges', {});
  await t.rejects(refused.next(), { name: 'SubscriptionError', code: 'not_found' });
});

t.test(
  'an order book by its levels; where a checksum differs, the whole is asked for',
  async (t) => {
    const { port, set } = await clientStage(t);
    const { url } = await wayTo(t, port);
    const { WebSocket, heard } = recorded();
    const client = new Tidemark({ url, key: 'good', WebSocket });
    const sides = (quantity: number) => ({
      bids: levels(quantity),
      asks: [{ price: 200, quantity }],
    });
    const book = (sequence: number) => ({
      symbol: 'BTC',
      average_price: 1,
      ...sides(sequence),
      source: 'live',
      sequence,
    });
    await set(snapshotOf(book(1)));
    const about = { mode: 'levels', signal: AbortSignal.timeout(20_000) } as const;
    const updates = client.subscribe('/v1/prices', { symbol: 'BTC' }, about);
    t.strictSame(Object((await updates.next()).value).data, book(1));
    await set(snapshotOf(book(2)));
    t.strictSame(Object((await updates.next()).value).data, book(2));
    t.match(heard.at(-1), { type: 'levels', from_sequence: 1, to_sequence: 2, asks: [[200, 2]] });
    await updates.return();
  },
);

t.test('the checksum and the sides of an order book', async (t) => {
  const bids = [
    { price: 3366.1, quantity: 7 },
    { price: 3366, quantity: 6 },
  ];
  const asks = [
    { price: 3366.8, quantity: 9 },
    { price: 3368, quantity: 8 },
    { price: 3372, quantity: 8 },
  ];
  // The example in OKX's documentation: "3366.1:7:3366.8:9:3366:6:3368:8:3372:8".
  t.equal(bookChecksum(bids, asks), crc32('3366.1:7:3366.8:9:3366:6:3368:8:3372:8'));
  const changes = { bids: [[3366.1, 0]], asks: [[3367, 1]], head: { sequence: 2 } };
  const after = { bids: bids.slice(1), asks: [{ price: 3367, quantity: 1 }] };
  after.asks.unshift(asks[0] ?? { price: 0, quantity: 0 });
  after.asks.push(...asks.slice(1));
  const checksum = crc32('3366:6:3366.8:9:3367:1:3368:8:3372:8');
  t.strictSame(withLevels({ bids, asks }, { ...changes, checksum }), { sequence: 2, ...after });
  t.equal(withLevels({ bids, asks }, { ...changes, checksum: checksum + 1 }), null);
});
