import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { Bus, Handlers, LogPosition } from '../../../actors/bus/bus.ts';
import { silent } from '../../../actors/bus/log.ts';
import { liquidationAnswers } from '../../../actors/history/liquidation-answers.ts';
import { recordLiquidations } from '../../../actors/history/liquidation-recorder.ts';
import { events, type LogRange } from '../../../actors/history/logs.ts';
import { liquidationFeeds, liquidations } from '../../../actors/history/series/liquidations.ts';
import { SqliteStore } from '../../../actors/history/sqlite.ts';
import { type Store, StoreError } from '../../../actors/history/store.ts';
import type { Liquidation, Liquidations } from '../../../actors/topics/index.ts';
import { FakeClock } from '../../support/clock.ts';
import { liquidations as entryOf, liquidation } from '../../support/makers.ts';

const minute = 60_000;
const hour = 60 * minute;
const start = 1_800_000_000_000;
const everything = { from: start - 24 * hour, to: start + 1_000 * hour };

const folder = mkdtempSync(join(tmpdir(), 'liquidations-'));
t.teardown(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

const event = (id: number, more: Partial<Liquidation> = {}) =>
  liquidation({ quantity_base: 1, value_usd: 100, timestamp: start + 1, id: `${id}`, ...more });
const entry = (at: number, more: Partial<Liquidations> = {}) =>
  entryOf({ source: 'binance', at, since: start, ...more });

/** The log of a bus: followers get what there is after their place, and then what is added. */
class Log {
  entries: { entry: Liquidations; at: LogPosition }[] = [];
  #handlers = new Set<NonNullable<Handlers['liquidations']>>();
  /** How often it was followed. */
  followed = 0;

  add(one: Liquidations): void {
    const seq = (this.entries.at(-1)?.at.seq ?? 0) + 1;
    const added = { entry: one, at: { id: `${seq}-0`, seq } };
    this.entries.push(added);
    for (const handler of this.#handlers) handler('', one, added.at);
  }

  readonly bus: Pick<Bus, 'follow'> = {
    follow: ({ liquidations: handler = () => {} }, { from } = {}) => {
      this.followed++;
      const { seq = 0 } = from?.liquidations ?? {};
      for (const one of this.entries) if (one.at.seq > seq) handler('', one.entry, one.at);
      this.#handlers.add(handler);
      return {
        ready: Promise.resolve(),
        state: () => 'up',
        stop: async () => {
          this.#handlers.delete(handler);
        },
      };
    },
  };
}

function stage(t: Test) {
  const clock = new FakeClock(start);
  const log = new Log();
  const store = new SqliteStore(join(folder, `${++files}.sqlite`), [
    liquidations,
    liquidationFeeds,
  ]);
  /** Numbers of events by transaction, and what the store was asked besides. */
  const [told, asked]: [number[], string[]] = [[], []];
  const begin = (on: Store = store) =>
    recordLiquidations({
      bus: log.bus,
      clock,
      log: silent,
      onStored: (events) => void told.push(events),
      store: new Proxy(on, {
        get(_, name: keyof Store) {
          const method = on[name]?.bind(on) as (...all: unknown[]) => unknown;
          return (...all: unknown[]) => {
            if (name === 'scan') asked.push(`combines ${JSON.stringify(all[2])}`);
            if (name === 'pruneLog') asked.push(`removes before ${all[1]}`);
            return method(...all);
          };
        },
      }),
    });
  t.teardown(() => store.close());
  const sums = async (key = 'binance/BTC', step = minute) =>
    (await store.read(liquidations, step, [key], everything)).get(key);
  const heard = async (key = 'binance/linear') => {
    const found = await store.read(liquidationFeeds, minute, [key], everything);
    return found.get(key)?.columns[0];
  };
  return { clock, log, store, begin, sums, heard, told, asked };
}

t.test('events are stored with their sums and the time of reception', async (t) => {
  const { clock, log, store, begin, sums, heard } = stage(t);
  const recorder = begin();
  const later = event(3, { timestamp: start + minute, value_usd: 7 });
  log.add(entry(start + 1, { events: [event(1), event(2, { side: 'short', value_usd: 300 })] }));
  log.add(entry(start + 2 * minute, { events: [later] }));
  await clock.advance(1_000);
  await recorder.stop();
  t.same((await sums())?.columns, [
    [100, 7],
    [300, 0],
    [2, 1],
    [300, 7],
  ]);
  t.same(await heard(), [minute, minute]);
  const stored = await store.log(events, { from: start, to: start + hour, limit: 9 });
  t.same(stored[0], { ...later, exchange: 'binance' });
  t.equal(stored.length, 3);
});

t.test('another recorder continues after the last stored event', async (t) => {
  const { clock, log, begin, sums, heard } = stage(t);
  const first = begin();
  log.add(entry(start + minute, { events: [event(1)] }));
  await clock.advance(1_000);
  // Events that it received and did not write are read by its successor.
  log.add(entry(start + 2 * minute, { events: [event(2)] }));
  await first.stop();
  const second = begin();
  await clock.advance(1_000);
  log.add(entry(start + 3 * minute, { events: [event(3)] }));
  await clock.advance(1_000);
  await second.stop();
  t.same((await sums())?.columns[2], [3]);
  t.same(await heard(), [minute, minute, minute]);
});

t.test('a log that begins again brings no event twice, and a repeat counts no time', async (t) => {
  const { clock, log, begin, sums, heard } = stage(t);
  const first = begin();
  log.add(entry(start + minute, { events: [event(1)] }));
  await clock.advance(1_000);
  await first.stop();
  log.entries = log.entries.map(({ entry }) => ({ entry, at: { id: '9-0', seq: 2 } }));
  const second = begin();
  await clock.advance(1_000);
  await second.stop();
  t.same((await sums())?.columns[2], [1]);
  t.same(await heard(), [minute]);
});

t.test('a lost part of the log counts as not received, for every stream', async (t) => {
  const { clock, log, begin, heard } = stage(t);
  const recorder = begin();
  log.add(entry(start + minute, { part: 'inverse' }));
  log.add(entry(start + minute));
  log.add(entry(start + 2 * minute));
  log.entries.splice(1, 1);
  await recorder.stop();
  const again = begin();
  log.add(entry(start + 3 * minute, { part: 'inverse' }));
  log.add(entry(start + 4 * minute, { since: null }));
  await clock.advance(1_000);
  await again.stop();
  t.same(await heard(), undefined, 'its last words say that it is not heard');
  t.same(await heard('binance/inverse'), [minute, minute], 'the minutes before and after');
});

t.test('while the store takes nothing, all waits in the log', async (t) => {
  const { clock, log, store, begin, sums } = stage(t);
  let [full, tries] = [true, 0];
  const failing = new Proxy<Store>(store, {
    get: (_, name: keyof Store) =>
      name === 'write' && full
        ? () => Promise.reject(new StoreError('full', `no room ${tries++}`))
        : store[name].bind(store),
  });
  const recorder = begin(failing);
  log.add(entry(start + 1, { events: [event(1)] }));
  await clock.advance(5_999);
  t.equal(tries, 1, 'another attempt after five seconds');
  log.add(entry(start + 2, { events: [event(2)] }));
  full = false;
  await clock.advance(3_000);
  await recorder.stop();
  t.same((await sums())?.columns[2], [2]);
});

t.test('a flood is read a part at a time', async (t) => {
  const { clock, log, begin, sums, told } = stage(t);
  for (let at = 0; at < 130; at++) {
    const events = Array.from({ length: 500 }, (_, i) => event(at * 500 + i));
    log.add(entry(start + at, { events }));
  }
  const recorder = begin();
  for (let second = 0; second < 4; second++) await clock.advance(1_000);
  await recorder.stop();
  t.same((await sums())?.columns[2], [65_000]);
  t.equal(log.followed, 2);
  t.strictSame(told, [...Array(10).fill(5_000), 500, 5_000, 5_000, 4_500]);
});

t.test('hours are combined once nothing more is taken of them', async (t) => {
  const { clock, log, begin, sums } = stage(t);
  const recorder = begin();
  log.add(entry(start + 1, { events: [event(1)] }));
  log.add(
    entry(start + hour + 5 * minute, { events: [event(2, { timestamp: start + 5 * minute })] }),
  );
  await clock.advance(1_000);
  t.equal(await sums('binance/BTC', hour), undefined);
  log.add(entry(start + hour + 12 * minute));
  await clock.advance(1_000);
  await recorder.stop();
  t.same((await sums('binance/BTC', hour))?.columns, [[200], [0], [2], [100]]);
});

t.test('48 hours are combined at first, then each; old events are removed each hour', async (t) => {
  const { clock, log, begin, asked } = stage(t);
  const recorder = begin();
  const combined = (hours: number, before = 1) => {
    const to = start + hours * hour;
    const range = { from: to - before * hour, to: to - 1 };
    return Array(2).fill(`combines ${JSON.stringify(range)}`);
  };
  const removed = (after: number) => `removes before ${start + after - 7 * 24 * hour}`;
  const after = async (ms: number, at: number) => {
    log.add(entry(start + at));
    await clock.advance(ms);
    return asked.splice(0);
  };
  t.strictSame(await after(1_000, hour), [...combined(0, 48), removed(1_000)]);
  t.strictSame(await after(1_000, hour + minute), []);
  t.strictSame(await after(hour - 1_001, 2 * hour), combined(1));
  t.strictSame(await after(2_001, 2 * hour + minute), [removed(hour + 1_000)]);
  await recorder.stop();
});

t.test('stored events are announced with their place in the log', async (t) => {
  const { clock, log, store, begin } = stage(t);
  const { liquidationState } = liquidationAnswers(store, clock);
  const asked = { exchanges: ['binance', 'okx'], from: start - hour };
  t.match(await liquidationState(asked), { ok: false, failure: { code: 'unavailable' } });
  const recorder = begin();
  log.add(entry(start + minute, { events: [event(1), event(2, { timestamp: start - hour / 2 })] }));
  log.add(entry(start + 2 * minute, { source: 'okx', events: [event(1)] }));
  await clock.advance(1_000);
  await recorder.stop();
  const reply = await liquidationState(asked);
  if (!reply.ok) throw new Error(reply.failure.message);
  const { seq, heard, feeds, sums, events } = reply.value.value;
  t.equal(seq, 2);
  t.same(heard, { 'binance/linear': start + minute, 'okx/linear': start + 2 * minute });
  t.same(
    events.map(({ exchange, id }) => `${exchange} ${id}`),
    ['okx 1', 'binance 1', 'binance 2'],
  );
  const counts = sums.map(({ key, times, columns }) => [key, times.length, columns[2]]);
  t.same(counts, [
    ['binance/BTC', 1, [1]],
    ['binance/BTC', 1, [1]],
    ['okx/BTC', 1, [1]],
  ]);
  t.same(
    feeds.map(({ key, columns }) => [key, columns[0]]),
    [
      ['binance/linear', [minute]],
      ['okx/linear', [minute, minute]],
    ],
  );
  await t.test('not while more is stored all the time', async (t) => {
    let place = 0;
    const busy = new Proxy(store, {
      get: (of, name: keyof Store) =>
        name === 'position'
          ? async () => JSON.stringify({ id: '1', seq: place++, heard: {} })
          : of[name].bind(of),
    });
    t.match(await liquidationAnswers(busy, clock).liquidationState(asked), { ok: false });
    t.equal(place, 11, 'five attempts');
  });
  await t.test('of each exchange 500 events where the newest of all are 10,000', async (t) => {
    const questions: string[] = [];
    const newest = (count: number) =>
      Array.from({ length: count }, (_, at) => ({
        ...event(at, { timestamp: start + 9_999 - at }),
        exchange: at < 500 ? 'binance' : at < 999 ? 'okx' : 'gate',
      }));
    const stateOf = async (count: number) => {
      const full = new Proxy(store, {
        get: (of, name: keyof Store) =>
          name === 'log'
            ? async (_: unknown, { owner = 'all', limit, to }: LogRange) => {
                questions.push(`${owner} ${limit} to ${to - clock.now()}`);
                return owner === 'all'
                  ? newest(count)
                  : [{ ...event(7, { timestamp: start + 9_999 }), exchange: owner }];
              }
            : of[name].bind(of),
      });
      const answer = await liquidationAnswers(full, clock).liquidationState(asked);
      return answer.ok ? answer.value.value.events.map((one) => one.exchange) : [];
    };
    t.equal((await stateOf(9_999)).length, 9_999);
    const own = await stateOf(10_000);
    t.strictSame([own.length, own.indexOf('okx')], [501, 1], 'the newest first');
    const all = `all 10000 to ${minute}`;
    t.strictSame(questions, [all, all, `okx 500 to ${minute}`]);
  });
});
