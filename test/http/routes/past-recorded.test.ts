/** The recorded state at a time out of a real history: rows are recorded, combined and taken over as in the service. */
import t, { type Test } from 'tap';
import { SeriesAnswers } from '../../../actors/history/answers.ts';
import { recordRows } from '../../../actors/history/record.ts';
import { begunName } from '../../../actors/history/recorder.ts';
import { writeOf } from '../../../actors/history/rows.ts';
import { allSeries } from '../../../actors/history/series/index.ts';
import { SqliteStore } from '../../../actors/history/sqlite.ts';
import type { RecordRow } from '../../../actors/topics/index.ts';
import { hour, minute } from '../../../config/time.ts';
import { bookRoutes } from '../../../http/routes/books/index.ts';
import { fundingRoutes } from '../../../http/routes/funding/index.ts';
import { marketRoutes } from '../../../http/routes/market.ts';
import { referenceRateRoute } from '../../../http/routes/reference-rate.ts';
import { PricesView } from '../../../http/views/prices.ts';
import { ReferenceRateView } from '../../../http/views/reference-rate.ts';
import { recordReferenceRates } from '../../../http/views/reference-record.ts';
import { FakeClock } from '../../support/clock.ts';
import { call, startServer } from '../../support/http.ts';
import { priceRow } from '../../support/makers.ts';
import { frontQueries, served } from '../../support/queries.ts';
import { contextFor, now, views } from '../../support/route-stage.ts';

/** When the recording began: a full hour, three hours ago. */
const begun = Math.floor(now / hour) * hour - 3 * hour;

async function stage(t: Test, referenceRates = new ReferenceRateView(views.prices)) {
  const clock = new FakeClock(now);
  const store = new SqliteStore(':memory:', allSeries);
  t.teardown(() => store.close());
  const positions = allSeries.map((one) => ({ name: begunName(one), to: String(begun) }));
  await store.write({ writes: [], positions });
  const { answers } = new SeriesAnswers({ series: allSeries, store, clock });
  const record = recordRows({ series: allSeries, store, clock });
  const bus = served({ ...answers, record }, clock);
  const context = { ...contextFor(views), referenceRates, clock };
  const rows = [
    ...[...marketRoutes(context), ...fundingRoutes(context), ...bookRoutes(context)],
    referenceRateRoute(context),
  ];
  const server = await startServer(
    t,
    rows.map((row) => ({ ...row, access: 'open' as const })),
    { clock, queries: frontQueries(bus, clock) },
  );
  const get = async (path: string) => {
    const { status, text } = await call(`${server.url}${path}`);
    return { ...JSON.parse(text), status };
  };
  return { clock, bus, record, store, get };
}

t.test('prices: the minutes, the hours made of them, and a row that was taken over', async (t) => {
  const { record, get } = await stage(t);
  const rowOf = (time: number, price: number): RecordRow => ({
    key: 'spot/BTC',
    time,
    values: { price, turnover: 5 },
  });
  const taken = { ...rowOf(begun + 30 * minute, 99), backfilled: true } as const;
  const rows = [0, 1, 2].map((at) => rowOf(begun + at * minute, 100 + at));
  const reply = await record({ series: 'price', rows: [...rows, taken] });
  t.match(reply, { ok: true });
  const read = async (at: number) => (await get(`/v1/prices?symbol=BTC&at=${at}`)).data;
  const [before, later] = [await read(begun + 2 * minute - 1), await read(begun + 2 * minute)];
  t.match(before.items, [
    { kind: 'spot', average_price: 100, sampled_at: begun + minute, backfilled: false },
  ]);
  t.match(later.items, [{ average_price: 101, sampled_at: begun + 2 * minute }]);
  t.match((await read(begun + 31 * minute)).items, [{ average_price: 99, backfilled: true }]);
  // Four minutes after the last sample nothing stands for the time.
  const gap = await get(`/v1/prices?symbol=BTC&at=${begun + 7 * minute}`);
  t.match(gap, { status: 404, code: 'not_found' });
  t.ok(gap.message.includes(`(${begun})`), gap.message);
});

t.test('settled fundings and open interest of a contract', async (t) => {
  const { record, store, get } = await stage(t);
  const key = 'binance/stable/BTC';
  const values = { rate: 0.0003, hours: 8 };
  await record({ series: 'funding', rows: [{ key, time: begun, values, backfilled: true }] });
  const open = { base: 7, usd: 700 };
  const openInterest = allSeries.find(({ name }) => name === 'open-interest');
  if (openInterest === undefined) throw new Error('no such series');
  const rows = [{ key, time: begun + 5 * minute, values: open }];
  await store.write({ writes: [writeOf(openInterest, rows, { step: 5 * minute, mode: 'put' })] });
  const at = begun + 12 * minute;
  t.match((await get(`/v1/funding-rates?symbol=BTC&at=${at}`)).data.items, [
    { exchange: 'binance', sampled_at: begun, backfilled: true, funding_rate: 0.0003 },
  ]);
  t.match((await get(`/v1/open-interest?symbol=BTC&at=${at}`)).data.items, [
    { sampled_at: begun + 10 * minute, backfilled: false, open_interest_usd: 700 },
  ]);
});

t.test('the liquidity of books', async (t) => {
  const { record, get } = await stage(t);
  const names = ['spread', 'bid_10', 'ask_10', 'bid_500', 'buy_1000', 'sell_1000000'];
  const values = Object.fromEntries(names.map((name, i) => [name, (i + 1) / 8]));
  const rows = ['binance/spot/BTC', 'okx/perpetual/BTC'].map((key) => ({
    key,
    time: begun + hour,
    values,
  }));
  await record({ series: 'liquidity', rows });
  const path = `/v1/liquidity?symbol=btc&at=${begun + hour + 90_000}`;
  const { data } = await get(path);
  t.match(data, { symbol: 'BTC', step_ms: minute, count: 2 });
  t.match(data.items[1], { exchange: 'okx', kind: 'perpetual' });
  t.match(data.items[0], {
    exchange: 'binance',
    kind: 'spot',
    sampled_at: begun + hour + minute,
    spread_percent: 0.125,
    depth: { '0.1': { bid_usd: 0.25, ask_usd: 0.375 }, 5: { bid_usd: 0.5, ask_usd: null } },
  });
  t.strictSame(data.items[0].slippage[0], { usd: 1_000, buy: 0.625, sell: null });
  t.strictSame(data.items[0].slippage[3], { usd: 1_000_000, buy: null, sell: 0.75 });
  t.match((await get(`${path}&kind=spot`)).data, { count: 1, items: [{ exchange: 'binance' }] });
  t.match((await get(`${path}&exchange=okx`)).data, { count: 1, items: [{ exchange: 'okx' }] });
  const early = await get(`/v1/liquidity?symbol=BTC&at=${begun}`);
  t.match(early, { status: 404, message: new RegExp(`${begun}`) });
});

t.test('reference rates are recorded at the end of each minute', async (t) => {
  const prices = new PricesView();
  const view = new ReferenceRateView(prices);
  const { clock, bus, get } = await stage(t, view);
  const at = { part: 'spot', asked: now, received: now };
  for (const [i, source] of ['a', 'b', 'c'].entries()) {
    const row = priceRow({ price: 100 + i, bid: 99 + i, ask: 101 + i });
    prices.accept({ source, ...at, rows: [row] }, now);
    const input = { market: 'BTCUSDT', symbol: 'BTC', volume: 10, variance: 1e-7, through: now };
    view.accept({ source, ...at, rows: [input] });
  }
  const asked: number[] = [];
  const counted = {
    query: (...all: Parameters<typeof bus.query>) => {
      asked.push(clock.now());
      return bus.query(...all);
    },
  };
  const stop = recordReferenceRates(view, { bus: counted, clock });
  const first = Math.floor(now / minute) * minute + minute;
  await clock.advance(first + minute - 500 - clock.now());
  t.strictSame(asked, [], 'a part of a minute is left out');
  // Prices of ten seconds ago: too old a second later.
  const still = { asked: clock.now(), received: clock.now() - 9_600 };
  for (const [i, source] of ['a', 'b', 'c'].entries())
    prices.accept({ source, part: 'spot', ...still, rows: [priceRow({ price: 100 + i })] }, now);
  view.expire(clock.now());
  await clock.advance(500);
  t.strictSame(asked, [first + minute]);
  view.expire(clock.now() + minute - 1_000);
  await clock.advance(minute);
  await clock.advance(minute);
  t.equal(asked.length, 2, 'rates that are not computed any more are not recorded');
  stop();
  await clock.advance(minute);
  t.equal(clock.pending, 0);
  const read = async (time: number) => (await get(`/v1/reference-rate?symbol=BTC&at=${time}`)).data;
  t.match(await read(first + minute), {
    symbol: 'BTC',
    step_ms: minute,
    count: 1,
    items: [{ sampled_at: first + minute, rate: 101, used: 3, backfilled: false }],
  });
  t.match((await read(first + 2 * minute)).items, [
    { sampled_at: first + 2 * minute, rate: null, used: 0 },
  ]);
  const early = await get(`/v1/reference-rate?at=${first - minute}`);
  t.match(early, { status: 404, message: new RegExp(`reference rate of BTC.*${begun}`) });
  t.match(await get(`/v1/reference-rate?symbol=NOSUCH&at=${first}`), { code: 'unknown_symbol' });
});
