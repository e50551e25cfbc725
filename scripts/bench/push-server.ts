/**
 * The servers of the bench of streams, each in a process of its own: `node push-server.ts ours|bare PORT SYMBOLS`. A message
 * of its parent makes a change: of the price of a symbol, or for the bare one a text to be published. It answers with the
 * time of the change, by the monotonic clock that all processes share, ns. One without a symbol asks for its memory.
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

const [, , kind, ...numbers] = process.argv;
const [port = 0, symbols = 0] = numbers.map(Number);
/** Exchanges that list a symbol. */
const exchanges = 20;
process.on('disconnect', () => process.exit(0));

const rowOf = (symbol: string, price: number): PriceRow => ({
  ...{ market: `${symbol}USDT`, kind: 'spot', symbol, quote: 'USDT', price },
  ...{ bid: price * 0.999, ask: price, high: price * 1.1, low: price * 0.9, base: 1e5 },
  ...{ volume: 1e7, change: 1.5, stated: Date.now() },
});

let received = 0;
const readingOf = (at: number, rows: PriceRow[]) => {
  // The newest row of a market counts: two changes of one ms would be one.
  received = Math.max(Date.now(), received + 1);
  return { source: `exchange-${at}`, part: 'spot', asked: received, received, rows };
};

/** The product's own view, rows and server. */
async function serveOurs(): Promise<(symbol: string, price: number) => void> {
  const prices = new PricesView();
  for (let at = 0; at < exchanges; at++) {
    const rows = Array.from({ length: symbols }, (_, i) => rowOf(`S${i}`, 100 + at));
    prices.accept(readingOf(at, rows), Date.now());
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
  return (symbol, price) => {
    prices.change(readingOf(0, [rowOf(symbol, price)]), Date.now());
  };
}

/** A bare server: whoever says anything gets what is published from then on. */
function serveBare(): (symbol: string, price: number, text?: string) => void {
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
  return (_symbol, _price, text = '') => void app.publish('topic', text, false);
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

process.on('message', ({ symbol, text }: { symbol?: string; text?: string }) => {
  if (symbol === undefined) {
    process.send?.({ rss: memory() });
    return;
  }
  version += 1;
  const at = process.hrtime.bigint();
  change(symbol, 100 + (version % 50) / 100, text);
  process.send?.({ at: String(at) });
});
process.send?.({ rss: memory() });
