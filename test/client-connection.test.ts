/** The connection that all subscriptions of a client share, against a server in this process. */
import t, { type Test } from 'tap';
import { Tidemark } from '../clients/typescript/src/index.ts';
import type { EventLog } from '../http/answers/event-log.ts';
import { snapshotOf } from '../http/answers/snapshots.ts';
import { socketLimits } from '../http/server/streams/socket.ts';
import {
  clientStage,
  levels,
  logEntry,
  type Message,
  recorded,
  wayTo,
} from './support/client-stage.ts';
import { until } from './support/until.ts';
import { startWebSocketServer } from './support/websocket-server.ts';

const bitcoin = { symbol: 'BTC' } as const;
const book = (quantity: number) => ({ symbol: 'BTC', average_price: 1, bids: levels(quantity) });

async function stage(t: Test) {
  const { port, ...server } = await clientStage(t);
  const { url, ...way } = await wayTo(t, port);
  const { WebSocket, ...record } = recorded();
  const client = new Tidemark({ url, key: 'good', WebSocket });
  const done = new AbortController();
  t.teardown(() => done.abort());
  await server.set(snapshotOf(book(1)));
  const asked = () => record.sent.filter(({ op }) => op === 'subscribe');
  return { ...server, ...way, ...record, asked, client, signal: done.signal };
}

/** Keeps a log from being read; what it gives lets it be. */
function held(t: Test, log: EventLog): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  t.intercept(log, 'ready', { value: () => promise });
  return resolve;
}

t.test('three subscriptions share a connection, and all come back where they were', async (t) => {
  const { client, signal, set, logs, cut, asked, heard, opened } = await stage(t);
  logs.current.accept(...logEntry(1));
  const whole = client.subscribe('/v1/prices', bitcoin, { signal });
  const patched = client.subscribe('/v1/prices', bitcoin, { signal, mode: 'patch' });
  const log = client.subscribe('/v1/liquidations/orders', {}, { signal, mode: 'log' });
  const first = (await Promise.all([whole.next(), patched.next(), log.next()])).map(Object);
  t.match(first, [
    { value: { data: book(1) } },
    { value: { data: book(1) } },
    { value: { events: [{ quantity_base: 1 }], recovered: null } },
  ]);
  t.strictSame(
    asked().map(({ mode, resume }) => [mode, resume]),
    [
      ['full', undefined],
      ['patch', undefined],
      ['log', undefined],
    ],
  );
  const { version } = first[0].value;
  const { position } = first[2].value;
  const waiting = [whole.next(), patched.next(), log.next()];
  cut();
  await until(
    () => heard.filter(({ type }) => type === 'current').length === 2,
    'both go on with the version that they have',
  );
  t.strictSame(
    asked()
      .slice(3)
      .map(({ mode, resume }) => [mode, resume]),
    [
      ['full', version],
      ['patch', version],
      ['log', position],
    ],
  );
  await set(snapshotOf(book(2)));
  t.match((await Promise.all(waiting)).map(Object), [
    { value: { data: book(2) } },
    { value: { data: book(2) } },
    { value: { events: [], recovered: true } },
  ]);
  const changes = heard.filter(({ type }) => type === 'patch' || type === 'update');
  t.strictSame(changes.map(({ type }) => type).sort(), ['patch', 'update']);
  t.equal(opened(), 2, 'one connection, and one more after it was cut');
});

t.test('the end of one subscription leaves the others', async (t) => {
  const { client, signal, set, sent, heard, opened, isIdle } = await stage(t);
  const one = client.subscribe('/v1/prices', bitcoin, { signal });
  const other = client.subscribe('/v1/prices', bitcoin, { signal });
  await Promise.all([one.next(), other.next()]);
  await one.return();
  t.match(sent.at(-1), { op: 'unsubscribe', id: 1 });
  await until(() => heard.at(-1)?.type === 'unsubscribed', 'the service has ended it');
  const next = other.next();
  await set(snapshotOf(book(2)));
  t.match((await next).value, { data: book(2) });
  const third = client.subscribe('/v1/prices', bitcoin, { signal });
  t.match((await third.next()).value, { data: book(2) });
  t.equal(opened(), 1);
  await Promise.all([other.return(), third.return()]);
  await until(isIdle, 'the last one has ended the connection');
  const again = client.subscribe('/v1/prices', bitcoin, { signal });
  t.match((await again.next()).value, { data: book(2) });
  t.equal(opened(), 2);
});

t.test('a subscription that is refused fails alone', async (t) => {
  const { client, signal, set, opened } = await stage(t);
  const good = client.subscribe('/v1/prices', bitcoin, { signal });
  await good.next();
  const refused = { name: 'SubscriptionError', code: 'not_found' };
  await t.rejects(client.subscribe('/v1/exchanges', {}, { signal }).next(), refused);
  const bad = { name: 'SubscriptionError', code: 'bad_parameter', message: /^every/ };
  await t.rejects(client.subscribe('/v1/prices', bitcoin, { signal, every: -1 }).next(), bad);
  await t.rejects(client.subscribe('/v1/prices', { symbol: 'NOPE' }, { signal }).next(), {
    code: 'unknown_symbol',
  });
  const next = good.next();
  await set(snapshotOf(book(2)));
  t.match((await next).value, { data: book(2) });
  t.equal(opened(), 1);
});

t.test('a key that is refused ends all subscriptions', async (t) => {
  const { url } = await clientStage(t);
  const { WebSocket, opened } = recorded();
  const client = new Tidemark({ url, key: 'bad', WebSocket });
  const all = [client.subscribe('/v1/prices', bitcoin), client.subscribe('/v1/bars', {} as never)];
  const ends = await Promise.allSettled(all.map((one) => one.next()));
  t.match(
    ends.map((end) => end.status === 'rejected' && end.reason.code),
    ['unauthorized', 'unauthorized'],
  );
  t.equal(opened(), 1);
});

t.test('a message that cannot be read ends the loops with an error', async (t) => {
  const server = await startWebSocketServer();
  t.teardown(server.stop);
  const client = new Tidemark({ url: server.url.replace('ws', 'http') });
  const next = client.subscribe('/v1/prices', bitcoin).next();
  const refused = t.rejects(next, { name: 'SubscriptionError', code: 'internal' });
  await until(() => server.peers[0]?.received.length === 1, 'it has asked');
  server.peers[0]?.send('<html>');
  await refused;
});

t.test('a patch of a version that is not here: the whole is asked for anew', async (t) => {
  const { url, set } = await clientStage(t);
  let loses = false;
  const lost = ({ type }: Message) => loses && type === 'patch';
  const { WebSocket, sent, heard, opened } = recorded(lost);
  await set(snapshotOf(book(1)));
  const client = new Tidemark({ url, key: 'good', WebSocket });
  const signal = AbortSignal.timeout(20_000);
  const updates = client.subscribe('/v1/prices', bitcoin, { mode: 'patch', signal });
  const other = client.subscribe('/v1/prices', bitcoin, { signal });
  await Promise.all([updates.next(), other.next()]);
  const next = updates.next();
  loses = true;
  await set(snapshotOf(book(2)));
  await until(() => heard.some(({ type }) => type === 'patch'), 'a patch has been lost');
  loses = false;
  await set(snapshotOf(book(3)));
  t.match((await next).value, { data: book(3) }, 'not a patch upon the wrong version');
  const [ended, asked] = sent.slice(-2);
  t.match(
    [ended, asked],
    [
      { op: 'unsubscribe', id: 1 },
      { op: 'subscribe', mode: 'patch' },
    ],
  );
  t.equal(asked?.resume, undefined, 'it has no version to go on from');
  const later = updates.next();
  await set(snapshotOf(book(4)));
  t.match((await later).value, { data: book(4) });
  t.equal(opened(), 1);
  await Promise.all([updates.return(), other.return()]);
});

t.test('a loop that is slower than its log: it alone rests, and misses nothing', async (t) => {
  const { client, signal, set, logs, sent, opened } = await stage(t);
  const prices = client.subscribe('/v1/prices', bitcoin, { signal });
  await prices.next();
  logs.current.accept(...logEntry(1));
  const log = client.subscribe('/v1/liquidations/orders', {}, { signal, mode: 'log' });
  const seen: number[] = [];
  const read = async () => {
    const { value } = await log.next();
    seen.push(...(value ? value.events : []).map(({ quantity_base }) => quantity_base));
  };
  await read();
  for (let number = 2; number <= 150; number++) logs.current.accept(...logEntry(number));
  await until(() => sent.at(-1)?.op === 'unsubscribe', 'too many messages wait');
  const next = prices.next();
  await set(snapshotOf(book(2)));
  t.match((await next).value, { data: book(2) });
  while (seen.length < 150) await read();
  t.strictSame(
    seen,
    Array.from({ length: 150 }, (_, at) => at + 1),
  );
  t.equal(opened(), 1);
});

t.test('an end that overtakes the beginning is told again', async (t) => {
  const { client, signal, logs, sent, heard } = await stage(t);
  const prices = client.subscribe('/v1/prices', bitcoin, { signal });
  await prices.next();
  const read = held(t, logs.current);
  const away = new AbortController();
  const about = { mode: 'log', signal: away.signal } as const;
  const log = client.subscribe('/v1/liquidations/orders', {}, about).next();
  await until(() => sent.at(-1)?.mode === 'log', 'the service is asked');
  away.abort();
  t.equal((await log).done, true);
  const unknown = { type: 'error', id: 2, message: 'there is no subscription 2' };
  await until(() => heard.at(-1)?.type === 'error', 'the service has not begun it');
  t.match(heard.at(-1), unknown);
  read();
  await until(() => heard.at(-1)?.type === 'unsubscribed', 'it has begun and ended');
  t.match(heard.slice(-2), [
    { type: 'events', id: 2 },
    { type: 'unsubscribed', id: 2 },
  ]);
});

t.test('more subscriptions at once than the service works on', async (t) => {
  const { client, signal, logs, heard, opened } = await stage(t);
  const read = held(t, logs.current);
  logs.current.accept(...logEntry(1));
  const about = { mode: 'log', signal } as const;
  const all = Array.from({ length: 40 }, () =>
    client.subscribe('/v1/liquidations/orders', {}, about).next(),
  );
  const busy = () => heard.filter(({ code }) => code === 'overloaded');
  await until(() => busy().length >= 40 - socketLimits.requests, 'some are refused for now');
  read();
  const first = await Promise.all(all);
  t.ok(first.every(({ done }) => !done));
  t.equal(opened(), 1);
});
