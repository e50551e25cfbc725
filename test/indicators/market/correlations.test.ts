import t from 'tap';
import {
  alignedReturns,
  correlationSeries,
  correlations,
  pearson,
  strengthOf,
} from '../../../indicators/market/correlations.ts';
import { dayLength, dayOf } from '../../../indicators/market/days.ts';
import { dollarIndex } from '../../../indicators/market/dollar-index.ts';
import { closesOf, near } from '../../actors/market/fixtures.ts';

const first = dayOf('2020-01-01');
const pairsOf = (rows: readonly (readonly [number, number])[]) =>
  rows.map(([bitcoin, asset], at) => ({ day: first + at * dayLength, bitcoin, asset }));

t.test('Pearson by hand', async (t) => {
  const of = (...rows: [number, number][]) => pearson(pairsOf(rows));
  t.ok(near(of([1, 1], [2, 3], [3, 5]), 1));
  // Means 2 and 3: products 1, 0 and 2, squares 2 and 6.
  t.ok(near(of([1, 2], [2, 2], [3, 5]), 3 / Math.sqrt(12)));
  t.ok(near(of([1, -1], [2, -2], [4, -4]), -1));
  t.same([of([1, 5], [2, 5]), of()], [null, null], 'one side stands still');
});

t.test('days that only one side has make one return of both', async (t) => {
  const bitcoin = closesOf([100, 110, 120, 130, 140]);
  const asset = [0, 1, 4].map((at) => ({ day: first + at * dayLength, value: 10 + at }));
  t.same(alignedReturns(bitcoin, asset, 'log'), [
    { day: first + dayLength, bitcoin: Math.log(1.1), asset: Math.log(1.1) },
    { day: first + 4 * dayLength, bitcoin: Math.log(140 / 110), asset: Math.log(14 / 11) },
  ]);
  t.same(
    alignedReturns(bitcoin, asset, 'difference').map((pair) => pair.asset),
    [1, 3],
    'a yield in points',
  );
  const live = bitcoin.with(4, { day: first + 4 * dayLength, close: 1, provisional: true });
  t.equal(alignedReturns(live, asset, 'log').length, 1, 'no look ahead');
});

const noise = (at: number, seed: number) => Math.sin(at * seed) + Math.cos(at * at);
const pairs = pairsOf(Array.from({ length: 400 }, (_, at) => [noise(at, 1.3), noise(at, 0.7)]));

t.test('a window without enough pairs is null', async (t) => {
  const found = (count: number) => correlations(pairs.slice(0, count));
  const none = { correlation_30d: null, correlation_90d: null, correlation_365d: null };
  t.same(found(0), { ...none, strength: null });
  const [month, quarter, year] = [30, 90, 365].map((days) => pearson(pairs.slice(-days)));
  t.match(found(400), { correlation_30d: month, correlation_90d: quarter, correlation_365d: year });
  t.equal(found(14).correlation_30d, null);
  t.not(found(15).correlation_30d, null);
  t.same([found(39).correlation_90d, found(39).strength], [null, null]);
  t.not(found(40).correlation_90d, null);
  t.equal(found(149).correlation_365d, null);
  t.not(found(150).correlation_365d, null);
});

t.test('the series is what each of its days gives by itself', async (t) => {
  const series = correlationSeries(pairs);
  t.equal(series.length, 400 - 39);
  for (const at of [0, 1, 50, 51, 52, 100, 360]) {
    const wanted = correlations(pairs.slice(0, at + 40)).correlation_90d;
    t.ok(near(series[at]?.value, wanted ?? 9), `day ${at}`);
    t.equal(series[at]?.day, pairs[at + 39]?.day);
  }
});

t.test('words for strength', async (t) => {
  t.same([0, 0.29, 0.3, 0.59, 0.6, 1, -0.1, -0.3, -0.9].map(strengthOf), [
    'weak',
    'weak',
    'moderate',
    'moderate',
    'strong',
    'strong',
    'negative_weak',
    'negative_moderate',
    'negative_strong',
  ]);
});

t.test('the dollar index', async (t) => {
  const par = { eur: 1, jpy: 1, gbp: 1, cad: 1, sek: 1, chf: 1 };
  t.ok(near(dollarIndex(par), 50.14348112));
  t.ok(
    near(dollarIndex({ ...par, eur: 2 }), 50.14348112 * 1.4907103867989204),
    'a dearer dollar, 2^0.576',
  );
  t.ok(Number.isNaN(dollarIndex({ ...par, jpy: Number.NaN })));
});
