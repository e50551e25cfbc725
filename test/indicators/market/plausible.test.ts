import t from 'tap';
import { firstRefusal, plausible, rules } from '../../../indicators/market/plausible.ts';
import { noData, realCloses } from '../../actors/market/fixtures.ts';

const nan = Number.NaN;

t.test('what no price, rate or size can be', async (t) => {
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

t.test('ten times off is refused in both directions', async (t) => {
  const prices = ['bitcoinClose', 'coinClose', 'assetClose', 'marketCap', 'turnover'] as const;
  for (const name of prices) {
    t.equal(plausible(1000, 100, rules[name]), 'too_far', name);
    t.equal(plausible(10, 100, rules[name]), 'too_far', name);
    t.equal(plausible(110, 100, rules[name]), null, name);
    t.equal(plausible(1000, null, rules[name]), null, `${name}, nothing known before`);
  }
  t.equal(plausible(45, 4.5, rules.treasuryYield), 'out_of_range');
  t.equal(plausible(7, 4.5, rules.treasuryYield), 'too_far');
  t.equal(plausible(50, 61, rules.dominance), 'too_far');
  t.equal(plausible(-0.3, 0.1, rules.treasuryYield), null, 'a yield below zero');
});

t.test('the first of a series that is refused', async (t) => {
  t.same(firstRefusal([10, 11, 110, 12], null, rules.bitcoinClose), { index: 2, why: 'too_far' });
  t.same(firstRefusal([10], 100, rules.bitcoinClose), { index: 0, why: 'too_far' });
  t.equal(firstRefusal([10, 11], 9, rules.bitcoinClose), null);
});

t.test('no real close of Bitcoin is refused', { skip: noData }, async (t) => {
  const prices = realCloses().map(({ close }) => close);
  t.equal(firstRefusal(prices, null, rules.bitcoinClose), null);
  for (const at of [0, 500, 2000, prices.length - 1]) {
    const lie = prices.with(at, (prices[at] ?? 0) * 10);
    const found = firstRefusal(lie, at === 0 ? (prices[0] ?? null) : null, rules.bitcoinClose);
    t.same(found, { index: at, why: 'too_far' }, `a digit too many on day ${at}`);
  }
});
