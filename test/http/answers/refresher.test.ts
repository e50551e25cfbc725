import t from 'tap';
import { failed, type Result, success } from '../../../actors/failure.ts';
import {
  type IndicatorsParams,
  type IndicatorsReply,
  type IndicatorValues,
  intervals,
} from '../../../actors/topics/index.ts';
import { FrontQueries } from '../../../http/answers/queries.ts';
import { Snapshot } from '../../../http/answers/snapshots.ts';
import { classicQuestion } from '../../../http/routes/indicators.ts';
import { openOf } from '../../../indicators/market/candles.ts';
import { FakeClock, settle } from '../../support/clock.ts';
import { queryBus } from '../../support/queries.ts';

const start = Date.UTC(2026, 7, 14, 13, 20);
const btc: IndicatorsParams = { symbol: 'BTCUSDT', interval: '1h' };
const values: IndicatorValues = {
  rsi: 55.5,
  macd: { value: 1, signal: 2, histogram: -1 },
  bollinger: { upper: 3, middle: 2, lower: 1 },
  atr: 0.5,
  ema20: 2,
  ema50: 1.5,
};

function setup() {
  const clock = new FakeClock(start);
  const state = {
    asked: [] as string[],
    value: {} as Partial<IndicatorsReply>,
    failure: null as Result<never> | null,
    gate: Promise.resolve(),
    inFlight: 0,
    most: 0,
  };
  const bus = queryBus(async ({ params }) => {
    if (!('symbol' in params && 'interval' in params)) throw new Error('asked something else');
    const { symbol, interval } = params;
    state.asked.push(`${symbol} ${interval}`);
    state.most = Math.max(state.most, ++state.inFlight);
    await state.gate;
    state.inFlight -= 1;
    if (state.failure) return state.failure;
    const open = openOf(clock.now(), interval);
    const until = open + intervals[interval];
    const value = { closed: 500, values, timestamp: open - 1, ...state.value };
    return success({ value, received: clock.now(), until });
  });
  const queries = new FrontQueries({ bus, clock, random: () => 0.5 });
  const view = {
    read: (params: IndicatorsParams, account = '') =>
      queries.read(classicQuestion(params), account),
    stop: () => queries.stop(),
  };
  return { clock, state, view, queries };
}

const nextHour = openOf(start, '1h') + intervals['1h'];
const body = (answer: unknown) => {
  if (!(answer instanceof Snapshot)) throw new Error('no snapshot');
  return JSON.parse(answer.at(start).toString()).data;
};

t.test(
  'answers that were requested during the last candle are computed again shortly after its close',
  async (t) => {
    const { clock, state, view } = setup();
    await view.read(btc);
    await view.read({ ...btc, symbol: 'OLDUSDT' });
    await clock.advance(nextHour - start);
    t.equal(state.asked.length, 2, 'not at the very moment');
    await clock.advance(299);
    t.equal(state.asked.length, 2, 'nor before the delay');
    await clock.advance(1);
    t.same(state.asked.slice(2).sort(), ['BTCUSDT 1h', 'OLDUSDT 1h']);
    const fresh = view.read(btc);
    t.equal(body(fresh).timestamp, nextHour - 1, 'ready for the first who asks');
    await clock.advance(intervals['1h'] + 1_000);
    t.same(state.asked.slice(4), ['BTCUSDT 1h'], 'an answer without a request since is dropped');
  },
);

t.test('of a long candle, only what was wanted within the last hour', async (t) => {
  const { clock, state, view } = setup();
  await view.read({ ...btc, interval: '1d' });
  await view.read({ symbol: 'ETHUSDT', interval: '1d' });
  const midnight = Date.UTC(2026, 7, 15);
  await clock.advance(midnight - intervals['1h'] - 1 - start);
  await view.read({ symbol: 'ETHUSDT', interval: '1d' });
  await clock.advance(1);
  await view.read({ ...btc, interval: '1d' });
  await clock.advance(intervals['1h'] + 5_000);
  t.same(state.asked.filter((name) => name.endsWith('1d')).slice(2), ['BTCUSDT 1d']);
});

t.test('no timer is longer than a day, however long the candle', async (t) => {
  const { clock, state, view } = setup();
  const longest: number[] = [];
  const after = clock.after.bind(clock);
  clock.after = (ms, fn) => {
    longest.push(ms);
    return after(ms, fn);
  };
  const monthly: IndicatorsParams = { ...btc, interval: '1M' };
  const first = await view.read(monthly);
  const end = openOf(start, '1M') + intervals['1M'];
  await clock.advance(end - 60_000 - start);
  t.equal(view.read(monthly), first, 'still kept');
  await clock.advance(62_000);
  t.equal(state.asked.length, 2, 'and made anew at the end of the month');
  t.ok(Math.max(...longest) <= 86_400_000);
});

t.test('a client that joins a refresh keeps the answer in use', async (t) => {
  const { clock, state, view } = setup();
  await view.read(btc);
  const gate = Promise.withResolvers<void>();
  await clock.advance(nextHour - start);
  state.gate = gate.promise;
  await clock.advance(1_000);
  t.equal(state.asked.length, 2, 'the refresh is on its way');
  const joined = view.read(btc);
  gate.resolve();
  await joined;
  await clock.advance(intervals['1h']);
  t.equal(state.asked.length, 3, 'made anew at the next close too');
});

t.test('a refresh asks for 16 at once, and for 1,000 at most', async (t) => {
  const { clock, state, view } = setup();
  const all = Array.from({ length: 1_100 }, (_, i) => ({ ...btc, symbol: `SYM${i}USDT` }));
  await Promise.all(all.map((request) => view.read(request)));
  state.most = 0;
  state.inFlight = 0;
  await clock.advance(nextHour + 1_000 - start);
  while (state.inFlight > 0) await settle();
  await settle();
  t.equal(state.asked.length, 2_100);
  t.ok(
    state.asked.slice(1_100).every((name) => Number(name.slice(3, -7)) >= 100),
    'the latest',
  );
  t.equal(state.most, 16);
});

t.test('too few candles: 422 with their number, until the next close', async (t) => {
  const { clock, state, view, queries } = setup();
  state.value = { closed: 50, values: null };
  const answer = await view.read(btc);
  const message = 'BTCUSDT has 50 closed candles of 1h, at least 51 are needed';
  t.same(answer, { error: 'not_enough_data', message });
  t.equal(view.read(btc), answer);
  state.value = {};
  await view.read({ ...btc, symbol: 'ETHUSDT' });
  const { refresh: _, ...once } = classicQuestion({ ...btc, symbol: 'OLDUSDT' });
  await queries.read(once, '');
  await clock.advance(nextHour - start - 1);
  t.equal(view.read(btc), answer);
  t.notOk(queries.read(once, '') instanceof Promise);
  await clock.advance(10_000);
  const fresh = ['BTCUSDT 1h', 'ETHUSDT 1h', 'OLDUSDT 1h', 'ETHUSDT 1h'];
  t.strictSame(state.asked, fresh, 'errors, and answers without `refresh`, are not made anew');
});

t.test('a refresh that failed is not tried again at the end of another answer', async (t) => {
  const { clock, state, view } = setup();
  await clock.advance(nextHour - 1_000 - start);
  await view.read(btc);
  state.failure = failed('timeout', 'x');
  await clock.advance(2_000);
  state.failure = null;
  await view.read({ ...btc, interval: '15m' });
  await clock.advance(16 * 60_000);
  const asked = ['1h', '1h', '15m', '15m'].map((interval) => `BTCUSDT ${interval}`);
  t.strictSame(state.asked, asked);
});

t.test('a stop leaves no timer', async (t) => {
  const { clock, view } = setup();
  const cancelled: number[] = [];
  const after = clock.after.bind(clock);
  clock.after = (ms, fn) => {
    const cancel = after(ms, fn);
    return () => {
      cancelled.push(ms);
      cancel();
    };
  };
  await view.read(btc);
  await view.read({ ...btc, interval: '1d' });
  await clock.advance(nextHour - start + 1_000);
  t.equal(clock.pending, 2);
  view.stop();
  t.equal(clock.pending, 0);
  t.equal(cancelled.length, 2, 'timers that have run are not kept');
});
