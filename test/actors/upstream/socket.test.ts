/** Compressed frames, from a real WebSocket server. */
import { gzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { messageOf } from '../../../actors/read.ts';
import { Socket } from '../../../actors/upstream/socket.ts';
import { until } from '../../support/until.ts';
import { startWebSocketServer } from '../../support/websocket-server.ts';

async function stage(t: Test) {
  const server = await startWebSocketServer();
  const messages: string[] = [];
  const failures: string[] = [];
  const { promise: isOpen, resolve } = Promise.withResolvers<void>();
  const socket = new Socket({
    url: server.url,
    maxMessage: 100_000,
    onOpen: resolve,
    onText(text) {
      if (text === null) failures.push('no text');
      else messages.push(text);
    },
    onEnd: () => void failures.push('the connection ended'),
  });
  t.teardown(async () => {
    socket.kill();
    await server.stop();
  });
  await isOpen;
  socket.send('subscribe');
  await until(() => (server.peers[0]?.received.length ?? 0) > 0, 'the subscription');
  const send = (data: string | Buffer) => server.peers[0]?.send(data);
  return { send, messages, failures };
}

const text = '{"ch":"market.btcusdt.detail","tick":{"close":1}}';

for (const [form, bytesOf] of [
  ['plain', (text: string) => Buffer.from(text)],
  ['gzip', (text: string) => gzipSync(text)],
] as const) {
  t.test(`binary frames, ${form}, beside text frames`, async (t) => {
    const { send, messages } = await stage(t);
    for (const data of [bytesOf(text), 'pong', bytesOf('é'.repeat(9_000)), bytesOf('')]) send(data);
    await until(() => messages.length === 4, 'all messages');
    t.strictSame(messages, [text, 'pong', 'é'.repeat(9_000), '']);
  });
}

t.test('gzip that is damaged or too large is no text', async (t) => {
  const whole = gzipSync(text);
  for (const data of [whole.subarray(0, 2), whole.subarray(0, -9), gzipSync('a'.repeat(100_001))]) {
    const { send, messages, failures } = await stage(t);
    send(data);
    await until(() => failures.length === 1, 'it is noticed');
    t.strictSame([messages, failures], [[], ['no text']]);
  }
});

t.test('a message is its JSON, or its text', async (t) => {
  t.same(messageOf('{"a":1}'), { a: 1 });
  t.equal(messageOf('pong'), 'pong');
  t.equal(messageOf(''), '');
});
