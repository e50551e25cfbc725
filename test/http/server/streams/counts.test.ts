/** What the metrics say of streams. */
import t from 'tap';
import { snapshotOf } from '../../../../http/answers/snapshots.ts';
import { Source } from '../../../../http/answers/source.ts';
import { Counters } from '../../../../http/endpoints/counters.ts';
import { createMetrics, renderMetrics } from '../../../../http/endpoints/request-metrics.ts';
import { FakeClock } from '../../../support/clock.ts';
import { echo, reads, startServer } from '../../../support/http.ts';
import { until } from '../../../support/until.ts';

t.test('connections, subscriptions, messages, refusals, ends and bytes', async (t) => {
  const clock = new FakeClock();
  const changes = new Source();
  let price = 1;
  const rows = [echo({ path: '/v1/price', from: reads(() => snapshotOf({ price }), changes) })];
  const counters = new Counters(rows, clock);
  const metrics = createMetrics(counters, 'test');
  const server = await startServer(t, rows, { clock, counters });
  /** The lines of these metrics that are not zero. */
  const read = async () => {
    const text = await renderMetrics([await metrics.snapshot()]);
    return text.match(/(?<=^tidemark_stream_)\S+ [1-9]\d*$/gm);
  };
  const received: string[] = [];
  const open = async () => {
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/v1/ws`);
    t.teardown(() => socket.close());
    socket.addEventListener('message', ({ data }) => received.push(String(data)));
    await new Promise((resolve) => socket.addEventListener('open', resolve));
    return socket;
  };
  const subscribe = (id: number, path = '/v1/price') =>
    JSON.stringify({ op: 'subscribe', id, path });
  const sockets = await Promise.all([open(), open(), open(), open(), open()]);
  for (const socket of sockets) socket.send(subscribe(1));
  await until(() => received.length === 5, 'the first messages');
  price = 2;
  changes.change();
  await clock.advance(100);
  await until(() => received.length === 10, 'the change, in one group');
  sockets[0]?.send(subscribe(1));
  sockets[0]?.send(subscribe(2, '/v1/none'));
  await until(() => received.length === 12, 'two refusals');
  const bytes = received.slice(0, 10).reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const ended = new AbortController();
  const stream = await fetch(`${server.url}/v1/stream?path=/v1/price`, { signal: ended.signal });
  const events = stream.body?.getReader();
  const { value: first } = (await events?.read()) ?? {};
  const heard = Buffer.from(first ?? []).toString();
  t.strictSame(await read(), [
    'connections{transport="socket"} 5',
    'connections{transport="events"} 1',
    'subscriptions 6',
    'messages_total{transport="socket"} 10',
    'messages_total{transport="events"} 1',
    `bytes_total{transport="socket"} ${bytes}`,
    `bytes_total{transport="events"} ${Buffer.byteLength(heard.replace(':\n\n', ''))}`,
    'refusals_total{code="bad_parameter"} 1',
    'refusals_total{code="not_found"} 1',
  ]);
  ended.abort();
  sockets[1]?.close();
  await until(async () => (await read())?.includes('subscriptions 4') === true, 'two have left');
  await server.end();
  t.match(await read(), /closes_total\{reason="restart"\} 4/);
  t.notMatch(await read(), /^(connections|subscriptions)/m, 'none is open');
});
