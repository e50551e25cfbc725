/** Ten minutes of one venue failing in each of the ways there are, beside two that do not. */
import t, { type Test } from 'tap';
import { InstrumentBook } from '../../../actors/sources/instruments.ts';
import { Turnovers } from '../../../actors/sources/rotation.ts';
import { runSource } from '../../../actors/sources/source.ts';
import type { FeedStatus, Instrument, PriceRow, Reading } from '../../../actors/topics.ts';
import { createHttpClient, type HttpClient } from '../../../actors/upstream/client.ts';
import { binance } from '../../../actors/venues/binance.ts';
import { bybit } from '../../../actors/venues/bybit.ts';
import { okx } from '../../../actors/venues/okx.ts';
import type { Venue } from '../../../actors/venues/venue.ts';
import { createLogger } from '../../../config/log.ts';
import { PricesView } from '../../../http/views/prices.ts';
import { startSimulator } from '../../../scripts/simulator/main.ts';
import { FakeClock } from '../../support/clock.ts';
import { MemoryStore } from '../../support/lease-store.ts';
import { until } from '../../support/until.ts';

const healthy: readonly Venue[] = [binance, bybit];
const ill: Venue = okx;
const minute = 60_000;

interface Data {
  exchanges: Record<string, { updated_at: number }>;
  stale_exchanges: string[];
}

async function stage(t: Test) {
  const clock = new FakeClock();
  const simulator = await startSimulator({ clock, symbols: 20 });
  const view = new PricesView();
  const statuses = new Map<string, FeedStatus>();
  const book = new InstrumentBook();
  const turnovers = new Turnovers();
  const leases = new MemoryStore(clock);
  const bus = {
    leases: () => leases,
    lastOf: async () => undefined,
    async publish(topic: string, key: string, value: unknown) {
      if (topic === 'instruments') book.accept(value as Reading<Instrument>);
      if (topic === 'prices') view.accept(value as Reading<PriceRow>, clock.now());
      if (topic === 'status') statuses.set(key, value as FeedStatus);
      return 'published' as const;
    },
  };
  const waiting = { count: 0 };
  const counted = (client: HttpClient): HttpClient => ({
    ...client,
    state: (api) => client.state(api),
    close: () => client.close(),
    async send(request, options) {
      waiting.count++;
      return client.send(request, options).finally(() => waiting.count--);
    },
  });
  const log = createLogger({ logLevel: 'silent' }, 'test');
  const clients: HttpClient[] = [];
  const sources = [...healthy, ill].map((venue) => {
    const gateway = simulator.url;
    const client = createHttpClient({ source: venue.id, apis: venue.apis, gateway, clock });
    clients.push(client);
    const places = { book, turnovers, gateway };
    const context = { bus, clock, random: Math.random, log, process: 'test', ...places };
    return runSource(venue, venue === ill ? client : counted(client), context);
  });
  /** Moves the clock second by second, and lets every answer of the healthy venues arrive within its second. */
  const pass = async (ms: number, each = () => {}) => {
    for (let at = 0; at < ms; at += 1_000) {
      await clock.advance(1_000);
      await new Promise((resolve) => setTimeout(resolve, 4));
      await until(() => waiting.count === 0, 'the healthy venues have answered');
      view.expire(clock.now());
      each();
    }
  };
  t.teardown(async () => {
    const stopped = Promise.all(sources.map((source) => source.stop()));
    await clock.advance(20_000);
    await stopped;
    await Promise.all(clients.map((client) => client.close()));
    await simulator.close();
  });
  const read = (): Data => {
    const found = view.one('BTC');
    if (typeof found === 'string') throw new Error(`BTC is ${found}`);
    return JSON.parse(found.at(clock.now()).toString()).data;
  };
  const told = () =>
    [...statuses.values()].filter(({ source, topic }) => source === ill.id && topic === 'prices');
  return { clock, simulator, pass, read, told };
}

const hosts = ['www.okx.com', 'aws.okx.com'];

for (const [kind, code] of [
  ['stall', 'timeout'],
  ['garbage', 'shape'],
  ['server_error', 'unavailable'],
  ['rate_limit', 'rate_limited'],
] as const) {
  t.test(`ten minutes of ${kind}`, async (t) => {
    const { clock, simulator, pass, read, told } = await stage(t);
    await pass(10_000);
    t.same(Object.keys(read().exchanges).sort(), ['binance', 'bybit', 'okx']);
    simulator.faults.set(hosts.map((host) => ({ host, kind, retryAfter: 30 })));
    const last = read().exchanges.okx?.updated_at ?? 0;
    let oldest = 0;
    let goneEarly = false;
    await pass(10 * minute, () => {
      const { exchanges } = read();
      for (const { id } of healthy) {
        oldest = Math.max(oldest, clock.now() - (exchanges[id]?.updated_at ?? 0));
      }
      goneEarly ||= clock.now() - last <= 5 * minute && !('okx' in exchanges);
    });
    t.ok(oldest <= 35_000, `the others were never older than one poll: ${oldest} ms`);
    t.notOk(goneEarly, 'its last value stays for five minutes');
    t.notOk('okx' in read().exchanges, 'then it has left');
    t.same(read().stale_exchanges, ['okx'], 'and is named');
    t.ok(told().every(({ state, last_error }) => state === 'failing' && last_error !== null));
    t.ok(
      told().some(({ last_error }) => last_error?.code === code),
      `the story says ${code}`,
    );
    simulator.faults.clear();
    await pass(3 * minute);
    t.ok('okx' in read().exchanges, 'it is back once it answers again');
    t.same(read().stale_exchanges, []);
  });
}

t.test('a ban with a time is respected to the end', async (t) => {
  const { simulator, pass, read } = await stage(t);
  await pass(10_000);
  simulator.faults.set(hosts.map((host) => ({ host, kind: 'rate_limit', retryAfter: 600 })));
  const asked = () =>
    Object.entries(simulator.requests.list())
      .filter(([place]) => hosts.some((host) => place.startsWith(host)))
      .reduce((sum, [, count]) => sum + count, 0);
  await pass(2 * minute);
  const before = asked();
  await pass(7 * minute);
  t.equal(asked(), before, 'not one request in seven minutes of it');
  simulator.faults.clear();
  await pass(4 * minute);
  t.ok(asked() > before, 'then it is asked again');
  t.ok('okx' in read().exchanges);
});
