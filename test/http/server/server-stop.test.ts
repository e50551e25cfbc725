import t, { type Test } from 'tap';
import type { Snapshot } from '../../../http/answers/snapshots.ts';
import { Counters } from '../../../http/endpoints/counters.ts';
import { FakeClock } from '../../support/clock.ts';
import { call, connect, echo, later, ready, startServer } from '../../support/http.ts';
import { alice, gateOf } from '../../support/quota.ts';
import { until } from '../../support/until.ts';

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`;

/** Whether the server refuses connections; one that it takes ends at once. */
const isRefused = (port: number) =>
  connect(port).then(
    async ({ socket, closed }) => {
      socket.destroy();
      await closed;
      return false;
    },
    () => true,
  );

async function waiting(t: Test) {
  const clock = new FakeClock();
  const { promise, resolve } = Promise.withResolvers<Snapshot>();
  const slow = echo({ path: '/slow', from: later(() => promise) });
  const counters = new Counters([slow, echo()]);
  const server = await startServer(t, [slow, echo()], { clock, counters });
  return { clock, counters, server, resolve };
}

t.test('without clients it stops at once', async (t) => {
  const { server } = await waiting(t);
  const first = server.stop();
  t.equal(server.stop(), first, 'a second call is the first');
  await first;
  await t.rejects(call(`${server.url}/v1/echo`), { code: 'ECONNREFUSED' });
});

t.test(
  'streams end with the server and with their key, requests that wait with the server',
  async (t) => {
    const state = { holds: true };
    const gate = { ...gateOf({ good: alice }), holds: () => state.holds };
    const counters = new Counters([echo()]);
    const server = await startServer(t, [echo()], { gate, counters });
    const open = async () => {
      const wire = await connect(server.port);
      wire.socket.write(
        get('/v1/stream?path=/v1/echo').replace('\r\n\r\n', '\r\nx-api-key: good\r\n\r\n'),
      );
      await until(() => wire.received().includes('event: snapshot'), 'the stream is open');
      return wire;
    };
    // A client that has the whole answer closes; one that does not is cut off by uWebSockets.js after its idle time.
    const ended = async ({ received, socket, closed }: Awaited<ReturnType<typeof open>>) => {
      await until(() => received().endsWith('0\r\n\r\n'), 'the stream has ended');
      socket.destroy();
      await closed;
    };
    const first = await open();
    state.holds = false;
    server.checkKeys();
    await ended(first);
    state.holds = true;
    const second = await open();
    const [, version] = /"version":"(.*?)"/.exec(second.received()) ?? [];
    const waiting = await connect(server.port);
    const lines = `\r\nif-none-match: W/"${version}"\r\n\r\n`;
    waiting.socket.write(get('/v1/echo?wait=30000').replace('\r\n\r\n', lines));
    await until(() => counters.inFlight.value === 1, 'a request waits for the next version');
    const stopped = server.stop();
    await until(() => waiting.received().startsWith('HTTP/1.1 304'), 'it is answered');
    waiting.socket.destroy();
    await ended(second);
    await stopped;
    t.match([first.received(), second.received()], [/"code":4401/, /event: end/]);
  },
);

t.test('requests in flight are answered, idle connections get the header to close', async (t) => {
  const { clock, counters, server, resolve } = await waiting(t);
  const [busy, idle] = [await connect(server.port), await connect(server.port)];
  idle.socket.write(get('/v1/echo'));
  await until(() => idle.received().endsWith('}'), 'the idle connection was used');
  t.notMatch(idle.received(), /connection: close/i);
  busy.socket.write(get('/slow'));
  await until(() => counters.inFlight.value === 1, 'a request is in flight');

  const stopped = server.stop();
  await until(() => isRefused(server.port), 'new connections are refused');
  idle.socket.write(get('/v1/echo'));
  await idle.closed;
  t.match(idle.received(), /connection: close/i, 'its next answer closes it');

  await clock.advance(3000);
  await until(() => counters.connections.value === 1, 'the busy one is waited for');
  resolve(ready('"late"'));
  await busy.closed;
  t.match(busy.received(), /^HTTP\/1\.1 200[\s\S]*connection: close[\s\S]*"data":"late"/i);
  await stopped;
});

t.test('connections that stay idle, and answers that never come, are cut', async (t) => {
  const { clock, counters, server } = await waiting(t);
  const [busy, idle] = [await connect(server.port), await connect(server.port)];
  busy.socket.write(get('/slow'));
  await until(
    () => counters.inFlight.value === 1 && counters.connections.value === 2,
    'both are there',
  );
  let done = false;
  const stopped = server.stop().then(() => {
    done = true;
  });
  await clock.advance(7_999);
  t.notOk(done);
  await clock.advance(1);
  await stopped;
  await Promise.all([busy.closed, idle.closed]);
  t.match(counters.snapshot(), [{ path: '/slow', aborted: 1 }]);
  t.equal(counters.connections.value, 0);
});
