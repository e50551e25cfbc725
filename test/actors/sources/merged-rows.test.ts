/** The newest row of a market out of polls and messages of streams. */
import t from 'tap';
import {
  type DerivativeRow,
  type MarketRows,
  type PriceRow,
  type Reading,
  topics,
} from '../../../actors/topics/index.ts';
import { rowsAlone } from '../../support/guarded.ts';
import { derivativeRow, interestRow } from '../../support/makers.ts';

const now = 1_790_000_000_000;
const nothing = { bid: null, ask: null, high: null, low: null, base: null, volume: null };
const row = (market: string, price: number, over: Partial<PriceRow> = {}): PriceRow => ({
  market,
  kind: 'spot',
  symbol: market,
  quote: 'USD',
  price,
  change: null,
  stated: null,
  ...nothing,
  ...over,
});

/** The rows of a topic of which nothing is known yet; times are ms after `now`. */
function stage<T extends 'prices' | 'derivatives' | 'openInterest'>(topic: T) {
  const merged = rowsAlone().of(topic, 'spot', 30_000);
  const poll = (rows: MarketRows[T][], asked: number, received = asked + 100) => {
    const at = { asked: now + asked, received: now + received };
    return merged.polled({ rows, dropped: [], ...at, listed: null });
  };
  const hear = (one: MarketRows[T], at: number): MarketRows[T] | string | null => {
    const dropped: { key: string; code: string }[] = [];
    const isNews = merged.streamed(one, now + at, dropped as never);
    return isNews ? (merged.at(one.market, now + at) ?? null) : (dropped[0]?.code ?? null);
  };
  return { merged, poll, hear };
}

t.test('an older poll does not replace a newer tick', (t) => {
  const { poll, hear } = stage('prices');
  poll([row('X', 100, { stated: now - 29_900, volume: 5 })], -30_000);
  hear(row('X', 97, { stated: now + 30_800 }), 30_850);
  const late = row('X', 100, { stated: now + 30_100, volume: 6 });
  const { rows } = poll([late], 30_000, 31_000);
  t.match(rows, [{ price: 97, stated: now + 30_800, volume: 6, received: now + 30_850 }]);
  const later = row('X', 98, { stated: now + 60_100 });
  t.match(poll([later], 60_000).rows, [{ price: 98, stated: now + 60_100, received: undefined }]);
  t.equal(
    hear(row('X', 97, { stated: now + 60_099 }), 60_500),
    'late_row',
    'nor an older tick a poll',
  );
  t.end();
});

t.test('a row that is older than what stands is counted, of a poll and of a stream', (t) => {
  const { poll, hear } = stage('prices');
  poll([row('X', 100, { stated: now }), row('Y', 10, { stated: now })], 0);
  t.equal(hear(row('X', 99, { stated: now - 1 }), 500), 'late_row');
  t.match(hear(row('X', 99, { stated: now + 1 }), 501), { price: 99 });
  t.equal(hear(row('X', 99, {}), 400), 'late_row', 'by its time of receipt');
  const { rows, dropped } = poll([row('X', 98, { stated: now }), row('Y', 10)], 30_000);
  t.match(rows, [{ price: 99, received: now + 501 }, { price: 10 }]);
  t.strictSame(dropped, [{ key: 'X', code: 'late_row' }]);
  t.end();
});

t.test('without stated times the one received later counts, a poll from when it was asked', (t) => {
  const { merged, poll, hear } = stage('prices');
  poll([row('X', 100), row('Y', 10)], 0);
  hear(row('X', 97), 30_050);
  const { rows } = poll([row('X', 100), row('Y', 11)], 30_000);
  t.match(rows, [
    { price: 97, received: now + 30_050 },
    { price: 11, received: undefined },
  ]);
  t.same([merged.differing, merged.differed], [1, 1], 'by more than 1 %, which is counted');
  t.equal(poll([row('X', 102)], 60_000).rows[0]?.price, 102, 'a later one');
  t.same([merged.differing, merged.differed], [0, 1]);
  t.end();
});

t.test('a streamed row keeps the fields that only the poll has, for as long as they last', (t) => {
  const { poll, hear } = stage('prices');
  poll([row('X', 100, { bid: 99, ask: 101, volume: 5_000, change: 1 })], 0);
  const streamed = hear(row('X', 100.5, { volume: 5_100 }), 200);
  t.match(streamed, { price: 100.5, bid: 99, ask: 101, volume: 5_100, change: 1 });
  hear(row('X', 100.6), 250_000);
  t.match(hear(row('X', 100.7), 300_100), { price: 100.7, change: 1, bid: null });
  t.match(hear(row('X', 100.8), 300_101), { price: 100.8, change: null, volume: 5_100 });
  t.match(hear(row('X', 100.9), 300_201), { price: 100.9, volume: null });
  t.end();
});

t.test('a market that no poll has brought is used, and stays while the stream has it', (t) => {
  const { poll, hear } = stage('prices');
  t.match(hear(row('Y', 1, { stated: now }), 200), { price: 1, received: undefined });
  t.match(poll([row('X', 100)], 100, 300).rows, [{ market: 'X' }, { market: 'Y', price: 1 }]);
  t.match(poll([row('X', 100)], 30_000).rows, [{ market: 'X' }], 'a later poll lacks it');
  t.equal(poll([row('X', 100)], 60_000).rows.length, 1);
  t.end();
});

t.test('quotes that the streamed price contradicts, or that are much older, are null', (t) => {
  const { poll, hear } = stage('prices');
  const polled = { bid: 99, ask: 101, high: 103, low: 97 };
  const say = (price: number, after: number, over: Partial<PriceRow> = {}) => {
    poll([row('X', 100, polled)], after - 50, after - 40);
    return hear(row('X', price, over), after);
  };
  t.match(say(100.9, 200), { ...polled, quoted: now + 160 }, 'within all');
  const none = { bid: null, ask: null, quoted: undefined };
  t.match(say(101.5, 300), { ...polled, ...none }, 'over the polled ask: neither of the two');
  t.match(say(98.5, 400), { ...polled, ...none }, 'under the polled bid');
  t.match(say(103.5, 500), { ...polled, ...none, high: null }, 'a new high');
  t.match(say(96.5, 600), { ...polled, ...none, low: null }, 'a new low');
  const own = say(101.5, 700, { bid: 101.4, ask: 101.6 });
  t.match(own, { bid: 101.4, ask: 101.6, high: 103, quoted: undefined }, 'of one time');
  t.match(hear(row('X', 101.45), 800), { bid: 101.4, ask: 101.6, quoted: now + 700 });
  t.match(hear(row('X', 100.5, { bid: 100.4 }), 900), { bid: 100.4, ask: null }, 'one message');
  t.match(hear(row('X', 101), 45_900), { bid: 100.4 }, 'as old as quotes may be');
  t.match(hear(row('X', 101), 45_901), { bid: null, ask: null, quoted: undefined }, 'older');
  t.end();
});

const rates = (over: Partial<DerivativeRow>) =>
  derivativeRow({
    market: 'X',
    symbol: 'X',
    mark: null,
    index: null,
    funding_rate: null,
    stated: null,
    funding_hours: null,
    funding_rate_8h: null,
    next_funding: null,
    ...over,
  });

t.test('a poll without quotes has none', (t) => {
  const { poll } = stage('prices');
  const other = row('Y', 10, { bid: 9, ask: 11 });
  poll([row('X', 100, { bid: 99, ask: 101 }), other], 0);
  t.match(poll([row('X', 100), other], 30_000).rows[0], { bid: null, ask: null });
  t.match(poll([row('X', 100)], 60_000).rows[0], { bid: null, ask: null });
  t.end();
});

t.test(
  'a market that does not answer in its turn stays with its time, so that sums can name it',
  (t) => {
    const merged = rowsAlone().of('openInterest', 'linear', 30_000);
    const rowsAt = (markets: string[], after: number, names = ['A', 'B']) => {
      const rows = markets.map((market) => interestRow({ market }));
      const at = { asked: now + after, received: now + after };
      const listed = new Map(names.map((name) => [name, null]));
      const found = merged.polled({ rows, dropped: [], ...at, listed }).rows;
      return found.map((one) => [one.market, one.received]);
    };
    rowsAt(['A', 'B'], 0);
    const old = topics.openInterest.maxAge + 1;
    t.same(rowsAt(['A'], old), [
      ['A', undefined],
      ['B', now],
    ]);
    t.same(rowsAt(['A'], old + 1, ['A']), [['A', undefined]], 'not one that is no more');
    t.end();
  },
);

t.test('what a poll lacks because a request of it failed stays until it is too old', (t) => {
  const { merged } = stage('derivatives');
  const one = rates({ mark: 100, funding_rate: 0.001, funding_hours: 8, funding_rate_8h: 0.001 });
  const two = { ...one, market: 'Y' };
  const poll = (rows: DerivativeRow[], after: number, isPart: boolean) => {
    const at = { asked: now + after, received: now + after, listed: null, isPart };
    return merged.polled({ rows, dropped: [], ...at }).rows;
  };
  poll([one, two], 0, false);
  const lacks = rates({ funding_rate: 0.002, funding_hours: 8, funding_rate_8h: 0.002 });
  t.match(poll([lacks], 30_000, true), [
    { market: 'X', mark: 100, funding_rate: 0.002, received: now },
    { market: 'Y', mark: 100, received: now },
  ]);
  t.match(poll([lacks], 300_000, true), [{ mark: 100 }, { market: 'Y' }]);
  t.match(poll([lacks], 300_001, true)[0], { mark: null, funding_rate: 0.002 });
  const whole = poll(
    [
      { ...lacks, mark: 101 },
      { ...two, mark: null },
    ],
    400_000,
    false,
  );
  t.match(whole, [{ mark: 101 }, { mark: null }], 'a whole one states what there is');
  t.equal(whole.length, 2);
  t.equal(poll([one], 500_000, false).length, 1);
  t.end();
});

t.test('of two streams of a part each keeps what the other states', (t) => {
  const { poll, hear } = stage('derivatives');
  poll([rates({ mark: 100, funding_rate: 0.0001, funding_hours: 4, funding_rate_8h: 0.0002 })], 0);
  hear(rates({ mark: 101 }), 250);
  const rate = hear(rates({ funding_rate: 0.0002, predicted_rate: 0.0003 }), 500);
  const eight = { funding_hours: 4, funding_rate_8h: 0.0004 };
  t.match(rate, { mark: 101, funding_rate: 0.0002, ...eight, received: now + 250 });
  const kept = { funding_rate: 0.0002, predicted_rate: 0.0003, ...eight };
  t.match(hear(rates({ mark: 102 }), 750), { mark: 102, ...kept });
  t.match(
    poll([rates({ mark: 99, funding_rate: 0.0005, funding_hours: 4 })], 600, 900).rows,
    [{ mark: 102, funding_rate: 0.0005, funding_rate_8h: 0.001 }],
    'asked between the two',
  );
  t.end();
});

t.test(
  'marks that the stream alone has stay for five minutes, with the time of their message',
  (t) => {
    const { poll, hear } = stage('derivatives');
    const rate = { funding_rate: 0.001, funding_hours: 8, funding_rate_8h: 0.001 };
    const polled = (at: number, over: Partial<DerivativeRow> = {}) =>
      poll([rates({ ...rate, ...over })], at, at).rows[0];
    t.match(polled(0), { mark: null, index: null, funding_rate: 0.001 });
    hear(rates({ mark: 100, index: 101, stated: now + 900 }), 1_000);
    const marked = { mark: 100, index: 101, stated: now + 900, received: now + 1_000 };
    t.match(polled(30_000), { ...marked, funding_rate: 0.001 });
    t.match(polled(60_000, { funding_rate: 0.002 }), { ...marked, funding_rate: 0.002 });
    t.match(polled(301_000), marked);
    t.match(polled(301_001), { mark: null, index: null, received: undefined }, 'too old');
    t.end();
  },
);

t.test('an open interest keeps the units that its message lacks', (t) => {
  const { poll, hear } = stage('openInterest');
  const one = { market: 'X', symbol: 'X', units: 2, value: 200, mark: 100 };
  poll([interestRow(one)], 0);
  const heard = hear(interestRow({ ...one, units: null, mark: null, value: 220 }), 500);
  t.match(heard, { units: 2, value: 220, mark: 100 });
  t.end();
});

t.test('what was published last is known, and newer values replace it', (t) => {
  const { merged, hear, poll } = stage('prices');
  const at = { source: 'a', part: 'spot', asked: now - 1_000, received: now };
  const old = row('Y', 10, { received: now - 200_000, volume: 7 });
  const known = row('X', 100, { bid: 99, ask: 101, quoted: now - 44_000, volume: 5 });
  merged.load({ ...at, rows: [known, old] });
  t.match(merged.whole(now + 50).rows, [
    { ...known, received: now },
    { price: 10, received: now - 200_000 },
  ]);
  t.match(hear(row('X', 100.5), 500), { price: 100.5, bid: 99, quoted: now - 44_000, volume: 5 });
  t.match(hear(row('X', 100.5), 1_001), { bid: null, ask: null, volume: 5 }, 'as old as they are');
  t.equal(hear(row('Y', 100), 600), 'suspect', 'held against it');
  t.match(poll([row('X', 100)], 2_000).rows, [{ market: 'X' }]);
  merged.load({ ...at, rows: [row('X', 90)] });
  t.match(merged.at('X', now), { price: 100 }, 'not by what is older');
  t.end();
});

t.test('the rows are published whole where polls do not publish them', (t) => {
  const { merged, hear, poll } = stage('prices');
  const needs = (at: number) => merged.needsWhole(now + at);
  hear(row('X', 100), 0);
  t.equal(needs(500_000), false, 'it is not known what was published last');
  const at = { source: 'a', part: 'spot', asked: now, received: now };
  const before: Reading<PriceRow> = { ...at, rows: [row('X', 100)] };
  merged.load(before);
  t.strictSame([needs(45_000), needs(45_001)], [false, true], 'the poll is overdue');
  merged.published(merged.whole(now + 46_000));
  t.equal(needs(60_000), false);
  hear(row('Y', 10), 46_500);
  t.equal(needs(46_501), true, 'a market that there was not');
  merged.published(merged.whole(now + 47_000));
  hear(row('X', 200), 50_000);
  t.equal(needs(50_001), true, 'one is held back');
  const whole = merged.whole(now + 50_001);
  t.match(whole.suspect, [{ market: 'X', symbol: 'X' }]);
  merged.published(whole);
  t.equal(needs(60_000), false);
  hear(row('X', 201), 60_001);
  t.equal(needs(60_002), true, 'it is not any more');
  const late = poll([row('X', 202), row('Y', 10)], 49_000, 49_900);
  t.equal(late.received, now + 50_001, 'a reading is not older than the one before');
  t.end();
});
