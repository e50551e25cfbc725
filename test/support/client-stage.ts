/** A server with a client of it, and connections between them that can be watched and cut. */
import net from 'node:net';
import type { Test } from 'tap';
import type { LogPosition } from '../../actors/bus/bus.ts';
import type { Liquidations } from '../../actors/topics/index.ts';
import { Tidemark } from '../../clients/typescript/src/index.ts';
import { EventLog } from '../../http/answers/event-log.ts';
import { type Snapshot, snapshotOf } from '../../http/answers/snapshots.ts';
import { Source } from '../../http/answers/source.ts';
import { batchRoute } from '../../http/routes/batch.ts';
import { apiError } from '../../http/wire/errors.ts';
import { echo, later, reads, startServer } from './http.ts';
import { alice, gateOf } from './quota.ts';

const text = { type: 'string', description: 'Text' } as const;

const since = 1_700_000_000_000;

/** An entry of the log with one event, whose number is its size, and its place. */
export const logEntry = (number: number): [Liquidations, LogPosition] => [
  {
    source: 'okx',
    part: 'linear',
    at: since + number,
    since,
    events: [
      {
        symbol: 'BTC',
        contract: 'BTC-USDT-SWAP',
        side: 'long',
        price: 1,
        price_kind: 'fill',
        quantity_base: number,
        value_usd: 1,
        timestamp: since + number,
        id: `${number}`,
      },
    ],
  },
  { seq: number, id: `${since + number}-0` },
];

/** A server in this process with a client of it. */
export async function clientStage(t: Test) {
  const logs = { current: new EventLog() };
  let price = snapshotOf({ symbol: 'BTC', average_price: 1 }, Date.now() - 5_000);
  let failures = 0;
  const changes = new Source();
  const rows = [
    echo({
      path: '/v1/prices',
      params: { symbol: text, symbols: text },
      access: 'key',
      levels: true,
      from: reads(
        ({ symbol }) => (symbol === 'NOPE' ? apiError('unknown_symbol') : price),
        changes,
      ),
    }),
    echo({
      path: '/v2/dex/token/{address}',
      params: { address: { ...text, required: true } },
      from: later((values) => {
        failures += 1;
        return failures === 1
          ? apiError('upstream_failed', 'not now', { retryAfter: 0 })
          : snapshotOf(values);
      }),
    }),
    echo({
      path: '/v1/liquidations/orders',
      from: {
        ...reads(() => snapshotOf({})),
        log: () => ({ log: logs.current, limit: 50, item: (event) => event }),
      },
    }),
    batchRoute(),
  ];
  const server = await startServer(t, rows, { gate: gateOf({ good: alice }) });
  const set = async (next: Snapshot<{ symbol: string; average_price: number }>) => {
    price = next;
    changes.change();
    await server.clock.advance(100);
  };
  return { ...server, set, logs, client: new Tidemark({ url: server.url, key: 'good' }) };
}

/** Six levels of a book, of which the third has this quantity. */
export const levels = (quantity: number) =>
  [99, 98, 97, 96, 95, 94].map((at) => ({ price: at, quantity: at === 97 ? quantity : 1 }));

/** A way to a server that can be cut, or lose what is sent on the connections that are open. */
export async function wayTo(t: Test, port: number) {
  const sockets = new Set<net.Socket>();
  const way = net.createServer((near) => {
    const far = net.connect(port, '127.0.0.1');
    for (const [one, other] of [[near, far] as const, [far, near] as const]) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => {});
      one.on('close', () => {
        other.destroy();
        sockets.delete(one);
      });
    }
  });
  await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  const lose = () => {
    for (const socket of sockets) socket.unpipe().resume();
  };
  t.teardown(() => {
    cut();
    way.close();
  });
  const { port: own } = way.address() as net.AddressInfo;
  return { url: `http://127.0.0.1:${own}`, cut, lose, isIdle: () => sockets.size === 0 };
}

export type Message = Readonly<Record<string, unknown>>;

/** A class of connections; what they have sent and heard, all in one order each. What is `lost` the client does not get. */
export function recorded(lost = (_: Message) => false) {
  const sent: Message[] = [];
  const heard: Message[] = [];
  let opened = 0;
  class Recorded extends WebSocket {
    constructor(address: string) {
      super(address);
      opened += 1;
      // It is the first listener.
      this.addEventListener('message', (event) => {
        const message = JSON.parse(event.data);
        heard.push(message);
        if (lost(message)) event.stopImmediatePropagation();
      });
    }

    override send(text: string) {
      sent.push(JSON.parse(text));
      super.send(text);
    }
  }
  return { WebSocket: Recorded, sent, heard, opened: () => opened };
}
