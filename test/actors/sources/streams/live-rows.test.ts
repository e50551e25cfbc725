/** Prices by stream beside polls: which row counts, and what is published between two polls. */
import t from 'tap';
import { type Failure, failed } from '../../../../actors/failure.ts';
import type { DropCode } from '../../../../actors/sources/quality/reasons.ts';
import { StatusRow } from '../../../../actors/sources/status/status.ts';
import { joined, LiveRows, liveForms } from '../../../../actors/sources/streams/live-rows.ts';
import { ChangeFold, LivePublisher } from '../../../../actors/sources/streams/newest.ts';
import type {
  DerivativeRow,
  FeedStatus,
  PriceRow,
  Reading,
} from '../../../../actors/topics/index.ts';

const now = 1_790_000_000_000;
const nothing = { bid: null, ask: null, high: null, low: null, base: null, volume: null };
const row = (market: string, price: number, over: Partial<PriceRow> = {}): PriceRow => ({
  ...{ market, kind: 'spot', symbol: market, quote: 'USD', price, change: null, stated: null },
  ...nothing,
  ...over,
});
const reading = (rows: PriceRow[], asked = now, received = asked + 100): Reading<PriceRow> => ({
  ...{ source: 'a', part: 'spot', asked, received, rows },
});

t.test('a streamed row keeps the fields that only the poll has', (t) => {
  const live = new LiveRows(liveForms.prices, 30_000);
  live.polled(reading([row('X', 100, { bid: 99, ask: 101, volume: 5_000, change: 1 })]));
  const [merged] = live.merged([row('X', 100.5, { volume: 5_100 })], now + 200).rows;
  t.match(merged, { price: 100.5, bid: 99, ask: 101, volume: 5_100, change: 1 });
  t.same(live.merged([row('Y', 1)], now + 200).rows, [], 'a market without a poll waits for one');
  t.same(
    live.merged([row('X', 101)], now + 400_000).rows,
    [],
    'and so does one whose row is too old',
  );
  t.end();
});

t.test('the newest row counts, by the time that the exchange states', (t) => {
  const live = new LiveRows(liveForms.prices, 30_000);
  live.polled(reading([row('X', 100, { stated: now })]));
  t.same(live.merged([row('X', 99, { stated: now - 1 })], now + 200).rows, []);
  t.equal(live.merged([row('X', 99, { stated: now + 1 })], now + 200).rows[0]?.price, 99);
  t.end();
});

t.test('quotes that the streamed price contradicts, or that are much older, are null', (t) => {
  const live = new LiveRows(liveForms.prices, 30_000);
  const polled = { bid: 99, ask: 101, high: 103, low: 97 };
  const hear = (price: number, after: number, over: Partial<PriceRow> = {}) => {
    const { rows } = live.merged([row('X', price, over)], now + after);
    return rows[0];
  };
  live.polled(reading([row('X', 100, polled)]));
  t.match(hear(100.9, 200), polled, 'within all');
  const none = { bid: null, ask: null };
  t.match(hear(101.5, 300), { ...polled, ...none }, 'over the polled ask: neither of the two');
  t.match(hear(98.5, 400), { ...polled, ...none }, 'under the polled bid');
  t.match(hear(103.5, 500), { ...polled, ...none, high: null }, 'a new high');
  t.match(hear(96.5, 600), { ...polled, ...none, low: null }, 'a new low');
  const own = hear(101.5, 700, { bid: 101.4, ask: 101.6 });
  t.match(own, { bid: 101.4, ask: 101.6, high: 103, quoted: undefined }, 'of one time');
  t.equal(hear(100.5, 800)?.quoted, now + 700, 'older than the price');
  t.match(hear(100.5, 900, { bid: 100.4 }), { bid: 100.4, ask: null }, 'one side of one message');
  t.match(hear(100, 45_900), polled, 'as old as quotes may be');
  t.match(hear(100, 45_901), { ...polled, bid: null, ask: null, quoted: undefined }, 'older');
  live.polled(reading([row('X', 100, polled)], now + 45_950));
  t.match(hear(100, 46_000), polled, 'another poll brings them back');
  t.end();
});

t.test('a streamed rate without its hours is one per those that were polled', (t) => {
  const unknown = { index: null, funding_hours: null, next_funding: null, funding_rate_8h: null };
  const polled = {
    ...{ market: 'X', symbol: 'X', quote: 'USD', mark: 100, index: 101, stated: null },
    ...{ funding_rate: 0.001, funding_hours: 4, next_funding: 7, funding_rate_8h: 0.002 },
  };
  const { merge } = liveForms.derivatives;
  t.match(merge(polled, { ...polled, ...unknown, mark: 99, funding_rate: 0.002, stated: now }), {
    ...{ mark: 99, index: 101, funding_rate: 0.002, funding_hours: 4, funding_rate_8h: 0.004 },
    ...{ next_funding: 7, stated: now },
  });
  const open = {
    ...{ market: 'X', symbol: 'X', quote: 'USD', units: 2, value: 200 },
    stated: null,
  };
  t.match(
    liveForms.openInterest.merge({ ...open, mark: 100 }, { ...open, mark: null, value: 220 }),
    { units: 2, value: 220, mark: 100 },
  );
  t.end();
});

t.test(
  'marks that the stream alone has stay for five minutes, with the time of their message',
  (t) => {
    const polledRate = {
      ...{ market: 'X', symbol: 'X', quote: 'USD', mark: null, index: null, stated: null },
      ...{ funding_rate: 0.001, funding_hours: 8, next_funding: 7, funding_rate_8h: 0.001 },
    };
    const live = new LiveRows<DerivativeRow>(liveForms.derivatives, 30_000);
    const poll = (at: number, over: Partial<DerivativeRow> = {}) => {
      const rows = [{ ...polledRate, ...over }];
      const [row] = live.polled({ source: 'a', part: 'all', asked: at, received: at, rows }).rows;
      return row;
    };
    t.match(poll(now), { mark: null, index: null, funding_rate: 0.001 });
    const message = { ...polledRate, funding_rate: null, mark: 100, index: 101, stated: now + 900 };
    const { rows } = live.merged([message], now + 1_000);
    live.streamed(rows, now + 1_000);
    const marked = { mark: 100, index: 101, stated: now + 900, received: now + 1_000 };
    t.match(poll(now + 30_000), { ...marked, funding_rate: 0.001 });
    t.match(poll(now + 60_000, { funding_rate: 0.002 }), { ...marked, funding_rate: 0.002 });
    t.match(poll(now + 301_000), marked);
    t.match(poll(now + 301_001), { mark: null, index: null, received: undefined }, 'too old');
    live.streamed(live.merged([message], now + 302_000).rows, now + 302_000);
    const own = { mark: 102, index: null, received: undefined };
    t.match(poll(now + 330_000, { mark: 102 }), own, 'not those beside a polled one');
    t.end();
  },
);

t.test('of two streams of a part each keeps what the other states', (t) => {
  const live = new LiveRows(liveForms.derivatives, 30_000);
  const polled = {
    ...{ market: 'X', symbol: 'X', quote: 'USD', mark: 100, index: null, funding_rate: 0.0001 },
    ...{ funding_hours: 8, funding_rate_8h: 0.0001, next_funding: null, stated: null },
  };
  const hear = (row: typeof polled | object, received: number) => {
    const { rows } = live.merged([{ ...polled, ...row }], received);
    live.streamed(rows, received);
    return rows;
  };
  live.polled({ source: 'a', part: 'linear', asked: now, received: now, rows: [polled] });
  hear({ mark: 101, funding_rate: null, funding_hours: null }, now + 250);
  const rate = { mark: null, funding_rate: 0.0002, funding_hours: null };
  t.match(hear(rate, now + 500), [{ mark: 101, funding_rate: 0.0002, funding_hours: 8 }]);
  t.match(hear({ mark: 102, funding_rate: null }, now + 750), [
    { mark: 102, funding_rate: 0.0002 },
  ]);
  t.end();
});

t.test('a poll that was asked before a streamed row came does not replace it', (t) => {
  const live = new LiveRows(liveForms.prices, 30_000);
  live.polled(reading([row('X', 100), row('Y', 10)]));
  live.streamed([row('X', 100.5)], now + 30_050);
  const whole = live.polled(reading([row('X', 100.4), row('Y', 11)], now + 30_000));
  t.match(whole.rows, [
    { price: 100.5, received: now + 30_050 },
    { price: 11, received: undefined },
  ]);
  t.equal(live.polled(reading([row('X', 102)], now + 60_000)).rows[0]?.price, 102, 'a later one');
  t.equal(live.differing, 0);
  t.end();
});

t.test(
  'a poll replaces what came later where the exchange states an earlier time for that',
  (t) => {
    const live = new LiveRows(liveForms.prices, 30_000);
    live.polled(reading([row('X', 100, { stated: now })]));
    live.streamed([row('X', 100.5, { stated: now + 10_000 })], now + 30_050);
    const polled = row('X', 100.4, { stated: now + 30_000 });
    const [found] = live.polled(reading([polled], now + 30_000)).rows;
    t.match(found, { price: 100.4, stated: now + 30_000 }, 'a stream 20 s behind');
    t.equal(live.differing, 0);
    t.end();
  },
);

t.test('fields that a stream lacks are those of the newest poll', (t) => {
  const live = new LiveRows(liveForms.prices, 30_000);
  const say = (price: number, received: number) =>
    live.streamed(live.merged([row('X', price, { high: 110 })], received).rows, received);
  live.polled(reading([row('X', 100, { volume: 5_000, high: 105 })]));
  say(100.5, now + 30_050);
  const { rows } = live.polled(reading([row('X', 100, { volume: 6_000 })], now + 30_000));
  t.match(rows, [{ price: 100.5, volume: 6_000, high: 110, received: now + 30_050 }]);
  const retained = row('X', 99, { received: now + 200 });
  t.match(
    live.polled(reading([retained], now + 60_000)).rows,
    [{ price: 100.5, received: now + 30_050 }],
    'a row that a poll of other markets retains is older than what the stream said',
  );
  const wrong = row('X', 100, { low: 111 });
  say(100.6, now + 90_050);
  t.match(live.polled(reading([wrong], now + 90_000)).rows, [{ price: 100.6, low: null }]);
  t.end();
});

t.test('where the two differ by more than 1 % the poll counts', (t) => {
  const live = new LiveRows(liveForms.prices, 30_000);
  live.polled(reading([row('X', 100)]));
  live.streamed([row('X', 102)], now + 30_050);
  t.equal(live.polled(reading([row('X', 100)], now + 30_000)).rows[0]?.price, 100);
  t.equal(live.differing, 1);
  live.polled(reading([row('X', 100)], now + 60_000));
  t.equal(live.differing, 0);
  t.end();
});

interface Said {
  rows: PriceRow[];
  dropped: { key: string; code: DropCode }[];
}

/** A publisher whose stream says what is put into it. */
function stage(frozen = false, outcome: Failure | null = null) {
  const statuses: FeedStatus[] = [];
  const published: Reading<PriceRow>[] = [];
  const rows = new LiveRows(liveForms.prices, 30_000);
  const publisher = new LivePublisher({
    source: 'a',
    part: 'spot',
    topic: 'prices',
    rows,
    frozen: () => frozen,
    status: new StatusRow({ source: 'a', topic: 'priceChanges', part: 'spot' }, (status) =>
      statuses.push(status),
    ),
    publish: async (changes) => {
      published.push(changes);
      return outcome;
    },
  });
  const say = async (said: Partial<Said>, received: number) => {
    publisher.add({ prices: { rows: [], dropped: [], ...said } });
    return publisher.publish(received, {});
  };
  return { published, publisher, rows, say };
}
t.test('the changed rows alone are published', async (t) => {
  const { published, publisher, rows, say } = stage();
  rows.polled(reading([row('X', 100), row('Y', 10), row('Z', 1)]));
  t.equal(await say({ rows: [row('X', 101), row('X', 102), row('Y', 10.1)] }, now + 250), null);
  t.same(
    published.map(({ rows }) => rows.map(({ market, price }) => [market, price])),
    [
      [
        ['X', 102],
        ['Y', 10.1],
      ],
    ],
  );
  await say({ rows: [], dropped: [{ key: 'Z', code: 'bad_row' }] }, now + 500);
  t.equal(published.length, 1, 'nothing changed');
  t.match(publisher.status.values, { state: 'up', dropped: { bad_row: 1 } });
  await say({ rows: [row('X', 103, { bid: 104, ask: 103 })] }, now + 750);
  t.match(published.at(-1)?.rows, [{ price: 103, bid: null, ask: null }], 'crossed quotes');
});

t.test('a jump waits for a poll, and does not replace the good row', async (t) => {
  const { published, publisher, rows, say } = stage();
  rows.polled(reading([row('X', 100)]));
  await say({ rows: [row('X', 200)] }, now + 250);
  t.same(published, []);
  t.match(publisher.status.values.dropped, { suspect: 1 });
  await say({ rows: [row('X', 200)] }, now + 500);
  t.same(published, [], 'a second message confirms nothing');
  await say({ rows: [row('X', 100.1, { doubt: 'value' })] }, now + 750);
  t.same(published, [], 'nor does a price that its own quotes contradict count');
  rows.polled(reading([row('X', 199)], now + 1_000));
  await say({ rows: [row('X', 200)] }, now + 1_250);
  t.equal(published.at(-1)?.rows[0]?.price, 200);
});

t.test('of a part that stands still nothing is published but its polls', async (t) => {
  const { published, rows, say } = stage(true);
  const still: Reading<PriceRow> = { ...reading([row('X', 100)]), frozen: true };
  t.equal(rows.polled(still).frozen, true);
  t.equal(await say({ rows: [row('X', 101)] }, now + 250), null);
  t.same(published, []);
});

t.test('changes that cannot be published are reported', async (t) => {
  const { failure } = failed('unavailable', 'Redis is away');
  const { rows, say } = stage(false, failure);
  rows.polled(reading([row('X', 100)]));
  t.equal(await say({ rows: [row('X', 101)] }, now + 250), failure);
});

t.test(
  'two messages between two publications are joined: the second may lack fields of the first',
  async (t) => {
    const fold = new ChangeFold<PriceRow>(joined(liveForms.prices));
    const taken = (...rows: PriceRow[]) => {
      for (const row of rows) fold.add({ rows: [row], dropped: [] });
      return fold.take().rows;
    };
    t.match(taken(row('A', 5, { volume: 7, stated: 1 }), row('A', 6, { stated: 2 })), [
      { price: 6, volume: 7, stated: 2 },
    ]);
    const doubted = row('A', 9, { doubt: 'value' });
    t.match(taken(row('A', 5, { volume: 7 }), doubted), [
      { price: 9, volume: null, doubt: 'value' },
    ]);
    t.strictSame(taken(doubted, row('A', 6)), [row('A', 6)]);
  },
);
