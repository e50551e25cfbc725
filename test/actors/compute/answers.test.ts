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

t.test('one upstream request until the next candle closes, then another', async (t) => {
  const { web, simulator, clock } = await computeStage(t);
  const minute: { symbol: string; interval: Interval } = { symbol: 'BTCUSDT', interval: '1m' };
  const requests = () =>
    Object.entries(simulator.requests.list())
      .filter(([path]) => path.endsWith('/klines'))
      .reduce((sum, [, count]) => sum + count, 0);
  const first = answered(await web.query(fixedSet(minute)));
  t.same(answered(await web.query(fixedSet(minute))), first);
  t.equal(requests(), 1);
  await clock.advance(60_000);
  const second = answered(await web.query(fixedSet(minute)));
  t.equal(second.timestamp, (first.timestamp ?? 0) + 60_000);
  t.equal(requests(), 2);
});

t.test('an upstream that fails is a failure', async (t) => {
  const { web, simulator } = await computeStage(t);
  simulator.faults.set([{ host: '*', kind: 'wrong_shape', path: '/api/v3/klines' }]);
  const fixed = await web.query(fixedSet({ symbol: 'BTCUSDT', interval: '4h' }));
  t.match(fixed, { ok: false, failure: { code: 'shape' } });
  t.match(await web.query(chosen(asked(['rsi']))), { ok: false, failure: { code: 'shape' } });
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
  t.notMatch(JSON.stringify(simulator.requests.list()), /klines/, 'nothing is fetched');
});

t.test('how many candles are fetched', async (t) => {
  const counts = [60, 99, 100, 199, 299, 499, 998].map((limit) =>
    candlesFor(asked(['hl2']), limit),
  );
  t.same(counts, [100, 100, 200, 200, 300, 500, 999]);
  t.equal(candlesFor(asked(['ema:200']), 500), 999, 'as many as one call gives');
  t.equal(candlesFor(asked(['sma']), 1_000), 1_000, 'what is shown is always there');
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
