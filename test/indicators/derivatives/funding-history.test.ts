import t, { type Test } from 'tap';
import {
  cumulativeFunding,
  runningFundings,
  settledMeans,
  weightedFundings,
} from '../../../indicators/derivatives/funding-history.ts';
import type { Funding } from '../../../indicators/derivatives/funding-rates.ts';

const hour = 3_600_000;
const day = 24 * hour;
const close = (t: Test, found: number | null | undefined, wanted: number) =>
  t.ok(Math.abs((found ?? Number.NaN) - wanted) < 1e-12, `${found} is ${wanted}`);

const funding = (exchange: string, hours: number, volume: number | null): Funding => ({
  exchange,
  contract: 'P',
  quote: 'USDT',
  asset_class: 'crypto',
  rate: 0.0001,
  predicted: null,
  hours,
  next: null,
  mark: 1,
  index: 1,
  received: 0,
  open_interest_usd: hours === 1 ? null : 5,
  volume_24h_usd: volume,
});

t.test('means of the rates of now', async (t) => {
  const found = weightedFundings([funding('b', 1, 1), funding('a', 8, 3), funding('a', 8, null)]);
  close(t, found?.byVolume, 0.000275);
  close(t, found?.byInterest, 0.0001);
  close(t, found?.plain, 0.001 / 3);
  t.match(found, { volume: 4, exchanges: 2 });
  t.strictSame(
    found?.weights.map(({ weight }) => weight),
    [0.75, 0.25, null],
  );
  for (const none of [[], [funding('a', 8, null)], [funding('a', 8, 0)]])
    t.equal(weightedFundings(none), null);
  t.equal(weightedFundings([funding('a', 1, 1)])?.byInterest, null);
});

t.test('means of settled rates', async (t) => {
  const means = settledMeans([
    { exchange: 'a', turnover: new Map([[8, 3]]), rows: [{ time: 8, rate: 0.0004, hours: 8 }] },
    {
      exchange: 'b',
      turnover: new Map([[8, 1]]),
      rows: [
        { time: 8, rate: 0.0004, hours: 4 },
        { time: 0, rate: 0.0001, hours: 8 },
      ],
    },
    { exchange: 'c', turnover: new Map(), rows: [{ time: 16, rate: 1, hours: 0 }] },
    { exchange: 'd', turnover: new Map([[16, 9]]), rows: [{ time: 8, rate: 0.0012, hours: 8 }] },
  ]);
  t.strictSame(
    means.map(({ time, exchanges, weighted }) => [time, exchanges, weighted]),
    [
      [0, 1, 0],
      [8, 3, 2],
    ],
  );
  close(t, means[0]?.plain, 0.0001);
  close(t, means[0]?.byVolume, 0.0001);
  close(t, means[1]?.byVolume, 0.0005);
  close(t, means[1]?.plain, 0.0008);
});

t.test('settled rates added up: only where the whole time is covered', async (t) => {
  const now = 100 * day + 12 * hour;
  const rows = [0, 1, 2, 3, 4, 5].map((at) => ({
    time: 99 * day + at * 8 * hour,
    rate: 0.0001,
    hours: 8,
  }));
  close(t, cumulativeFunding(rows, 1, now), 0.0003);
  close(t, cumulativeFunding(rows, 1, now - 4 * hour), 0.0003);
  t.equal(cumulativeFunding(rows, 7, now), null);
  t.equal(cumulativeFunding(rows.slice(0, 3), 1, now), null);
  const running = runningFundings([{ exchange: 'a', rows }], 1, now);
  t.strictSame(
    running.map(({ time }) => time / day),
    [99, 100],
  );
  close(t, running[0]?.sums.a, 0.0001);
  close(t, running[1]?.sums.a, 0.0003);
  const [first, second] = runningFundings([{ exchange: 'a', rows }], 1, 100 * day);
  close(t, first?.sums.a, 0.0002);
  close(t, second?.sums.a, 0.0003);
});
