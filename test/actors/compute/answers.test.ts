import t, { type Test } from 'tap';
import { candlesFor, computeAnswers } from '../../../actors/compute/answers.ts';
import { CandleStore } from '../../../actors/compute/candles.ts';
import { type Result, success } from '../../../actors/failure.ts';
import type {
  ComputeParams,
  IndicatorsParams,
  Interval,
  Reply,
} from '../../../actors/topics/index.ts';
import { intervals } from '../../../actors/topics/index.ts';
import { blockOf, bytesOf, type CandleRow, columnsOf } from '../../../indicators/job-columns.ts';
import { readEntries } from '../../../indicators/job-entries.ts';
import type { PoolResult } from '../../../indicators/pool.ts';
import { classic } from '../../../indicators/technical/classic.ts';
import { market } from '../../indicators/rows.ts';
import { FakeClock } from '../../support/clock.ts';
import { computeStage, now } from '../../support/compute-stage.ts';
import { queryBus } from '../../support/queries.ts';

const isInterval = (name: string): name is Interval => Object.hasOwn(intervals, name);
const allIntervals = Object.keys(intervals).filter(isInterval);

const asked = (names: readonly unknown[], over: Partial<ComputeParams> = {}): ComputeParams => ({
  market: { exchange: 'binance', market: 'BTCUSDT', kind: 'spot', interval: '4h', limit: 100 },
  own: null,
  indicators: readEntries(names),
  series: false,
  ...over,
});

/** The closed klines as the simulated exchange gives them: rows, and the close time of the last. */
async function klines(url: string, interval: string, limit: number) {
  const path = '/data-api.binance.vision/api/v3/klines';
  const answer = await fetch(
    `${url}${path}?symbol=BTCUSDT&interval=${interval}&limit=${limit + 1}`,
  );
  const list: unknown = await answer.json();
  const all = (Array.isArray(list) ? list : [])
    .slice(0, -1)
    .map((row: unknown[]) => row.map(Number));
  const rows = all.map(([timestamp = 0, open = 0, high = 0, low = 0, close = 0, volume = 0]) => ({
    timestamp,
    open,
    high,
    low,
    close,
    volume,
  }));
  return { rows, closed: all.at(-1)?.[6] };
}

/** The value of a result that must be one. */
function answered<T>(result: Result<Reply<T>>): T {
  if (!result.ok) throw new Error(result.failure.message);
  return result.value.value;
}

const fixedSet = (params: IndicatorsParams) =>
  ({ source: 'compute', name: 'indicators', params }) as const;
const chosen = (params: ComputeParams) => ({ source: 'compute', name: 'compute', params }) as const;

const classicOf = (rows: readonly CandleRow[]) => classic(columnsOf(blockOf(rows)));

t.test('the fixed set of every interval, from the candles that the exchange closed', async (t) => {
  const { web, simulator } = await computeStage(t);
  for (const interval of allIntervals) {
    const result = await web.query(fixedSet({ symbol: 'BTCUSDT', interval }));
    const reply = answered(result);
    const { rows, closed } = await klines(simulator.url, interval, 500);
    t.equal(reply.closed, rows.length, interval);
    t.same(reply.values, classicOf(rows), interval);
    t.equal(reply.timestamp, closed, `${interval}: closeTime as the exchange states it`);
    t.ok(result.ok && result.value.until > now, interval);
  }
  const unknown = await web.query(fixedSet({ symbol: 'NOSUCHUSDT', interval: '4h' }));
  t.match(unknown, { ok: false, failure: { code: 'unknown_instrument' } });
});

t.test('chosen indicators of a market, by a thread, with candles for the warm-up', async (t) => {
  const { web, simulator, pool } = await computeStage(t, { inline: 0 });
  const reply = answered(
    await web.query(chosen(asked(['rsi', 'ema:200', 'macd'], { series: true }))),
  );
  const data = JSON.parse(reply.data ?? '');
  const { rows, closed } = await klines(simulator.url, '4h', 999);
  t.match(data, { symbol: 'BTCUSDT', exchange: 'binance', timeframe: '4h', count: 100 });
  t.equal(data.timestamp, closed);
  t.same(
    data.timestamps,
    rows.slice(-100).map(({ timestamp }) => timestamp),
  );
  t.same(
    data.candles.close,
    rows.slice(-100).map(({ close }) => close),
  );
  t.same(Object.keys(data.indicators), ['rsi', 'ema_200', 'macd']);
  t.notOk(data.indicators.ema_200.series.value.includes(null), 'warmed up before the first row');
  const fixed = classicOf(rows);
  t.ok(Math.abs(data.indicators.rsi.latest.value - (fixed?.rsi ?? 0)) < 1e-6);
  t.same(data.warnings, []);
  t.equal(pool.counts().jobs.thread, 1);
});

t.test('own candles are computed as they are', async (t) => {
  const { web, simulator } = await computeStage(t);
  simulator.faults.set([{ host: '*', path: '/api/v3/klines', kind: 'reset' }]);
  const rows = market(60);
  const own = { rows: bytesOf(blockOf(rows)), interval: null, limit: 60 };
  const over = { market: null, own, series: true };
  const reply = answered(await web.query(chosen(asked(['sma', 'ema:61'], over))));
  const data = JSON.parse(reply.data ?? '');
  t.match(data, { symbol: null, exchange: null, timeframe: null, count: 60 });
  t.equal(data.timestamp, rows.at(-1)?.timestamp);
  t.equal(data.candles, undefined, 'the caller has them');
  t.equal(data.timestamps.length, 60);
  const mean = rows.slice(-20).reduce((sum, { close }) => sum + close, 0) / 20;
  t.ok(Math.abs(data.indicators.sma.latest.value - mean) < 1e-9);
  t.same(data.indicators.ema_61.latest, { value: null });
  t.match(data.warnings, [{ id: 'ema_61', needed: 61, available: 60 }]);
  t.same(await web.query(chosen(asked(['ema:61', 'sma:99'], over))), {
    ok: true,
    value: { value: { data: null, closed: 60, needed: 61 }, received: 0, until: 0 },
  });
  const enough = answered(await web.query(chosen(asked(['ema:60'], over))));
  t.type(enough.data, 'string', 'as many candles as it needs');
  t.match(simulator.faults.list(), [{ hits: 0 }], 'nothing is fetched');
});

t.test('how many candles are fetched', async (t) => {
  const fetched = (
    names: string[],
    limit: number,
    more: { interval?: Interval; series?: boolean } = {},
  ) => {
    const { interval = '1m', series = false } = more;
    return candlesFor(asked(names, { series }), { interval, limit }, now);
  };
  const counts = [60, 99, 100, 199, 299, 499, 998].map((limit) => fetched(['hl2'], limit));
  t.same(counts, [100, 100, 200, 200, 300, 500, 999]);
  t.equal(fetched(['ema:200'], 500), 1_999, '500, and 1,387 until the seed has faded');
  t.equal(fetched(['sma'], 1_000), 1_999, 'what is shown is always there');
  t.equal(fetched(['kama'], 500), 3_999, '500, and 3,323 at the smallest constant');
  t.equal(fetched(['kama:10,2,100'], 500), 4_999, 'five calls at most, whatever is shown');
  // Friday 13:37: 817 minutes of today, 2,257 since yesterday, 6,577 since Monday, 1,315 steps of 5 minutes.
  t.equal(fetched(['vwap:day'], 51), 999);
  t.equal(
    fetched(['vwap:day'], 900, { series: true }),
    2_999,
    'the oldest of the shown is of yesterday',
  );
  t.equal(fetched(['pivot_points:standard,day'], 51), 2_999);
  t.equal(fetched(['vwap:week'], 51), 100, 'too far: what cannot be reached is not asked for');
  t.equal(fetched(['vwap:week'], 51, { interval: '5m' }), 1_999);
  t.equal(fetched(['vwap:none', 'obv'], 51), 100);
});

interface Output {
  latest: Record<string, number | null>;
}

/** One indicator of the simulated Binance. */
async function latestOf(
  stage: Awaited<ReturnType<typeof computeStage>>,
  name: string,
  over: { interval: Interval; limit: number },
) {
  const request = asked([name]);
  const market = { exchange: 'binance', market: 'BTCUSDT', kind: 'spot' as const, ...over };
  const { data } = answered(await stage.web.query(chosen({ ...request, market })));
  const { indicators, warnings } = JSON.parse(data ?? '');
  const latest: Record<string, number | null> = Object.values<Output>(indicators)[0]?.latest ?? {};
  return { latest, warnings };
}

t.test('a value of a period comes from all of it, or is null with a warning', async (t) => {
  const stage = await computeStage(t);
  const monday = Date.UTC(2026, 7, 10);
  for (const interval of ['5m', '15m', '1h', '4h'] as const) {
    const { rows } = await klines(stage.simulator.url, interval, 999);
    const older = rows[0]?.timestamp ?? 0;
    const { latest, warnings } = await latestOf(stage, 'vwap:week', { interval, limit: 51 });
    t.same(warnings, [], interval);
    if (older > monday) {
      t.type(latest.value, 'number', `${interval}: more than one answer of the exchange`);
      continue;
    }
    const week = rows.filter(({ timestamp }) => timestamp >= monday);
    const volume = week.reduce((sum, row) => sum + row.volume, 0);
    const turnover = week.reduce(
      (sum, row) => sum + ((row.high + row.low + row.close) / 3) * row.volume,
      0,
    );
    t.ok(Math.abs((latest.value ?? 0) / (turnover / volume) - 1) < 1e-9, interval);
  }
  const far = await latestOf(stage, 'vwap:week', { interval: '1m', limit: 500 });
  t.same(far.latest, { value: null });
  t.match(far.warnings, [{ name: 'vwap', available: 999, needed: 6_577 }]);
  t.equal(
    far.warnings[0].message,
    'vwap_week needs the 6577 candles since 2026-08-10 00:00 UTC, there are 999',
  );
  const { rows: days } = await klines(stage.simulator.url, '1d', 5);
  const {
    high = 0,
    low = 0,
    close = 0,
  } = days.find(({ timestamp }) => timestamp === now - (now % 86_400_000) - 86_400_000) ?? {};
  for (const interval of ['1m', '5m', '1h'] as const) {
    const { latest, warnings } = await latestOf(stage, 'pivot_points:standard,day', {
      interval,
      limit: 51,
    });
    t.same(warnings, []);
    t.ok(
      Math.abs((latest.p ?? 0) / ((high + low + close) / 3) - 1) < 1e-9,
      `${interval}: the day before`,
    );
  }
});

t.test('the same candle has the same KAMA, whatever is shown', async (t) => {
  const stage = await computeStage(t);
  const values: number[] = [];
  for (const limit of [51, 300, 1_000]) {
    const { latest } = await latestOf(stage, 'kama', { interval: '1m', limit });
    values.push(latest.value ?? Number.NaN);
  }
  const [first = 0] = values;
  for (const value of values) t.ok(Math.abs(value / first - 1) < 1e-6, `${value} ${first}`);
});

/** The answer when the pool says `result`. */
async function withPool(t: Test, result: PoolResult) {
  const clock = new FakeClock();
  const bus = queryBus(() => t.fail('nothing is asked') as never);
  const store = new CandleStore({ bus, clock });
  const { compute } = computeAnswers({ store, pool: { run: () => result } });
  const own = { rows: bytesOf(blockOf(market(60))), interval: null, limit: 60 };
  return compute(asked(['sma'], { market: null, own }), {
    deadline: clock.now() + 1_000,
    account: 'a',
  });
}

t.test('a job without a result is to be tried again, unless it is a bug', async (t) => {
  const codes = { full: 'over_budget', late: 'over_budget', overran: 'over_budget' } as const;
  for (const refusal of ['full', 'late', 'overran'] as const) {
    const result = await withPool(t, { ok: false, refusal, message: 'x' });
    t.match(result, { ok: false, failure: { code: codes[refusal] } });
  }
  for (const refusal of ['died', 'stopped'] as const) {
    const result = await withPool(t, { ok: false, refusal, message: 'x' });
    t.match(result, { ok: false, failure: { code: 'stopped' } });
  }
  await t.rejects(withPool(t, { ok: false, refusal: 'threw', message: 'x' }), /a job threw: x/);
  const fine = await withPool(t, { ok: true, json: '{}' });
  t.match(fine, success({ value: { data: '{}', closed: 60, needed: 20 } }));
});
