/** What a connection does when data stop, and how fast it sends and opens; on a real WebSocket, with a clock that is moved by hand. */
import t, { type Test } from 'tap';
import type { Wiring } from '../../../../actors/sources/streams/stream.ts';
import { connecting as stage } from '../../../support/connecting.ts';
import { until } from '../../../support/until.ts';
import { listed } from '../../venues/stream-suite.ts';

/** A connection that subscribes to A and B, whose messages are about the market that they name; `quiet` are its pauses. */
async function fed(t: Test, wiring: Partial<Wiring> = {}) {
  const quiet: number[] = [];
  let read = 0;
  const at = await stage(t, {
    wiring: { silence: 60_000, channels: (markets) => [...markets.keys()], ...wiring },
    owner: {
      expects: 'channels',
      onMessage(message, by) {
        read += 1;
        if (message === 'pong') return false;
        by.note(`${message}`, 'prices');
        return true;
      },
      onEnd(_by, failure) {
        if (failure) quiet.push(Number(/no data for (\d+) ms/.exec(failure.message)?.[1]));
      },
    },
  });
  const socket = at.start(listed([{ market: 'A' }, { market: 'B' }]));
  /** A second a turn, with these messages in each. */
  const pass = async (seconds: number, ...texts: string[]) => {
    for (let left = seconds; left > 0; left--) {
      const before = read;
      for (const text of texts) at.server.peers.at(-1)?.send(text);
      await until(() => read === before + texts.length, 'they are read');
      await at.clock.advance(1_000);
      if (socket.open.length > 0) continue;
      await at.clock.advance(600);
      await until(() => socket.open.length > 0, 'it is opened again');
    }
  };
  return { ...at, socket, quiet, pass };
}

t.test('a channel that stops is noticed beside others, whatever pings are answered', async (t) => {
  const { server, peer, quiet, pass, socket } = await fed(t);
  const first = await peer(1);
  await pass(10, 'A', 'B');
  await pass(50, 'A', 'pong');
  t.strictSame([quiet, server.attempts], [[], 1]);
  await pass(20, 'A', 'pong');
  t.match(quiet, [/^6\d{4}$/]);
  await until(() => server.peers[1]?.received.length === 2, 'the connection is opened again');
  t.strictSame(server.peers[1]?.received, ['A', 'B']);
  await until(() => !first.open, 'in the place of the old one');
  await pass(90, 'A');
  t.equal(
    quiet.length,
    1,
    'once: a market that has nothing any more is not asked for again and again',
  );
  socket.close();
});

t.test('a market that is quiet by nature is not taken for stopped', async (t) => {
  const { quiet, pass, socket, peer } = await fed(t);
  await peer(1);
  for (let count = 0; count < 9; count++) {
    await pass(19, 'A');
    await pass(1, 'A', 'B');
  }
  await pass(120, 'A');
  t.strictSame(quiet, []);
  socket.close();
});

t.test('one channel of all markets says nothing of one of them', async (t) => {
  const { quiet, pass, socket, peer } = await fed(t, { channels: () => ['all'] });
  await peer(1);
  await pass(10, 'A', 'B');
  await pass(120, 'A');
  t.strictSame(quiet, []);
  await pass(75, 'pong');
  t.match(quiet, [/^6\d{4}$/]);
  socket.close();
});

t.test('without any data it is opened again after the silence, then twice that', async (t) => {
  const { quiet, pass, peer, socket } = await fed(t);
  await peer(1);
  await pass(60, 'pong');
  t.strictSame(quiet, [60_000]);
  const second = await peer(2);
  await pass(119, 'pong');
  t.ok(second.open);
  await pass(2, 'pong');
  t.match(quiet, [60_000, /^12\d{4}$/]);
  await peer(3);
  socket.close();
});

t.test(
  'every message takes its turn, resynchronisations too; what answers a ping does not wait',
  async (t) => {
    const { clock, start, peer } = await stage(t, {
      wiring: { pace: 400, reply: (message) => (message === 'ping' ? 'pong' : null) },
    });
    const socket = start();
    const one = await peer(1);
    for (const text of ['-A', '+A', '-B', '+B', '+B']) socket.open[0]?.send(text);
    one.send('ping');
    await until(() => one.received.length === 2, 'the ping is answered');
    t.strictSame(one.received, ['subscribe', 'pong']);
    const counts: number[] = [];
    for (let turn = 0; turn < 5; turn++) {
      await clock.advance(399);
      counts.push(one.received.length);
      await clock.advance(1);
      await until(() => one.received.length === Math.min(6, turn + 3), 'one more');
    }
    t.strictSame(one.received.slice(2), ['-A', '+A', '-B', '+B'], 'what waits already waits once');
    socket.close();
  },
);

t.test('connections to a host are opened within its limit, whoever opens them', async (t) => {
  const { server, clock, start } = await stage(t, { wiring: { connects: 3 } });
  const all = Array.from({ length: 5 }, () => start());
  for (const [ms, attempts] of [
    [0, 1],
    [349, 1],
    [1, 2],
    [350, 3],
    [59_299, 3],
    [1, 4],
    [349, 4],
    [1, 5],
  ] as const) {
    await clock.advance(ms);
    await until(() => server.attempts >= attempts, `${attempts} are opened`);
    t.equal(server.attempts, attempts);
  }
  for (const one of all) one.close();
});

t.test('a connection that waits for its successor takes one turn of its host', async (t) => {
  const { server, clock, messages, start } = await stage(t, {
    wiring: {
      perConnection: 1,
      channels: (markets) => [...markets.keys()],
      acknowledges: () => 0,
      ends: (message) => message === 'bye',
    },
  });
  const ofMarkets = (names: string) => listed([...names].map((market) => ({ market })));
  const opened = (count: number) => until(() => server.peers.length === count, `${count} peers`);
  const socket = start(ofMarkets('AB'));
  await opened(1);
  await clock.advance(350);
  await opened(2);
  await clock.advance(11_000);
  server.peers[0]?.send('bye');
  await opened(3);
  for (const text of ['bye', ...Array.from({ length: 400 }, () => 'news')])
    server.peers[1]?.send(text);
  await until(() => messages.length === 402, 'they are read');
  socket.subscribe(ofMarkets('ABC'));
  await clock.advance(350);
  await opened(4);
  await clock.advance(350);
  await opened(5);
  socket.close();
});
