import t from 'tap';
import { byLatency, type ScoreColumn, scoreOf } from '../../../indicators/market/scorecard.ts';

type Minute = Record<ScoreColumn, number | null>;

const minute = (changes: Partial<Minute> = {}): Minute => ({
  up: 1,
  age: 1_000,
  age_max: 2_000,
  suspect: 0,
  differs: 0,
  refused: 0,
  reconnects: 0,
  ...byLatency(() => null),
  ...changes,
});

const scored = (minutes: readonly Minute[], hours: readonly number[]) =>
  scoreOf((name) => minutes.map((one) => one[name]), hours);

t.test('three minutes by hand', async (t) => {
  const minutes = [
    minute({ up: 1, age: 100, age_max: 900, suspect: 2, reconnects: 1 }),
    minute({ up: 0.5, age: 300, age_max: 500, differs: 4, reconnects: 2 }),
    minute({ up: 0, age: 200, age_max: 700, refused: 3 }),
  ];
  t.strictSame(scored(minutes, [0.5]), {
    up_24h: 0.5,
    up_7d: null,
    // The middle of 100, 200, 300; of 500, 700, 900 the place 0.99 x 2 = 1.98: 700 + 0.98 x 200.
    age_ms_p50: 200,
    age_ms_p99: 896,
    ...byLatency(() => null),
    suspect_24h: 2,
    differs_24h: 4,
    refused_24h: 3,
    reconnects_24h: 3,
    minutes_24h: 3,
    hours_7d: 1,
  });
});

t.test('latencies over the minutes that have them', async (t) => {
  const minutes = [
    minute({ event_latency_ms_p50: 20, event_latency_ms_p95: 50, event_latency_ms_p99: 100 }),
    minute({ event_latency_ms_p50: 30, event_latency_ms_p95: 80, event_latency_ms_p99: 500 }),
    minute({ event_latency_ms_p50: 25, event_latency_ms_p95: 60, event_latency_ms_p99: 200 }),
    minute({ delivery_ms_p50: 3, delivery_ms_p95: 5, delivery_ms_p99: 8 }),
  ];
  // Of three: the middle; the place 0.95 x 2 = 1.9: 60 + 0.9 x 20; the place 1.98: 200 + 0.98 x 300.
  t.match(scored(minutes, []), {
    event_latency_ms_p50: 25,
    event_latency_ms_p95: 78,
    event_latency_ms_p99: 494,
    delivery_ms_p50: 3,
    delivery_ms_p95: 5,
    delivery_ms_p99: 8,
  });
});

t.test('a week needs half of its hours', async (t) => {
  const hours = (count: number) => Array.from({ length: count }, (_, at) => at % 2);
  t.equal(scored([minute()], hours(83))?.up_7d, null);
  t.equal(scored([minute()], hours(84))?.up_7d, 0.5);
});

t.test('without a minute there is no score, without data no age', async (t) => {
  t.equal(scored([], [1]), null);
  const found = scored([minute({ age: null, age_max: null })], []);
  t.match(found, { age_ms_p50: null, age_ms_p99: null, up_24h: 1 });
});

t.test('the 99th percentile is never below the median', async (t) => {
  const random = (seed: number) => Math.abs(Math.sin(seed * 12.9898) * 43_758.5453) % 1;
  for (let size = 1; size < 200; size++) {
    const minutes = Array.from({ length: size }, (_, at) => {
      const age = random(at * size) * 10_000;
      return minute({ age, age_max: age + random(at + size) * 100 });
    });
    const { age_ms_p50, age_ms_p99 } = scored(minutes, []) ?? {};
    if ((age_ms_p99 ?? 0) < (age_ms_p50 ?? 0)) t.fail(`${size} minutes`);
  }
  t.pass();
});
