/** Rules over the answers of the real rows, with prices that a test publishes into the views. */
import t, { type Test } from 'tap';
import type { AlertEvent, AlertRule } from '../../../actors/topics/index.ts';
import { Engine } from '../../../alerts/evaluation/engine.ts';
import { armed } from '../../../alerts/rules/condition.ts';
import type { Stored, StoredState, Transition } from '../../../alerts/store/state-store.ts';
import { createLogger } from '../../../config/log.ts';
import { EventLog } from '../../../http/answers/event-log.ts';
import { accountIdOf } from '../../../http/auth/caller.ts';
import { Counters } from '../../../http/endpoints/counters.ts';
import { Endpoint } from '../../../http/endpoints/endpoint.ts';
import { Topics } from '../../../http/live/topics.ts';
import { liquidationRoutes } from '../../../http/routes/liquidations/index.ts';
import { marketRoutes } from '../../../http/routes/market.ts';
import { PricesView } from '../../../http/views/prices.ts';
import { apiError } from '../../../http/wire/errors.ts';
import { alertRule } from '../../support/alerts.ts';
import { FakeClock } from '../../support/clock.ts';
import { liquidation, liquidations, now, priceRow, reading } from '../../support/makers.ts';
import { contextFor, views } from '../../support/route-stage.ts';

/** The store as Redis has it: one state of a rule and subject, compared with the one before. */
function memory() {
  const states = new Map<string, Map<string, StoredState>>();
  const events: AlertEvent[] = [];
  let isAway = false;
  let writes = 0;
  /** Events that the account may fire still. */
  let left = Number.POSITIVE_INFINITY;
  let held: Promise<void> | null = null;
  /** Whether an event may be fired, which it is then. */
  const fire = (event: AlertEvent | null): boolean => {
    if (event === null) return true;
    if (left === 0) return false;
    left -= 1;
    events.push(event);
    return true;
  };
  const store = {
    async states(id: string) {
      return new Map(states.get(id));
    },
    async store({ rule, subject, before, after, event }: Transition): Promise<Stored> {
      await held;
      if (isAway) throw new Error('Redis is away');
      writes += 1;
      const own = states.get(rule.id) ?? new Map<string, StoredState>();
      const known = own.get(subject) ?? { state: armed, text: '' };
      const text = JSON.stringify(after);
      if (known.text === text) return { outcome: 'stored', now: known };
      if (known.text !== before.text) return { outcome: 'other', now: known };
      if (!fire(event)) return { outcome: 'later', wait: 100 };
      states.set(rule.id, own.set(subject, { state: after, text }));
      return { outcome: 'stored', now: { state: after, text } };
    },
    async place() {
      return null;
    },
    async setPlace() {},
  };
  return {
    store,
    events,
    states,
    writes: () => writes,
    away: (is: boolean) => {
      isAway = is;
    },
    rate(events: number) {
      left = events;
    },
    /** Redis is slow from now on, until the function that this gives is called. */
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return () => {
        held = null;
        resolve();
      };
    },
  };
}

function stage(_t: Test, kept = memory()) {
  const clock = new FakeClock();
  const prices = new PricesView();
  const log = new EventLog();
  const around = { ...contextFor(views), clock, prices };
  views.liquidations.log.begin = async () => {};
  const routes = [...marketRoutes(around), ...liquidationRoutes(around)];
  const asked: string[] = [];
  const overloaded = async (_question: object, account: string) => {
    asked.push(account);
    return apiError('overloaded');
  };
  const queries = { known: () => null, read: overloaded, once: overloaded };
  const endpoints = routes.map(
    (row) =>
      new Endpoint(row, {
        clock,
        log: createLogger({ logLevel: 'silent' }, 'test'),
        counters: new Counters(routes),
        queries,
      }),
  );
  const topics = new Topics({
    clock,
    every: 'auto',
    dataAlone: true,
    symbols: prices.symbols,
    log: { error: () => {} },
  });
  topics.serve(endpoints);
  const begin = () => new Engine({ clock, topics, store: kept.store, onEvent: () => {} });
  const engine = begin();
  const price = async (value: number, symbol = 'BTC', source = 'a') => {
    await clock.advance(1_000);
    const row = priceRow({ symbol, market: `${symbol}USDT`, price: value, volume: 1e6 });
    const part = { source, part: symbol, received: clock.now() };
    prices.accept(reading([row], part), clock.now());
    // Rules follow in the same turn.
    await clock.advance(0);
  };
  const take = async (over: Partial<AlertRule>, by = engine) => {
    const rule = alertRule({ created_at: clock.now(), updated_at: clock.now(), ...over });
    by.take(rule);
    await clock.advance(0);
    return rule;
  };
  const fired = (id = 'al_1') =>
    kept.events
      .filter((event) => event.alert_id === id)
      .map(({ kind, value, subject }) => `${kind} ${subject ?? '-'} ${value}`);
  return { clock, engine, begin, price, take, fired, kept, log, prices, asked };
}

t.test(
  'a rule fires when its value changes, with the time of the data and what was before',
  async (t) => {
    const { price, take, fired, kept, clock, engine } = stage(t);
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
  const { price, take, fired } = stage(t);
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
    const { price, take, engine, begin, fired } = stage(t, kept);
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

t.test('two processes that both hold a rule fire it once', async (t) => {
  const { price, take, begin, kept } = stage(t);
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
    const { price, take, fired, kept, clock } = stage(t);
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
  const { price, take, fired, clock } = stage(t);
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
  const { price, take, fired, clock } = stage(t);
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
  const { take, fired, clock } = stage(t);
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
  const { price, take, fired, clock, prices } = stage(t);
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
  const { price, take, fired, clock, prices, kept } = stage(t);
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
  const { price, take, fired, clock, prices, kept } = stage(t);
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
  const { price, take, fired, clock, prices } = stage(t);
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

t.test('questions for a rule carry the hash of its account, as those of a session', async (t) => {
  const { take, asked, clock } = stage(t);
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
    const { price, take, fired, clock, kept } = stage(t);
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
