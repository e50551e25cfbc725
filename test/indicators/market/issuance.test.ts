/** Bitcoin's issue and what is made of it. */
import t from 'tap';
import { dayLength, dayOf } from '../../../indicators/market/days.ts';
import {
  heightAfter,
  type IssuanceDay,
  issuanceOfHeights,
  issuanceOfSupply,
  nextHalving,
  nominalIssuance,
  subsidyAt,
  supplyAfter,
} from '../../../indicators/market/issuance.ts';
import { puell, puellSeries, puellZoneOf } from '../../../indicators/market/puell.ts';
import {
  modelPrice,
  modelPrice2019,
  stockToFlow,
  stockToFlowSignalOf,
} from '../../../indicators/market/stock-to-flow.ts';
import { closesOf, near } from '../../actors/market/fixtures.ts';

const first = dayOf('2020-01-01');
const day = (at: number) => first + at * dayLength;

t.test('subsidies by era, the remainder of a satoshi dropped', async (t) => {
  t.same(
    [0, 209_999, 210_000, 420_000, 630_000, 840_000, 1_050_000].map(subsidyAt),
    [50, 50, 25, 12.5, 6.25, 3.125, 1.5625],
  );
  // 5e9 satoshi / 2^10 = 4882812.5
  t.equal(subsidyAt(2_100_000), 0.04882812);
  t.equal(subsidyAt(32 * 210_000), 1e-8);
  t.equal(subsidyAt(33 * 210_000), 0);
  t.equal(subsidyAt(100 * 210_000), 0);
});

t.test('supply: the checks of the document and the end of all', async (t) => {
  t.equal(supplyAfter(0), 50);
  t.equal(supplyAfter(839_999), 19_687_500);
  t.equal(supplyAfter(840_000), 19_687_503.125);
  t.equal(supplyAfter(900_000), 19_875_003.125);
  t.equal(supplyAfter(10_000_000), 20_999_999.9769);
  t.same([nextHalving(839_999), nextHalving(840_000)], [840_000, 1_050_000]);
});

t.test('the height of a supply is the way back', async (t) => {
  for (const height of [0, 1, 209_999, 210_000, 419_999, 500_001, 839_999, 840_000, 900_000])
    t.equal(heightAfter(supplyAfter(height)), height);
  t.equal(heightAfter(21_000_000), 33 * 210_000 - 1);
});

t.test('issues of days: over a halving, after a gap, and from the supply', async (t) => {
  const heights = [629_900, 629_990, 630_010, 630_100].map((height, at) => ({
    day: day(at),
    height,
  }));
  const found = issuanceOfHeights(heights);
  t.same(
    found.map((row) => [row.blocks, row.issuance_btc]),
    // 90 x 12.5; 9 x 12.5 + 11 x 6.25; 90 x 6.25
    [
      [90, 1125],
      [20, 181.25],
      [90, 562.5],
    ],
  );
  const supplies = heights.map((row) => ({ day: row.day, value: supplyAfter(row.height) }));
  t.same(
    issuanceOfSupply(supplies),
    found.map((row) => ({ ...row, blocks: null })),
  );
  const holed = heights.filter((_, at) => at !== 1);
  t.same(
    issuanceOfHeights(holed).map((row) => row.day),
    [day(3)],
  );
  const fallen = heights.slice(0, 2).map((row, at) => ({ ...row, height: 100 - at }));
  t.same(issuanceOfHeights(fallen), [], 'a height that went back');
  const nominal = nominalIssuance({ day: day(0), height: 630_000 });
  t.same([nominal.day, nominal.height, nominal.issuance_btc], [day(1), 630_144, 900]);
});

const steady = (days: number, btc = 900): IssuanceDay[] =>
  Array.from({ length: days }, (_, at) => ({
    day: day(at),
    issuance_btc: btc,
    supply_btc: supplyAfter(630_000) + btc * (at + 1),
    height: 630_000 + 144 * (at + 1),
    blocks: 144,
  }));

t.test('Puell: a steady issue at a steady price is 1; a doubled price of one day', async (t) => {
  const prices = Array(365).fill(100);
  const calm = puell(closesOf(prices), steady(365));
  t.match(calm, { ok: true, value: { value: 1, zone: 'normal', subsidy_btc: 6.25, blocks: 144 } });
  const [point] = puellSeries(closesOf(prices.with(-1, 200)), steady(365));
  // 200 / ((364 x 100 + 200) / 365), and the week's mean 800 / 7 over the same.
  t.ok(near(point?.value, 200 / (36_600 / 365)));
  t.ok(near(point?.value_smoothed, 800 / 7 / (36_600 / 365)));
  t.same(puell(closesOf(prices), steady(364)), { ok: false, needs: 365, has: 364 });
  const live = closesOf(prices).with(-1, { day: day(364), close: 1, provisional: true });
  t.notOk(puell(live, steady(365)).ok, 'days that are over only');
  t.same(
    [0.49, 0.5, 2, 4].map((each) => puellZoneOf(each).zone),
    ['undervalued', 'normal', 'elevated', 'overvalued'],
  );
});

t.test('stock to flow: the check of the document', async (t) => {
  const stock = supplyAfter(900_000);
  const ratio = stock / (365 * 144 * 3.125);
  t.ok(near(ratio, 121.0045852));
  t.ok(near(modelPrice2019(ratio, stock), 823_451.95));
  t.ok(near(modelPrice(ratio), 1_581_656.95));
});

t.test('stock to flow of a steady year', async (t) => {
  const found = stockToFlow(closesOf(Array(365).fill(9000)), steady(365));
  t.ok(found.ok);
  if (!found.ok) return;
  const stock = supplyAfter(630_000) + 900 * 365;
  const { value } = found;
  t.ok(near(value.ratio, stock / 328_500));
  t.equal(value.nominal_flow_btc, 328_500);
  t.ok(near(value.flow_btc_365d, 328_500));
  t.equal(value.next_halving_height, 840_000);
  // 840000 - (630000 + 144 x 365) blocks
  t.equal(value.days_to_halving, 157_440 / 144);
  t.ok(near(value.deflection, 9000 / modelPrice(stock / 328_500)));
  t.same([0.49, 0.5, 1.99, 2].map(stockToFlowSignalOf), [
    'undervalued',
    'fair',
    'fair',
    'overvalued',
  ]);
  t.same(stockToFlow([], steady(400)), { ok: false, needs: 365, has: 0 });
  const closes = closesOf(Array.from({ length: 370 }, (_, at) => 9000 + at));
  const issued = steady(372).map((row, at) => ({ ...row, issuance_btc: 800 + (at % 7) }));
  const last = closes.length - 1;
  const year = issued.slice(last - 364, last + 1);
  const flow = year.reduce((sum, { issuance_btc }) => sum + issuance_btc, 0);
  const usd = year.map((row, at) => row.issuance_btc * (9000 + last - 364 + at));
  const mean = usd.reduce((sum, one) => sum + one, 0) / 365;
  t.match(stockToFlow(closes, issued), {
    value: { flow_btc_365d: flow, ratio: (issued[last]?.supply_btc ?? 0) / flow, price_usd: 9369 },
  });
  const week = usd.slice(-7).reduce((sum, one) => sum + one, 0) / 7;
  const income = puell(closes, issued);
  t.ok(income.ok && near(income.value.value, (usd.at(-1) ?? 0) / mean));
  t.ok(
    income.ok &&
      near(income.value.average_365d_usd, mean) &&
      near(income.value.value_smoothed ?? 0, week / mean),
  );
});
