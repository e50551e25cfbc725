/** The datafeed protocol, asked as the open client asks it, over the simulated exchange. */
import t from 'tap';
import { success } from '../../../../actors/failure.ts';
import type { Liquidation, RecordedParams } from '../../../../actors/topics/index.ts';
import {
  instrument,
  liquidation,
  liquidations,
  priceRow,
  reading,
} from '../../../support/makers.ts';
import { binanceStage } from './stage.ts';
import { UdfClient } from './udf-client.ts';

/** The rows of a recorded series, as the store gives them: the newest `limit` steps until `to`. */
const day = Date.UTC(2026, 0, 15);
const oneDay = 86_400_000;
const columnsOf: Readonly<Record<string, (at: number) => Record<string, number>>> = {
  'open-interest': (at) => ({ usd: 1_000_000 + at, base: 10 }),
  funding: () => ({ rate: 0.0001, hours: 8 }),
  // The difference is 10 in each hour.
  'taker-flow': (at) => ({ buy_usd: 30 + at, sell_usd: 20 + at, minutes: 60 }),
  'reference-fixings': (at) => ({ rate: 100_000 + at }),
};
const asked: RecordedParams[] = [];
const series = async (params: RecordedParams) => {
  asked.push(params);
  const { series, keys, limit, to = day + 12 * 3_600_000 } = params;
  const steps = Array.from({ length: limit }, (_, at) => to - (limit - 1 - at) * 3_600_000);
  // The recording of ETH stopped two days ago.
  const times = keys[0]?.endsWith('ETH') ? steps.filter((time) => time < day - 2 * oneDay) : steps;
  const values = times.map((time) => columnsOf[series]?.((time - day) / 3_600_000) ?? {});
  const names = Object.keys(values[0] ?? {});
  const columns = Object.fromEntries(
    names.map((name) => [name, values.map((one) => one[name] ?? null)]),
  );
  const coverage = {
    from: 0,
    to,
    expected: limit,
    present: limit,
    complete: true,
    backfilled: false,
  };
  const rows = [{ key: keys[0] ?? '', times, columns, coverage, recorded_from: 0 }];
  return success({ value: { series, step: 3_600_000, rows }, received: to, until: to });
};
const stage = await binanceStage(t, { series, referenceRateOf: ['BTC'] });
const client = new UdfClient(`${stage.url}/udf`);
const now = stage.clock.now() / 1_000;
const hour = 3_600;
const swap = 'binance:BTCUSDT:perpetual';

/** A body of the exchange itself. */
const bodyAt = async (url: string) => JSON.parse(await (await fetch(url)).text());

/** The candles of the exchange itself, oldest first: `[open time, open, high, low, close, volume]` in numbers. */
const klines = async (query: string) => {
  const url = `${stage.exchange}/fapi.binance.com/fapi/v1/klines?symbol=BTCUSDT&${query}`;
  const rows: string[][] = await bodyAt(url);
  return rows.map((row) => row.slice(0, 6).map(Number));
};
const columns = (bars: Awaited<ReturnType<UdfClient['bars']>>['bars']) =>
  bars.map(({ time, open, high, low, close, volume }) => [time, open, high, low, close, volume]);

t.test('config and time', async (t) => {
  const config = await client.read('config');
  t.match(config, {
    supports_search: true,
    supports_group_request: false,
    supports_marks: true,
    supports_timescale_marks: false,
    supports_time: true,
  });
  t.strictSame(
    config.supported_resolutions,
    '1 3 5 15 30 60 120 240 360 480 720 1D 3D 1W 1M'.split(' '),
  );
  t.strictSame(config.exchanges[1], { value: 'binance', name: 'Binance', desc: 'Binance' });
  t.equal(await client.read('time'), now);
});

t.test('a symbol by its ticker, as EXCHANGE:NAME, and by its name', async (t) => {
  const found = await client.resolve(swap);
  t.match(found, {
    name: 'BTCUSDT',
    ticker: swap,
    type: 'perpetual',
    session: '24x7',
    timezone: 'Etc/UTC',
    minmov: 1,
    fractional: false,
    has_intraday: true,
    has_daily: true,
    has_weekly_and_monthly: true,
    visible_plots_set: 'ohlcv',
    currency_code: 'USDT',
  });
  t.strictSame(await client.resolve('BINANCE:BTCUSDT:PERPETUAL'), found, 'in any case');
  t.match(await client.resolve('BINANCE:BTCUSDT'), { ticker: 'binance:BTCUSDT:spot' });
  t.match(await client.resolve('ETHUSDT'), { ticker: 'binance:ETHUSDT:spot' });
  await t.rejects(client.resolve('binance:NOSUCH'), /unknown symbol 'NOSUCH'/);
  await t.rejects(client.resolve('reference:NOSUCH'), /no reference rate of 'NOSUCH'/);
});

t.test('the scale of prices is that of the steps of the exchange', async (t) => {
  const info = await bodyAt(`${stage.exchange}/fapi.binance.com/fapi/v1/exchangeInfo`);
  const byId = new Map<string, { filters: { tickSize: string }[] }>(
    info.symbols.map((row: { symbol: string }) => [row.symbol, row]),
  );
  for (const [id, factor] of [
    ['BTCUSDT', 1],
    ['1000PEPEUSDT', 1_000],
  ] as const) {
    const step = Number(byId.get(id)?.filters[0]?.tickSize) / factor;
    const { pricescale } = await client.resolve(`binance:${id}:perpetual`);
    t.ok(Math.abs(pricescale * step - Math.round(pricescale * step)) < 1e-9, `${id} ${pricescale}`);
    t.ok(Math.round(pricescale * step) < 10, 'and no finer');
  }
});

t.test('search: the nearest first, by exchange and type', async (t) => {
  const found = await client.search('btcusdt');
  t.strictSame(
    found.slice(0, 2).map((one: { ticker: string }) => one.ticker),
    ['binance:BTCUSDT:spot', swap],
  );
  t.equal(found[0].full_name, found[0].ticker);
  const series = await client.search('btc', 'binance', 'series');
  t.strictSame(
    series
      .slice(0, 3)
      .map((one: { ticker: string }) => one.ticker)
      .sort(),
    ['binance:BTC:cvd', 'binance:BTC:funding', 'binance:BTC:open_interest'],
  );
  t.strictSame(await client.search('nosuchthing'), []);
  for (const { ticker } of found) t.equal((await client.resolve(ticker)).ticker, ticker);
});

t.test('countback: so many bars before the end, whatever the start is', async (t) => {
  for (const to of [now, now - 50 * hour, now - 50 * hour + 1]) {
    const { bars } = await client.bars(swap, '60', { from: to - hour, to, countback: 7 });
    const expected = await klines(`interval=1h&limit=7&endTime=${to * 1_000 - 1}`);
    t.strictSame(columns(bars), expected, `until ${to}`);
  }
});

t.test('without it: from the start on, the end not included', async (t) => {
  const [from, to] = [now - 10 * hour, now - 5 * hour];
  const { bars } = await client.bars(swap, '60', { from, to });
  t.strictSame(
    bars.map(({ time }) => time / 1_000),
    [0, 1, 2, 3, 4].map((at) => from + at * hour),
  );
  const daily = await client.bars(swap, '1D', { from: now - 5 * 86_400, to: now });
  t.ok(
    daily.bars.every(({ time }) => time % 86_400_000 === 0),
    'days begin at 00:00 UTC',
  );
});

t.test('the poll gets the bar that runs and the one before', async (t) => {
  const { bars } = await client.poll(swap, '5', { now: now + 1, seconds: 300 });
  t.strictSame(columns(bars), await klines('interval=5m&limit=2'));
});

t.test('no bars: the newest time before, and none where the history has ended', async (t) => {
  const ahead = await client.bars(swap, '60', { from: now + 5 * hour, to: now + 9 * hour });
  t.strictSame(ahead, { bars: [], noData: true, nextTime: now });
  // Before 1970, as libraries ask where a chart is scrolled far back.
  const all = await client.bars(swap, '1M', { from: -2_208_988_800, to: now });
  t.ok(all.bars.length > 1);
  const ended = await client.bars(swap, '1D', { from: 946_684_800, to: 946_771_200, countback: 3 });
  t.strictSame(ended, { bars: [], noData: true, nextTime: undefined });
});

t.test('errors are bodies of their own', async (t) => {
  const history = { resolution: '60', from: now - hour, to: now };
  t.match(await client.read('history', { ...history, symbol: 'binance:NOSUCH' }), { s: 'error' });
  const bad = await client.read('history', { ...history, symbol: swap, resolution: '7' });
  t.match(bad, { s: 'error', errmsg: /^resolution must be one of / });
  t.match(await client.read('history', { symbol: swap }), { s: 'error', errmsg: /required/ });
  t.match(await client.read('nothing'), { s: 'error', errmsg: String });
});

t.test('quotes as the ticker of the exchange', async (t) => {
  const symbols = `${swap},binance:NOSUCH`;
  const { s, d } = await client.read('quotes', { symbols });
  t.equal(s, 'ok');
  const url = `${stage.exchange}/fapi.binance.com/fapi/v1/ticker/24hr?symbol=BTCUSDT`;
  const ticker = await bodyAt(url);
  const { lp, high_price, low_price, volume, open_price } = d[0].v;
  t.strictSame(
    [lp, high_price, low_price, volume],
    ['lastPrice', 'highPrice', 'lowPrice', 'volume'].map((name) => Number(ticker[name])),
  );
  t.ok(Math.abs(open_price / Number(ticker.openPrice) - 1) < 1e-9);
  t.strictSame(d[1], { s: 'error', n: 'binance:NOSUCH', v: {} });
});

t.test('a symbol that is listed after it was asked for has its quote', async (t) => {
  const symbols = 'binance:LATEUSDT:spot';
  const read = async () => (await client.read('quotes', { symbols })).d[0].s;
  t.equal(await read(), 'error');
  const named = { market: 'LATEUSDT', symbol: 'LATE', quote: 'USDT' };
  const at = { source: 'binance', part: 'late', received: stage.clock.now() };
  stage.views.instruments.accept(reading([instrument({ ...named, kind: 'spot' })], at));
  stage.views.prices.accept(reading([priceRow(named)], at), at.received);
  t.equal(await read(), 'ok');
});

t.test('recorded series have closes alone', async (t) => {
  const range = { from: now - 3 * hour, to: now + 1, countback: 3 };
  const closes = async (ticker: string) => {
    const body = await client.read('history', { symbol: ticker, resolution: '60', ...range });
    t.strictSame(Object.keys(body), ['s', 't', 'c'], ticker);
    t.strictSame(body.t, [now - 2 * hour, now - hour, now]);
    return body.c;
  };
  t.strictSame(await closes('binance:BTC:open_interest'), [1_000_010, 1_000_011, 1_000_012]);
  t.strictSame(await closes('binance:BTC:funding'), [0.01, 0.01, 0.01], 'percent');
  // The eleventh, twelfth and thirteenth hour of the day, at 10 each.
  t.strictSame(await closes('binance:BTC:cvd'), [110, 120, 130]);
  t.strictSame(await closes('reference:BTC'), [100_010, 100_011, 100_012]);
  t.strictSame(
    asked.map(({ series, keys }) => [series, ...keys]),
    [
      ['open-interest', 'binance/stable/BTC'],
      ['funding', 'binance/stable/BTC'],
      ['taker-flow', 'binance/perpetual/BTC'],
      ['reference-fixings', 'BTC'],
    ],
  );
  const info = await client.resolve('binance:BTC:funding');
  t.match(info, { type: 'series', visible_plots_set: 'c', currency_code: '%' });
  const resolutions = '60 120 240 360 480 720 1D 3D'.split(' ');
  t.strictSame(
    info.supported_resolutions,
    resolutions,
    'not shorter than it is recorded, and no weeks and months, which begin at other times than steps',
  );
  const short = { symbol: 'binance:BTC:funding', resolution: '5', ...range };
  t.match(await client.read('history', short), { s: 'error', errmsg: /must be one of 60, / });
});

t.test('a gap in a recording does not end it', async (t) => {
  const eth = { symbol: 'binance:ETH:open_interest', resolution: '60' };
  const last = day / 1_000 - 2 * 86_400;
  const back = await client.read('history', { ...eth, from: now - hour, to: now, countback: 3 });
  t.strictSame(back.t, [last - 3 * hour, last - 2 * hour, last - hour], 'as many as are wanted');
  const inside = await client.read('history', { ...eth, from: now - 5 * hour, to: now });
  t.strictSame(inside, { s: 'no_data', nextTime: last - hour });
});

t.test('search and resolve read every way to write a name alike', async (t) => {
  const [pair, contract] = ['binance:ETHUSDT:spot', 'binance:ETHUSDT:perpetual'];
  for (const [ticker, ...names] of [
    [
      pair,
      'ETHUSDT',
      'ethusdt',
      'ETH/USDT',
      'eth-usdt',
      'ETH_USDT',
      'ETH USDT',
      'binance:ETH/USDT',
    ],
    [pair, 'BINANCE:ethusdt', 'Binance:ETHUSDT:Spot', 'ETH'],
    [contract, 'ETH/USDT:USDT', 'eth/usdt:usdt', 'binance:ETH/USDT:USDT', 'ETH-USDT-SWAP'],
    [
      contract,
      'BINANCE:ETHUSDT.P',
      'ETHUSDT_PERP',
      'binance:ETHUSDT:perpetual',
      'ETH/USDT:perpetual',
    ],
    ['binance:1000PEPEUSDT:perpetual', '1000pepeusdt', 'PEPE/USDT:USDT', 'binance:1000PEPEUSDT'],
    ['binance:ETH:funding', 'binance:eth:FUNDING', 'ETH/USDT:USDT:funding'],
    ['reference:BTC', 'reference:btc', 'REFERENCE:BTC'],
  ] as const)
    for (const name of names) {
      t.equal((await client.resolve(name)).ticker, ticker, `symbols ${name}`);
      t.equal((await client.search(name))[0]?.ticker, ticker, `search ${name}`);
      if (ticker.startsWith('binance:ETHUSDT')) {
        const { d } = await client.read('quotes', { symbols: name });
        t.match(d, [{ s: 'ok', n: name, v: { description: ticker } }], `quotes ${name}`);
      }
    }
  const rates = await client.search('btc', 'reference');
  t.strictSame(
    rates.map((one: { ticker: string }) => one.ticker),
    ['reference:BTC'],
  );
});

t.test('liquidations as marks: one a bar and side, of this market alone', async (t) => {
  const at = stage.clock.now() - 30 * 60_000;
  const of = (more: Partial<Liquidation>) =>
    liquidation({ contract: 'BTCUSDT', timestamp: at, side: 'long', value_usd: 1_000, ...more });
  stage.views.liquidations.accept(
    liquidations({
      source: 'binance',
      part: 'linear',
      at: stage.clock.now(),
      since: at,
      events: [
        of({ id: '1' }),
        of({ id: '2', timestamp: at + 60_000, value_usd: 234 }),
        of({ id: '3', side: 'short' }),
        of({ id: '4', contract: 'BTCUSDC' }),
        of({ id: '5', timestamp: at + 20 * 60_000 }),
      ],
    }),
  );
  const range = { symbol: swap, resolution: '5', from: at / 1_000 - 300, to: at / 1_000 + 600 };
  t.match(await client.read('marks', range), {
    time: [at / 1_000, at / 1_000],
    color: ['red', 'green'],
    text: [
      'Longs closed by force: $1,234 in 2 orders',
      'Shorts closed by force: $1,000 in 1 order',
    ],
    label: ['L', 'S'],
  });
});
