import t from 'tap';
import { isRecord, time } from '../../../../actors/read.ts';
import type { DerivativeRow, PriceRow } from '../../../../actors/topics/index.ts';
import { venues } from '../../../../actors/venues/registry.ts';
import { guarded, guardedAny } from '../../../support/guarded.ts';
import { derivativeRow, priceRow } from '../../../support/makers.ts';
import { bodiesOf, contextOf, feedParts, received } from '../../venues/fixtures.ts';

const day = 86_400_000;

const derivative = (changes: Partial<DerivativeRow>) =>
  derivativeRow({
    market: 'A',
    symbol: 'A',
    mark: 1,
    index: 1,
    next_funding: received + 1,
    stated: received,
    ...changes,
  });

const checked = (changes: Partial<DerivativeRow>) =>
  guarded('derivatives', { rows: [derivative(changes)], dropped: [] }, received);

t.test('times that cannot be are null, the others stay', async (t) => {
  const { rows, dropped } = checked({});
  t.strictSame([rows, dropped], [[derivative({})], []]);
  for (const wrong of [received / 1000, received * 1000, received + day + 1, -1, 0]) {
    const bad = { stated: wrong, next_funding: wrong };
    t.strictSame(checked(bad).rows, [derivative({ stated: null, next_funding: null })]);
  }
  t.strictSame(checked({ next_funding: received + day }).rows[0]?.next_funding, received + day);
});

t.test('a time that is ahead of our clock is not believed, and counted', async (t) => {
  t.strictSame(checked({ stated: received + 60_000 }).dropped, []);
  t.equal(checked({ stated: received + 60_000 }).rows[0]?.stated, received + 60_000);
  t.match(checked({ stated: received + 60_001 }), {
    rows: [derivative({ stated: null })],
    dropped: [{ key: 'A', code: 'time_ahead' }],
  });
});

t.test('a mark or an index that is no price is null and counted', async (t) => {
  for (const wrong of [0, -1, Number.POSITIVE_INFINITY, Number.NaN]) {
    const bad = (changes: object) => [[derivative(changes)], [{ key: 'A', code: 'bad_mark' }]];
    const found = (changes: Partial<DerivativeRow>) => {
      const { rows, dropped } = checked(changes);
      return [rows, dropped];
    };
    t.strictSame(found({ mark: wrong }), bad({ mark: null }));
    t.strictSame(found({ index: wrong }), bad({ index: null }));
    t.strictSame(found({ mark: wrong, index: wrong }), bad({ mark: null, index: null }));
  }
});

t.test('a refused funding rate is counted, and the rest of its row used', async (t) => {
  const without = derivative({ funding_rate: null, funding_rate_8h: null });
  t.match(checked({ funding_rate: 0.21, funding_rate_8h: 0.42 }), {
    rows: [without],
    dropped: [{ key: 'A', code: 'bad_funding_rate' }],
  });
  t.match(checked({ funding_hours: 480 }), {
    rows: [{ ...without, funding_hours: null }],
    dropped: [{ key: 'A', code: 'bad_funding_interval' }],
  });
});

t.test('crossed quotes and ranges are counted, and the rest of the row used', async (t) => {
  const row = priceRow({
    market: 'A',
    symbol: 'A',
    price: 10,
    volume: 10,
    change: 1,
    bid: 9,
    ask: 9,
    high: 12,
    low: 9,
    base: 1,
  });
  const outcome = (changes: Partial<PriceRow>) => {
    const found = guarded('prices', { rows: [{ ...row, ...changes }], dropped: [] }, received);
    return [...found.rows, ...found.dropped.map(({ code }) => code)];
  };
  t.strictSame(outcome({}), [row], 'equal ones stay');
  t.strictSame(outcome({ ask: null, low: null }), [{ ...row, ask: null, low: null }]);
  t.strictSame(outcome({ bid: 9.1 }), [{ ...row, bid: null, ask: null }, 'crossed_quotes']);
  t.strictSame(outcome({ low: 12, high: 11 }), [{ ...row, high: null, low: null }, 'bad_range']);
  // The price is 10; up to 0.1 % outside is rounding.
  const range = (low: number | null, high: number | null) => outcome({ low, high });
  const bad = [{ ...row, high: null, low: null }, 'bad_range'];
  t.strictSame(range(1, 2), bad, 'a range of something else');
  t.strictSame(range(104_000, 105_000), bad);
  t.strictSame(range(9, 9.98), bad);
  t.strictSame(range(10.02, 11), bad);
  t.strictSame(range(9, 9.995), [{ ...row, low: 9, high: 9.995 }]);
  t.strictSame(range(10.005, 11), [{ ...row, low: 10.005, high: 11 }]);
  t.strictSame(range(null, 9), bad);
});

t.test('what contradicts the price beside it is null and counted', async (t) => {
  // The price rose by 25 %: 24 h ago it was 40.
  const row = priceRow({
    market: 'A',
    symbol: 'A',
    price: 50,
    volume: 90,
    change: 25,
    bid: 49,
    ask: 51,
    high: 55,
    low: 38,
    base: 2,
  });
  const outcome = (changes: Partial<PriceRow>) => {
    const found = guarded('prices', { rows: [{ ...row, ...changes }], dropped: [] }, received);
    return [...found.rows, ...found.dropped.map(({ code }) => code)];
  };
  t.strictSame(outcome({}), [row]);
  const noQuotes = [{ ...row, bid: null, ask: null }, 'bad_quotes'];
  t.strictSame(outcome({ bid: 49_000, ask: 51_000 }), noQuotes);
  t.strictSame(outcome({ ask: 51_000 }), noQuotes);
  t.strictSame(outcome({ bid: 0.049 }), noQuotes);
  t.strictSame(outcome({ bid: 25, ask: 100 }), [{ ...row, bid: 25, ask: 100 }], 'a thin market');
  const noRange = [{ ...row, high: null, low: null }, 'bad_range'];
  t.strictSame(outcome({ high: 55_000 }), noRange);
  t.strictSame(outcome({ low: 0.038 }), noRange);
  const noChange = [{ ...row, change: null }, 'bad_change'];
  t.strictSame(outcome({ change: 2_500 }), noChange);
  t.strictSame(outcome({ change: -50 }), noChange, 'it was 100 and the high is 55');
  const noTurnover = [{ ...row, volume: null, base: null }, 'bad_turnover'];
  t.strictSame(outcome({ volume: 180 }), noTurnover, 'a mean of 90, the high is 55');
  t.strictSame(outcome({ base: 4 }), noTurnover, 'a mean of 22.5, the low is 38');
  const wide = { high: null, low: null };
  t.strictSame(outcome({ ...wide, volume: 180 }), [{ ...row, ...wide, volume: 180 }]);
  t.strictSame(outcome({ ...wide, volume: 2.25 }), [
    { ...row, ...wide, volume: null, base: null },
    'bad_turnover',
  ]);
  // From 4 to 50 in a day: 1,150 %.
  const listed = { change: 1_150, low: 3.9 };
  t.strictSame(outcome(listed), [{ ...row, ...listed }], 'a coin that rose so far');
  const unknown = { change: 2_500, high: null, low: null };
  t.strictSame(outcome(unknown), [{ ...row, ...unknown }], 'nothing to hold it against');
});

/** The body with `change` applied to every time in it: ISO text, and numbers and digits of ms, s, us or ns. */
function withTimes(value: unknown, change: (time: number) => number): unknown {
  if (Array.isArray(value)) return value.map((one) => withTimes(one, change));
  if (isRecord(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, withTimes(one, change)]),
    );
  }
  if (typeof value === 'string' && /^20\d\d-\d\d-\d\d/.test(value)) return '2099-01-01T00:00:00Z';
  const isTime = /^1[67]\d{8}(\d{3}){0,3}(\.\d+)?$/.test(String(value));
  if (!isTime) return value;
  return typeof value === 'string' ? String(change(Number(value))) : change(Number(value));
}

const changes: Readonly<Record<string, (time: number) => number>> = {
  'a thousand times too large': (at) => at * 1000,
  'a thousand times too small': (at) => Math.round(at / 1000),
  'ten years ahead': (at) => Math.round(at * 1.2),
  negative: (at) => -at,
};

for (const venue of Object.values(venues)) {
  for (const { topic, part, feed, fixture } of feedParts(venue)) {
    if (topic === 'instruments') continue;
    t.test(`${venue.id}: ${topic} of ${part} with wrong times`, async (t) => {
      const context = contextOf(venue, part);
      for (const [name, change] of Object.entries(changes)) {
        const bodies = bodiesOf(venue, fixture).map((body) => withTimes(body, change));
        const parse = () => guardedAny(topic, feed.parse(bodies, context), received);
        const published: { market: string; stated?: unknown; next_funding?: unknown }[] = [];
        try {
          published.push(...parse().rows);
        } catch (error) {
          t.match(error, { name: 'ShapeError' }, `${name}: the body is refused as a whole`);
        }
        const times = published.flatMap(({ stated, next_funding: next }) => [stated, next]);
        const wrong = times.filter(
          (at) => typeof at === 'number' && time(at, 1, received) === null,
        );
        t.strictSame(wrong, [], name);
      }
    });
  }
}
