/** One connection on a real WebSocket, with a clock that is moved by hand. */
import t from 'tap';
import { connecting as stage } from '../../../support/connecting.ts';
import { until } from '../../../support/until.ts';
import { listed } from '../../venues/stream-suite.ts';

t.test('writes the time of its clock into every message that it sends', async (t) => {
  const stamp = (text: string, now: number) => `${text} at ${now}`;
  const keepAlive = { every: 1_000, message: 'ping' };
  const { clock, start, peer } = await stage(t, { wiring: { stamp, keepAlive } });
  const began = clock.now();
  const socket = start();
  const one = await peer(1);
  await clock.advance(5);
  socket.open[0]?.send('hello');
  await clock.advance(1_000);
  await until(() => one.received.length === 3, 'three messages');
  t.same(one.received, [
    `subscribe at ${began}`,
    `hello at ${began + 5}`,
    `ping at ${began + 1_000}`,
  ]);
  socket.close();
});

t.test('headers go with the handshake', async (t) => {
  const { start, peer } = await stage(t, { wiring: { headers: { 'x-size': '1' } } });
  const socket = start();
  t.equal((await peer(1)).headers['x-size'], '1');
  socket.close();
});

t.test('subscribes, receives in order, closes', async (t) => {
  const { server, messages, start, peer } = await stage(t);
  const socket = start();
  const one = await peer(1);
  t.same(one.received, ['subscribe']);
  t.equal(one.url, '/stream?key=secret');
  for (const text of ['a', 'b'.repeat(70_000), 'c']) one.send(text);
  one.send(Buffer.from('binary'));
  await until(() => messages.length === 4, 'all messages');
  t.same(
    messages.map((text) => `${text}`.slice(0, 6)),
    ['a', 'bbbbbb', 'c', 'binary'],
  );
  t.equal(socket.open.length, 1);
  socket.close();
  t.equal(socket.open.length, 0);
  await until(() => server.connections() === 0, 'the connection is gone');
});

t.test('after an end it connects and subscribes again, with a growing delay', async (t) => {
  const { server, clock, failures, start, peer, lost } = await stage(t);
  const socket = start();
  const one = await peer(1);
  one.reset();
  await lost(1);
  t.match(failures[0], { code: 'network', message: `WebSocket ${server.host}/stream: ` });
  t.notMatch(failures[0]?.message, /secret/);
  await clock.advance(349);
  t.equal(server.attempts, 1);
  await clock.advance(1);
  const two = await peer(2);
  t.same(two.received, ['subscribe']);
  two.close(1012);
  await lost(2);
  t.match(failures[1]?.message, /1012/);
  await clock.advance(599);
  t.equal(server.attempts, 2);
  await clock.advance(1);
  const three = await peer(3);
  await clock.advance(29_999);
  three.send('alive');
  await clock.advance(1);
  three.reset();
  await lost(3);
  await clock.advance(350);
  await peer(4);
  socket.close();
});

t.test('silence is death', async (t) => {
  const { server, clock, messages, failures, start, peer, lost } = await stage(t);
  const socket = start();
  const one = await peer(1);
  await clock.advance(20_000);
  one.send('a');
  await until(() => messages.length === 1, 'the message');
  await clock.advance(29_999);
  t.equal(socket.open.length, 1);
  await clock.advance(1);
  await lost(1);
  t.match(failures[0], { code: 'timeout', message: /silent for 30000 ms/ });
  await until(() => !one.open, 'the dead connection is gone');
  await clock.advance(1_000);
  await peer(2);
  t.equal(server.connections(), 1);
  socket.close();
});

t.test('a handshake that hangs or is refused is tried again', async (t) => {
  const { server, clock, failures, start, peer, lost } = await stage(t);
  server.mode = 'hang';
  const socket = start();
  await until(() => server.attempts === 1, 'the first attempt');
  await clock.advance(10_000);
  await lost(1);
  t.match(failures[0], { code: 'timeout', message: /not open in time/ });
  await until(() => server.connections() === 0, 'the attempt is gone');
  server.mode = 'refuse';
  await clock.advance(350);
  await until(() => failures.length === 2, 'the refusal');
  t.equal(failures[1]?.code, 'network');
  server.mode = 'accept';
  await clock.advance(600);
  await peer(1);
  socket.close();
});

t.test('pings of the upstream are sent as often as it wants', async (t) => {
  const keepAlive = { every: 10_000, message: 'ping' };
  const { clock, start, peer } = await stage(t, { wiring: { keepAlive } });
  const socket = start();
  const one = await peer(1);
  await clock.advance(20_000);
  await until(() => one.received.length === 3, 'two pings');
  t.same(one.received.slice(1), ['ping', 'ping']);
  socket.close();
});

t.test('a ping of WebSocket itself, where the upstream has no message for it', async (t) => {
  const { clock, start, peer } = await stage(t, {
    wiring: { keepAlive: { every: 10_000, message: null } },
  });
  const socket = start();
  const one = await peer(1);
  await clock.advance(20_000);
  await until(() => one.pings === 2, 'two pings');
  t.same(one.received, ['subscribe']);
  socket.close();
});

t.test(
  'every message is handed over as it comes; a bug is reported, and the next follows',
  async (t) => {
    const seen: string[] = [];
    const errors: unknown[] = [];
    const { start, peer } = await stage(t, {
      owner: {
        onMessage: (text) => {
          seen.push(`${text}`);
          if (text === 1) throw new Error('bug');
          return true;
        },
        onError: (error) => void errors.push(error),
      },
    });
    const socket = start();
    const one = await peer(1);
    const all = Array.from({ length: 2_000 }, (_, at) => `${at}`);
    for (const text of all) one.send(text);
    await until(() => seen.length === all.length, 'all are read');
    t.strictSame(seen, all);
    t.match(errors, [{ message: 'bug' }]);
    socket.close();
  },
);

t.test('after close nothing is handed over', async (t) => {
  const { messages, start, peer } = await stage(t);
  const socket = start();
  const one = await peer(1);
  socket.close();
  one.send('too late');
  await until(() => !one.open, 'the connection is gone');
  t.strictSame(messages, []);
});

for (const [maxMessage, most] of [
  [1_000, 1_000],
  [undefined, 4_194_304],
] as const) {
  t.test(`a message of more than ${most} bytes ends the connection`, async (t) => {
    const { messages, start, peer, lost } = await stage(t, {
      wiring: maxMessage === undefined ? {} : { maxMessage },
    });
    const socket = start();
    const one = await peer(1);
    for (const length of [most, most + 1]) one.send('x'.repeat(length));
    await lost(1);
    t.strictSame(
      messages.map((text) => `${text}`.length),
      [most],
    );
    socket.close();
  });
}

t.test('the pause before an attempt is half a minute at most', async (t) => {
  const { server, clock, start, lost } = await stage(t);
  server.mode = 'refuse';
  const socket = start();
  for (let attempt = 1; attempt < 9; attempt++) {
    await lost(attempt);
    const pause = 100 + Math.min(30_000, 500 * 2 ** (attempt - 1)) / 2;
    await clock.advance(pause - 1);
    t.equal(server.attempts, attempt);
    await clock.advance(1);
    await until(() => server.attempts === attempt + 1, 'it tries again');
  }
  socket.close();
});

t.test('a bug in a callback is reported; closed while it waits, it tries no more', async (t) => {
  const errors: unknown[] = [];
  const { clock, server, start, peer } = await stage(t, {
    owner: {
      onEnd(_by, failure) {
        if (failure) throw new Error('bug');
      },
      onError: (error) => void errors.push(error),
    },
  });
  const socket = start();
  (await peer(1)).reset();
  await until(() => errors.length > 0, 'it is reported');
  t.match(errors, [{ message: 'bug' }]);
  socket.close();
  await clock.advance(60_000);
  t.equal(server.attempts, 1);
});

t.test('it sends messages while there is a connection', async (t) => {
  const { start, peer } = await stage(t);
  const socket = start();
  t.strictSame(socket.open, []);
  const one = await peer(1);
  const [open] = socket.open;
  open?.send('pong');
  await until(() => one.received.length === 2, 'it arrives');
  socket.close();
  open?.send('too late');
  await until(() => !one.open, 'the connection is gone');
  t.same(one.received, ['subscribe', 'pong']);
});

t.test('through a gateway', async (t) => {
  const url = 'wss://ws.example.com/v5/public';
  const { start, peer } = await stage(t, { wiring: { url }, viaGateway: true });
  const socket = start();
  t.equal((await peer(1)).url, '/out/ws.example.com/v5/public');
  socket.close();
});

t.test('what is refused for the moment is asked for again, ever more rarely', async (t) => {
  const { server, clock, messages, start, peer } = await stage(t, {
    wiring: {
      silence: 1e9,
      channels: (markets) => [...markets.keys()],
      acknowledges: (message) => (message === 'ack' ? 1 : 0),
    },
  });
  const ofMarkets = (names: string) => listed([...names].map((market) => ({ market })));
  const socket = start(ofMarkets('AB'));
  /** The newest connection has these answers, and is the only one from then on. */
  const answers = async (count: number, ...texts: string[]) => {
    const { received } = await peer(count);
    await until(() => received.length >= 2, 'it has subscribed');
    const before = messages.length;
    for (const text of texts) server.peers[count - 1]?.send(text);
    await until(() => messages.length === before + texts.length, 'they are read');
    await clock.advance(10_000);
    await until(() => server.connections() === 1, 'it has taken over');
  };
  const minutes = async (count: number) => {
    await clock.advance(count * 60_000 - 1_000);
    const before = server.attempts;
    await clock.advance(1_000);
    return before;
  };
  await answers(1, 'too many messages');
  t.equal(await minutes(1), 1);
  await answers(2, 'ack', 'too many messages');
  t.equal(await minutes(2), 2);
  await answers(3, 'ack');
  t.equal(await minutes(4), 3);
  await answers(4, 'ack', 'ack');
  t.equal(await minutes(600), 4);
  socket.subscribe(ofMarkets('AC'));
  await answers(4, 'too many messages');
  t.equal(await minutes(1), 4, 'all were there');
  await answers(5, 'ack', 'ack');
  socket.close();
});

t.test('a market that ends every connection is left out, and the others go on', async (t) => {
  const { server, clock, start, lost } = await stage(t, {
    wiring: {
      silence: 1e9,
      channels: (markets) => [...markets.keys()],
      acknowledges: (message) => (message === 'ack' ? 1 : 0),
      endsOnUnknown: true,
    },
  });
  const socket = start(listed([...'ABC'].map((market) => ({ market }))));
  /** The newest connection has sent these, so many of which are acknowledged. */
  const sends = async (count: number, names: string, acknowledged: number) => {
    await until(() => server.peers[count - 1]?.received.join('') === names, `${count}: ${names}`);
    for (let left = acknowledged; left > 0; left--) server.peers[count - 1]?.send('ack');
    const of = () => socket.open[0]?.subscriptions.acknowledged;
    await until(() => of() === acknowledged, 'they are acknowledged');
  };
  const ends = async (count: number) => {
    server.peers[count - 1]?.reset();
    await lost(count);
    await clock.advance(60_000);
  };
  for (const [at, names] of ['ABC', 'BCA', 'ACB', 'BCA'].entries()) {
    await sends(at + 1, names, 0);
    await ends(at + 1);
  }
  await sends(5, 'ACB', 2);
  await ends(5);
  await sends(6, 'AC', 2);
  t.equal(socket.open[0]?.subscriptions.leftOut, 1);
  await clock.advance(3_600_000);
  socket.subscribe(listed([...'ABCD'].map((market) => ({ market }))));
  await until(() => server.peers[5]?.received.length === 4, 'it may be known by now');
  t.strictSame(server.peers[5]?.received.join(''), 'ACDB');
  t.equal(socket.open[0]?.subscriptions.leftOut, 0);
  socket.close();
});
