/**
 * The formulas on Bitcoin's real closes. The wanted values were made by another program in another language (Python):
 * geometric means as products of 200th roots, moving averages as exact sums of each window by itself, issues by
 * adding up block after block, bands by counting the edges at or below the price, Pearson's coefficient from raw sums.
 */
import t from 'tap';
import { ahr999, ahr999Series } from '../../../indicators/market/ahr999.ts';
import { alignedReturns, correlations } from '../../../indicators/market/correlations.ts';
import { type DayClose, dayLength, dayOf } from '../../../indicators/market/days.ts';
import { issuanceOfHeights } from '../../../indicators/market/issuance.ts';
import { piCycle, piCycleSeries } from '../../../indicators/market/pi-cycle.ts';
import { puellSeries } from '../../../indicators/market/puell.ts';
import { rainbow, rainbowModel } from '../../../indicators/market/rainbow.ts';
import { stockToFlow, stockToFlowSeries } from '../../../indicators/market/stock-to-flow.ts';
import { csvRows, near, noData, realCloses, upTo } from '../../actors/market/fixtures.ts';

const closes = realCloses();
const value = <T>(found: { ok: true; value: T } | { ok: false; needs: number }): T => {
  if (!found.ok) throw new Error(`needs ${found.needs} days`);
  return found.value;
};
const at = <P extends { timestamp: number }>(series: readonly P[], date: string): P => {
  const found = series.find(({ timestamp }) => timestamp === dayOf(date));
  if (!found) throw new Error(`no point on ${date}`);
  return found;
};

/** Date, geometric mean of 200 closes, growth valuation, index. */
const ahr999Values = [
  ['2011-06-08', 0.975944, 1.595927, 637.06404442],
  ['2012-11-28', 9.238919, 25.60229, 0.66057187],
  ['2013-12-04', 149.072688, 98.889227, 71.73422218],
  ['2015-01-14', 420.830835, 325.12706, 0.3602013],
  ['2016-07-09', 460.29873, 1175.339103, 0.78542678],
  ['2017-12-17', 4457.64708, 3273.096996, 25.47680698],
  ['2018-12-15', 6204.819832, 6052.710797, 0.27993644],
  ['2020-03-12', 8588.923032, 12022.158124, 0.61003297],
  ['2021-04-13', 27187.448536, 20661.48037, 6.37348443],
  ['2021-11-09', 44497.546198, 26994.248193, 3.80014249],
  ['2022-11-21', 22054.112312, 42388.347156, 0.28283094],
  ['2024-05-24', 51532.749561, 77349.958125, 1.17888487],
] as const;

t.test('ahr999, as series and as of each day', async (t) => {
  const series = ahr999Series(closes);
  t.equal(series.length, closes.length - 199);
  for (const [date, cost, growth, index] of ahr999Values) {
    const point = at(series, date);
    t.ok(near(point.cost_200d_usd, cost, 1e-6), `${date} ${point.cost_200d_usd}`);
    t.ok(near(point.growth_valuation_usd, growth, 1e-6), `${date} ${point.growth_valuation_usd}`);
    t.ok(near(point.value, index), `${date} ${point.value}`);
    t.ok(near(value(ahr999(upTo(closes, date))).value, index), `${date} by itself`);
  }
  t.equal(value(ahr999(closes)).zone, 'dca_zone');
  t.equal(value(ahr999(upTo(closes, '2018-12-15'))).zone, 'bottom_fishing');
  t.equal(value(ahr999(upTo(closes, '2021-04-13'))).signal, 'sell');
});

/** Date, mean of 111 closes, twice the mean of 350. */
const piValues = [
  ['2012-11-28', 11.746074, 15.575373],
  ['2013-12-04', 276.055315, 280.608653],
  ['2015-01-14', 347.876757, 981.806686],
  ['2016-07-09', 514.01406, 789.557604],
  ['2017-12-17', 7111.939056, 7071.242905],
  ['2018-12-15', 5873.282901, 15525.958779],
  ['2020-03-12', 8322.982703, 17145.108171],
  ['2021-04-13', 45184.492162, 45165.194514],
  ['2021-11-09', 49558.891802, 87282.1644],
  ['2022-11-21', 20146.006216, 62066.437029],
  ['2024-05-24', 62479.176937, 85081.178],
] as const;

t.test('pi cycle: both lines, and every crossing of the document', async (t) => {
  const series = piCycleSeries(closes);
  for (const [date, short, long] of piValues) {
    const point = at(series, date);
    t.ok(near(point.ma_111d_usd, short), `${date} ${point.ma_111d_usd}`);
    t.ok(near(point.ma_350d_x2_usd, long), `${date} ${point.ma_350d_x2_usd}`);
  }
  const { crosses, state, crossed, signal } = value(piCycle(closes));
  const days = (direction: string) =>
    crosses
      .filter((cross) => cross.direction === direction)
      .map(({ timestamp }) => new Date(timestamp).toISOString().slice(0, 10));
  t.same(days('up'), ['2013-04-06', '2013-12-07', '2017-12-16', '2021-04-13']);
  t.same(days('down'), ['2011-10-07', '2013-08-08', '2014-03-27', '2018-03-06', '2021-04-24']);
  t.same([state, crossed, signal], ['below', false, 'neutral']);
  const top = value(piCycle(upTo(closes, '2021-04-13')));
  t.same([top.state, top.crossed, top.signal], ['above', true, 'top']);
  t.equal(value(piCycle(upTo(closes, '2021-05-13'))).signal, 'top', '30 days after');
  t.equal(value(piCycle(upTo(closes, '2021-05-14'))).signal, 'approaching', 'no more a top');
  t.equal(value(piCycle(upTo(closes, '2021-08-14'))).signal, 'neutral');
  t.equal(value(piCycle(upTo(closes, '2021-04-12'))).signal, 'approaching');
});

/** Date, base, band, Trolololo's line. */
const rainbowValues = [
  ['2011-06-08', 1.927781, 8, 1.3414],
  ['2012-11-28', 28.521182, 0, 25.076],
  ['2013-12-04', 105.678396, 8, 104.1037],
  ['2015-01-14', 334.67309, 1, 364.3932],
  ['2016-07-09', 1161.052771, 0, 1408.3445],
  ['2017-12-17', 3127.582761, 8, 4134.5954],
  ['2018-12-15', 5668.452972, 0, 7890.6492],
  ['2020-03-12', 11007.614025, 1, 16231.8441],
  ['2021-04-13', 18582.341118, 6, 28676.1302],
  ['2021-11-09', 24063.714011, 5, 37977.8472],
  ['2022-11-21', 37224.513414, 0, 61016.5727],
  ['2024-05-24', 66579.458298, 2, 114784.7592],
] as const;

t.test('rainbow: base, band and the old line', async (t) => {
  for (const [date, base, band, line] of rainbowValues) {
    const found = value(rainbow(upTo(closes, date)));
    t.ok(near(found.base_usd, base, 1e-6), `${date} ${found.base_usd}`);
    t.equal(found.band, band, date);
    t.ok(near(found.trolololo_line_usd, line, 1e-4), `${date} ${found.trolololo_line_usd}`);
    const [lower, upper] = [found.bands[band]?.lower_usd, found.bands[band]?.upper_usd];
    if (band > 0) t.ok(found.price_usd >= (lower ?? Infinity), date);
    if (band < 8) t.ok(found.price_usd < (upper ?? 0), date);
  }
});

/** The fit of the published line: least squares of ln(close) on ln(days since 2009-01-09). */
function fitRainbow(closes: readonly DayClose[]): { a: number; b: number } {
  const points = closes.map(
    ({ day, close }) =>
      [Math.log((day - dayOf('2009-01-09')) / dayLength), Math.log(close)] as const,
  );
  const xs = points.reduce((sum, [x]) => sum + x, 0) / points.length;
  const ys = points.reduce((sum, [, y]) => sum + y, 0) / points.length;
  const xy = points.reduce((sum, [x, y]) => sum + (x - xs) * (y - ys), 0);
  const xx = points.reduce((sum, [x]) => sum + (x - xs) ** 2, 0);
  return { a: ys - (xy / xx) * xs, b: xy / xx };
}

t.test('rainbow: the frozen constants are those of the fit', async (t) => {
  const { a, b } = fitRainbow(closes);
  t.equal(a.toFixed(6), String(rainbowModel.a));
  t.equal(b.toFixed(6), String(rainbowModel.b));
});

/** Heights of our own making, which cross three halvings: 150 blocks a day and a little noise. */
const heights = closes.map(({ day }, at) => ({ day, height: 74_000 + 150 * at + (at ** 2 % 17) }));

/** Date, multiple, smoothed, coins issued. */
const puellValues = [
  ['2012-11-28', 1.67881178, 1.62601878, 7650.0],
  ['2013-12-04', 7.31603773, 7.37306858, 3675.0],
  ['2015-01-14', 0.41999644, 0.49261395, 3575.0],
  ['2016-07-09', 1.73704059, 1.69856309, 3900.0],
  ['2017-12-17', 5.14131894, 5.01735736, 1712.5],
  ['2018-12-15', 0.3980691, 0.41321176, 1862.5],
  ['2020-03-12', 0.8647076, 0.99090207, 1712.5],
  ['2021-04-13', 2.22021658, 2.15428463, 931.25],
  ['2021-11-09', 1.52460428, 1.48135068, 900.0],
  ['2022-11-21', 0.50729877, 0.52344417, 937.5],
  ['2024-05-24', 1.58175643, 1.62385322, 906.25],
] as const;

t.test('Puell multiple of real closes and made heights', async (t) => {
  const series = puellSeries(closes, issuanceOfHeights(heights));
  for (const [date, multiple, smoothed, coins] of puellValues) {
    const point = at(series, date);
    t.ok(near(point.value, multiple), `${date} ${point.value}`);
    t.ok(near(point.value_smoothed, smoothed), `${date} ${point.value_smoothed}`);
    t.ok(near(point.daily_issuance_btc, coins), `${date} ${point.daily_issuance_btc}`);
  }
  t.equal(series.length, closes.length - 365);
});

/** Date, stock, ratio, model price, model price of 2019. */
const stockValues = [
  ['2012-11-28', 9962750.0, 3.63922779, 12.1868, 15.6189],
  ['2013-12-04', 11622550.0, 7.19952303, 120.6254, 127.2039],
  ['2015-01-14', 13145250.0, 9.60260789, 317.4869, 290.9477],
  ['2016-07-09', 15177725.0, 11.09036937, 515.1299, 405.3355],
  ['2017-12-17', 16450037.5, 24.03965804, 6931.3398, 4803.9213],
  ['2018-12-15', 17130637.5, 25.03701335, 7945.7596, 5275.313],
  ['2020-03-12', 17980037.5, 26.27556035, 9345.291, 5894.2751],
  ['2021-04-13', 18549693.75, 36.40630252, 27954.4814, 16758.8952],
  ['2021-11-09', 18746581.25, 54.78653101, 110367.735, 63885.2952],
  ['2022-11-21', 19100087.5, 55.80537599, 117416.6385, 66633.8652],
  ['2024-05-24', 19615656.25, 57.33581176, 128590.6518, 70941.8125],
] as const;

t.test('stock to flow of real closes and made heights', async (t) => {
  const issuance = issuanceOfHeights(heights);
  const series = stockToFlowSeries(closes, issuance);
  for (const [date, stock, ratio, model, model2019] of stockValues) {
    t.ok(near(at(series, date).ratio, ratio), `${date} ${at(series, date).ratio}`);
    const found = value(stockToFlow(upTo(closes, date), issuance));
    t.equal(found.timestamp, dayOf(date));
    t.ok(near(found.stock_btc, stock), date);
    t.ok(near(found.model_price_usd, model, 1e-5), `${date} ${found.model_price_usd}`);
    t.ok(near(found.model_price_2019_usd, model2019, 1e-5), date);
    t.ok(near(found.deflection, found.price_usd / model, 1e-5), date);
  }
});

/** Asset, newest day, coefficients of 30, 90 and 365 days; the last of each is the document's own. */
const correlationValues = [
  ['nasdaq_composite', '2015-06-30', -0.64763734, -0.15842222, -0.04654217],
  ['nasdaq_composite', '2016-11-09', 0.04362393, 0.02913728, -0.02046299],
  ['nasdaq_composite', '2017-12-18', 0.01444679, 0.0557466, -0.00857271],
  ['nasdaq_composite', '2019-04-18', 0.16291118, 0.15337866, 0.0749225],
  ['dow_jones', '2015-06-30', -0.52770178, -0.08761386, 0.01781133],
  ['dow_jones', '2016-11-09', -0.02984766, 0.01586535, -0.04314275],
  ['dow_jones', '2017-12-18', -0.20996933, -0.03387384, 0.00904202],
  ['dow_jones', '2019-04-18', 0.29628126, 0.19948921, 0.05504427],
  ['gold_gld', '2015-06-30', 0.30575658, 0.08987258, -0.0091884],
  ['gold_gld', '2016-11-09', 0.04531399, 0.12084449, 0.01715147],
  ['gold_gld', '2017-12-18', -0.23686273, -0.0121406, -0.03358132],
  ['gold_gld', '2019-04-18', -0.10161005, 0.09136963, 0.04681564],
] as const;

t.test('correlations with real markets', { skip: noData }, async (t) => {
  const rows = csvRows('correlation-inputs-daily.csv');
  for (const [column, date, month, quarter, year] of correlationValues) {
    const end = dayOf(date);
    const until = rows.filter((row) => dayOf(row.date) <= end);
    const bitcoin = until
      .filter((row) => row.btc !== '')
      .map((row) => ({ day: dayOf(row.date), close: Number(row.btc) }));
    const asset = until
      .filter((row) => row[column] !== '')
      .map((row) => ({ day: dayOf(row.date), value: Number(row[column]) }));
    const pairs = alignedReturns(bitcoin, asset, 'log');
    const found = correlations(pairs);
    t.equal(pairs.at(-1)?.day, end);
    t.ok(Math.abs((found.correlation_30d ?? 9) - month) < 1e-8, `${column} ${date}`);
    t.ok(Math.abs((found.correlation_90d ?? 9) - quarter) < 1e-8, `${column} ${date}`);
    t.ok(Math.abs((found.correlation_365d ?? 9) - year) < 1e-8, `${column} ${date}`);
    if (date !== '2019-04-18') continue;
    const inside = (days: number) => pairs.filter((pair) => pair.day > end - days * dayLength);
    t.same(
      [30, 90, 365].map((days) => inside(days).length),
      [22, 62, 252],
      'as documented',
    );
  }
});
