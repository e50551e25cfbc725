/** The recorded state at a time: the newest sample that was taken by then, and what is said where there is none. */
import t, { type Test } from 'tap';
import { failed } from '../../../actors/failure.ts';
import type { RecordedParams, RecordedRows } from '../../../actors/topics/index.ts';
import { intervals } from '../../../actors/topics/index.ts';
import { day, hour, minute } from '../../../config/time.ts';
import { fundingRoutes } from '../../../http/routes/funding/index.ts';
import { marketRoutes } from '../../../http/routes/market.ts';
import { FakeClock } from '../../support/clock.ts';
import { call, startServer } from '../../support/http.ts';
import { fresh, frontQueries, queryBus } from '../../support/queries.ts';
import { contextFor, now, views } from '../../support/route-stage.ts';

/** When the recording began: a full hour. */
const begun = Math.floor((now - 3 * day) / hour) * hour;

/**
 * What a history process replies that samples since then: each row has the number of its step since the start. Of the first two hours
 * there are no minutes: they were filled in by hours.
 */
function rowsOf({ series, keys, step, from = 0, to = 0, limit }: RecordedParams): RecordedRows[] {
  const length = intervals[step];
  // Settlements are every eight hours.
  const each = series === 'funding' ? 8 * hour : length;
  const times: number[] = [];
  const first = step === '1m' ? begun + 2 * hour : begun;
  for (let time = first; time <= to; time += each) if (time >= from) times.push(time);
  const shown = times.slice(-limit);
  const numbers = shown.map((time) => (time - begun) / each);
  const hours = shown.map(() => 8);
  return keys.map((key) => ({
    key,
    times: key.endsWith('NONE') ? [] : shown,
    columns: {
      price: numbers,
      turnover: numbers.map(() => null),
      usd: numbers,
      base: numbers,
      rate: numbers.map((i) => i / 1e4),
      hours,
    },
    coverage: { from, to, expected: 1, present: 1, complete: true, backfilled: false },
    recorded_from: begun,
  }));
}

async function stage(t: Test) {
  const clock = new FakeClock(now);
  const asked: RecordedParams[] = [];
  const bus = queryBus(({ name, params }) => {
    if (name !== 'series') return failed('timeout', name);
    const wanted = params as RecordedParams;
    asked.push(wanted);
    const { series, step } = wanted;
    return fresh({ series, step: intervals[step], rows: rowsOf(wanted) }, clock);
  });
  const context = { ...contextFor(views), clock };
  const rows = [...marketRoutes(context), ...fundingRoutes(context)];
  const server = await startServer(
    t,
    rows.map((row) => ({ ...row, access: 'open' as const })),
    { clock, queries: frontQueries(bus, clock) },
  );
  const get = async (path: string) => {
    const { status, text } = await call(`${server.url}${path}`);
    return { ...JSON.parse(text), status };
  };
  return { get, asked };
}

t.test('the sample that was there at the time, with its own time', async (t) => {
  const { get, asked } = await stage(t);
  // The minute that began an hour after the start was sampled at its end, 60 seconds later.
  for (const [later, step] of [
    [0, 60],
    [59_999, 60],
    [60_000, 61],
  ] as const) {
    const { status, data } = await get(
      `/v1/prices?symbol=btc-usdt&at=${begun + 2 * day + hour + minute + later}`,
    );
    const sampled_at = begun + 2 * day + (step + 1) * minute;
    t.equal(status, 200);
    t.match(data, {
      symbol: 'BTC',
      step_ms: minute,
      count: 2,
      items: [
        { kind: 'spot', sampled_at, average_price: 2 * 24 * 60 + step, volume_24h_usd: null },
        { kind: 'perpetual', sampled_at },
      ],
    });
    t.ok(sampled_at <= data.at && data.at - sampled_at < minute);
  }
  t.match(asked[0], { series: 'price', keys: ['spot/BTC', 'perpetual/BTC'], step: '1m' });
  const old = await get(`/v1/prices?symbol=BTC&at=${begun + 90 * minute}`);
  t.match(old.data, { step_ms: hour, items: [{ sampled_at: begun + hour, average_price: 0 }, {}] });
});

t.test('open interest by contract, and the last settled funding', async (t) => {
  const { get } = await stage(t);
  const at = begun + 10 * hour;
  const open = await get(`/v1/open-interest?symbol=BTC&at=${at}`);
  t.match(open.data, { symbol: 'BTC', at, step_ms: 5 * minute });
  t.match(open.data.items[0], { sampled_at: at, open_interest_usd: 119, open_interest_base: 119 });
  t.ok(open.data.items.some(({ exchange }: { exchange: string }) => exchange === 'binance'));
  const rates = await get(`/v1/funding-rates?symbol=BTC&at=${at}`);
  t.match(rates.data.items[0], {
    sampled_at: begun + 8 * hour,
    funding_rate: 0.0001,
    interval_hours: 8,
  });
});

t.test('before the records, in the future, and what cannot be asked', async (t) => {
  const { get } = await stage(t);
  const early = await get(`/v1/prices?symbol=BTC&at=${begun - 1}`);
  t.match(early, { status: 404, code: 'not_found' });
  t.ok(early.message.includes(`${begun}`), early.message);
  t.ok(early.message.includes(new Date(begun).toISOString()), early.message);
  const unknown = await get(`/v1/prices?symbol=NONE&at=${now - hour}`);
  t.match(unknown, { status: 404, code: 'unknown_symbol', message: /NONE/ });
  for (const [query, message] of [
    [`symbol=BTC&at=${now + 1}`, /at must not be in the future/],
    ['symbol=BTC&at=1790000000', /at must be/],
    [`at=${now}`, /give symbol/],
    [`symbols=BTC,ETH&at=${now}`, /give symbol/],
  ] as const)
    t.match(await get(`/v1/prices?${query}`), { status: 400, message });
  t.match((await get('/v1/prices?symbol=BTC')).data, { symbol: 'BTC', exchanges: {} });
});
