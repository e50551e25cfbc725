/** The reference rate under the faults of one exchange: it stays within 0.2 % of the others' median. */
import fc from 'fast-check';
import t from 'tap';
import {
  cappedWeights,
  type ReferenceMarket,
  referenceRate,
  varianceOf,
} from '../../../indicators/market/reference-rate.ts';

const market = (exchange: string, price: number, more: Partial<ReferenceMarket> = {}) => ({
  exchange,
  market: 'BTCUSDT',
  price,
  bid: price - 1,
  ask: price + 1,
  age_ms: 900,
  volume: 120,
  variance: 4e-7,
  suspended: false,
  ...more,
});

/** Six exchanges within 0.04 % of each other. */
const usual = ['a', 'b', 'c', 'd', 'e', 'f'].map((id, i) => market(id, 100_000 + 7 * i));
const othersMedian = 100_021;

const faults: readonly [name: string, fault: Partial<ReferenceMarket>][] = [
  ['frozen', { age_ms: 10_001 }],
  [
    'frozen at an old price, confirmed again and again',
    { price: 97_000, bid: 96_999, ask: 97_001, variance: 0 },
  ],
  ['a thousand times', { price: 100_000_000, bid: null, ask: null }],
  ['half', { price: 50_000, bid: null, ask: null }],
  ['half more', { price: 150_000, bid: null, ask: null }],
  ['4 % above with washed volume', { price: 104_000, bid: 103_999, ask: 104_001, volume: 1e9 }],
  ['4 % below with washed volume', { price: 96_000, bid: 95_999, ask: 96_001, volume: 1e9 }],
  ['crossed', { price: 100_900, bid: 101_000, ask: 100_000 }],
];
for (const [name, fault] of faults) {
  t.test(`one exchange ${name}`, async (t) => {
    for (const at of usual.keys()) {
      const markets = usual.map((one, i) => (i === at ? { ...one, ...fault } : one));
      const { rate } = referenceRate(markets);
      t.ok(
        rate !== null && Math.abs(rate / othersMedian - 1) < 0.002,
        `${usual[at]?.exchange}: ${rate}`,
      );
    }
  });
}

t.test('each cause has its name, and what is not used has no weight', async (t) => {
  const { venues, used } = referenceRate([
    ...usual,
    market('stale', 100_000, { age_ms: 12_000 }),
    market('far', 106_000),
    market('quiet', 100_000, { volume: 0 }),
    market('unknown', 100_000, { volume: null }),
    market('crossed', 100_000, { bid: 100_001, ask: 100_001 }),
    market('marked', 100_000, { suspended: true }),
  ]);
  const states = Object.fromEntries(venues.map(({ exchange, status }) => [exchange, status]));
  t.match(states, {
    a: 'used',
    stale: 'stale',
    far: 'outlier',
    quiet: 'no_volume',
    unknown: 'no_volume',
    crossed: 'crossed',
    marked: 'suspended',
  });
  t.equal(used, 6);
  t.strictSame(
    venues.filter(({ weight }) => weight > 0).map(({ exchange }) => exchange),
    ['a', 'b', 'c', 'd', 'e', 'f'],
  );
});

t.test('an exchange leaves beyond 5 % and comes back below 2.5 %', async (t) => {
  const at = (price: number, outliers: readonly string[]) =>
    referenceRate([...usual, market('x', price)], new Set(outliers)).venues.at(-1)?.status;
  t.equal(at(104_000, []), 'used');
  t.equal(at(106_000, []), 'outlier');
  t.equal(at(104_000, ['x']), 'outlier', 'still out at 4 %');
  t.equal(at(102_000, ['x']), 'used', 'back at 2 %');
});

t.test('fewer than three markets give no rate and the reason', async (t) => {
  const { rate, reason, used } = referenceRate(usual.slice(0, 2));
  t.equal(rate, null);
  t.equal(used, 2);
  t.match(reason, /2 of 2 markets/);
  t.match(referenceRate([]), { rate: null, used: 0, venues: [] });
});

t.test('the weight is the mean of the shares of volume and of inverse variance', async (t) => {
  // Volumes 10, 30, 60 %; inverse variances 4 : 2 : 2 = 50, 25, 25 %.
  const { venues, rate } = referenceRate([
    market('a', 100, { volume: 1, variance: 1e-6, bid: null, ask: null }),
    market('b', 101, { volume: 3, variance: 2e-6, bid: null, ask: null }),
    market('c', 102, { volume: 6, variance: 2e-6, bid: null, ask: null }),
  ]);
  // 30, 27.5 and 42.5 %, of which 2.5 go to the others as 30 : 27.5.
  const rest = 0.025 / 0.575;
  for (const [i, weight] of [0.3 * (1 + rest), 0.275 * (1 + rest), 0.4].entries())
    t.ok(Math.abs((venues[i]?.weight ?? 0) - weight) < 1e-12);
  t.equal(rate, 101);
});

t.test('a price that never moved has no weight of its own', async (t) => {
  const markets = ['a', 'b', 'c', 'd'].map((id) => market(id, 100, { bid: null, ask: null }));
  const { venues } = referenceRate(
    markets.with(0, market('a', 100, { variance: 0, bid: null, ask: null })),
  );
  t.ok(venues.every(({ weight }) => Math.abs(weight - 0.25) < 1e-12));
});

t.test('weights: at most the cap, in the order of before, one in sum', async (t) => {
  const positive = fc.double({ min: 1e-9, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.array(positive, { minLength: 3, maxLength: 30 }), (given) => {
      const capped = cappedWeights(given, 0.4);
      const sum = capped.reduce((total, one) => total + one, 0);
      return (
        Math.abs(sum - 1) < 1e-9 &&
        capped.every((one, i) =>
          capped.every((other, j) => (given[i] ?? 0) < (given[j] ?? 0) || one >= other - 1e-12),
        ) &&
        capped.every((one) => one <= 0.4 + 1e-12)
      );
    }),
  );
  t.strictSame(cappedWeights([5, 1], 0.4), [0.5, 0.5], 'two cannot both be below');
  t.strictSame(cappedWeights([], 0.4), []);
});

t.test('no order of the markets and no scale of their volumes changes the rate', async () => {
  const some = fc.array(
    fc.record({
      price: fc.double({ min: 99, max: 101, noNaN: true }),
      volume: fc.double({ min: 1e-3, max: 1e3, noNaN: true }),
    }),
    { minLength: 3, maxLength: 12 },
  );
  fc.assert(
    fc.property(some, (given) => {
      const markets = given.map(({ price, volume }, i) =>
        market(`x${String(i).padStart(2, '0')}`, price, { volume, bid: null, ask: null }),
      );
      const { rate } = referenceRate(markets);
      const scaled = markets.map((one) => ({ ...one, volume: (one.volume ?? 0) * 4 }));
      const prices = given.map(({ price }) => price);
      return (
        rate !== null &&
        prices.includes(rate) &&
        referenceRate(markets.toReversed()).rate === rate &&
        referenceRate(scaled).rate === rate
      );
    }),
  );
});

t.test('the variance of returns', async (t) => {
  // Returns ln 2, -ln 2, ln 2: mean ln 2 / 3, squares (4/9 + 16/9 + 4/9) ln² 2, over two.
  const expected = ((24 / 9) * Math.LN2 ** 2) / 2;
  t.ok(Math.abs((varianceOf([1, 2, 1, 2]) ?? 0) - expected) < 1e-12);
  t.equal(varianceOf([5, 5, 5]), 0);
  t.equal(varianceOf([5, 6]), null);
});
