/**
 * The fear and greed index of our own on real closes with volumes and shares of our own making. The wanted values,
 * before rounding, were made by another program in another language (Python) with its own standard deviation, each
 * component of each day by itself.
 */
import t from 'tap';
import { dayOf } from '../../../indicators/market/days.ts';
import { houseIndex } from '../../../indicators/market/fear-greed.ts';
import { realCloses } from '../../actors/market/fixtures.ts';

/** Date, index of all four parts, index of momentum and unrest alone; ranks of momentum, unrest, volume, dominance. */
const wanted = [
  ['2012-11-28', 50.8516, 41.8956, 47.527473, 63.736264, 58.791209, 30.21978],
  ['2013-12-04', 58.8736, 61.9505, 94.78022, 70.879121, 43.406593, 34.89011],
  ['2015-01-14', 31.0714, 0.9615, 1.923077, 100.0, 99.725275, 47.252747],
  ['2016-07-09', 36.0989, 43.6813, 71.978022, 84.615385, 17.032967, 67.582418],
  ['2017-12-17', 59.1484, 64.4231, 99.175824, 70.32967, 13.186813, 10.714286],
  ['2018-12-15', 18.6813, 1.6484, 0.549451, 97.252747, 48.076923, 59.615385],
  ['2020-03-12', 29.2582, 30.3571, 23.626374, 62.912088, 55.21978, 100.0],
  ['2021-04-13', 60.522, 66.6209, 54.120879, 20.879121, 22.252747, 19.505495],
  ['2021-11-09', 63.544, 66.3462, 59.89011, 27.197802, 77.747253, 59.065934],
  ['2022-11-21', 30.2198, 15.9341, 31.593407, 99.725275, 15.934066, 12.637363],
  ['2024-05-24', 52.2527, 55.7692, 40.384615, 28.846154, 64.835165, 70.879121],
] as const;

t.test('the index of our own on eleven days', async (t) => {
  const all = realCloses();
  for (const [date, four, two, ...ranks] of wanted) {
    const closes = all.filter(({ day }) => day <= dayOf(date));
    const volumes = closes.map((_, at) => ((at * 7919) % 997) ** 2 * (at % 31 === 0 ? 50 : 1));
    const dominance = closes.map((_, at) => 50 + (at ** 2 % 1009) / 100);
    const found = houseIndex({ closes, volumes, dominance });
    t.equal(found?.value, Math.round(four), `${date}: ${four}`);
    const { momentum, unrest, volume, dominance: share } = found?.ranks ?? {};
    for (const [at, rank] of [momentum, unrest, volume, share].entries())
      t.ok(Math.abs((rank ?? 999) - (ranks[at] ?? 0)) < 1e-5, `${date}: part ${at}`);
    const alone = houseIndex({ closes, volumes: [], dominance: [] });
    t.equal(alone?.value, Math.round(two), `${date} alone: ${two}`);
  }
});
