/**
 * The servers of the bench of streams, each in a process of its own: `node push-server.ts ours|bare PORT`. A message of its
 * parent makes a change: of the price of a symbol, or for the bare one a text to be published. It answers with the
 * time of the change, by the monotonic clock that all processes share, ns. One without a text asks for its memory.
 */
import { App } from 'uWebSockets.js';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { systemClock } from '../../actors/kernel/clock.ts';
import type { PriceRow } from '../../actors/topics/index.ts';
import { marketRoutes } from '../../http/routes/market.ts';
import { createServer } from '../../http/server/server.ts';
import { OpenInterestView } from '../../http/views/open-interest.ts';
import { PerpetualsView } from '../../http/views/perpetuals.ts';
import { PricesView } from '../../http/views/prices.ts';

const [, , kind, given] = process.argv;
const port = Number(given);
/** Exchanges that list a symbol. */
const exchanges = 20;
process.on('disconnect', () => process.exit(0));

const rowOf = (price: number): PriceRow => ({
  market: 'SUSDT',
  kind: 'spot',
  symbol: 'S',
  quote: 'USDT',
  price,
  ...{ bid: price * 0.999, ask: price, high: price * 1.1, low: price * 0.9, base: 1e5 },
  ...{ volume: 1e7, change: 1.5, stated: Date.now() },
});

let received = 0;
const readingOf = (at: number, price: number) => {
  // The newest row of a market counts: two changes of one ms would be one.
  received = Math.max(Date.now(), received + 1);
  return {
    source: `exchange-${at}`,
    part: 'spot',
    asked: received,
    received,
    rows: [rowOf(price)],
  };
};

/** The product's own view, rows and server. */
async function serveOurs(): Promise<(price: number) => void> {
  const prices = new PricesView();
  for (let at = 0; at < exchanges; at++) {
    prices.accept(readingOf(at, 100 + at), Date.now());
  }
  await createServer({
    routes: marketRoutes({
      ...{ prices, openInterest: new OpenInterestView(prices), registry: [] },
      ...{ perpetuals: new PerpetualsView(prices), clock: systemClock },
    }).map((row) => ({ ...row, access: 'open' as const })),
    host: '127.0.0.1',
    port,
    cors: { origins: ['*'] },
    version: 'bench',
    mostStreams: Number.POSITIVE_INFINITY,
  });
  return (price) => {
    prices.change(readingOf(0, price), Date.now());
  };
}

/** A bare server: whoever says anything gets what is published from then on. */
function serveBare(): (price: number, text?: string) => void {
  const app = App();
  app.ws('/v1/ws', {
    maxBackpressure: 64 * 1024 * 1024,
    idleTimeout: 60,
    message(socket) {
      socket.subscribe('topic');
      socket.send('{"type":"snapshot"}');
    },
  });
  app.listen('127.0.0.1', port, () => {});
  return (_price, text = '') => void app.publish('topic', text, false);
}

const change = kind === 'ours' ? await serveOurs() : serveBare();
let version = 0;
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

/** Memory without garbage, bytes. */
function memory(): number {
  collectGarbage();
  return process.memoryUsage.rss();
}

process.on('message', ({ text }: { text?: string }) => {
  if (text === undefined) {
    process.send?.({ rss: memory() });
    return;
  }
  version += 1;
  const at = process.hrtime.bigint();
  change(100 + (version % 50) / 100, text);
  process.send?.({ at: String(at) });
});
process.send?.({ rss: memory() });
