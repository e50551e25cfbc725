/** Margin positions of Bitfinex over time, in the form of its documentation. */
import t from 'tap';
import type { Interval } from '../../../../actors/topics/index.ts';
import { bitfinex } from '../../../../actors/venues/bitfinex/index.ts';
import { instrument } from '../../../support/makers.ts';

const { marginHistory } = bitfinex.queries;
const hour = 3_600_000;
const day = 24 * hour;
const midnight = 19_675 * day;

const asked = (interval: Interval) => ({
  ...{ part: 'all', market: 'tBTCUSD', limit: 100, now: midnight + 4 * hour, interval },
  instrument: instrument({ market: 'tBTCUSD', kind: 'spot', quote: 'USD' }),
});
/** Rows of the hours up to 03:00, newest first, as it answers. */
const hours = (...sizes: unknown[]) => sizes.map((size, i) => [midnight + (3 - i) * hour, size]);
const read = (interval: Interval, ...bodies: unknown[]) =>
  marginHistory.parse(bodies, asked(interval), midnight + 4 * hour).points;

t.test('both sides of each hour, ascending; every second one of two hours', async (t) => {
  const longs = hours(73_191.5, 73_000, 72_900, 72_800);
  const shorts = hours(298.25, 300, 301, 0);
  t.strictSame(
    read('1h', longs, shorts).map(Object.values),
    [
      [midnight, 72_800, 0],
      [midnight + hour, 72_900, 301],
      [midnight + 2 * hour, 73_000, 300],
      [midnight + 3 * hour, 73_191.5, 298.25],
    ],
    'timestamp, long, short',
  );
  const pairs = read('2h', longs, shorts).map(({ timestamp }) => (timestamp - midnight) / hour);
  t.strictSame(pairs, [0, 2]);
  t.strictSame(
    read('1d', longs, shorts).map(({ long_size }) => long_size),
    [72_800],
  );
});

t.test('an hour without one of the sides, or with one below zero, is left out', async (t) => {
  const timesOf = (...bodies: unknown[]) =>
    read('1h', ...bodies).map(({ timestamp }) => (timestamp - midnight) / hour);
  const longs = hours(4, 3, 2, 1);
  t.strictSame(timesOf(longs, hours(4, 3, 2, 1).slice(1)), [0, 1, 2]);
  t.strictSame(timesOf(longs, hours(4, -3, 2, 1)), [0, 1, 3]);
  t.strictSame(timesOf([], []), [], 'a pair without margin');
});

t.test('other answers are refused, and contracts have none', async (t) => {
  t.throws(() => read('1h', null, []), { name: 'ShapeError' });
  t.throws(() => read('1h', hours('x', 'y', 'z'), hours(1, 2, 3)), { name: 'ShapeError' });
  const perpetual = instrument({ market: 'tBTCF0:USTF0' });
  t.equal(marginHistory.page?.({ ...asked('1h'), instrument: perpetual }), null);
  t.equal(marginHistory.page?.(asked('5m')), null);
});
