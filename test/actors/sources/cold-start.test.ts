/** A source that has only just begun: what its lists of prices say is not read before its instruments are known. */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { failed, success } from '../../../actors/failure.ts';
import { InstrumentBook } from '../../../actors/sources/instruments.ts';
import { OtherPrices } from '../../../actors/sources/other-prices.ts';
import { Turnovers } from '../../../actors/sources/rotation.ts';
import { runSource } from '../../../actors/sources/runner.ts';
import type { Instrument, PriceRow, Reading } from '../../../actors/topics/index.ts';
import type { HttpClient } from '../../../actors/upstream/client.ts';
import { kucoin } from '../../../actors/venues/kucoin/index.ts';
import { createLogger } from '../../../config/log.ts';
import { FakeClock } from '../../support/clock.ts';
import { MemoryStore } from '../../support/lease-store.ts';
import { silentBus } from '../../support/queries.ts';

const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../fixtures/kucoin/${name}.json`, import.meta.url), 'utf8'));
const bodies = new Map<string, unknown>([
  ['/api/v2/symbols', fixture('spot-instruments')],
  ['/api/v1/market/allTickers', fixture('spot-prices')],
  ['/api/v1/contracts/active', fixture('futures-instruments')],
]);

t.test('a leveraged token is not taken for a coin at a cold start', async (t) => {
  const clock = new FakeClock();
  const book = new InstrumentBook();
  const spot: Reading<PriceRow>[] = [];
  let listed = false;
  const client: HttpClient = {
    async send({ path }) {
      const body = bodies.get(path);
      const late = path === '/api/v2/symbols' && !listed;
      if (late || body === undefined) return failed('timeout', 'no answer');
      return success({ body, asked: clock.now(), received: clock.now() });
    },
    state: () => ({ breaker: 'closed', pausedUntil: null, host: 'https://example.org' }),
    close: async () => {},
  };
  const bus = {
    leases: () => new MemoryStore(clock),
    last: async () => new Map(),
    lastOf: async () => undefined,
    query: silentBus.query,
    async publish(topic: string, key: string, value: unknown) {
      if (topic === 'instruments') book.accept(value as Reading<Instrument>);
      if (topic === 'prices' && key === 'kucoin/spot') spot.push(value as Reading<PriceRow>);
      return 'published' as const;
    },
  };
  const log = createLogger({ logLevel: 'silent' }, 'test');
  const around = { bus, clock, random: () => 0.5, log, process: 'test', gateway: null };
  const places = { book, turnovers: new Turnovers(), others: new OtherPrices() };
  const source = runSource(kucoin, { ...around, ...places, client: () => client });
  t.teardown(async () => {
    const stopped = source.stop();
    await clock.advance(20_000);
    await stopped;
  });
  await clock.advance(60_000);
  t.same(spot, [], 'nothing is read by its name alone');
  listed = true;
  await clock.advance(60_000);
  t.ok(spot.length > 0);
  for (const { rows } of spot) {
    const markets = rows.map(({ market }) => market);
    t.ok(markets.includes('BTC-USDT'));
    t.notOk(markets.includes('BTC3L-USDT'));
  }
});
