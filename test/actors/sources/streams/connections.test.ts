/** The connections of a stream on a real WebSocket, with a clock that is moved by hand. */
import { gzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import type { Failure } from '../../../../actors/failure.ts';
import { isRecord } from '../../../../actors/read.ts';
import type { Connection } from '../../../../actors/sources/streams/connection.ts';
import { Connections } from '../../../../actors/sources/streams/connections.ts';
import type { EachStream } from '../../../../actors/sources/streams/stream.ts';
import { FakeClock, settle } from '../../../support/clock.ts';
import { until } from '../../../support/until.ts';
import { startWebSocketServer } from '../../../support/websocket-server.ts';
import { listed } from '../../venues/stream-suite.ts';

const markets = (names: string) =>
  listed([...names].map((name) => ({ market: name, symbol: name })));

async function setup(t: Test, more: Partial<EachStream<never>> = {}, random = 0) {
  const server = await startWebSocketServer();
  const clock = new FakeClock();
  const seen: unknown[] = [];
  const by: Connection[] = [];
  const log: string[] = [];
  const readies: string[] = [];
  const stream: EachStream<never> = {
    ...{ url: 'wss://x.example/stream', silence: 1e9 },
    channels: (instruments) => [...instruments.keys()],
    keyOf: () => '',
    parse: () => null,
    ...more,
  };
  const options = {
    ...{ stream, clock, gateway: `http://${server.host}`, random: () => random },
    expects: 'nothing' as const,
    /** Texts that begin with `data` are about data. */
    onMessage: (message: unknown, from: Connection) => {
      seen.push(message);
      if (!by.includes(from)) by.push(from);
      return typeof message === 'string' && message.startsWith('data');
    },
    onEnd: (_by: Connection, failure: Failure | null) => void log.push(failure?.code ?? 'end'),
    onReady: () => void readies.push(state()),
  };
  const connections = new Connections({ ...options, onError: (error) => t.fail(`${error}`) });
  const state = () => {
    const { open, size } = connections;
    return open.length === 0 ? 'none' : open.length === size ? 'all' : 'some';
  };
  t.teardown(async () => {
    connections.close();
    await server.stop();
  });
  const received = () => server.peers.map((peer) => peer.received);
  const opened = (count: number) => until(() => server.peers.length === count, `${count} peers`);
  const open = (all: string) => until(() => state() === all, `${all} are open`);
  /** Sends messages and waits until the last one is read. */
  const say = async (peer: number, ...texts: (string | Buffer)[]) => {
    const end = `end ${seen.length}`;
    for (const text of [...texts, end]) server.peers[peer]?.send(text);
    await until(() => seen.at(-1) === end, 'they are read');
    return seen;
  };
  return {
    server,
    clock,
    seen,
    by,
    log,
    readies,
    connections,
    received,
    opened,
    open,
    say,
    state,
  };
}

t.test('channels are divided over connections, which open one after another', async (t) => {
  const { server, connections, received, opened, open, state, clock } = await setup(t, {
    ...{ perConnection: 2, opening: ['hello'] },
  });
  connections.subscribe(markets(''));
  t.strictSame([connections.size, state()], [0, 'none']);
  connections.subscribe(markets('ABCDE'));
  t.strictSame([connections.size, state()], [3, 'none']);
  await open('some');
  await clock.advance(349);
  t.equal(server.attempts, 1);
  await clock.advance(1);
  await opened(2);
  t.equal(state(), 'some');
  await clock.advance(350);
  await open('all');
  await until(() => received().every(({ length }) => length > 1), 'they have subscribed');
  t.strictSame(received(), [
    ['hello', 'A', 'B'],
    ['hello', 'C', 'D'],
    ['hello', 'E'],
  ]);
  connections.subscribe(markets('AB'));
  await until(() => server.connections() === 1, 'what is not wanted any more is closed');
  connections.close();
  t.strictSame([connections.size, state()], [0, 'none']);
  await until(() => server.connections() === 0, 'the last one');
  t.equal(server.attempts, 3);
});

t.test('a close ends what is open, and what waits for its turn', async (t) => {
  const { server, clock, connections, open } = await setup(t, { perConnection: 1 });
  connections.subscribe(markets('AB'));
  await open('some');
  connections.close();
  await clock.advance(10_000);
  await until(() => server.connections() === 0, 'the first is closed');
  t.equal(server.attempts, 1, 'the second part is never asked for');
});

/** A message in the form of several exchanges. */
const subscribing = (...names: string[]) => JSON.stringify({ op: 'subscribe', args: names });

t.test('what is wanted changes by messages on the connections that are there', async (t) => {
  const { server, clock, connections, received, opened, open } = await setup(t, {
    perConnection: 3,
    channels: (all) => (all.size === 0 ? [] : [subscribing(...all.keys())]),
  });
  connections.subscribe(markets('ABCD'));
  await opened(1);
  await clock.advance(350);
  await open('all');
  await until(() => received()[1]?.length === 1, 'both have subscribed');
  connections.subscribe(markets('DAXCY'));
  await until(() => received()[1]?.length === 2, 'the second has what the first has no room for');
  t.strictSame(received(), [
    [subscribing('A', 'B', 'C'), '{"op":"unsubscribe","args":["B"]}', subscribing('X')],
    [subscribing('D'), subscribing('Y')],
  ]);
  server.peers[0]?.reset();
  await open('some');
  await clock.advance(350);
  await opened(3);
  await until(() => received()[2]?.length === 1, 'it subscribes again');
  t.strictSame(received()[2], [subscribing('A', 'C', 'X')], 'to what is wanted now');
  connections.subscribe(markets('ACX'));
  await until(() => server.connections() === 1, 'one without markets is closed');
  t.equal(server.attempts, 3);
});

t.test('a channel that markets share stays as long as one of them does', async (t) => {
  const { connections, received, open } = await setup(t, {
    channels: (all) => [
      ...(all.size > 0 ? ['{"sub":"all"}'] : []),
      ...[...all.keys()].map((name) => `{"sub":"${name}"}`),
    ],
  });
  connections.subscribe(markets('AB'));
  await open('all');
  connections.subscribe(markets('BC'));
  await until(() => received()[0]?.length === 5, 'it is changed');
  t.strictSame(received()[0], [
    '{"sub":"all"}',
    '{"sub":"A"}',
    '{"sub":"B"}',
    '{"unsub":"A"}',
    '{"sub":"C"}',
  ]);
});

t.test('where a message replaces the one before, it names all markets again', async (t) => {
  const replacing = (...names: string[]) => JSON.stringify({ op: 'market_subscribe', args: names });
  const { connections, received, open } = await setup(t, {
    channels: (all) => [replacing(...all.keys())],
  });
  connections.subscribe(markets('AB'));
  await open('all');
  connections.subscribe(markets('BC'));
  await until(() => received()[0]?.length === 2, 'it is changed');
  t.strictSame(received()[0], [replacing('A', 'B'), replacing('B', 'C')]);
});

t.test('the same channels in another order change nothing', async (t) => {
  const { server, clock, connections, received, opened, open } = await setup(t, {
    perConnection: 2,
  });
  connections.subscribe(markets('ABCD'));
  await opened(1);
  await clock.advance(350);
  await open('all');
  connections.subscribe(markets('DBCA'));
  await clock.advance(60_000);
  t.equal(server.attempts, 2);
  t.strictSame(received(), [
    ['A', 'B'],
    ['C', 'D'],
  ]);
});

t.test('a successor takes over with all subscriptions, not with the first message', async (t) => {
  const { server, clock, connections, opened, open, say } = await setup(t, {
    pace: 100,
    acknowledges: (message) => (message === 'ack' ? 1 : 0),
    ends: (message) => message === 'bye',
  });
  connections.subscribe(markets('ABC'));
  await opened(1);
  await open('all');
  await clock.advance(350);
  await say(0, 'ack', 'ack', 'ack', 'bye');
  await opened(2);
  await until(() => server.peers[1]?.received.length === 1, 'it subscribes');
  await say(1, 'ack', 'data of A');
  t.ok(server.peers[0]?.open, 'one of three is acknowledged');
  await clock.advance(100);
  await say(1, 'ack', 'ack');
  t.ok(server.peers[0]?.open, 'all are, and one is still to be asked for');
  await clock.advance(100);
  await say(1, 'data of B');
  await until(() => !server.peers[0]?.open, 'the old one goes');
});

t.test(
  'a successor that brings less takes over within eleven seconds of its last subscription',
  async (t) => {
    const { server, clock, connections, opened, open, say } = await setup(t, {
      pace: 100,
      acknowledges: (message) => (message === 'ack' ? 1 : 0),
      ends: (message) => message === 'bye',
    });
    connections.subscribe(markets('ABC'));
    await opened(1);
    await open('all');
    await clock.advance(350);
    await say(0, 'ack', 'ack', 'ack', 'bye');
    await opened(2);
    await until(() => server.peers[1]?.received.length === 1, 'it subscribes');
    await say(1, 'ack', 'ack');
    await clock.advance(10_199);
    await say(1, 'data');
    t.ok(server.peers[0]?.open);
    await clock.advance(1_000);
    await until(() => !server.peers[0]?.open, 'the old one goes');
  },
);

t.test(
  'without acknowledgements a connection has its subscriptions with data, or after about ten seconds',
  async (t) => {
    const { connections, readies, open, say } = await setup(t);
    t.notOk(connections.subscribed, 'there is none');
    connections.subscribe(markets('A'));
    await open('all');
    await say(0, 'welcome');
    t.notOk(connections.subscribed);
    t.strictSame(readies, []);
    await say(0, 'data A');
    t.ok(connections.subscribed);
    t.strictSame(readies, ['all'], 'once');
    const other = await setup(t);
    other.connections.subscribe(markets('A'));
    await other.open('all');
    await other.clock.advance(9_999);
    t.notOk(other.connections.subscribed);
    await other.clock.advance(1_000);
    t.ok(other.connections.subscribed);
  },
);

t.test(
  'before its end a connection is replaced: by its age, or when that is announced',
  async (t) => {
    const ends = (message: unknown) => message === 'bye';
    const { server, clock, connections, opened, open, say } = await setup(
      t,
      { lifetime: 100_000, ends },
      0.5,
    );
    connections.subscribe(markets('A'));
    await open('all');
    await clock.advance(96_999);
    t.equal(server.attempts, 1);
    await clock.advance(1_000);
    await opened(2);
    await say(1, 'data');
    await until(() => !server.peers[0]?.open, 'the old one goes');
    await say(1, 'bye');
    await clock.advance(350);
    await opened(3);
    await say(1, 'bye');
    t.ok(server.peers[1]?.open);
    await say(2, 'data');
    await until(() => !server.peers[1]?.open, 'the old one goes');
    t.equal(server.attempts, 3, 'once, however often it is announced');
  },
);

t.test('channels are subscribed to one by one where the upstream requires that', async (t) => {
  for (const settling of [1_000, 0]) {
    const { server, clock, connections, received, open } = await setup(t, {
      ...{ pace: 100, settle: settling, keepAlive: { every: 20_000, message: 'ours' } },
    });
    connections.subscribe(markets('ABC'));
    await open('all');
    const has = (count: number) => until(() => received().at(-1)?.length === count, `${count}`);
    if (settling > 0) {
      await clock.advance(999);
      await settle();
      t.strictSame(received(), [[]]);
      await clock.advance(1);
    }
    await has(1);
    await clock.advance(99);
    await settle();
    t.strictSame(received(), [['A']]);
    await clock.advance(1);
    await has(2);
    server.peers[0]?.reset();
    await open('none');
    await clock.advance(350);
    await open('all');
    await clock.advance(settling + 200);
    await has(3);
    await clock.advance(21_000);
    await has(4);
    t.strictSame(received(), [
      ['A', 'B'],
      ['A', 'B', 'C', 'ours'],
    ]);
  }
});

t.test('the counters of a connection start at zero with the next one', async (t) => {
  const { server, clock, connections, log, open, say } = await setup(t, {
    acknowledges: (message) => (isRecord(message) && message.ok === true ? 2 : 0),
    refuses: (message, sent) =>
      isRecord(message) && typeof message.no === 'string' && sent.includes(message.no)
        ? { of: message.no, rest: typeof message.rest === 'string' ? message.rest : null }
        : null,
    channels: () => ['1 2 3', '4 5'],
  });
  const counts = () =>
    connections.open.map(({ subscriptions: on }) => [on.refused, on.acknowledged])[0];
  connections.subscribe(markets('A'));
  await open('all');
  await say(0, '{"ok":true}', '{"ok":true}', '{"ok":1}');
  t.strictSame(counts(), [0, 2], 'not more than it has asked for');
  await say(0, '{"no":"4 5","rest":"4 6"}', '{"no":"9"}', '{"no":"1 2 3","rest":"1 3"}');
  await say(0, '{"no":"1 2 3"}', '{"no":"1 3"}', '{"no":"1 3"}');
  t.strictSame(counts(), [2, 2]);
  t.strictSame(server.peers[0]?.received, ['1 2 3', '4 5', '1 3']);
  server.peers[0]?.reset();
  await open('none');
  await clock.advance(350);
  await open('all');
  await say(1, '{"no":"1 2 3","rest":"2"}');
  t.strictSame(counts(), [1, 0]);
  t.strictSame(log, ['network']);
  connections.close();
  t.strictSame(log, ['network', 'end']);
});

t.test('messages are decompressed, passed over, answered and handed on', async (t) => {
  const { server, connections, open, say } = await setup(t, {
    maxMessage: 1_000,
    concerns: (text) => !text.startsWith('no'),
    reply: (message) => (isRecord(message) ? `pong ${message.ping}` : null),
  });
  connections.subscribe(markets('A'));
  await open('all');
  const long = 'x'.repeat(1_000);
  const seen = await say(0, 'nothing', '{"ping":7}', gzipSync('[1]'), long);
  t.strictSame(seen, [{ ping: 7 }, [1], long, 'end 0']);
  await until(() => server.peers[0]?.received.length === 2, 'it is answered');
  t.strictSame(server.peers[0]?.received, ['A', 'pong 7']);
  server.peers[0]?.send(`${long}x`);
  await open('none');
});

t.test('an address behind the first is for when that fails, and is left again', async (t) => {
  const own = { url: 'wss://y.example', silence: 1e9, lifetime: 3_600_000 };
  const channels = (all: ReadonlyMap<string, unknown>) =>
    [...all.keys()].map((one) => `old ${one}`);
  const behind: object = { ...own, channels };
  const { server, clock, connections, received, opened } = await setup(t, { behind } as object);
  const subscribed = async (count: number) => {
    await opened(count);
    await until(() => received().at(-1)?.length === 1, 'it has subscribed');
  };
  connections.subscribe(markets('A'));
  await subscribed(1);
  server.peers[0]?.reset();
  await until(() => connections.open.length === 0, 'it is lost');
  await clock.advance(1_000);
  await subscribed(2);
  // Its life ends: the first address is tried beside it, and fails, so that the old one is made anew.
  await clock.advance(3_600_000);
  await subscribed(3);
  server.peers[2]?.reset();
  await clock.advance(1_000);
  await subscribed(4);
  t.strictSame(received(), [['A'], ['old A'], ['A'], ['old A']]);
});
