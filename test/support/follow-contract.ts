/** What every follower keeps to, whatever it reads topics from. */
import type { Test } from 'tap';
import type { Bus, Handlers } from '../../actors/bus/bus.ts';
import { encode } from '../../actors/bus/codec.ts';
import type { LogPosition } from '../../actors/bus/follow.ts';
import type { Topics } from '../../actors/topics/index.ts';
import type { BusStage } from './bus-stage.ts';
import { feedStatus, liquidations, priceRow, reading } from './makers.ts';
import { until } from './until.ts';

/** A Redis with a first bus, whose followers are tested. */
type StageOf = (t: Pick<Test, 'teardown'>) => Promise<BusStage & { bus: Bus }>;
type Case = (t: Test, stage: StageOf) => Promise<void>;

/** A value of the topic `status` that is told by its rows. */
export const status = (rows: number) => feedStatus({ rows });

const instruments = (received: number): Topics['instruments'] => ({
  source: 'okx',
  part: 'spot',
  asked: 0,
  received,
  rows: [],
});

/** Follows `status` and notes the newest `rows` of each key, and everything that came. */
export function watch(bus: Bus) {
  const newest = new Map<string, number>();
  const seen: number[] = [];
  const follower = bus.follow({
    status(key, value) {
      newest.set(key, value.rows);
      seen.push(value.rows);
    },
  });
  return { newest, seen, follower };
}

/** The tests by their names. */
const cases: Readonly<Record<string, Case>> = {
  async 'the stored values of every topic come first, then the new ones'(t, stage) {
    const { bus } = await stage(t);
    for (let i = 1; i <= 3; i++) await bus.publish('status', 'a', status(i));
    await bus.publish('instruments', 'okx', instruments(1));
    const seen: string[] = [];
    const follower = bus.follow({
      status: (key, value) => void seen.push(`${key} ${value.rows}`),
      instruments: (key, value) => void seen.push(`${key} ${value.received}`),
    });
    t.equal(follower.state(), 'down');
    await follower.ready;
    t.same([...seen].sort(), ['a 3', 'okx 1'], 'the last values only');
    await until(() => follower.state() === 'up', 'it is up');
    await bus.publish('status', 'a', status(4));
    await bus.publish('instruments', 'okx', instruments(2));
    await bus.publish('status', 'b', status(5));
    await until(() => seen.length === 5, 'all has come');
    t.same([...seen.slice(2)].sort(), ['a 4', 'b 5', 'okx 2']);
    await follower.stop();
    t.equal(follower.state(), 'down');
    await bus.publish('status', 'a', status(6));
    t.equal(seen.length, 5);
    t.throws(() => bus.follow({}), /at least one topic/);
  },

  async 'nothing is lost when it begins in a storm'(t, stage) {
    const { bus } = await stage(t);
    const keys = 20;
    const each = 100;
    const storm = (async () => {
      for (let i = 1; i <= each; i++) {
        const sent = Array.from({ length: keys }, (_, k) =>
          bus.publish('status', `k${k}`, status(i)),
        );
        await Promise.all(sent);
      }
    })();
    const watchers = [];
    for (let i = 0; i < 5; i++) {
      await until(() => bus.last('status').then((last) => last.size === keys), 'the storm goes on');
      watchers.push(watch(bus));
    }
    await storm;
    for (const { newest } of watchers) {
      const complete = () =>
        newest.size === keys && [...newest.values()].every((rows) => rows === each);
      await until(complete, 'every key has its last value');
    }
  },

  async 'in order, each once, when nothing is lost'(t, stage) {
    const { bus } = await stage(t);
    const { seen, follower } = watch(bus);
    await follower.ready;
    const numbers = Array.from({ length: 500 }, (_, i) => i);
    await Promise.all(numbers.map((i) => bus.publish('status', 'k', status(i))));
    await until(() => seen.length >= 500, 'all have come');
    t.same(seen, numbers);
  },

  async 'Redis killed and started empty'(t, stage) {
    const { server, bus } = await stage(t);
    for (let i = 1; i <= 10; i++) await bus.publish('status', 'k', status(i));
    const { newest, follower } = watch(bus);
    await follower.ready;
    await server.kill();
    await until(() => follower.state() === 'down' && bus.state() === 'down', 'the loss is noticed');
    await server.restart();
    await until(() => follower.state() === 'up' && bus.state() === 'up', 'both are back');
    t.equal(await bus.publish('status', 'k', status(77)), 'published');
    await until(() => newest.get('k') === 77, 'the new value has come');
  },

  async 'Redis away at the start: it waits'(t, stage) {
    const { server, bus } = await stage(t);
    await server.kill();
    const { newest, follower } = watch(bus);
    let ready = false;
    void follower.ready.then(() => {
      ready = true;
    });
    await until(() => bus.state() === 'down', 'the loss is noticed');
    t.equal(ready, false);
    await server.restart();
    await follower.ready;
    await until(() => bus.state() === 'up', 'the bus is back');
    await bus.publish('status', 'k', status(5));
    await until(() => newest.get('k') === 5, 'the value has come');
  },

  async 'ready does not hang when it is stopped before'(t, stage) {
    const { server, bus } = await stage(t);
    await server.kill();
    const { follower } = watch(bus);
    await follower.stop();
    await follower.ready;
  },

  async 'wiped under an open connection'(t, stage) {
    const { bus, raw } = await stage(t);
    for (let i = 1; i <= 10; i++) await bus.publish('status', 'k', status(i));
    const { newest, follower } = watch(bus);
    await follower.ready;
    await raw.flushall();
    await bus.publish('status', 'k', status(77));
    await until(() => newest.get('k') === 77, 'the new value has come');
  },

  async 'a new server whose ids are lower than ours'(t, stage) {
    const { bus, raw } = await stage(t);
    await bus.publish('status', 'k', status(1));
    // As an earlier primary whose clock was an hour ahead would have left it.
    const [last] = await raw.xrevrange('feed:status', '+', '-', 'COUNT', 1);
    const [key, k, seq, n, data] = last?.[1] ?? [];
    t.same([key, k, seq, n, data], ['key', 'k', 'seq', '1', 'data']);
    await raw.xadd('feed:status', `${Date.now() + 3_600_000}-0`, 'key', 'k', 'seq', 1, 'data', 'x');
    const { newest, follower } = watch(bus);
    await follower.ready;
    await raw.del('feed:status');
    for (let i = 2; i <= 4; i++) await bus.publish('status', 'k', status(i));
    await until(
      () => newest.get('k') === 4,
      'the value has come although XREAD waits for later ids',
    );
  },

  async 'entries trimmed unread'(t, stage) {
    const { bus, raw } = await stage(t);
    const { newest, seen, follower } = watch(bus);
    await bus.publish('status', 'quiet', status(1));
    await follower.ready;
    await until(() => follower.state() === 'up', 'it is up');
    const storm = 3_000;
    // One transaction: the follower's XREAD is served when all of it has been written and trimmed.
    const transaction = raw.multi();
    for (let i = 2; i <= storm; i++) {
      transaction.xadd('feed:status', '*', 'key', 'gone', 'seq', i, 'data', 'unread');
    }
    transaction.set('seq:status', storm).xtrim('feed:status', 'MAXLEN', 10);
    await transaction.exec();
    await bus.publish('status', 'busy', status(5));
    await until(() => newest.get('busy') === 5, 'the newest has come');
    t.equal(newest.get('quiet'), 1);
    t.ok(seen.length < 20, 'the gap was not read');
  },

  async 'an unreadable entry is skipped, a handler that throws is not the end'(t, stage) {
    const { bus, raw } = await stage(t);
    const seen: number[] = [];
    const follower = bus.follow({
      status(_, value) {
        if (value.rows === 2) throw new Error('no two');
        seen.push(value.rows);
      },
    });
    await follower.ready;
    await bus.publish('status', 'k', status(1));
    await raw.xadd(
      'feed:status',
      '*',
      'key',
      'k',
      'seq',
      await raw.incr('seq:status'),
      'data',
      'junk',
    );
    await raw.xadd('feed:status', '*', 'foreign', 'fields');
    await bus.publish('status', 'k', status(2));
    await bus.publish('status', 'k', status(3));
    await until(() => seen.includes(3), 'the last has come');
    t.same(seen, [1, 3]);
  },

  async 'a log: every entry in order, from the first one or from a place in it'(t, stage) {
    const { bus, raw } = await stage(t);
    const entry = (at: number) => liquidations({ source: 'x', part: 'all', at, since: null });
    const tell = (at: number) => bus.publish('liquidations', 'x/all', entry(at));
    for (const at of [1, 2, 3]) await tell(at);
    const seen: number[] = [];
    const restarts: string[] = [];
    const places: LogPosition[] = [];
    const read: Handlers = {
      liquidations(_key, { at }, place) {
        seen.push(at);
        places.push(place);
      },
    };
    const follower = bus.follow(read, { onRestart: (topic) => restarts.push(topic) });
    await follower.ready;
    t.strictSame(seen, [1, 2, 3], 'what is there');
    await until(() => follower.state() === 'up', 'it is up');
    await tell(4);
    await until(() => seen.length === 4, 'what comes');
    const later: number[] = [];
    const second = bus.follow(
      { liquidations: (_key, { at }) => void later.push(at) },
      { from: { liquidations: places[1] ?? { id: '', seq: 0 } } },
    );
    await second.ready;
    t.strictSame(later, [3, 4], 'what follows the place');
    await raw.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await until(() => tell(5).then((outcome) => outcome === 'published'), 'it takes entries again');
    await until(() => seen.includes(5) && later.includes(5), 'it goes on');
    t.equal(seen.length, new Set(seen).size, 'nothing twice after the connection was lost');
    t.strictSame(restarts, []);
    await raw.flushall();
    await tell(6);
    await until(() => seen.includes(6), 'a Redis that was emptied');
    t.strictSame(restarts, ['liquidations']);
  },

  async 'rows that streams changed: whoever begins, or fell behind, gets those of all entries'(
    t,
    stage,
  ) {
    const { bus, raw } = await stage(t);
    const changed = (symbol: string, price: number) =>
      bus.publish(
        'priceChanges',
        'a/spot',
        reading([priceRow({ symbol, price })], { source: 'a', part: 'spot', received: price }),
      );
    const follow = () => {
      const prices = new Map<string, number>();
      const follower = bus.follow({
        priceChanges(_key, { rows }) {
          for (const row of rows) prices.set(row.symbol, row.price);
        },
      });
      return { prices, follower };
    };
    await changed('BTC', 11);
    await changed('ETH', 12);
    const late = follow();
    await late.follower.ready;
    t.strictSame(Object.fromEntries(late.prices), { BTC: 11, ETH: 12 }, 'not the last set alone');
    await until(() => late.follower.state() === 'up', 'it is up');
    // In one transaction, so that what comes first is gone before it is read.
    const entries = await raw.xrevrangeBuffer('feed:priceChanges', '+', '-');
    const [data] = entries.map(([, fields]) => fields[5] ?? Buffer.alloc(0));
    if (data === undefined) throw new Error('there is no entry');
    await raw
      .multi()
      .xadd('feed:priceChanges', '*', 'key', 'a/spot', 'seq', 3, 'data', data)
      .xadd('feed:priceChanges', '*', 'key', 'a/spot', 'seq', 4, 'data', data)
      .xtrim('feed:priceChanges', 'MAXLEN', 1)
      .set('seq:priceChanges', 4)
      .exec();
    for (const [symbol, price] of [
      ['SOL', 13],
      ['XRP', 14],
      ['ADA', 15],
    ] as const)
      await changed(symbol, price);
    await until(() => late.prices.has('ADA'), 'it goes on');
    t.strictSame(
      Object.fromEntries(late.prices),
      { BTC: 11, ETH: 12, SOL: 13, XRP: 14, ADA: 15 },
      'all that is left has come',
    );
  },

  async 'entries that were trimmed unread are logged, but none before the start'(t, stage) {
    const { raw, join } = await stage(t);
    const missed: object[] = [];
    const warn = (fields: object, message: string) => {
      if (message === 'entries of a log were trimmed unread') missed.push(fields);
    };
    const log = { info: () => {}, warn, error: () => {} };
    const bus = join({ log });
    const data = encode(liquidations({ source: 'x', part: 'all', at: 1, since: null }));
    const tell = (seq: number) =>
      raw
        .multi()
        .xadd('feed:liquidations', '*', 'key', 'k', 'seq', seq, 'data', data)
        .set('seq:liquidations', seq)
        .exec();
    await tell(5);
    const seen: number[] = [];
    const follower = bus.follow({ liquidations: (_key, _entry, { seq }) => void seen.push(seq) });
    await follower.ready;
    for (const seq of [6, 9]) await tell(seq);
    await until(() => seen.length === 3, 'all have come');
    t.strictSame(seen, [5, 6, 9]);
    t.strictSame(missed, [{ topic: 'liquidations', count: 2 }]);
  },
};

/** Runs the tests on followers of these stages. */
export function followContract(t: Pick<Test, 'test'>, stage: StageOf): void {
  for (const [name, run] of Object.entries(cases)) void t.test(name, (t) => run(t, stage));
}
