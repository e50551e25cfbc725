/** Folds of trades by hand; what holds for any trades is in `trade-fold.properties.test.ts`. */
import t from 'tap';
import { mostBuckets } from '../../../indicators/derivatives/trade-fold.ts';
import { heard, trade } from './trades.ts';

const minute = 60_000;

t.test('trades are folded by minute, side and bucket', async (t) => {
  // Buckets of a hundredth of a percent of 1000 are 0.1 wide.
  const fold = heard(
    trade(1, 30, 1_000, 5),
    trade(2, 60, 1_000, 2),
    trade(3, 70, 1_000.3, -1),
    trade(4, 80, 1_000.05, 4),
    trade(5, 125, 999, -1),
  );
  const [only, ...none] = fold.close(2 * minute);
  t.same(none, [], 'the first minute was not heard from its beginning');
  t.match(only, { timestamp: minute, open: 1_000, high: 1_000.3, low: 1_000, close: 1_000.05 });
  t.match(only, { step: 0.1, first: 10_000 });
  t.same(
    only?.buckets.map(({ buy_base, sell_base, buy_usd, sell_usd }) =>
      [buy_base, sell_base, buy_usd, sell_usd].map((sum) => Number(sum.toFixed(6))),
    ),
    [
      [6, 0, 6_000.2, 0],
      [0, 0, 0, 0],
      [0, 0, 0, 0],
      [0, 1, 0, 1_000.3],
    ],
  );
  t.match(fold.close(4 * minute), [
    { timestamp: 2 * minute, close: 999 },
    { timestamp: 3 * minute, open: 999, high: 999, buckets: [] },
  ]);
});

t.test('a minute with a large range has larger buckets, with the same sums', async (t) => {
  const trades = Array.from({ length: 300 }, (_, at) =>
    trade(2 + at, 60, 1_000 + at, at % 3 === 0 ? -1 : 1),
  );
  const [wide] = heard(trade(1, 0, 1_000, 1), ...trades).close(2 * minute);
  t.ok((wide?.buckets.length ?? 0) <= mostBuckets);
  const sumOf = (name: 'buy_base' | 'sell_base' | 'buy_usd' | 'sell_usd') =>
    wide?.buckets.reduce((sum, bucket) => sum + bucket[name], 0);
  const sums = [sumOf('buy_base'), sumOf('sell_base'), sumOf('buy_usd'), sumOf('sell_usd')];
  t.strictSame(sums, [200, 100, 230_000, 114_850]);
  const { first = 0, step = 0, buckets = [] } = wide ?? {};
  t.ok(first * step <= 1_000 && (first + buckets.length) * step > 1_299);
});

t.test('a minute of which a trade may be missing is not handed over', async (t) => {
  const fold = heard(trade(1, 0, 100, 1), trade(2, 61, 100, 1));
  t.equal(fold.take(trade(2, 62, 100, 1)), 'repeated');
  t.equal(fold.take(trade(4, 63, 100, 1)), 'gap');
  t.same(fold.close(2 * minute), []);
  fold.take(trade(5, 121, 100, 1));
  fold.lost();
  t.equal(fold.take(trade(6, 122, 100, 1)), 'taken', 'nothing was missed while it was away');
  t.match(fold.close(3 * minute), [{ timestamp: 2 * minute }]);
  t.equal(fold.take(trade(7, 170, 100, 1)), 'late');
  fold.take(trade(8, 181, 100, 1));
  fold.lost();
  t.same(fold.close(4 * minute), [], 'it is not known what followed');
  fold.take(trade(9, 250, 100, 1));
  t.match(fold.close(5 * minute), [{ timestamp: 4 * minute }]);
});

t.test('a trade that stands for several numbers follows the one before them', async (t) => {
  const fold = heard({ ...trade(3, 0, 100, 1), count: 3 }, { ...trade(5, 61, 100, 1), count: 2 });
  t.equal(fold.take({ ...trade(8, 70, 100, 1), count: 3 }), 'taken');
  t.equal(fold.take({ ...trade(10, 80, 100, 1) }), 'gap', 'the ninth is missing');
  t.same(fold.close(2 * minute), []);
});

t.test('trades without numbers are whole while nothing is lost', async (t) => {
  const plain = (seconds: number) => ({ ...trade(0, seconds, 100, 1), id: null });
  const fold = heard(plain(30), plain(61), plain(62));
  t.match(fold.close(2 * minute), [{ timestamp: minute }]);
  fold.take(plain(121));
  fold.lost();
  t.equal(fold.take(plain(122)), 'gap', 'others may have come while it was away');
  t.same(fold.close(3 * minute), []);
  fold.take(plain(190));
  t.match(fold.close(4 * minute), [{ timestamp: 3 * minute }], 'the minute after the loss');
  fold.lost();
  t.same(fold.close(5 * minute), [], 'a silence after a loss is no silence of the market');
});

/** Trades a second apart from the first second of minute 1 until `end`, without numbers where `id` is null. */
const steady = (end: number, id: null | 0) =>
  Array.from({ length: end - 59 }, (_, at) => ({
    ...trade(at + 1, 59 + at, 100, 1),
    ...(id === null && { id }),
  }));

t.test('a minute in which a busy market falls silent waits until the next trade', async (t) => {
  for (const id of [null, 0] as const) {
    const fold = heard(...steady(130, id));
    t.match(fold.close(2 * minute, 125_000), [{ timestamp: minute, trades: 60 }]);
    t.same(fold.close(3 * minute, 185_000), [], 'trades may be missing after second 130');
    t.same(fold.close(5 * minute, 305_000), [], 'and no minute without a trade is made');
    fold.take({ ...trade(72, 310, 100, 1), ...(id === null && { id }) });
    t.match(
      fold.close(5 * minute, 311_000).map(({ timestamp, trades }) => [timestamp / minute, trades]),
      [
        [2, 10],
        [3, 0],
        [4, 0],
      ],
      'it was quiet',
    );
  }
});

t.test(
  'a minute that waits is given up when the connection is lost, or after an hour',
  async (t) => {
    const lost = heard(...steady(130, null));
    lost.close(3 * minute, 185_000);
    lost.lost();
    t.same(lost.close(3 * minute, 186_000), []);
    lost.take({ ...trade(0, 200, 100, 1), id: null });
    t.same(lost.close(4 * minute, 260_000), []);
    const late = heard(...steady(130, null));
    late.close(63 * minute, 63 * minute);
    late.take({ ...trade(0, 63 * 60 + 1, 100, 1), id: null });
    const first = late.close(64 * minute, 64 * minute + 5_000)[0];
    t.equal(first?.timestamp, 4 * minute, 'what is older is not known');
  },
);
