import t from 'tap';
import { CandleStore } from '../../../actors/compute/candles.ts';
import { failed, type Result, success } from '../../../actors/failure.ts';
import { type CandleParams, type Candles, intervals } from '../../../actors/topics/index.ts';
import { columnsOf, rowsOf } from '../../../indicators/job-columns.ts';
import { endOf, openOf } from '../../../indicators/market/candles.ts';
import { FakeClock, settle } from '../../support/clock.ts';
import { candle } from '../../support/makers.ts';
import { fresh, queryBus } from '../../support/queries.ts';

const hour = intervals['1h'];
const start = Date.UTC(2026, 7, 14, 13, 20);
type Market = CandleParams & { exchange: string };
const request: Market = { exchange: 'binance', market: 'BTCUSDT', interval: '1h', limit: 5 };

/** What an exchange shows of hourly candles when the newest of them opened at `open`. */
function shown(open: number, now: number, limit: number): Candles {
  const candles = Array.from({ length: limit }, (_, i) => {
    const timestamp = open - (limit - 1 - i) * hour;
    const price = timestamp / hour;
    const prices = { open: price - 1, high: price + 2, low: price - 3, close: price };
    return candle({ timestamp, ...prices, closed: endOf(timestamp, '1h') <= now });
  });
  return { market: 'BTCUSDT', kind: 'spot', quote: 'USDT', candles, received: now };
}

function stage() {
  const clock = new FakeClock(start);
  const state = {
    asked: [] as { limit: number; deadline: number }[],
    /** How far the exchange's clock is behind. */
    behind: 0,
    failure: null as Result<never> | null,
    gate: Promise.resolve(),
  };
  const bus = queryBus(async ({ params }, { deadline = 0 }) => {
    const limit = 'limit' in params ? params.limit : 0;
    state.asked.push({ limit, deadline });
    await state.gate;
    if (state.failure) return state.failure;
    return fresh(shown(openOf(clock.now() - state.behind, '1h'), clock.now(), limit), clock);
  });
  const store = new CandleStore({ bus, clock });
  const get = (over: Partial<Market> = {}, account = 'a') =>
    store.get({ ...request, ...over }, { deadline: clock.now() + 10_000, account });
  return { clock, state, get };
}

/** Open time of the newest candle and how many there are. */
function seen(result: Awaited<ReturnType<CandleStore['get']>>) {
  if (!result.ok) return result.failure.code;
  const { until, value } = result.value;
  const { block, closed } = value;
  return { rows: rowsOf(block), newest: columnsOf(block).time.at(-1), closed, until };
}

t.test('one more is asked for and the open one is left out', async (t) => {
  const { state, get } = stage();
  const open = openOf(start, '1h');
  t.same(seen(await get()), { rows: 5, newest: open - hour, closed: open - 1, until: open + hour });
  t.equal(state.asked[0]?.limit, 6);
  t.equal(state.asked[0]?.deadline, 9_750, 'time is left for the reply');
});

t.test('known candles are reused until the next candle closes', async (t) => {
  const { clock, state, get } = stage();
  const first = seen(await get());
  await clock.advance(openOf(start, '1h') + hour - start - 1);
  t.same(seen(await get()), first);
  t.equal(state.asked.length, 1);
  await clock.advance(2_001);
  t.match(seen(await get()), { newest: openOf(start, '1h') });
  t.equal(state.asked.length, 2);
  await get({ limit: 7 });
  await get({ market: 'ETHUSDT' });
  await get({ exchange: 'okx' });
  await get({ kind: 'perpetual' });
  t.equal(state.asked.length, 6, 'each question has its own answer');
});

t.test('equal questions in flight share one call', async (t) => {
  const { state, get } = stage();
  const gate = Promise.withResolvers<void>();
  state.gate = gate.promise;
  const both = [get(), get()];
  gate.resolve();
  const [a, b] = await Promise.all(both);
  t.same(a, b);
  t.equal(state.asked.length, 1);
});

t.test('a candle that has ended but has no successor yet is asked for again', async (t) => {
  const { clock, state, get } = stage();
  const close = openOf(start, '1h') + hour;
  await clock.advance(close + 50 - start);
  state.behind = 500;
  const result = get();
  await settle();
  t.equal(state.asked.length, 1, 'the exchange is half a second behind');
  await clock.advance(200);
  t.equal(state.asked.length, 2);
  await clock.advance(1_000);
  t.match(seen(await result), { newest: close - hour, closed: close - 1, until: close + hour });
  t.equal(state.asked.length, 4, 'until it shows the next one');
});

t.test('a market without a new candle is accepted after two seconds', async (t) => {
  const { clock, state, get } = stage();
  const close = openOf(start, '1h') + hour;
  await clock.advance(close + 100 - start);
  state.behind = 600_000;
  const result = get();
  await clock.advance(2_000);
  t.match(seen(await result), { rows: 5, newest: close - hour, until: close + hour });
  t.ok(state.asked.length > 5 && state.asked.length < 15, `${state.asked.length} questions`);
  const later = state.asked.length;
  await get();
  t.equal(state.asked.length, later, 'and kept');
});

t.test('a row is closed when another follows it, whatever the clocks say', async (t) => {
  const { clock, state, get } = stage();
  await clock.advance(openOf(start, '1h') + hour - 100 - start);
  state.behind = -200;
  const close = openOf(start, '1h') + hour;
  t.match(seen(await get()), { newest: close - hour, closed: close - 1, until: close + hour });
});

t.test('an open candle that ought to have ended is asked for again soon', async (t) => {
  const { clock } = stage();
  const open = openOf(start, '1h');
  const late = { ...shown(open, start, 6), received: open + hour + 50 };
  const store = new CandleStore({ bus: queryBus(() => fresh(late, clock)), clock });
  const result = await store.get(request, { deadline: start + 10_000, account: 'a' });
  t.match(seen(result), { newest: open - hour, until: late.received + 200 });
});

t.test('a last candle may change for two seconds after its end', async (t) => {
  for (const [after, questions] of [
    [2_000, 1],
    [1_999, 2],
  ] as const) {
    const { clock } = stage();
    const open = openOf(start, '1h');
    let asked = 0;
    const bus = queryBus(() => {
      const received = open + hour + after + asked++;
      return fresh({ ...shown(open, received, 6), received }, clock);
    });
    const asking = { deadline: start + 10_000, account: 'a' };
    const found = new CandleStore({ bus, clock }).get(request, asking);
    await clock.advance(200);
    t.match(seen(await found), { rows: 5, closed: open + hour - 1 });
    t.equal(asked, questions, `${after} ms after its end`);
  }
});

t.test('fewer candles than asked for are all there are', async (t) => {
  const { clock } = stage();
  const few = { ...shown(openOf(start, '1h'), start, 3) };
  const none = { ...few, candles: [] };
  for (const [reply, rows] of [
    [few, 2],
    [none, 0],
  ] as const) {
    const bus = queryBus(() => fresh(reply, clock));
    const result = await new CandleStore({ bus, clock }).get(request, {
      deadline: start + 10_000,
      account: 'a',
    });
    t.match(seen(result), { rows, closed: rows === 0 ? null : openOf(start, '1h') - 1 });
  }
});

t.test('while the exchange fails its last answer is stale, and cached briefly', async (t) => {
  const { clock } = stage();
  const times = { received: start - 9_000, until: start + 1_000 };
  const reply = { value: shown(openOf(start, '1h'), start, 6), ...times, stale: true } as const;
  const store = new CandleStore({ bus: queryBus(() => success(reply)), clock });
  const asking = { deadline: start + 10_000, account: 'a' };
  t.match(await store.get(request, asking), { value: { ...times, stale: true } });
});

t.test('failures are passed on; that a market is unknown is kept for a while', async (t) => {
  const { state, get, clock } = stage();
  state.failure = failed('unknown_instrument', 'no such market');
  t.equal(seen(await get()), 'unknown_instrument');
  state.failure = null;
  await clock.advance(30_000);
  t.match(seen(await get()), { rows: 5 });
  const bus = queryBus(() => failed('network', 'x'));
  const within = async (ms: number) => {
    const asking = { deadline: clock.now() + ms, account: 'a' };
    return seen(await new CandleStore({ bus, clock }).get(request, asking));
  };
  t.equal(await within(250), 'timeout', 'nothing is asked when there is no time for a reply');
  t.equal(await within(251), 'network');
});
