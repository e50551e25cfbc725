/**
 * The clients of the bench of streams, all in one process: `node push-clients.ts PORT CONNECTIONS`, each with a subscription to
 * one symbol. It says `{ready, text}` when all have their snapshots, then for every message of its parent,
 * `{expect}`, when so many messages have come since the last one: the time of the last, ns.
 */
import { RawClient } from '../load/raw-client.ts';

const [port = 0, connections = 0] = process.argv.slice(2).map(Number);
/** Connections that are opened at once. */
const atOnce = 100;
process.on('disconnect', () => process.exit(0));

let [came, expected] = [0, Number.POSITIVE_INFINITY];
const arrived = () => {
  came += 1;
  if (came < expected) return;
  const at = String(process.hrtime.bigint());
  [came, expected] = [came - expected, Number.POSITIVE_INFINITY];
  process.send?.({ at });
};

const clients: RawClient[] = [];
for (let first = 0; first < connections; first += atOnce) {
  const count = Math.min(atOnce, connections - first);
  const opened = await Promise.all(
    Array.from({ length: count }, (_, i) =>
      RawClient.open(port, { onMessage: arrived, keeps: first + i === 0 }),
    ),
  );
  for (const client of opened) {
    client.say({ op: 'subscribe', id: 1, path: '/v1/prices?symbol=S' });
  }
  clients.push(...opened);
  while (clients.some(({ count }) => count < 1)) await new Promise((wait) => setTimeout(wait, 5));
}
came = 0;
process.on('message', ({ expect }: { expect: number }) => {
  expected = expect;
  process.send?.({ text: clients[0]?.text ?? '' });
});
process.send?.({ ready: true });
