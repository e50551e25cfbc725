/** /compat/hyperliquid/ws: what clients send and get; the frames are given by hand. */
import { once } from 'node:events';
import t, { type Test } from 'tap';
import WebSocket from 'ws';
import { failed, success } from '../../../actors/failure.ts';
import type { RelayedParams } from '../../../actors/topics/index.ts';
import { replaySource } from '../../../cmd/process/replay-source.ts';
import { RelayedChannels } from '../../../http/answers/relayed.ts';
import { apiError } from '../../../http/wire/errors.ts';
import { FakeClock } from '../../support/clock.ts';
import { startServer } from '../../support/http.ts';
import { queryBus } from '../../support/queries.ts';
import { alice, gateOf } from '../../support/quota.ts';
import { until } from '../../support/until.ts';

const isRelayed = (params: object): params is RelayedParams => 'next' in params;

async function stage(t: Test) {
  const clock = new FakeClock(1_790_000_000_000);
  /** Frames by subscription. */
  const frames: Record<string, string[]> = {};
  const asked: string[][] = [];
  let isUp = true;
  let isFull = false;
  let began = 5;
  const bus = queryBus(async ({ params }) => {
    const now = clock.now();
    if (!isUp) return failed('unavailable', 'down');
    if (!isRelayed(params)) {
      const value = JSON.stringify({ BTC: '1.5', 'xyz:TSLA': '2.5' });
      return success({ value, received: now, until: now });
    }
    asked.push(Object.keys(params.next));
    const news = Object.entries(params.next).flatMap(([name, from]) => {
      const all = frames[name] ?? [];
      const texts = all.slice(Math.max(0, from - 1)).slice(-64);
      return texts.length > 0 ? [[name, { next: all.length + 1, texts }]] : [];
    });
    const value = { began, frames: Object.fromEntries(news), ...(isFull && { isFull }) };
    return success({ value, received: now, until: now });
  });
  const relayed = new RelayedChannels({ clock, query: bus.query });
  const server = await startServer(t, [], { clock, relayed, mostStreams: 1_000 });
  const client = async () => {
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/compat/hyperliquid/ws`);
    const got: unknown[] = [];
    socket.on('message', (data) => got.push(JSON.parse(String(data))));
    t.teardown(() => socket.terminate());
    await once(socket, 'open');
    const say = (message: unknown) => socket.send(JSON.stringify(message));
    const has = (count: number) => until(() => got.length >= count, `${count} messages`);
    return { socket, got, say, has };
  };
  const down = () => {
    isUp = false;
  };
  const fill = () => {
    isFull = true;
  };
  const restart = () => {
    began += 1;
  };
  const overrun = () => {
    for (const all of Object.values(frames)) all.push(...Array<string>(65).fill('{}'));
  };
  return { clock, frames, asked, client, down, fill, restart, overrun };
}

const subscription = { type: 'l2Book', coin: 'BTC' };
const name = JSON.stringify(subscription);
const frame = (n: number) => ({ channel: 'l2Book', data: { coin: 'BTC', n } });

t.test('a hundred clients that want the same are one question', async (t) => {
  const { clock, frames, asked, client } = await stage(t);
  const clients = await Promise.all(Array.from({ length: 100 }, client));
  for (const [at, one] of clients.entries())
    one.say({
      method: 'subscribe',
      subscription: at % 2 ? subscription : { coin: 'BTC', type: 'l2Book' },
    });
  for (const { has } of clients) await has(1);
  t.strictSame(clients[1]?.got, [
    { channel: 'subscriptionResponse', data: { method: 'subscribe', subscription } },
  ]);
  frames[name] = [JSON.stringify(frame(1))];
  await until(async () => {
    await clock.advance(250);
    return clients.every(({ got }) => got.length === 2);
  }, 'the frame is there');
  t.ok(
    clients.every(({ got }) => JSON.stringify(got[1]) === JSON.stringify(frame(1))),
    'as it came',
  );
  t.ok(asked.every((names) => names.length === 1 && names[0] === name));
  const late = await client();
  late.say({ method: 'subscribe', subscription });
  await late.has(2);
  t.strictSame(late.got[1], frame(1), 'who comes later has the newest one at once');
  const [first] = clients;
  first?.say({ method: 'unsubscribe', subscription });
  await first?.has(3);
  frames[name].push(JSON.stringify(frame(2)));
  await until(async () => {
    await clock.advance(250);
    return late.got.length === 3;
  }, 'the next one');
  t.equal(first?.got.length, 3, 'not to who has left');
  for (const { socket } of [...clients, late]) socket.terminate();
  await until(async () => {
    const before = asked.length;
    await clock.advance(2_000);
    return asked.length === before;
  }, 'nothing is asked when nobody listens');
});

for (const how of ['restart', 'down', 'overrun'] as const)
  t.test(`a connection ends where frames may be missing: ${how}`, async (t) => {
    const { clock, frames, client, ...stop } = await stage(t);
    const [{ socket, say, has }, idle] = [await client(), await client()];
    const closed = once(socket, 'close');
    frames[name] = [JSON.stringify(frame(1))];
    say({ method: 'subscribe', subscription });
    await until(async () => {
      await clock.advance(250);
      return has(2).then(() => true);
    }, 'the first frame');
    stop[how]();
    await until(async () => {
      await clock.advance(1_000);
      return socket.readyState !== WebSocket.OPEN;
    }, 'the end');
    t.equal((await closed)[0], 1012);
    t.equal(idle.socket.readyState, WebSocket.OPEN, 'not of who has subscribed to nothing');
  });

t.test('a key that cannot be checked at present is not called invalid', async (t) => {
  const unknown = async () => apiError('overloaded');
  const gate = { ...gateOf({ good: alice }), byKey: unknown };
  const query = queryBus(() => failed('unavailable', 'down')).query;
  const replay = replaySource({ dataDir: 'none' }, new Map());
  const relayed = new RelayedChannels({ clock: new FakeClock(), query });
  const server = await startServer(t, [], { gate, relayed, replay });
  for (const path of ['/v1/ws', '/compat/hyperliquid/ws', '/ws-stream-normalized']) {
    const url = `${server.url.replace('http', 'ws')}${path}`;
    const socket = new WebSocket(url, { headers: { 'x-api-key': 'good' } });
    t.equal((await once(socket, 'close'))[0], 1013, path);
  }
});

t.test('what is refused, with a sentence', async (t) => {
  const { client, down, fill } = await stage(t);
  const { say, has, got, socket } = await client();
  const refused = async (message: unknown, why: RegExp) => {
    const before = got.length;
    say(message);
    await has(before + 1);
    const data = `${Object(got.at(-1)).data}`;
    t.match(data, why, JSON.stringify(message));
    // https://github.com/nktkas/hyperliquid finds by the JSON in an error which of its promises has failed; without it they fail by time.
    const about = JSON.parse(/{.*}/.exec(data)?.[0] ?? '{}');
    const whole = typeof message === 'object' ? message : {};
    t.strictSame(about, data.startsWith('Already') ? Object(whole).subscription : whole);
  };
  const only = /only public channels are here: allMids, l2Book, .*ask Hyperliquid itself/;
  await refused({ method: 'subscribe', subscription: { type: 'userFills', user: '0x0' } }, only);
  for (const other of [{ nSigFigs: 3 }, { fast: true }])
    await refused({ method: 'subscribe', subscription: { ...subscription, ...other } }, only);
  await refused({ method: 'post', id: 1, request: {} }, only);
  await refused('x', only);
  await refused({ method: 'subscribe', subscription: { type: 'bbo', coin: 'NONE' } }, /NONE/);
  await refused({ method: 'unsubscribe', subscription }, /Already unsubscribed/);
  say({ method: 'subscribe', subscription: { type: 'trades', coin: 'xyz:TSLA' } });
  await has(got.length + 1);
  t.match(got.at(-1), { channel: 'subscriptionResponse' });
  await refused(
    { method: 'subscribe', subscription: { type: 'trades', coin: 'xyz:TSLA' } },
    /Already subscribed/,
  );
  fill();
  await refused({ method: 'subscribe', subscription: { type: 'bbo', coin: 'BTC' } }, /too many/);
  down();
  await refused({ method: 'subscribe', subscription }, /Hyperliquid/);
  say({ method: 'ping' });
  await until(() => JSON.stringify(got.at(-1)) === '{"channel":"pong"}', 'a pong');
  socket.terminate();
});
