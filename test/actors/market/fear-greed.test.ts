/** Fear and greed: the vendor's index, and our own while it is silent. */
import t from 'tap';
import { dayAt, dayLength } from '../../../indicators/market/days.ts';
import { now } from './fixtures.ts';
import { down, marketStage, type Stage } from './stage.ts';

const key = 'fear-greed';
const today = dayAt(now);

/** Values of the days up to one, the newest last. */
const vendor = (values: readonly number[], last = today) => ({
  data: values
    .map((value, at) => ({
      value: String(value),
      value_classification: 'Fear',
      ...(at === values.length - 1 && { time_until_update: '40' }),
      timestamp: String((last - (values.length - 1 - at) * dayLength) / 1000),
    }))
    .reverse(),
});

/** Closes of so many days that end yesterday. */
const closes = (stage: Stage, days: number) => {
  const last = dayAt(stage.clock.now()) - dayLength;
  const rows = Array.from({ length: days }, (_, at) => ({
    key: 'binance',
    time: last - (days - 1 - at) * dayLength,
    values: { close: 100 + 10 * Math.sin(at / 9) + at / 50, at: last, filled: null },
  }));
  const params = { series: 'bitcoin-closes', rows } as const;
  return stage.history.query({ source: 'history', name: 'record', params });
};

t.test("the vendor's whole history", async (t) => {
  const stage = marketStage();
  stage.upstreams.set('alternative-me', () => vendor([20, 30, 46]));
  const context = stage.begin();
  t.equal(await context.run(key), null);
  t.match(await stage.reading(key), {
    fields: {
      value: 46,
      classification: 'fear',
      classification_label: 'Fear',
      previous_close: 30,
      week_ago: null,
      next_update_in_s: 40,
    },
    source: 'alternative-me',
    updated_at: today,
    received_at: now,
    stale_after: 3 * 3_600_000,
    live: null,
  });
  const chart = await stage.chart(key);
  t.equal(chart?.recorded_from, null);
  t.same(
    chart?.rows.map(({ timestamp, value }) => [timestamp, value]),
    [20, 30, 46].map((value, at) => [today - (2 - at) * dayLength, value]),
  );
  await context.run(key);
  t.equal(stage.count('indicatorHistories', key), 1);
  t.equal(await stage.begin().waits(key), 3_600_000, 'a restart does not ask again');
  stage.upstreams.set('alternative-me', () => vendor([20, 30, 101]));
  t.match(await context.run(key), { code: 'shape' }, 'one of three is no index');
  t.equal((await stage.reading(key))?.fields?.value, 46);
});

t.test('the newest day is at most 48 hours old, and not yet to come', async (t) => {
  const stage = marketStage();
  const context = stage.begin();
  const code = async (last: number) => {
    stage.upstreams.set('alternative-me', () => vendor([20, 30, 46], last));
    return (await context.run(key))?.code ?? null;
  };
  t.same([await code(today + dayLength), await code(today - dayLength)], ['shape', null]);
  await stage.clock.advance(today + dayLength - stage.clock.now());
  t.equal(await code(today - dayLength), null);
  await stage.clock.advance(1);
  t.equal(await code(today - dayLength), 'shape');
});

t.test('silent for 48 hours: an index of our own', async (t) => {
  const stage = marketStage();
  stage.upstreams.set('alternative-me', () => vendor([20, 30, 46]));
  const context = stage.begin();
  await context.run(key);
  await stage.clock.advance(2 * 86_400_000);
  t.match(await context.run(key), { code: 'shape' }, 'without closes there is none');
  t.match(stage.statuses.get('fear-greed/alternative-me')?.last_error, { message: /48 hours/ });
  t.equal((await stage.reading(key))?.received_at, now, 'and the last value stays');
  await closes(stage, 500);
  t.equal(await context.run(key), null);
  const reading = await stage.reading(key);
  t.match(reading, {
    source: 'computed',
    fields: { next_update_in_s: null, computed_from: { weight: 0.6 } },
    updated_at: dayAt(stage.clock.now()),
    live: { timestamp: dayAt(stage.clock.now()), provisional: true },
  });
  const value = Number(reading?.fields?.value);
  t.ok(value >= 0 && value <= 100);
  t.equal((await stage.chart(key))?.rows.length, 3, "the chart is the vendor's");
});

t.test('a vendor that is down for an hour is not silent', async (t) => {
  const stage = marketStage();
  stage.upstreams.set('alternative-me', () => vendor([20, 30, 46]));
  const context = stage.begin();
  await context.run(key);
  await closes(stage, 500);
  stage.upstreams.set('alternative-me', down);
  await stage.clock.advance(3_600_000);
  t.match(await context.run(key), { code: 'unavailable' });
  t.equal((await stage.reading(key))?.source, 'alternative-me');
});

t.test('a vendor silent from the first, nothing else known: a stale value', async (t) => {
  const stage = marketStage();
  stage.upstreams.set('alternative-me', () => vendor([20, 30, 46], today - 9 * dayLength));
  const context = stage.begin();
  t.match(await context.run(key), { code: 'shape' });
  t.match(await stage.reading(key), {
    fields: { value: 46 },
    updated_at: today - 9 * dayLength,
    stale_after: 0,
  });
});
