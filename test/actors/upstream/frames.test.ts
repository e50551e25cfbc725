/** Compressed frames, from a real WebSocket server. */
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { type Codec, messageOf } from '../../../actors/upstream/frames.ts';
import { Socket } from '../../../actors/upstream/socket.ts';
import { until } from '../../support/until.ts';
import { startWebSocketServer } from '../../support/websocket-server.ts';

async function stage(t: Test, codec: Codec) {
  const server = await startWebSocketServer();
  const messages: string[] = [];
  const failures: string[] = [];
  const { promise: isOpen, resolve } = Promise.withResolvers<void>();
  const socket = new Socket({
    ...{ url: server.url, codec, maxMessage: 100_000, timeoutMs: 10_000, onOpen: resolve },
    onText(text) {
      if (text === null) failures.push(`a frame is not ${codec}`);
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
const cases: readonly [Codec, string, (text: string) => Buffer][] = [
  ['text', 'UTF-8', (text) => Buffer.from(text)],
  ['gzip', 'gzip', (text) => gzipSync(text)],
  ['deflate', 'with the header of zlib', (text) => deflateSync(text)],
  ['deflate', 'without a header', (text) => deflateRawSync(text)],
];

for (const [codec, form, compress] of cases) {
  t.test(`binary frames of ${codec}, ${form}, beside text frames`, async (t) => {
    const { send, messages } = await stage(t, codec);
    for (const data of [compress(text), 'pong', compress('é'.repeat(9_000))]) send(data);
    await until(() => messages.length === 3, 'all messages');
    t.strictSame(messages, [text, 'pong', 'é'.repeat(9_000)]);
  });
}

for (const [codec, compress] of [
  ['gzip', gzipSync],
  ['deflate', deflateSync],
] as const) {
  t.test(`a frame that is not ${codec}, or too large, ends the connection`, async (t) => {
    for (const data of [Buffer.from('{"plain":1}'), compress('a'.repeat(100_001))]) {
      const { send, messages, failures } = await stage(t, codec);
      send(data);
      await until(() => failures.length === 1, 'the connection is lost');
      t.match(failures[0], `a frame is not ${codec}`);
      t.strictSame(messages, []);
    }
  });
}

t.test('a message is its JSON, or its text', async (t) => {
  t.same(messageOf('{"a":1}'), { a: 1 });
  t.equal(messageOf('pong'), 'pong');
  t.equal(messageOf(''), '');
});
