/** Clients that are sent the same bytes at once, over real sockets. */
import { unpack } from 'msgpackr';
import t, { type Test } from 'tap';
import { isRecord } from '../../../../actors/read.ts';
import { snapshotOf } from '../../../../http/answers/snapshots.ts';
import { Source } from '../../../../http/answers/source.ts';
import { echo, reads, startServer } from '../../../support/http.ts';
import { until } from '../../../support/until.ts';

/** A client and the prices that it has got. */
async function clientTo(
  t: Test,
  { url }: { url: string },
  { id = 1, format = '', mode = 'full' } = {},
) {
  const at = `${url.replace('http', 'ws')}/v1/ws`;
  const socket = format === '' ? new WebSocket(at) : new WebSocket(at, format);
  socket.binaryType = 'arraybuffer';
  t.teardown(() => socket.close());
  const prices: unknown[] = [];
  socket.addEventListener('message', ({ data }) => {
    const message: unknown =
      typeof data === 'string' ? JSON.parse(data) : unpack(Buffer.from(data as ArrayBuffer));
    if (!isRecord(message)) return;
    t.equal(message.id, id);
    const { data: whole, patch } = message;
    prices.push(isRecord(whole) ? whole.price : isRecord(patch) ? patch.price : message);
  });
  await new Promise((open) => socket.addEventListener('open', open));
  socket.send(JSON.stringify({ op: 'subscribe', id, path: '/v1/price', mode }));
  await until(() => prices.length > 0, 'the first message');
  return { socket, prices };
}

t.test('each gets each version once and in order, whatever its form', async (t) => {
  let answer = snapshotOf({ price: 0 });
  const changes = new Source();
  const rows = [echo({ path: '/v1/price', access: 'open', from: reads(() => answer, changes) })];
  const server = await startServer(t, rows, { mostStreams: 100 });
  const forms = [
    ...Array.from({ length: 8 }, () => ({})),
    ...Array.from({ length: 5 }, () => ({ format: 'msgpack' })),
    ...Array.from({ length: 5 }, () => ({ mode: 'patch' })),
    { id: 7 },
  ];
  const all = await Promise.all(forms.map((form) => clientTo(t, server, form)));
  const set = async (price: number) => {
    answer = snapshotOf({ price });
    changes.change();
    await server.clock.advance(0);
    await until(() => all.every(({ prices }) => prices.at(-1) === price), `${price} has come`);
  };
  for (let price = 1; price <= 20; price++) await set(price);
  const late = await clientTo(t, server);
  all.push(late);
  const [first] = all.splice(0, 1);
  first?.socket.send(JSON.stringify({ op: 'unsubscribe', id: 1 }));
  await until(() => first?.prices.length === 22, 'it is confirmed');
  for (let price = 21; price <= 30; price++) await set(price);
  const from = (start: number) => Array.from({ length: 31 - start }, (_, i) => start + i);
  for (const { prices } of all.slice(0, -1)) t.strictSame(prices, from(0));
  t.strictSame(late.prices, from(20));
  t.equal(first?.prices.length, 22, 'nothing after its end');
});
