/** The points that a history keeps, and what the histories of the exchanges share. */
import t from 'tap';
import type { Instrument } from '../../../actors/topics/index.ts';
import { fundingStep, withHours } from '../../../actors/venues/fundings.ts';
import { byTime, rowsIn, seriesLife, wordOf } from '../../../actors/venues/histories.ts';

const hour = 3_600_000;
const instrument: Instrument = {
  ...{ market: 'X', kind: 'perpetual', symbol: 'BTC', quote: 'USDT', scale: 1, contract: 1 },
  ...{ inverse: false, funding_hours: 8 },
};

t.test('the hours of fundings; rows that cannot be used stay, to be counted', async (t) => {
  const points = [NaN, NaN, 0.99, -0.99].map((rate, i) => ({
    timestamp: i + 1,
    rate,
    hours: null,
  }));
  const late = { timestamp: 4 * hour, rate: 0, hours: null };
  const spoiled = [0, NaN].map((timestamp) => ({ ...late, timestamp }));
  const short = { ...instrument, funding_hours: 4 };
  t.strictSame(
    withHours([...spoiled, ...points, late], short).map((one) => [one.timestamp, one.hours]),
    [
      [0, null],
      [NaN, null],
      [1, null],
      [2, null],
      [3, 1],
      [4, 1],
      [4 * hour, 4],
    ],
  );
  t.match(withHours([{ timestamp: 1, rate: 0, hours: null }], short), [{ hours: 4 }]);
  const steps = [
    short,
    { ...instrument, funding_hours: null },
    { ...instrument, kind: 'spot' as const },
  ];
  t.strictSame(
    steps.map((one) => fundingStep({ instrument: one })),
    [4 * hour, 8 * hour, null],
  );
  t.equal(seriesLife, 60_000);
  t.strictSame([wordOf({ '1h': 'H' }, '1h'), wordOf({}, '1h')], ['H', '']);
  t.strictSame([rowsIn(undefined, 'rows'), rowsIn([{ a: 1 }, 7], 'rows')], [[], [{ a: 1 }, {}]]);
  t.throws(() => rowsIn({}, 'rows'), { name: 'ShapeError' });
});

t.test('the row of a time in another series, whatever the order and the form', async (t) => {
  const rowOf = byTime([{ at: '1' }, { at: 2 }, { at: 3 }, { at: 4 }], ({ at }) => at);
  t.strictSame(
    ['1', 3, '4', 7, 2, 3, 1].map((time) => rowOf(time)?.at),
    ['1', 3, 4, undefined, 2, 3, '1'],
  );
  const words = ['a', 'b', 'c'];
  t.strictSame(words.map(byTime(words, (one) => one)), words, 'in order no number is read');
});
