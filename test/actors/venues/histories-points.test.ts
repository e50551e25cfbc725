/** The points that a history keeps, and what the histories of the exchanges share. */
import t from 'tap';
import type { Instrument } from '../../../actors/topics/index.ts';
import { fundingStep, fundings, withHours } from '../../../actors/venues/fundings.ts';
import { byTime, rowsIn, seriesLife, wordOf } from '../../../actors/venues/histories.ts';
import { interest, longShort, takerVolume } from '../../../actors/venues/series.ts';
import { ownWords } from '../../../actors/venues/words.ts';

const hour = 3_600_000;
const instrument: Instrument = {
  ...{ market: 'X', kind: 'perpetual', symbol: 'BTC', quote: 'USDT', scale: 1, contract: 1 },
  ...{ inverse: false, funding_hours: 8 },
};
const about = {
  ...{ market: 'X', part: 'x', instrument, now: 1_700_000_000_000, limit: 100 },
  ...({ interval: '1h', of: 'accounts' } as const),
};

const form = {
  ...{ page: 100, words: () => ownWords('1h'), requests: () => [] },
  ...{ rows: '', at: 'timestamp' },
};

/** 2023-11-13 22:00 UTC. */
const start = 1_699_912_800_000;

/** The keys of a point without whose numbers it is left out; `read` counts the points that are kept. */
function needed<Point extends { timestamp: number }>(
  point: Point,
  read: (points: Point[]) => { points: readonly unknown[] },
): string {
  const whole = Array.from({ length: 9 }, (_, i) => ({ ...point, timestamp: start + i }));
  return Object.keys(point)
    .filter((key) => read([...whole, { ...point, [key]: NaN }]).points.length === 9)
    .join(' ');
}

const takers = takerVolume({
  ...form,
  columns: {
    buyBase: ({ buy_base }) => buy_base,
    sellBase: ({ sell_base }) => sell_base,
    buyUsd: ({ buy_usd }) => buy_usd,
    sellUsd: ({ sell_usd }) => sell_usd,
  },
});

t.test('points without one of their numbers are left out', async (t) => {
  const taken = { timestamp: start + 9, buy_base: 1, sell_base: 1, buy_usd: 1, sell_usd: 1 };
  const numbers = Object.keys(taken).join(' ');
  const taker = (points: unknown[]) => takers.parse([points], about);
  const shares = longShort({
    ...form,
    columns: { long: 'long', short: 'short', locked: 'locked' },
  });
  const interests = interest({ ...form, columns: { base: 'base', usd: 'usd' } });
  const charged = fundings({ ...form, columns: { rate: 'rate' } });
  t.strictSame(
    [
      needed({ timestamp: start + 9, long: 0.5, short: 0.5, locked: 1 }, (points) =>
        shares.parse([points], about),
      ),
      needed(taken, taker),
      needed({ ...taken, buy_base: null, sell_usd: null }, taker),
      needed({ timestamp: start + 9, base: 1, usd: 1 }, (points) =>
        interests.parse([points], about),
      ),
      needed({ timestamp: start + 9, rate: 0.5 }, (points) => charged.parse([points], about)),
    ],
    ['timestamp long short', numbers, numbers, 'timestamp base usd', 'timestamp rate'],
  );
  const nothing = {
    timestamp: start + 7,
    buy_base: null,
    sell_base: null,
    buy_usd: null,
    sell_usd: null,
  };
  t.same(taker([nothing]).points, [{ ...nothing, closed: true }]);
  const only = { timestamp: start, long: 0, short: 1 };
  t.strictSame(shares.parse([[only]], about).points, [only], 'nobody is long');
  const unknown = { timestamp: start, long: 0, short: 0 };
  t.throws(() => shares.parse([[unknown]], about), 'shares of nothing are not known');
});

t.test('a row of an interval that still runs is not closed', async (t) => {
  const at = { ...about, interval: '1h', now: start + 3 * hour } as const;
  const point = { timestamp: start + hour, buy_base: 1, sell_base: 2, buy_usd: 3, sell_usd: 4 };
  const rows = [1, 2, 3].map((hours) => ({ ...point, timestamp: start + hours * hour }));
  const { points } = takers.parse([rows], at);
  t.strictSame(
    points.map(({ timestamp, closed }) => [(timestamp - start) / hour, closed]),
    [
      [1, true],
      [2, true],
      [3, false],
    ],
  );
});

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
