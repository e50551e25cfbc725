/** Web processes that replace each other on one port. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { type Bus, createBus } from '../../../actors/bus/bus.ts';
import { outputOf } from '../../support/command.ts';
import { feedStatus, priceRow } from '../../support/makers.ts';
import { ownPort } from '../../support/ports.ts';
import { redisOf } from '../../support/redis.ts';
import { until } from '../../support/until.ts';

const workers = 2;
/** Requests a second; every other one on a connection of its own. */
const rate = 300;
const command = fileURLToPath(new URL('../../../cmd/process/web.ts', import.meta.url));
const root = join(import.meta.dirname, '..', '..', '..');

/** Publishes a price of BTC. */
async function tell(bus: Bus, price: number): Promise<void> {
  const now = Date.now();
  const rows = [priceRow({ price, volume: 1e6, stated: now })];
  const reading = { source: 'binance', part: 'spot', asked: now, received: now, rows };
  const published = async () =>
    (await bus.publish('prices', 'binance/spot', reading)) === 'published';
  await until(published, 'the price is published');
}

/** A Redis with one price of BTC, and a port and a data folder that web processes may share. */
async function stage(t: Test) {
  const redis = await redisOf(t);
  const bus = createBus({ url: redis.url, process: 'test' });
  t.teardown(() => bus.close());
  await tell(bus, 50_000);
  return { redisUrl: redis.url, folder: redis.dir, port: ownPort, bus };
}

interface Place {
  redisUrl: string;
  folder: string;
  port: number;
}

/** Starts a primary; it ends with the test. */
function startWeb(t: Test, { redisUrl, folder, port }: Place) {
  const child = spawn(process.execPath, [command], {
    cwd: root,
    env: {
      ...process.env,
      REDIS_URL: redisUrl,
      DATA_DIR: folder,
      PORT: String(port),
      HOST: '127.0.0.1',
      AUTH_MODE: 'open',
      SOURCES: 'binance',
      WEB_CONCURRENCY: String(workers),
      LOG_LEVEL: 'info',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  const said = outputOf(child);
  const isListening = () => said.out.split('"msg":"listening"').length > workers;
  const listening = () => until(isListening, 'all workers listen', 50_000);
  return { child, said, listening };
}

async function end(child: ChildProcess): Promise<number | null> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const [code] = await ended;
  return code;
}

/** Of a view that follows each reading, and of one that is made once a second. */
const paths = ['/v1/prices?symbol=BTC', '/v1/spot/pairs-markets?symbol=BTC'];

/**
 * Asks for a price and a market until it is stopped; gives the number of requests, and those that failed. A request
 * whose connection is reset is asked once more, as proxies do: the kernel resets handshakes that are not complete
 * when a port is closed (docs/operating.md).
 */
function load(port: number) {
  const kept = new http.Agent({ keepAlive: true, maxSockets: 10, scheduling: 'fifo' });
  const failures: string[] = [];
  let [asked, open, again] = [0, 0, 0];
  const send = (agent: http.Agent | false, isSecond = false) => {
    const settle = (failure?: string) => {
      open--;
      if (failure !== undefined) failures.push(`${failure}, ${agent ? 'kept' : 'new'} connection`);
    };
    const path = paths[Math.floor(asked / 2) % paths.length];
    const request = http.get({ port, path, agent }, (response) => {
      const { statusCode } = response.resume();
      response.once('end', () => settle(statusCode === 200 ? undefined : `status ${statusCode}`));
    });
    request.once('error', (error) => {
      if (isSecond || !('code' in error) || error.code !== 'ECONNRESET')
        return settle(error.message);
      again++;
      send(agent, true);
    });
  };
  const one = (agent: http.Agent | false) => {
    asked++;
    open++;
    send(agent);
  };
  const began = performance.now();
  const timer = setInterval(() => {
    const due = ((performance.now() - began) / 1000) * rate;
    while (asked < due) one(asked % 2 === 0 && kept);
  }, 5);
  return {
    asked: () => asked,
    again: () => again,
    async stop() {
      clearInterval(timer);
      await until(() => open === 0, 'every request is settled');
      kept.destroy();
      return failures;
    },
  };
}

t.test('one is replaced by another without a failed request', async (t) => {
  const place = await stage(t);
  let current = startWeb(t, place);
  await current.listening();
  const clients = load(place.port);
  for (let swap = 0; swap < 2; swap++) {
    const next = startWeb(t, place);
    await next.listening();
    t.equal(await end(current.child), 0, 'the old one ends well');
    current = next;
    const before = clients.asked();
    await until(() => clients.asked() > before + rate, 'the new one serves alone');
  }
  const failures = await clients.stop();
  t.same(failures, [], `of ${clients.asked()} requests fail: ${failures.slice(0, 3)}`);
  t.ok(clients.again() <= 5, `${clients.again()} connections were reset, two swaps`);
  t.equal(await end(current.child), 0);
});

t.test('a port in use ends the process with the reason', async (t) => {
  const place = await stage(t);
  const other = createServer().listen({ host: '127.0.0.1', port: place.port, exclusive: true });
  await once(other, 'listening');
  t.teardown(() => other.close());
  const { child, said } = startWeb(t, place);
  const [code] = await once(child, 'exit');
  t.equal(code, 2);
  t.match(said.err, `port ${place.port} on 127.0.0.1 is in use: set PORT or HOST`);
});

t.test(
  'both latencies are stated: to the service as the feed counts it, and to a client that follows',
  async (t) => {
    const place = await stage(t);
    const web = startWeb(t, place);
    await web.listening();
    const none = { failed: 0, refused: 0, suspect: 0, differs: 0, age_area: 0, age_span: 0 };
    const tally = { since: Date.now(), ...none, age_max: 0, events: { 20: 98, 40: 2 } };
    const next_poll = Date.now() + 60_000;
    const streamed = { source: 'binance', topic: 'priceChanges', part: 'spot', next_poll };
    await place.bus.publish('status', 'binance/priceChanges/spot', {
      ...feedStatus(streamed),
      tally,
    });
    const socket = new WebSocket(`ws://127.0.0.1:${place.port}/v1/ws`);
    t.teardown(() => socket.close());
    let messages = 0;
    socket.addEventListener('message', () => messages++);
    await once(socket, 'open');
    socket.send(JSON.stringify({ op: 'subscribe', id: 1, path: '/v1/prices?symbol=BTC' }));
    await until(() => messages > 0, 'it follows');
    const before = messages;
    await tell(place.bus, 50_001);
    await until(() => messages > before, 'the price comes');
    const status = async () => {
      const answer = await fetch(`http://127.0.0.1:${place.port}/v1/status`);
      return Object(await answer.json()).data.sources.binance;
    };
    const isMeasured = async () => 'delivery_ms' in Object(await status());
    await until(isMeasured, 'a process reports its deliveries', 20_000, 200);
    const { delivery_ms: delivery, feeds } = await status();
    t.match(feeds, [{ topic: 'priceChanges', event_latency_ms: { p50: 20, p95: 20, p99: 40 } }]);
    t.equal(delivery.p50, delivery.p99, 'one version was sent');
    t.ok(delivery.p50 >= 1 && delivery.p50 <= 20_000, `${delivery.p50} ms`);
    t.equal(await end(web.child), 0);
  },
);
