import t from 'tap';
import { HeardTimes, LiquidationSums } from '../../../indicators/derivatives/liquidation-sums.ts';

const minute = 60_000;
/** Within a minute. */
const now = 1_750_000_000_000;
const event = (
  ago: number,
  value_usd: number,
  side: 'long' | 'short' = 'long',
  symbol = 'BTC',
) => ({ symbol, side, value_usd, timestamp: now - ago * minute });

t.test('sums of 1, 4, 12 and 24 hours, which begin with a whole minute', async (t) => {
  const sums = new LiquidationSums(100);
  const ages = [0, 59, 60, 239, 240, 719, 720, 1_439, 1_440];
  for (const ago of ages) sums.add('a', event(ago, 5));
  const all = sums.totals({ by: 'symbol' }, now).get('BTC');
  t.same([all?.[1].count, all?.[4].count, all?.[12].count, all?.[24].count], [2, 4, 6, 8]);
  t.equal(sums.cells, 9);
  sums.expire(now);
  t.equal(sums.cells, 9, 'the minute 24 hours ago is still there');
  sums.expire(now + minute);
  t.equal(sums.cells, 8);
  sums.clear();
  t.same([sums.cells, sums.totals({ by: 'symbol' }, now).size], [0, 0]);
});

t.test('sides, number and largest, by exchange and by symbol', async (t) => {
  const sums = new LiquidationSums(100);
  sums.add('a', event(0, 5));
  sums.add('a', event(0, 3, 'short'));
  sums.add('b', event(1, 7, 'short'));
  sums.add('b', event(1, 1, 'long', 'ETH'));
  t.equal(sums.cells, 3, 'of a minute, exchange and symbol');
  const of = (...wanted: Parameters<typeof sums.totals>) =>
    [...sums.totals(...wanted)].map(([name, windows]) => [name, windows[1]]);
  t.same(of({ by: 'exchange' }, now), [
    ['a', { long: 5, short: 3, count: 2, largest: 5 }],
    ['b', { long: 1, short: 7, count: 2, largest: 7 }],
  ]);
  t.same(of({ by: 'symbol', exchange: 'b' }, now), [
    ['BTC', { long: 0, short: 7, count: 1, largest: 7 }],
    ['ETH', { long: 1, short: 0, count: 1, largest: 1 }],
  ]);
  t.same(of({ by: 'exchange', symbol: 'ETH' }, now), [
    ['b', { long: 1, short: 0, count: 1, largest: 1 }],
  ]);
});

t.test('beyond the most cells the oldest minute makes room', async (t) => {
  const sums = new LiquidationSums(2);
  for (const ago of [2, 1]) sums.add('a', event(ago, ago));
  t.equal(sums.cells, 2);
  sums.add('a', event(0, 9));
  t.same([sums.cells, sums.totals({ by: 'symbol' }, now).get('BTC')?.[1].long], [2, 10]);
});

t.test('times that were heard: without gaps one, forgotten when they are over', async (t) => {
  const heard = (...stretches: [from: number, to: number][]) => {
    const times = new HeardTimes();
    for (const [from, to] of stretches) times.add(from, to);
    return times;
  };
  const times = heard([0, 10], [2, 5], [10, 20], [30, 40]);
  t.same([times.within(0, 100), times.within(5, 35), times.within(21, 29)], [30, 20, 0]);
  times.expire(15);
  t.equal(times.first, 0, 'what follows at once is one with it');
  times.expire(20);
  t.equal(times.first, 0);
  times.expire(21);
  t.equal(times.first, 30);
  t.same([heard().first, heard([9, 8]).first, heard([9, 9]).first], [null, null, 9]);
  const many = heard(
    ...Array.from({ length: 1_001 }, (_, i): [number, number] => [i * 9, i * 9 + 1]),
  );
  many.expire(0);
  t.same([many.first, many.within(0, 1e6)], [9, 1_000], 'the newest thousand');
});
