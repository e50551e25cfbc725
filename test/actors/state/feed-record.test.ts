/** Minutes of feeds, worked out by hand. */
import t from 'tap';
import { FeedRecord } from '../../../actors/state/feed-record.ts';
import type { FeedReport, FeedTally } from '../../../actors/topics/index.ts';

const minute = 60_000;
const start = 1_750_000_020_000;
const at = (seconds: number) => start + seconds * 1_000;

const tally = (changes: Partial<FeedTally> = {}): FeedTally => ({
  ...{ since: at(-100), failed: 0, refused: 0, suspect: 0, differs: 0 },
  ...{ age_area: 0, age_span: 0, age_max: 0, ...changes },
});

const report = (changes: Partial<FeedReport> = {}): FeedReport => ({
  ...{ source: 'okx', topic: 'prices', part: 'spot', state: 'up', reason: null },
  ...{ last_success: start, last_attempt: start, latency_ms: 9, last_error: null },
  ...{ breaker: 'closed', next_poll: at(600), rows: 1, dropped: {}, failures: 0, ...changes },
});

const record = () => new FeedRecord(new Set(['okx', 'bybit']), at(0));

t.test('share of a minute that a feed was up', async (t) => {
  const own = record();
  own.accept('okx/prices/spot', report(), at(0));
  own.accept('okx/prices/spot', report({ state: 'failing' }), at(15));
  own.accept('okx/prices/spot', report(), at(45));
  t.match(own.minute(at(60)), [{ key: 'okx/prices', values: { up: 0.5 } }]);
  t.match(own.minute(at(120)), [{ values: { up: 1 } }], 'nothing new was said');
});

t.test('the first minute counts from when something is known', async (t) => {
  const own = record();
  own.accept('okx/prices/spot', report({ state: 'waiting' }), at(10));
  own.accept('okx/prices/spot', report({ state: 'failing' }), at(40));
  own.accept('okx/prices/spot', report(), at(45));
  t.match(own.minute(at(60)), [{ values: { up: 15 / 20 } }]);
});

t.test('one that does not report any more is not up, 30 s after its report was due', async (t) => {
  const own = record();
  own.accept('okx/prices/spot', report({ next_poll: at(60) }), at(0));
  t.match(own.minute(at(60)), [{ values: { up: 1 } }]);
  t.match(own.minute(at(120)), [{ values: { up: 0.5 } }]);
  t.match(own.minute(at(180)), [{ values: { up: 0 } }]);
});

t.test('minutes go on where the clock was set back', async (t) => {
  const own = record();
  own.accept('okx/prices/spot', report(), at(7_200));
  own.accept('okx/prices/spot', report(), at(15));
  t.match(own.minute(at(60)), [{ values: { up: 1 } }]);
});

t.test('the parts of a topic together; idle ones and other sources do not count', async (t) => {
  const own = record();
  own.accept('okx/prices/spot', report(), at(0));
  own.accept('okx/prices/linear', report({ part: 'linear', state: 'frozen' }), at(0));
  own.accept('okx/prices/inverse', report({ part: 'inverse', state: 'closed' }), at(0));
  own.accept('okx/options/all', report({ topic: 'options', state: 'standby' }), at(0));
  own.accept('gas/state', report({ source: 'gas' }), at(0));
  own.accept('bybit/prices/spot', report({ source: 'bybit' }), at(0));
  const found = own.minute(at(60)).map(({ key, values }) => [key, values.up]);
  t.strictSame(found, [
    ['okx/prices', 0.5],
    ['bybit/prices', 1],
  ]);
});

t.test('what the tallies have grown by, in the minute of each report', async (t) => {
  const own = record();
  const say = (seconds: number, changes: Partial<FeedTally>, topic = 'prices') =>
    own.accept(`okx/${topic}/spot`, report({ topic, tally: tally(changes) }), at(seconds));
  say(0, { failed: 90, refused: 80, suspect: 70, differs: 60, age_max: 9e9 });
  say(30, { failed: 92, refused: 81, suspect: 70, differs: 60 });
  say(59, { failed: 92, refused: 81, suspect: 73, differs: 60 });
  say(61, { failed: 92, refused: 81, suspect: 73, differs: 64 });
  const first = { refused: 1, suspect: 3, differs: 0, reconnects: 0 };
  t.match(own.minute(at(60)), [{ values: first }], 'what was before is not of this minute');
  // Another process goes on, and counts from 0.
  say(100, { since: at(90), failed: 2, refused: 2 });
  t.match(own.minute(at(120)), [{ values: { refused: 2, suspect: 0, differs: 4 } }]);
  say(121, { failed: 5 }, 'trades');
  say(122, { failed: 7 }, 'trades');
  const [, trades] = own.minute(at(180));
  t.match(trades, { key: 'okx/trades', values: { reconnects: 2 } }, 'a stream is lost');
});

t.test('ages: of what came in the minute, else of the last', async (t) => {
  const own = record();
  const say = (seconds: number, part: string, changes: Partial<FeedTally>) => {
    const changed = { part, last_success: at(seconds), tally: tally(changes) };
    own.accept(`okx/prices/${part}`, report(changed), at(seconds));
  };
  say(0, 'spot', { age_area: 5, age_span: 5 });
  say(10, 'spot', { age_area: 5 + 50e6, age_span: 5 + 10_000, age_max: 10_000 });
  say(30, 'spot', { age_area: 5 + 250e6, age_span: 5 + 30_000, age_max: 20_000 });
  // 250 s x s over 30 s.
  const [row] = own.minute(at(60));
  t.equal(row?.values.age, 250_000 / 30);
  t.equal(row?.values.age_max, 20_000);
  t.match(own.minute(at(120)), [{ values: { age: 60_000, age_max: 90_000 } }], 'since second 30');
  say(125, 'linear', {});
  // Of the other part from second 125 on: 55 s at the end.
  t.match(own.minute(at(180)), [{ values: { age: (120_000 + 27_500) / 2, age_max: 150_000 } }]);
});

t.test('events and books are quiet where nothing happens: they have no age', async (t) => {
  const own = record();
  for (const topic of ['liquidations', 'books', 'trades'])
    own.accept(topic, report({ topic, tally: tally({ age_area: 9, age_span: 9 }) }), at(0));
  const found = own.minute(at(60)).map(({ values: { age, age_max } }) => [age, age_max]);
  t.strictSame(found, [
    [null, null],
    [null, null],
    [null, null],
  ]);
});

t.test('a process that does not record keeps the last minutes alone', async (t) => {
  const own = record();
  for (let hour = 0; hour < 24; hour++) {
    const next_poll = at(hour * 3_600 + 3_700);
    own.accept(
      'okx/prices/spot',
      report({ next_poll, tally: tally({ failed: hour }) }),
      at(hour * 3_600),
    );
  }
  const end = Math.ceil(at(24 * 3_600) / minute) * minute;
  t.match(own.minute(end), [{ values: { up: 1, refused: 0 } }]);
});

t.test(
  'latencies: of all parts that report, and of all processes that give signs of life',
  async (t) => {
    const own = record();
    const say = (part: string, events: FeedTally['events'], seconds: number) =>
      own.accept(
        `okx/priceChanges/${part}`,
        report({ topic: 'priceChanges', part, tally: tally({ ...(events && { events }) }) }),
        at(seconds),
      );
    say('spot', { 20: 97 }, 1);
    say('linear', { 50: 2, 800: 1 }, 59);
    own.acceptProcess({ id: 'web-1', deliveries: { 'okx/priceChanges': { 2: 9 } } }, at(2));
    own.acceptProcess({ id: 'web-1', deliveries: { 'okx/priceChanges': { 2: 60 } } }, at(58));
    own.acceptProcess({ id: 'web-2', deliveries: { 'okx/priceChanges': { 5: 40 } } }, at(57));
    own.acceptProcess({ id: 'feed-1' }, at(57));
    // Of 100: the 50th, the 95th, the 99th.
    const event = { event_latency_ms_p50: 20, event_latency_ms_p95: 20, event_latency_ms_p99: 50 };
    const delivery = { delivery_ms_p50: 2, delivery_ms_p95: 5, delivery_ms_p99: 5 };
    t.match(own.minute(at(60)), [{ values: { ...event, ...delivery } }]);
    say('spot', undefined, 70);
    const nothing = { event_latency_ms_p50: null, delivery_ms_p50: null };
    t.match(own.minute(at(120)), [{ values: nothing }], 'nothing came in this minute');
  },
);
