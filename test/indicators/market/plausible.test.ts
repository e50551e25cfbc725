import t from 'tap';
import { firstRefusal, plausible, rules } from '../../../indicators/market/plausible.ts';
import { realCloses } from '../../actors/market/fixtures.ts';

const nan = Number.NaN;

t.test('values that are impossible as a price, rate or size', async (t) => {
  for (const [name, rule] of Object.entries(rules)) {
    t.equal(plausible(nan, null, rule), 'not_finite', name);
    t.equal(plausible(Infinity, 1, rule), 'not_finite', name);
    t.equal(plausible(-3, null, rule), 'out_of_range', name);
  }
});

t.test('zero is refused where it is impossible, and only there', async (t) => {
  for (const rule of ['bitcoinClose', 'coinClose', 'assetClose', 'dominance', 'marketCap'] as const)
    t.equal(plausible(0, null, rules[rule]), 'out_of_range', rule);
  for (const rule of ['fearGreed', 'borrowRate', 'treasuryYield', 'marginSize'] as const)
    t.equal(plausible(0, null, rules[rule]), null, rule);
});

t.test('a value follows another within the factor of its figure, up and down', async (t) => {
  const ofPrices = { bitcoinClose: 4, coinClose: 8, assetClose: 2, volatilityIndex: 4 };
  const factors = { ...ofPrices, marketCap: 3, turnover: 8, marginSize: 8 };
  for (const [name, rule] of Object.entries(rules)) {
    const factor = Object.entries(factors).find(([figure]) => figure === name)?.[1];
    t.equal('factor' in rule ? rule.factor : undefined, factor, name);
    if (factor === undefined) continue;
    const pairs = [
      [100 * factor, 100],
      [101 * factor, 100],
      [100, 100 * factor],
      [99, 100 * factor],
    ];
    const found = pairs.map(([next = 0, previous = 0]) => plausible(next, previous, rule));
    t.same(found, [null, 'too_far', null, 'too_far'], name);
    t.equal(plausible(1e6, null, rule), null, `${name}, nothing known before`);
  }
});

t.test('bounds and steps of figures', async (t) => {
  const last = { treasuryYield: 4.5, dominance: 61, blockHeight: 5_000, bitcoinSupply: 1e6 };
  const bounds = [
    ...[
      ['treasuryYield', -2, 25, 0.1],
      ['fearGreed', 0, 100, 0.1],
      ['dominance', 0.1, 99, 0.1],
    ],
    ...[
      ['borrowRate', 0, 10 / 8760, 1e-6],
      ['bitcoinSupply', 1, 21e6, 1],
    ],
  ] as const;
  const steps = { treasuryYield: 2, dominance: 10, blockHeight: 1_000, bitcoinSupply: 20_000 };
  for (const [name, least, most, more] of bounds) {
    const found = [least, most, least - more, most + more].map((next) =>
      plausible(next, null, rules[name]),
    );
    t.same(found, [null, null, 'out_of_range', 'out_of_range'], name);
  }
  for (const name of ['treasuryYield', 'dominance', 'blockHeight', 'bitcoinSupply'] as const) {
    const [from, step] = [last[name], steps[name]];
    const nexts = [from + step, from - step, from + 1.1 * step, from - 1.1 * step];
    const found = nexts.map((next) => plausible(next, from, rules[name]));
    t.same(found, [null, null, 'too_far', 'too_far'], name);
  }
});

t.test('the first of a series that is refused', async (t) => {
  t.same(firstRefusal([10, 11, 110, 12], null, rules.bitcoinClose), { index: 2, why: 'too_far' });
  t.same(firstRefusal([10], 100, rules.bitcoinClose), { index: 0, why: 'too_far' });
  t.equal(firstRefusal([10, 11], 9, rules.bitcoinClose), null);
});

t.test('no real close of Bitcoin is refused', async (t) => {
  const prices = realCloses().map(({ close }) => close);
  t.equal(firstRefusal(prices, null, rules.bitcoinClose), null);
  for (const at of [0, 500, 2000, prices.length - 1]) {
    const lie = prices.with(at, (prices[at] ?? 0) * 10);
    const found = firstRefusal(lie, at === 0 ? (prices[0] ?? null) : null, rules.bitcoinClose);
    t.same(found, { index: at, why: 'too_far' }, `a digit too many on day ${at}`);
  }
});
