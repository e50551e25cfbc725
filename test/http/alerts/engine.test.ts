/** Rules over the answers of the real rows, with prices that a test publishes into the views. */
import t from 'tap';
import { Group } from '../../../http/alerts/group.ts';
import { Watch } from '../../../http/alerts/watch.ts';
import { snapshotOf } from '../../../http/answers/snapshots.ts';
import { accountIdOf } from '../../../http/auth/caller.ts';
import { Topic } from '../../../http/live/topic.ts';
import { alertRule } from '../../support/alerts.ts';
import { FakeClock } from '../../support/clock.ts';
import { liquidation, liquidations, now } from '../../support/makers.ts';
import { views } from '../../support/route-stage.ts';
import { memory, stage } from './stage.ts';

t.test(
  'a rule fires when its value changes, with the time of the data and what was before',
  async (t) => {
    const { price, take, fired, kept, clock, engine } = stage();
    await price(99);
    await take({ resolved: true });
    await price(101);
    const at = clock.now();
    await price(102);
    await price(98);
    t.strictSame(fired(), ['fired - 101', 'resolved - 98']);
    t.match(kept.events[0], {
      data_time: at,
      previous: 99,
      alert_id: 'al_1',
      text: 'Bitcoin: 101 (above 100; /v1/prices?symbol=BTC)',
    });
    const [first, second] = kept.events;
    t.not(first?.id, second?.id);
    const before = kept.writes();
    for (const value of [97, 96, 95, 94]) await price(value);
    t.equal(kept.writes(), before, 'nothing is written where nothing follows');
    engine.drop('al_1');
    await price(200);
    t.equal(kept.events.length, 2);
  },
);

t.test('all symbols of a path, all rows of a pointer: each by itself', async (t) => {
  const { price, take, fired } = stage();
  await price(50, 'ETH');
  await take({ path: '/v1/prices?symbol=*' });
  await take({ id: 'al_2', pointer: '/exchanges/*/price' });
  await take({ id: 'al_3', path: '/v1/prices', pointer: '/*/average_price' });
  await price(101);
  await price(102, 'ETH');
  await price(103, 'SOL');
  await price(104);
  t.strictSame(fired(), ['fired BTC 101', 'fired ETH 102', 'fired SOL 103']);
  t.strictSame(fired('al_2'), ['fired a 101']);
});

t.test(
  'another process goes on with the states; what was reached meanwhile fires once',
  async (t) => {
    const kept = memory();
    const { price, take, engine, begin, fired } = stage(kept);
    await price(101);
    await take({});
    await take({ id: 'al_2', condition: { type: 'below', value: 90 } });
    t.strictSame(fired(), ['fired - 101']);
    engine.stop();
    await price(80);
    await price(101);
    await price(89);
    const next = begin();
    await take({}, next);
    await take({ id: 'al_2', condition: { type: 'below', value: 90 } }, next);
    await price(88);
    await price(101);
    t.strictSame(fired(), ['fired - 101', 'resolved - 89', 'fired - 101']);
    t.strictSame(fired('al_2'), ['fired - 89', 'resolved - 101']);
  },
);

t.test('a price that moves after a long stand has changed, once for two processes', async (t) => {
  const { price, take, begin, fired, clock } = stage();
  const rule = { condition: { type: 'change', percent: 5, within: 60, direction: 'any' } } as const;
  await price(100);
  await take(rule);
  await take(rule, begin());
  await clock.advance(240_000);
  await price(106);
  await price(107);
  t.strictSame(fired(), ['fired - 106']);
});

t.test('two processes that both hold a rule fire it once', async (t) => {
  const { price, take, begin, kept } = stage();
  await price(99);
  await take({});
  await take({}, begin());
  await price(101);
  await price(99);
  await price(101);
  t.strictSame(
    kept.events.map(({ kind }) => kind),
    ['fired', 'resolved', 'fired'],
  );
});

t.test(
  'while Redis is away nothing is lost, and what was reached is written when it is back',
  async (t) => {
    const { price, take, fired, kept, clock } = stage();
    await price(99);
    await take({});
    kept.away(true);
    await price(101);
    await price(98);
    kept.away(false);
    await clock.advance(1_000);
    t.strictSame(fired(), ['fired - 101', 'resolved - 98']);
  },
);

t.test('for, without another value; the end of a rule', async (t) => {
  const { price, take, fired, clock } = stage();
  await price(99);
  await take({ for: 10 });
  await take({
    id: 'al_2',
    condition: { type: 'above', value: 200 },
    expires_at: clock.now() + 20_000,
  });
  await price(101);
  await clock.advance(9_000);
  t.strictSame(fired(), []);
  await clock.advance(1_000);
  t.strictSame(fired(), ['fired - 101']);
  await clock.advance(20_000);
  await price(300);
  t.strictSame(fired('al_2'), []);
});

t.test('stale: no news for so long, and an end when they come', async (t) => {
  const { price, take, fired, clock } = stage();
  await price(99);
  await take({ condition: { type: 'stale', after: 60 }, pointer: '' });
  await clock.advance(59_000);
  t.strictSame(fired(), []);
  await clock.advance(2_000);
  t.match(fired(), [/^fired - 6\d/]);
  await price(99.5);
  t.match(fired(), [/^fired/, /^resolved/]);
});

t.test('events of a log: each once and in order, none from before the rule', async (t) => {
  const { take, fired, clock } = stage();
  const { log } = views.liquidations;
  let seq = 0;
  const publish = async (...values: number[]) => {
    seq += 1;
    const at = clock.now();
    const events = values.map((value_usd, i) =>
      liquidation({ id: `${seq} ${i}`, value_usd, timestamp: at }),
    );
    log.accept(liquidations({ source: 'binance', part: 'linear', at, since: at, events }), {
      id: `${at}-${seq}`,
      seq,
    });
    await clock.advance(10);
  };
  await publish(9_000);
  await clock.advance(1_000);
  const rule = {
    path: '/v1/liquidations/orders?symbol=BTC',
    pointer: '/value_usd',
    condition: { type: 'event', above: 1_000, below: null },
  } as const;
  await take(rule);
  await take({ ...rule, id: 'al_2', cooldown: 60 });
  await clock.advance(10);
  await publish(500, 2_000, 3_000);
  await publish(4_000);
  const values = (id?: string) => fired(id).map((line) => line.split(' ').at(-1));
  t.strictSame(values(), ['2000', '3000', '4000']);
  t.strictSame(values('al_2'), ['2000']);
});

t.test('an answer that is lost interrupts, and fires nothing', async (t) => {
  const { price, take, fired, clock, prices } = stage();
  await price(99);
  await take({ for: 600 });
  await price(101);
  // Readings older than five minutes are left out.
  await clock.advance(400_000);
  prices.expire(clock.now());
  await clock.advance(300_000);
  t.strictSame(fired(), []);
  t.ok(now < clock.now());
});

t.test('a value that is lost while a state is stored interrupts `for`', async (t) => {
  const { price, take, fired, clock, prices, kept } = stage();
  await price(99);
  await take({ for: 600 });
  const release = kept.hold();
  await price(101);
  await clock.advance(400_000);
  prices.expire(clock.now());
  await clock.advance(200);
  release();
  await clock.advance(300_000);
  t.strictSame(fired(), [], 'nothing fires on a value that is gone');
  await price(102);
  await clock.advance(599_000);
  t.strictSame(fired(), [], 'the time begins anew');
  await clock.advance(1_000);
  t.strictSame(fired(), ['fired - 102']);
});

t.test('a value that is lost and comes back while a state is stored begins anew', async (t) => {
  const { price, take, fired, clock, prices, kept } = stage();
  await price(99);
  await take({ for: 600 });
  const release = kept.hold();
  await price(101);
  await clock.advance(400_000);
  prices.expire(clock.now());
  await price(103);
  release();
  await clock.advance(300_000);
  t.strictSame(fired(), []);
  await clock.advance(300_000);
  t.strictSame(fired(), ['fired - 103']);
});

t.test('a row that its answer does not have any more is lost', async (t) => {
  const { price, take, fired, clock, prices } = stage();
  await price(99, 'BTC', 'a');
  await take({ pointer: '/exchanges/*/price', for: 400 });
  await price(101, 'BTC', 'a');
  await clock.advance(200_000);
  await price(102, 'BTC', 'b');
  // Readings older than five minutes are left out: that of `a`, while the answer goes on.
  await clock.advance(150_000);
  prices.expire(clock.now());
  await clock.advance(150_000);
  t.strictSame(fired(), [], 'the exchange that is gone fires nothing');
  await price(102.5, 'BTC', 'b');
  await clock.advance(110_000);
  t.strictSame(fired(), ['fired b 102.5']);
});

t.test('of rows that come and go nothing is kept that no rule knows more of', (t) => {
  const kept = memory();
  const [onEvent, onGone] = [() => {}, () => {}];
  const group = new Group('/*/iv', { clock: new FakeClock(), store: kept.store, onEvent, onGone });
  group.add(alertRule({ id: 'al_1', pointer: '/*/iv' }), new Map());
  for (let day = 1; day <= 50; day++)
    group.show({ data: [{ contract: `BTC-${day}`, iv: day }], asOf: day, name: null });
  t.equal(group.size, 1);
  group.show({ data: [{ contract: 'BTC-HIGH', iv: 101 }], asOf: 51, name: null });
  group.show({ data: [], asOf: 52, name: null });
  t.equal(group.size, 1, 'the one that has fired');
  t.end();
});

t.test('an answer is read once for all rules of a turn', async (t) => {
  const [kept, clock] = [memory(), new FakeClock()];
  let reads = 0;
  const topic = new Topic('/v1/x', null, () => {
    reads += 1;
    return snapshotOf({ price: 101 }).json;
  });
  const followed = { follow: () => {}, unfollow: () => {}, audience: topic.audience };
  const source = { weight: 1, name: 'x', topics: () => [topic], pathOf: () => null, ...followed };
  const context = { clock, store: kept.store, onEvent: () => {}, onGone: () => {} };
  const watch = new Watch({ source, account: '', clock, context });
  const rules = ['al_1', 'al_2', 'al_3'].map((id) => alertRule({ id, pointer: '/price' }));
  for (const rule of rules) watch.add(rule, new Map());
  for (const rule of rules.slice(2)) watch.delete(rule);
  t.notOk(watch.isEmpty);
  await clock.advance(0);
  t.equal(reads, 1);
  t.strictSame(
    kept.events.map(({ alert_id }) => alert_id),
    ['al_1', 'al_2'],
  );
  for (const rule of rules) watch.delete(rule);
  t.ok(watch.isEmpty);
});

t.test('questions for a rule carry the hash of its account, as those of a session', async (t) => {
  const { take, asked, clock } = stage();
  await take({
    account: 'alice@example.com',
    path: '/v1/liquidations/map?symbol=BTC&exchange=binance',
    pointer: '/price',
  });
  await clock.advance(100);
  t.strictSame(asked.slice(0, 1), [accountIdOf({ account: 'alice@example.com' }, '')]);
  t.notMatch(asked.join(), 'alice');
});

t.test(
  'an account that fires too often: what holds later fires then, what is over does not',
  async (t) => {
    const { price, take, fired, clock, kept } = stage();
    await price(99);
    await take({ id: 'al_1' });
    await take({ id: 'al_2', condition: { type: 'above', value: 105 } });
    kept.rate(0);
    await price(106);
    t.strictSame([fired('al_1'), fired('al_2')], [[], []]);
    await price(101);
    kept.rate(Number.POSITIVE_INFINITY);
    await clock.advance(6_000);
    t.strictSame([fired('al_1'), fired('al_2')], [['fired - 101'], []]);
  },
);
