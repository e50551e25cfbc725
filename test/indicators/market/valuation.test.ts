/** ahr999, pi cycle, rainbow on small series of our own: edges, too little history, the live point. */
import t from 'tap';
import {
  ahr999,
  ahr999Series,
  ahr999ZoneOf,
  growthValuation,
} from '../../../indicators/market/ahr999.ts';
import { dayLength, dayOf } from '../../../indicators/market/days.ts';
import { piCycle, piCycleCrosses, piCycleSeries } from '../../../indicators/market/pi-cycle.ts';
import {
  rainbow,
  rainbowBands,
  rainbowModel,
  rainbowSeries,
} from '../../../indicators/market/rainbow.ts';
import { closesOf, near } from '../../actors/market/fixtures.ts';

const flat = (days: number, price = 100) => closesOf(Array(days).fill(price));

t.test('too little history says how much is needed and how much is there', async (t) => {
  t.same(ahr999(flat(199)), { ok: false, needs: 200, has: 199 });
  t.same(ahr999([]), { ok: false, needs: 200, has: 0 });
  t.same(piCycle(flat(350)), { ok: false, needs: 351, has: 350 });
  t.same(rainbow([]), { ok: false, needs: 1, has: 0 });
  t.ok(ahr999(flat(200)).ok && piCycle(flat(351)).ok && rainbow(flat(1)).ok);
});

t.test('ahr999 of a price that stands still is price over growth valuation', async (t) => {
  const [point] = ahr999Series(flat(200));
  // 199 days after 2020-01-01 is 2020-07-18, 4214 days after 2009-01-03.
  t.equal(point?.timestamp, dayOf('2020-07-18'));
  t.equal(point?.age_days, 4214);
  t.ok(near(point?.cost_200d_usd, 100));
  t.ok(near(point?.value, 100 / growthValuation(4214)));
  // 10^(5.84 x 3 - 17.01) = 10^0.51
  t.ok(near(growthValuation(1000), 3.2359365692962827));
});

t.test('ahr999 zones: an edge belongs to the zone above', async (t) => {
  t.same(
    [0.1, 0.45, 1.1999, 1.2, 4.99, 5, 80].map((value) => ahr999ZoneOf(value).zone),
    ['bottom_fishing', 'dca_zone', 'dca_zone', 'wait', 'wait', 'overheated', 'overheated'],
  );
});

t.test('a live day: its price counts, and the answer says that it is not over', async (t) => {
  const closes = flat(400).with(-1, { day: dayOf('2021-02-03'), close: 9, provisional: true });
  for (const model of [ahr999, piCycle, rainbow]) {
    const [live, over] = [model(closes), model(closes.slice(0, -1))];
    t.match(live, {
      ok: true,
      value: { timestamp: dayOf('2021-02-03'), price_usd: 9, provisional: true },
    });
    t.match(over, { ok: true, value: { timestamp: dayOf('2021-02-02'), price_usd: 100 } });
    t.notOk(over.ok && 'provisional' in over.value);
  }
  const found = ahr999(closes);
  // The geometric mean of 199 days at 100 and one at 9; what 111 and 350 days cost on average.
  t.ok(found.ok && near(found.value.cost_200d_usd, 100 ** 0.995 * 9 ** 0.005));
  const averages = piCycle(closes);
  t.ok(averages.ok && near(averages.value.ma_111d_usd, (110 * 100 + 9) / 111));
  t.ok(averages.ok && near(averages.value.ma_350d_x2_usd, (2 * (349 * 100 + 9)) / 350));
});

/** Flat, then a jump that takes the short average over the doubled long one, then a fall. */
const jump = () =>
  closesOf([...Array(350).fill(100), ...Array(60).fill(1000), ...Array(60).fill(50)]);

t.test('pi cycle: crosses against sums of each day by itself', async (t) => {
  const closes = jump();
  const average = (end: number, days: number) =>
    closes.slice(end - days + 1, end + 1).reduce((sum, { close }) => sum + close, 0) / days;
  const above = (end: number) => average(end, 111) > 2 * average(end, 350);
  const wanted = closes.flatMap((row, at) =>
    at >= 350 && above(at) !== above(at - 1)
      ? [{ timestamp: row.day, direction: above(at) ? 'up' : 'down', price_usd: row.close }]
      : [],
  );
  const found = piCycleCrosses(piCycleSeries(closes));
  t.same(found, wanted);
  t.same(
    found.map(({ direction }) => direction),
    ['up', 'down'],
  );
});

t.test('pi cycle: a signal for 30 days after a cross upwards, and from 5 % below on', async (t) => {
  const last = closesOf(Array(351).fill(100)).at(-1)?.day ?? 0;
  const after = (days: number, direction: 'up' | 'down', price = 100) => {
    const cross = { timestamp: last - days * dayLength, direction, price_usd: 1 };
    const found = piCycle(closesOf([...Array(240).fill(100), ...Array(111).fill(price)]), [cross]);
    return found.ok && found.value.signal;
  };
  t.same([after(30, 'up'), after(31, 'up'), after(0, 'down')], ['top', 'neutral', 'neutral']);
  t.same([after(0, 'down', 328), after(0, 'down', 325)], ['approaching', 'neutral']);
});

t.test('pi cycle: a day that is not over crosses nothing', async (t) => {
  const closes = jump();
  const [cross] = piCycleCrosses(piCycleSeries(closes));
  const until = closes.filter(({ day }) => day <= (cross?.timestamp ?? 0));
  const live = until.map((row, at) =>
    at === until.length - 1 ? { ...row, provisional: true as const } : row,
  );
  const [closed, open] = [piCycle(until), piCycle(live)];
  t.ok(closed.ok && closed.value.crossed && closed.value.signal === 'top');
  t.ok(open.ok && !open.value.crossed && open.value.crosses.length === 0);
  t.ok(open.ok && open.value.state === 'above' && open.value.provisional);
});

t.test(
  'rainbow: each band holds what is between its edges, the outer ones all beyond',
  async (t) => {
    const [point] = rainbowSeries(flat(1));
    const base = point?.base_usd ?? 0;
    const bandAt = (offset: number) => rainbowSeries(flat(1, base * Math.exp(offset)))[0]?.band;
    t.same(
      [-5, -0.76, -0.74, -0.46, -0.44, -0.01, 0.01, 0.16, 1.64, 1.66, 1.96, 5].map(bandAt),
      [0, 0, 0, 0, 1, 2, 2, 3, 7, 8, 8, 8],
    );
    const found = rainbow(flat(1));
    t.ok(found.ok);
    if (!found.ok) return;
    const { bands, days, model } = found.value;
    t.same([bands.length, rainbowBands.length, days], [9, 9, 4009]);
    t.ok(near(base, Math.exp(model.a) * 4009 ** rainbowModel.b, 1e-9));
    // -0.75 and +1.95 around the base.
    t.ok(near(bands[0]?.lower_usd, base * 0.4723665527410147));
    t.ok(near(bands[8]?.upper_usd, base * 7.028687580589293));
    for (const [at, band] of bands.entries())
      if (at > 0) t.ok(near(band.lower_usd, bands[at - 1]?.upper_usd ?? 0), band.name);
  },
);

t.test('rainbow: a point a week, counted from the last', async (t) => {
  const weekly = rainbowSeries(flat(15), 7);
  t.same(
    weekly.map(({ timestamp }) => (timestamp - dayOf('2020-01-01')) / dayLength),
    [0, 7, 14],
  );
});
