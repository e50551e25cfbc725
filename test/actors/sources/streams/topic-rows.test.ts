/** What a stream's rows are published as, beside the polls of the same part. */
import t from 'tap';
import { type Failure, failed } from '../../../../actors/failure.ts';
import type { Parsed } from '../../../../actors/sources/define.ts';
import { StatusRow } from '../../../../actors/sources/status/status.ts';
import { TopicRows } from '../../../../actors/sources/streams/newest.ts';
import type { PriceRow, Reading } from '../../../../actors/topics/index.ts';
import { price } from '../../../support/feed-stage.ts';
import { rowsAlone } from '../../../support/guarded.ts';

const now = 1_790_000_000_000;
const connection = { note: () => {} };

/**
 * A publisher whose stream says what is put into it; times are ms after `now`. Redis answers with `outcome`, whole readings once
 * `answer` is settled.
 */
function stage(frozen = false, outcome: Failure | null = null, answer = Promise.resolve()) {
  const published: Reading<PriceRow>[] = [];
  const whole: Reading<PriceRow>[] = [];
  const rows = rowsAlone().of('prices', 'spot', 30_000);
  const publisher = new TopicRows<'prices'>({
    source: 'a',
    part: 'spot',
    topic: 'prices',
    rows,
    watch: { frozen: () => frozen },
    observe() {},
    status: new StatusRow({ source: 'a', topic: 'priceChanges', part: 'spot' }, () => {}),
    async publish(topic: string, _key: string, reading: unknown) {
      const isWhole = topic === 'prices';
      (isWhole ? whole : published).push(reading as Reading<PriceRow>);
      if (isWhole) await answer;
      return outcome;
    },
  });
  /** What was not used since the last report, by reason. */
  const dropped = () => {
    publisher.report({});
    return publisher.status.values.dropped;
  };
  const say = async (said: Partial<Parsed<PriceRow>>, after: number) => {
    publisher.add({ prices: { rows: [], dropped: [], ...said } }, now + after, connection);
    return publisher.publish(now + after);
  };
  const poll = (all: PriceRow[], after: number) => {
    const at = { asked: now + after, received: now + after, listed: null };
    const found = rows.polled({ rows: all, dropped: [], ...at });
    rows.published(found);
    return found;
  };
  rows.load(undefined);
  return { published, whole, publisher, say, poll, dropped };
}

t.test('the changed rows alone are published', async (t) => {
  const { published, publisher, say, poll, dropped } = stage();
  poll([price('X', 100), price('Y', 10), price('Z', 1)], 0);
  publisher.add({ prices: { rows: [price('X', 101)], dropped: [] } }, now + 100, connection);
  const at = { prices: { rows: [price('X', 102)], dropped: [] } };
  publisher.add(at, now + 200, connection);
  t.equal(await say({ rows: [price('Y', 10.1)] }, 250), null);
  t.match(published, [
    {
      received: now + 250,
      rows: [
        { market: 'X', price: 102, received: now + 200 },
        { market: 'Y', price: 10.1, received: undefined },
      ],
    },
  ]);
  await say({ dropped: [{ key: 'Z', code: 'bad_row' }] }, 500);
  t.equal(published.length, 1, 'nothing changed');
  t.strictSame(dropped(), { bad_row: 1 });
  t.match(publisher.status.values, { state: 'up', rows: 2 });
  await say({ rows: [{ ...price('X', 103), bid: 104, ask: 103 }] }, 750);
  t.match(published.at(-1)?.rows, [{ price: 103, bid: null, ask: null }], 'crossed quotes');
  t.strictSame(dropped(), { crossed_quotes: 1 });
});

t.test('a jump waits for a second message, is counted, and shown as suspect', async (t) => {
  const { published, whole, say, poll, dropped } = stage();
  poll([price('X', 100)], 0);
  await say({ rows: [price('X', 200)] }, 250);
  t.same([published, whole], [[], []]);
  t.strictSame(dropped(), { suspect: 1 });
  await say({}, 1_000);
  t.match(whole, [{ rows: [{ price: 100, received: now }], suspect: [{ market: 'X' }] }]);
  await say({ rows: [price('X', 100.1)] }, 1_250);
  t.match(published, [{ rows: [{ price: 100.1 }] }]);
  await say({ rows: [price('X', 200)] }, 1_500);
  await say({ rows: [price('X', 201)] }, 2_100);
  t.match(whole.at(-1), { rows: [{ price: 201 }], suspect: undefined });
});

t.test('markets that no poll has brought are published whole, at once', async (t) => {
  const { published, whole, say } = stage();
  await say({ rows: [price('X', 100)] }, 0);
  await say({ rows: [price('X', 101), price('Y', 10)] }, 250);
  await say({ rows: [price('X', 102)] }, 1_000);
  t.match(whole, [{ rows: [{ price: 100 }] }, { rows: [{ price: 101 }, { price: 10 }] }]);
  t.match(published, [{ rows: [{ price: 102 }] }]);
  await say({ rows: [price('X', 103)] }, 46_001);
  t.match(whole.at(-1)?.rows, [{ price: 103 }, { price: 10 }], 'no poll has come for so long');
  t.equal(whole.length, 3);
});

t.test('while a whole reading is under way there is no other', async (t) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { published, whole, say } = stage(false, null, promise);
  const first = say({ rows: [price('X', 100)] }, 0);
  for (const after of [25, 50, 75])
    await say({ rows: [price('X', 100 + after / 100), price('Y', 10)] }, after);
  t.equal(whole.length, 1);
  t.match(
    published.map(({ rows }) => rows.length),
    [2, 2, 2],
    'what changes goes on',
  );
  resolve();
  t.equal(await first, null);
  await say({ rows: [price('X', 101)] }, 100);
  t.match(
    whole.at(-1)?.rows,
    [{ price: 101 }, { price: 10 }],
    'with the market that came meanwhile',
  );
});

t.test('a whole reading that was not published is published again after a second', async (t) => {
  const { failure } = failed('unavailable', 'Redis is away');
  const { whole, say } = stage(false, failure);
  await say({ rows: [price('X', 100)] }, 0);
  await say({ rows: [price('X', 101)] }, 999);
  t.equal(whole.length, 1);
  await say({ rows: [price('X', 102)] }, 1_000);
  t.match(whole.at(-1)?.rows, [{ price: 102 }]);
});

t.test('of a part that stands still nothing is published alone', async (t) => {
  const { published, whole, say, poll } = stage(true);
  poll([price('X', 100)], 0);
  t.equal(await say({ rows: [price('X', 101)] }, 250), null);
  t.same(published, []);
  await say({ rows: [price('X', 101)] }, 46_000);
  t.match(whole, [{ frozen: true, rows: [{ price: 101 }] }], 'the whole is marked');
});

t.test('changes that cannot be published are reported', async (t) => {
  const { failure } = failed('unavailable', 'Redis is away');
  const { say, poll } = stage(false, failure);
  poll([price('X', 100)], 0);
  t.equal(await say({ rows: [price('X', 101)] }, 250), failure);
  t.equal(await say({ rows: [price('Y', 101)] }, 2_000), failure);
});

t.test(
  'a message is measured once, by the newest time of the rows that say something new',
  async (t) => {
    const { publisher, say, poll } = stage();
    poll([price('X', 100), price('Y', 10)], 0);
    const x = { ...price('X', 101), stated: now + 70 };
    const rows = [x, { ...price('Y', 10.1), stated: now + 45 }];
    await say({ rows }, 100);
    const measured = () => publisher.status.tally.events.read(now + 1_000);
    t.strictSame(measured(), { 30: 1 }, '100 - 70');
    await say({ rows }, 900);
    await say({ rows: [{ ...x, price: 102, stated: null }] }, 910);
    await say({ rows: [{ ...x, price: 101.5, stated: now + 61_000 }] }, 920);
    t.strictSame(
      measured(),
      { 30: 1 },
      'a repeat, a row without a time, a clock that is a minute ahead',
    );
  },
);
