/** Loans: each exchange by itself, rates that cannot be true, means. */
import t from 'tap';
import { isRecord } from '../../../actors/read.ts';
import { refusedRates } from '../../../indicators/market/borrow.ts';
import { now } from './fixtures.ts';
import { down, marketStage, type Stage } from './stage.ts';

const minute = 60_000;
const key = 'borrow-rates';
const means = 'borrow-interest-rate';
/** An hourly fraction of 10 % a year. */
const tenth = 0.1 / 8760;

/** Every exchange lends USDT at so many percent a year, in its own unit. */
function open(stage: Stage) {
  const said = { okx: 10, bybit: 10, bitget: 10, gate: 10, bitfinex: 10 };
  const hourly = (percent: number) => percent / 100 / 8760;
  const time = () => stage.clock.now();
  stage.upstreams.set('okx', () => ({
    data: [{ basic: [{ ccy: 'USDT', quota: '5', rate: String(hourly(said.okx) * 24) }] }],
  }));
  stage.upstreams.set('bybit', () => {
    const row = { currency: 'USDT', borrowable: true, maxBorrowingAmount: '7' };
    const list = [{ ...row, hourlyBorrowRate: String(hourly(said.bybit)) }];
    return { time: time() - 7, result: { vipCoinList: [{ list }] } };
  });
  stage.upstreams.set('bitget', ({ query = {} }) => {
    if (query.coin !== 'USDT') return down({ api: 'rest', path: '' });
    const dailyInterest = String(hourly(said.bitget) * 24);
    return { requestTime: time(), data: { dailyInterest, limit: '' } };
  });
  stage.upstreams.set('gate', ({ query = {} }) => {
    if (query.currency !== 'USDT') return { currency: query.currency, rates: [{}].slice(1) };
    const rates = [2, 1].map((age) => ({ time: time() - age, rate: String(hourly(said.gate)) }));
    return { currency: 'USDT', rates };
  });
  stage.upstreams.set('bitfinex', () => {
    const row: (string | number | null)[] = ['fUST', null, ...Array(15).fill(0)];
    row[10] = hourly(said.bitfinex) * 24;
    return [row];
  });
  return said;
}

const ratesOf = (reading: { fields: Readonly<Record<string, unknown>> | null } | undefined) => {
  const rates = reading?.fields?.rates;
  return (Array.isArray(rates) ? rates : []).filter(isRecord);
};
const exchangesOf = async (stage: Stage) =>
  ratesOf(await stage.reading(key)).map(({ exchange }) => exchange);

t.test('five exchanges, and their mean rate', async (t) => {
  const stage = marketStage();
  const said = open(stage);
  Object.assign(said, { okx: 4, bitfinex: 16 });
  stage.upstreams.set('gate', ({ query = {} }) =>
    query.currency === 'USDT'
      ? { currency: 'USDT', rates: [{ time: now - 1, rate: String(tenth) }] }
      : down({ api: '', path: '' }),
  );
  const context = stage.begin();
  t.equal(await context.run(key), null);
  const reading = await stage.reading(key);
  t.match(reading, {
    fields: { count: 5, refused: [] },
    source: ['okx', 'bybit', 'bitget', 'gate', 'bitfinex'],
    stale_after: 30 * minute,
    updated_at: now,
    received_at: now,
    live: { timestamp: now, provisional: true },
  });
  t.match(ratesOf(reading)[0], { exchange: 'okx', asset: 'USDT', borrow_limit: 5 });
  t.ok(Math.abs(Number(ratesOf(reading)[0]?.annual_rate_pct) - 4) < 1e-9);
  t.equal(ratesOf(reading)[3]?.updated_at, now - 1, "Gate's own time");
  const mean = await stage.reading(means);
  t.same(
    mean?.inputs?.map(({ of, name, value }) => [of, name, Math.round(value)]),
    [4, 10, 10, 10, 16].map((rate, at) => ['USDT', reading?.source[at], rate]),
  );
  t.ok(Math.abs(Number(mean?.fields?.average_annual_rate_pct) - 10) < 1e-9);
  t.match(mean?.fields?.assets, [
    { asset: 'USDT', exchange_count: 5, min: { exchange: 'okx' }, max: { exchange: 'bitfinex' } },
  ]);
  const chart = await stage.chart(means);
  t.equal(chart?.recorded_from, now);
  t.match(chart?.rows[0], { timestamp: now, usdc: null, btc: null, eth: null });
  t.ok(Math.abs(Number(chart?.rows[0]?.usdt) - 10) < 1e-9);
  t.ok(Math.abs(Number((await stage.chart(key))?.rows[0]?.bitfinex) - 16) < 1e-9);
});

t.test('the charts of each asset and exchange, after a restart too', async (t) => {
  const stage = marketStage();
  open(stage);
  const rates = { USDT: 10, USDC: 20, BTC: 30, ETH: 40, SOL: 50 };
  const basic = Object.entries(rates).map(([ccy, percent]) => ({
    ccy,
    quota: '5',
    rate: String((percent / 100 / 8760) * 24),
  }));
  stage.upstreams.set('okx', () => ({ data: [{ basic }] }));
  await stage.begin().run(key);
  await stage.clock.advance(10 * minute);
  await stage.begin().run(key);
  const rounded = async (name: string) =>
    (await stage.chart(name))?.rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([column, value]) => [column, Math.round(Number(value))]),
      ),
    );
  t.same(await rounded(means), [{ timestamp: now, usdt: 10, usdc: 20, btc: 30, eth: 40 }]);
  t.same(await rounded(key), [
    { timestamp: now, okx: 10, bybit: 10, bitget: 10, gate: 10, bitfinex: 10 },
  ]);
});

t.test('an exchange that is down loses only itself, after two hours', async (t) => {
  const stage = marketStage();
  open(stage);
  await stage.begin().run(key);
  const before = ratesOf(await stage.reading(key));
  t.equal(before.length, 5);
  t.equal(await stage.begin().waits(key), 10 * minute);
  stage.upstreams.set('bybit', down);
  await stage.clock.advance(10 * minute);
  const next = stage.begin();
  t.ok((await next.waits(key)) <= 0);
  t.equal(await next.run(key), null);
  const kept = ratesOf(await stage.reading(key))[1];
  t.match(kept, { exchange: 'bybit', updated_at: now - 7, borrow_limit: 7 });
  t.strictSame(kept, before[1], 'over a restart too');
  t.equal(stage.statuses.get('borrow-rates/bybit')?.state, 'failing');
  await stage.clock.advance(110 * minute);
  t.equal(await next.run(key), null);
  t.equal((await exchangesOf(stage)).length, 5, 'two hours old');
  await stage.clock.advance(1);
  t.equal(await next.run(key), null);
  t.same(await exchangesOf(stage), ['okx', 'bitget', 'gate', 'bitfinex']);
  t.match((await stage.reading(means))?.fields?.assets, [{ exchange_count: 4 }]);
  for (const id of ['okx', 'bitget', 'gate', 'bitfinex']) stage.upstreams.set(id, down);
  const last = await stage.reading(key);
  await stage.clock.advance(10 * minute);
  t.match(await next.run(key), { code: 'unavailable' });
  t.same(await stage.reading(key), last, 'the last value stays');
});

t.test('lies', async (t) => {
  const stage = marketStage();
  const said = open(stage);
  const context = stage.begin();
  said.gate = 300;
  t.equal(await context.run(key), null);
  t.notOk((await exchangesOf(stage)).includes('gate'), '300 % where all others ask 10');
  t.match((await stage.reading(key))?.fields?.refused, [{ exchange: 'gate', asset: 'USDT' }]);
  t.match((await stage.reading(means))?.fields?.assets, [{ exchange_count: 4 }]);
  said.gate = 10;
  for (const percent of [-10, 100_000]) {
    said.okx = percent;
    await stage.clock.advance(130 * minute);
    await context.run(key);
    t.notOk((await exchangesOf(stage)).includes('okx'));
  }
});

t.test('a rate is refused only where all others are far below', async (t) => {
  const rate = (exchange: string, percent: number, asset = 'USDT') => ({
    exchange,
    asset,
    hourly_rate: percent / 100 / 8760,
    borrow_limit: null,
    stated: null,
    received: now,
  });
  const refused = (...rates: ReturnType<typeof rate>[]) =>
    [...refusedRates(rates)].map(({ exchange }) => exchange);
  t.same(refused(rate('gate', 201), rate('okx', 49), rate('bybit', 1)), ['gate']);
  t.same(refused(rate('gate', 201), rate('okx', 51), rate('bybit', 1)), []);
  t.same(refused(rate('gate', 199), rate('okx', 49)), []);
  t.same(refused(rate('gate', 201), rate('okx', 1, 'BTC')), [], 'no other rate to compare with');
});
