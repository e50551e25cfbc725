/** Processes whose clocks differ. */
import t from 'tap';
import { systemClock } from '../../../actors/kernel/clock.ts';
import type { Topics } from '../../../actors/topics/index.ts';
import { MarketRows } from '../../../http/views/market-rows.ts';
import { busStage } from '../../support/bus-stage.ts';
import { priceRow } from '../../support/makers.ts';
import { until } from '../../support/until.ts';
import { echo, request } from './questions.ts';

const hour = 3_600_000;

/** The clock of a host that is ahead. */
const ahead = (ms: number) => ({
  now: () => Date.now() + ms,
  monotonic: () => performance.now(),
  after: systemClock.after,
});

type Price = Topics['prices']['rows'][number];

const price = (last: number): Price => priceRow({ market: 'BTCUSDT', price: last });

const reading = (received: number, ...rows: Price[]): Topics['prices'] => ({
  ...{ source: 'okx', part: 'spot', asked: received - 70, received, rows },
});

t.test('times from the future are those of now, so that later ones count', async (t) => {
  const { bus, join } = await busStage(t);
  const view = new MarketRows<Price>(300_000);
  const seen: Topics['prices'][] = [];
  const follower = bus.follow({
    prices(_key, value) {
      seen.push(value);
      view.accept(value, Date.now());
    },
    priceChanges: (_key, value) => view.change(value, Date.now()),
  });
  await follower.ready;
  const wrong = Date.now() + hour;
  const old = { ...price(1), received: wrong - 5_000, quoted: wrong - 6_000 };
  await bus.publish('prices', 'okx/spot', reading(wrong, old, { ...price(2), market: 'other' }));
  const changed = { ...price(3), received: wrong + 10 };
  await bus.publish('priceChanges', 'okx/spot', reading(wrong + 10, changed));
  await until(() => view.of('okx', 'BTC')?.rows[0]?.price === 3, 'it has come');
  const [first] = seen;
  const came = first?.received ?? 0;
  t.ok(Math.abs(Date.now() - came) < 60_000, 'received now');
  t.equal(came - (first?.asked ?? 0), 70);
  t.match(first?.rows[0], { received: came - 5_000, quoted: came - 6_000 }, 'its ages stay');
  await bus.publish('priceChanges', 'okx/spot', reading(Date.now() + 20, price(4)));
  await until(() => view.of('okx', 'BTC')?.rows[0]?.price === 4, 'a change by a right clock');
  await bus.publish('prices', 'okx/spot', reading(Date.now() + 30, price(5)));
  await until(() => view.of('okx', 'BTC')?.rows[0]?.price === 5, 'a reading by a right clock');

  const fresh = join();
  await bus.publish('prices', 'okx/spot', reading(Date.now() + hour, price(6)));
  const stored: number[] = [];
  const later = fresh.follow({ prices: (_key, { received }) => void stored.push(received) });
  await later.ready;
  t.ok((stored[0] ?? hour * 1e6) < Date.now() + 1_100, 'also one that was stored');
});

t.test('a question is answered whatever the clocks of the two say', async (t) => {
  const { bus, join, raw } = await busStage(t);
  for (const ms of [7_000, hour, -hour]) {
    const server = join({ clock: ahead(ms) });
    const serving = server.serve('okx', echo);
    await serving.ready;
    const { ok } = await bus.query(request('m'), { deadline: 6_000 });
    t.ok(ok, `${ms} ms ahead`);
    await serving.stop();
  }
  const early = join({ clock: ahead(-hour) });
  const asked = early.query(request('m'), { deadline: 300 });
  t.match(await asked, { failure: { code: 'unanswered' } });
  const serving = join({ clock: ahead(-hour) }).serve('okx', echo);
  await serving.ready;
  await until(() => serving.counts().expired === 1, 'what nobody waits for is not answered');
  t.equal(serving.counts().answered, 0);
  t.equal(await raw.xlen('query:okx'), 0);
});
