/** Fixings: volume-weighted medians of five minutes, and their mean. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { hour, minute } from '../../../config/time.ts';
import { type Trade, TradeFold } from '../../../indicators/derivatives/trade-fold.ts';
import { fixingIn, fixingOf } from '../../../indicators/market/fixing.ts';
import { weightedMedian } from '../../../indicators/market/statistics.ts';
import { property } from '../../support/property.ts';

const start = 1_790_002_800_000;

t.test('the mean of the medians that are known', async (t) => {
  t.equal(fixingOf([100, null, 104]), 102);
  t.equal(fixingOf([null, null]), null);
});

/** A minute in which so much was traded at one price. */
const traded = (at: number, price: number, volume: number, trades = 1) => ({
  timestamp: start + at * minute,
  open: price,
  high: price,
  low: price,
  close: price,
  step: 1,
  first: price,
  trades,
  buckets: [
    { buy_base: volume / 4, sell_base: (3 * volume) / 4 },
    { buy_base: 0, sell_base: 0 },
  ].map((one) => ({
    ...one,
    buy_usd: one.buy_base * price,
    sell_usd: one.sell_base * price,
  })),
});
const quiet = (at: number) => ({ ...traded(at, 100, 1), trades: 0, buckets: [] });

t.test('an hour of two exchanges, one of which is away for half of it', async (t) => {
  const first = Array.from({ length: 60 }, (_, at) => traded(at, 100, 2, 3));
  // Three times the volume at 110, in the first half hour alone: its quote is worth 1.1 dollars.
  const second = Array.from({ length: 30 }, (_, at) => traded(at, 100, 6, 5));
  const fixing = fixingIn(start, [
    { exchange: 'a', rate: 1, minutes: first },
    { exchange: 'b', rate: 1.1, minutes: second },
    { exchange: 'c', rate: 1, minutes: [] },
  ]);
  t.ok(fixing);
  t.strictSame(
    fixing?.partitions.map((one) => one && Number(one.toFixed(9))),
    [...Array(6).fill(110), ...Array(6).fill(100)],
  );
  t.equal(Number(fixing?.rate.toFixed(9)), 105);
  t.equal(fixing?.trades, 60 * 3 + 30 * 5);
  t.equal(Number(fixing?.volume.toFixed(6)), 60 * 2 + 30 * 6);
  t.strictSame(fixing?.minutes, { a: 60, b: 30 });
});

t.test('partitions without a trade do not count; minutes outside the hour neither', async (t) => {
  const minutes = [
    traded(-1, 1, 9),
    quiet(0),
    traded(5, 102, 1),
    traded(9, 104, 3),
    traded(60, 1, 9),
  ];
  const fixing = fixingIn(start, [{ exchange: 'a', rate: 1, minutes }]);
  t.strictSame(fixing?.partitions, [null, 104, ...Array(10).fill(null)]);
  t.match(fixing, { rate: 104, minutes: { a: 3 }, trades: 2 });
  t.equal(fixingIn(start, [{ exchange: 'a', rate: 1, minutes: [quiet(0)] }]), null);
  t.equal(fixingIn(start, []), null);
});

t.test('one large trade moves a twelfth of the fixing at most', async (t) => {
  const minutes = Array.from({ length: 60 }, (_, at) => traded(at, 100, 2));
  const washed = [...minutes.slice(0, 59), traded(59, 200, 1e6)];
  const rate = (all: typeof minutes) =>
    fixingIn(start, [{ exchange: 'a', rate: 1, minutes: all }])?.rate ?? 0;
  t.equal(rate(minutes), 100);
  t.equal(Number(rate(washed).toFixed(6)), Number((100 + 100 / 12).toFixed(6)));
});

t.test(
  'out of folded trades a median is within the width of a bucket of the exact one',
  async (t) => {
    const trades = fc.array(
      fc.record({
        at: fc.integer({ min: 0, max: hour - 1 }),
        move: fc.integer({ min: -50, max: 50 }),
        quantity: fc.integer({ min: 1, max: 500 }),
        bought: fc.boolean(),
      }),
      { minLength: 1, maxLength: 200 },
    );
    await property(t, trades, (drawn) => {
      const fold = new TradeFold();
      const list = drawn
        .toSorted((a, b) => a.at - b.at)
        .map(
          ({ at, move, quantity, bought }, i): Trade => ({
            market: 'X',
            id: i + 2,
            timestamp: start + at,
            bought,
            quantity,
            price: 60_000 + move,
          }),
        );
      // The minute of the first trade is never whole.
      const before = { market: 'X', id: 1, timestamp: start - minute, bought: true };
      fold.take({ ...before, price: 60_000, quantity: 1 });
      for (const trade of list) fold.take(trade);
      // A later trade shows that the last minutes were heard to their end.
      fold.take({
        ...before,
        id: list.length + 2,
        timestamp: start + hour,
        price: 60_000,
        quantity: 1,
      });
      const minutes = fold.close(start + hour);
      const fixing = fixingIn(start, [{ exchange: 'a', rate: 1, minutes }]);
      assert.equal(fixing?.trades, list.length);
      assert.equal(
        fixing?.volume,
        list.reduce((sum, { quantity }) => sum + quantity, 0),
      );
      for (const [part, found] of (fixing?.partitions ?? []).entries()) {
        const exact = weightedMedian(
          list
            .filter(({ timestamp }) => Math.floor((timestamp - start) / (5 * minute)) === part)
            .map(({ price: value, quantity: weight }) => ({ value, weight })),
        );
        // A step of 10 at a price of 60,000: a range of 100 fits into sixteen of them.
        const isNear = found !== null && exact !== null && Math.abs(found - exact) <= 10;
        assert.ok(found === null ? exact === null : isNear, `${found} for ${exact}`);
      }
    });
  },
);
