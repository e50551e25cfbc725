import t from 'tap';
import type { Bus } from '../../../actors/bus/bus.ts';
import { failed, success } from '../../../actors/failure.ts';
import {
  type Liquidation,
  type LiquidationState,
  type Liquidations,
  liquidationKey,
} from '../../../actors/topics/index.ts';
import { followLiquidations } from '../../../http/views/liquidation-feed.ts';
import { LiquidationsView } from '../../../http/views/liquidations.ts';
import { FakeClock } from '../../support/clock.ts';
import * as make from '../../support/makers.ts';

const minute = 60_000;
const hour = 60 * minute;
const now = 1_750_000_000_000;

const event = (id: string, more: Partial<Liquidation> = {}): Liquidation =>
  make.liquidation({ value_usd: 1_000, timestamp: now, id, ...more });
const entry = (source: string, more: Partial<Liquidations> = {}): Liquidations =>
  make.liquidations({ source, at: now, since: now - hour, ...more });

const parts = new Map([
  ['binance', ['linear', 'inverse']],
  ['okx', ['linear']],
]);

function setup() {
  const view = new LiquidationsView(parts, now - 2 * hour);
  view.expire(now);
  return view;
}

t.test('events: newest first, each once, by exchange, symbol, side and value', async (t) => {
  const view = setup();
  const older = event('a', { timestamp: now - minute });
  view.accept(entry('binance', { events: [event('b'), older] }));
  view.accept(
    entry('okx', { events: [event('b', { symbol: 'ETH', side: 'short', value_usd: 5 })] }),
  );
  view.accept(entry('binance', { events: [event('b')] }));
  view.accept(entry('elsewhere', { events: [event('c')] }));
  const ids = (wanted: object) =>
    view.events({ limit: 10, ...wanted }).map(({ exchange, id }) => `${exchange} ${id}`);
  t.strictSame(ids({}), ['binance b', 'okx b', 'binance a']);
  t.strictSame(ids({ exchange: 'okx' }), ['okx b']);
  t.strictSame(ids({ symbol: 'BTC', limit: 1 }), ['binance b']);
  t.strictSame(ids({ side: 'short' }), ['okx b']);
  t.strictSame(ids({ min_usd: 6 }), ['binance b', 'binance a']);
  t.equal(ids({ min_usd: 5.000000000000001 }).length, 3, 'but for the rounding of a product');
  view.accept(entry('okx', { events: [event('small', { value_usd: 0.5, timestamp: 1 })] }));
  t.equal(ids({ exchange: 'okx' }).length, 2, 'of any value');
  view.restart();
  view.accept(entry('binance', { at: now - 1, events: [event('b'), event('d')] }));
  t.equal(ids({}).length, 4, 'a log that begins again is passed over as far as it is known');
  view.accept(entry('binance', { at: now + 1, events: [event('d')] }));
  t.equal(ids({}).length, 5);
  const [same, other] = [event('1'), event('1', { price: 1 })];
  t.equal(liquidationKey(same), liquidationKey(other), 'one id is one event');
  const [bare, more] = [
    { ...same, id: undefined },
    { ...other, id: undefined },
  ];
  t.not(liquidationKey(bare), liquidationKey(more), 'without an id the numbers tell');
  t.equal(liquidationKey(bare), liquidationKey({ ...bare }));
});

t.test('the newest events only', async (t) => {
  const view = setup();
  const events = Array.from({ length: 4_001 }, (_, at) => event(`${at}`, { timestamp: now + at }));
  view.accept(entry('okx', { events: events.slice(0, 4_000) }));
  t.equal(view.events({ limit: 10_000 }).length, 4_000);
  view.accept(entry('okx', { events: events.slice(4_000) }));
  const left = view.events({ limit: 10_000 });
  t.strictSame([left.length, left[0]?.id, left.at(-1)?.id], [2_000, '4000', '2001']);
});

t.test('the record: the time received so far, and the streams received now', async (t) => {
  for (const [minutes, complete] of [
    [56, false],
    [57, true],
  ] as const) {
    const other = setup();
    other.accept(entry('okx', { since: now - minutes * minute }));
    t.match(other.record('okx', 1), { coverage: { present: minutes, complete } });
  }
  const view = setup();
  t.strictSame(view.record(undefined, 1).disconnected, ['binance', 'okx']);
  t.equal(view.record(undefined, 1).recording_since, now - 2 * hour, 'since it began');
  view.accept(entry('okx', { since: now - 30 * minute }));
  t.match(view.record('okx', 1), {
    recording_since: now - 30 * minute,
    disconnected: [],
    coverage: { from: now - hour, to: now, expected: 60, present: 30, complete: false },
  });
  view.accept(entry('okx', { at: now + minute, since: now - 30 * minute }));
  view.accept(entry('okx', { at: now + minute + 5_000, since: null }));
  view.expire(now + 2 * minute);
  t.strictSame(view.record('okx', 1).disconnected, [], 'lost, not for long');
  view.expire(now + 2 * minute + 1);
  t.strictSame(view.record('okx', 1).disconnected, ['okx']);
  view.accept(entry('okx', { at: now + 5 * minute, since: now + 4 * minute }));
  view.expire(now + 5 * minute);
  t.equal(view.record('okx', 1).coverage.present, 32, 'without the gap');
  view.accept(entry('binance', { at: now + 5 * minute }));
  t.strictSame(
    view.record(undefined, 1).disconnected,
    ['binance'],
    'one of two streams is not all',
  );
});

t.test('tables are made every ten seconds, answers of events at once', async (t) => {
  const view = setup();
  const heard = (id: string, more: Partial<Liquidation> = {}, at = now) =>
    view.accept(entry('okx', { at, events: [event(id, more)] }));
  t.equal(view.recent('symbol'), null, 'no feed was ever received');
  heard('a');
  view.expire(now);
  const made = { events: 0, tables: 0 };
  const events = view.newest.answers({ build: () => ({ made: ++made.events }) });
  const tables = view.tables.answers({ build: () => ({ made: ++made.tables }) });
  const read = () => {
    for (const answer of [events, tables, events, tables]) answer('');
    return [made.events, made.tables, view.recent('symbol', 'okx')?.get('BTC')?.[1].count];
  };
  t.same(read(), [1, 1, 1]);
  heard('b');
  t.same(read(), [2, 1, 1]);
  view.accept(entry('okx'));
  view.expire(now + 9_999);
  t.same(read(), [2, 1, 1]);
  view.expire(now + 10_000);
  t.same(read(), [2, 2, 2]);
  heard('c', { symbol: 'ETH' }, now + minute);
  for (const later of [minute, 3.5 * minute]) view.expire(now + later);
  t.same(read(), [3, 3, 2]);
  view.expire(now + 3.5 * minute + 1);
  t.same(read(), [4, 4, 2], 'a feed is lost');
  const end = now + 25 * hour;
  view.accept(
    entry('okx', {
      at: end,
      since: end - minute,
      events: [event('d', { symbol: 'X', timestamp: end })],
    }),
  );
  view.expire(end);
  t.same([...(view.recent('symbol') ?? new Map()).keys()], ['X'], 'nothing older than a day');
  t.equal(view.record('okx', 24).recording_since, end - minute);
});

/** What the history has of these entries, and a bus with the log. */
function feedStage(log: readonly Liquidations[], stored: number) {
  const followed: (number | undefined)[] = [];
  const place = { id: `${stored}-0`, seq: stored };
  const of = log
    .slice(0, stored)
    .flatMap(({ source, events }) => events.map((one) => ({ ...one, exchange: source })));
  const minuteOf = now - (now % minute);
  const state: LiquidationState = {
    ...place,
    heard: { 'binance/linear': now, 'binance/inverse': now },
    feeds: [
      { key: 'binance/linear', times: [minuteOf - minute, minuteOf], columns: [[minute, 10_000]] },
      { key: 'binance/inverse', times: [minuteOf - 2 * minute], columns: [[9]] },
    ],
    sums: [{ key: 'binance/BTC', times: [minuteOf], columns: [[7_000], [0], [7], [1_000]] }],
    events: of.toReversed(),
  };
  const bus: Pick<Bus, 'follow'> = {
    follow({ liquidations: handler = () => {} }, { from } = {}) {
      followed.push(from?.liquidations?.seq);
      for (const [at, one] of log.entries()) {
        if (at >= (from?.liquidations?.seq ?? 0)) handler('', one, { id: `${at}`, seq: at + 1 });
      }
      return {
        ready: Promise.resolve(),
        state: () => 'up',
        stop: async () => {},
      };
    },
  };
  return { bus, state, followed };
}

t.test('the view begins with what is stored, and goes on with the log from there', async (t) => {
  const log = [1, 2, 3].map((id) => entry('binance', { at: now + id, events: [event(`${id}`)] }));
  const { bus, state, followed } = feedStage(log, 2);
  const view = setup();
  const clock = new FakeClock(now);
  let isAway = true;
  const answering = {
    query: async () =>
      isAway ? failed('unavailable', '') : success({ value: state, received: now, until: now }),
  };
  const given = { bus, answering: answering as never, clock, random: () => 0.5 };
  const feed = followLiquidations(view, given);
  await feed.filled;
  t.equal(view.events({ limit: 9 }).length, 3, 'of the log, while the history is away');
  isAway = false;
  await clock.advance(10_999);
  t.equal(followed.length, 1);
  await clock.advance(1);
  t.strictSame(followed, [undefined, 2]);
  t.strictSame(
    view.events({ limit: 9 }).map(({ id }) => id),
    ['3', '2', '1'],
  );
  t.equal(view.totals({ by: 'symbol' }).get('BTC')?.[1].count, 8, 'seven stored ones and one');
  t.match(view.record('binance', 1), { disconnected: ['binance'], coverage: { expected: 120 } });
  t.ok(view.record('binance', 1).coverage.present >= 1);
  feed.stop();
  isAway = true;
  const waiting = followLiquidations(view, given);
  await waiting.filled;
  waiting.stop();
  t.equal(clock.pending, 0);
  const stopped = followLiquidations(view, given);
  stopped.stop();
  await stopped.filled;
  t.same([clock.pending, followed.length], [0, 3], 'nothing after a stop');
});
