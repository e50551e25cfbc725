/** One table of candles and recorded series: order, cells, pages, and what an exchange does not have. */
import t from 'tap';
import { failed, success } from '../../../../actors/failure.ts';
import { JsonText } from '../../../../http/answers/json-text.ts';
import type { AskQuestion } from '../../../../http/answers/tables/file.ts';
import { rowsRoutes } from '../../../../http/routes/rows/index.ts';
import { isApiError } from '../../../../http/wire/errors.ts';
import { FakeClock } from '../../../support/clock.ts';
import { type GivenRows, perpetualsOf, seriesReply } from '../../../support/http-makers.ts';
import { instrument, listedMarkets } from '../../../support/market-names.ts';
import { fresh, frontQueries, queryBus } from '../../../support/queries.ts';
import { contextFor, views } from '../../../support/route-stage.ts';
import { type Replies, rowReader } from '../../../support/row-reader.ts';

const hour = 3_600_000;
/** An hour that began ten minutes ago. */
const last = Date.UTC(2026, 0, 2, 12);
const now = last + 600_000;
const [before, start] = [last - hour, last - 2 * hour];

const { markets } = listedMarkets({
  binance: [
    instrument('BTCUSDT', 'perpetual'),
    { ...instrument('ETHUSDT', 'perpetual'), symbol: 'ETH' },
  ],
  okx: [instrument('BTC-USDT-SWAP', 'perpetual')],
});
const perpetuals = perpetualsOf([
  { source: 'binance', market: 'BTCUSDT' },
  { source: 'okx', market: 'BTC-USDT-SWAP', inverse: true },
]);
const registry = contextFor(views).registry.filter(({ id }) => ['binance', 'okx'].includes(id));

const candle = (timestamp: number, unit: number) => ({
  timestamp,
  open: unit,
  high: unit + 3,
  low: unit - 1,
  close: unit + 2,
  volume: unit / 10,
  turnover: unit * 100,
  closed: timestamp < last,
});

/** The candles of each market by its id, and the recorded rows of each series by key. */
interface Given {
  candles?: Readonly<Record<string, { quote?: string; candles: readonly object[] }>>;
  series?: Readonly<Record<string, Readonly<Record<string, GivenRows>>>>;
}

function stage({ candles = {}, series = {} }: Given, { stale = false } = {}) {
  const asked: { source: string; name: string; params: Record<string, unknown> }[] = [];
  const reply: Replies = ({ source, name, params }) => {
    const given = Object(params);
    asked.push({ source, name, params: given });
    if (name === 'series') {
      const rows = series[given.series];
      return rows ? seriesReply(given.series, hour, given.keys, rows) : null;
    }
    const found = candles[given.market];
    return found ? { market: given.market, kind: 'perpetual', quote: 'USDT', ...found } : null;
  };
  const clock = new FakeClock(now);
  const context = {
    ...contextFor(views),
    markets,
    perpetuals,
    registry,
    clock,
    candleIntervals: new Map([
      ['binance', ['1h', '4h'] as const],
      ['okx', ['1h'] as const],
    ]),
  };
  const rows = rowsRoutes(context);
  /** The rows of a file, and what is wrong with it, by the parameters of a request. */
  async function file(given: Readonly<Record<string, string | number>>) {
    const checked = rows[0]?.file?.({ interval: '1h', kind: 'perpetual', ...given });
    if (!checked || isApiError(checked)) return { checked, parts: [] };
    const bus = queryBus((query) => {
      const value = reply(query);
      const found = value ? fresh(value, clock) : failed('timeout', 'no answer');
      return found.ok && stale ? success({ ...found.value, stale }) : found;
    });
    const queries = frontQueries(bus, clock);
    const parts: unknown[] = [];
    const ask: AskQuestion = async (question) => {
      const found = await queries.once(question, '');
      if (found instanceof JsonText) throw new Error('text');
      return found;
    };
    for await (const one of checked.parts(ask)) parts.push(...(Array.isArray(one) ? one : [one]));
    return { checked, parts };
  }
  return { asked, file, read: rowReader(rows, { reply, clock }) };
}

const both = {
  candles: {
    BTCUSDT: { candles: [candle(start, 50), candle(before, 60), candle(last, 70)] },
    'BTC-USDT-SWAP': { quote: 'USD', candles: [candle(before, 61)] },
  },
  series: {
    funding: {
      'binance/stable/BTC': { times: [before], columns: { rate: [0.0001], hours: [8] } },
      'okx/coin/BTC': { times: [start], columns: { rate: [-0.0002], hours: [8] } },
    },
    'open-interest': {
      'binance/stable/BTC': { times: [before, last], columns: { usd: [900, 950], base: [9, 9.5] } },
    },
  },
};

t.test('cells are in the order of the columns, rows by time and then by market', async (t) => {
  const { read, asked } = stage(both);
  const data = await read(
    '/v1/rows?columns=close,volume_usd,funding_rate,open_interest_usd&exchanges=binance,okx&limit=7',
  );
  t.strictSame(data.columns, [
    ...['timestamp', 'exchange', 'symbol'],
    ...['close', 'volume_usd', 'funding_rate', 'open_interest_usd'],
  ]);
  t.strictSame(data.rows, [
    [start, 'binance', 'BTC', 52, 5_000, null, null],
    [start, 'okx', 'BTC', null, null, -0.0002, null],
    [before, 'binance', 'BTC', 62, 6_000, 0.0001, 900],
    [before, 'okx', 'BTC', 63, 6_100, null, null],
    [last, 'binance', 'BTC', 72, 7_000, null, 950],
  ]);
  t.match(data, { count: 5, next: null, missing: [], interval: '1h', kind: 'perpetual' });
  const series = asked.filter(({ name }) => name === 'series').map(({ params }) => params.keys);
  t.strictSame(series, [
    ['binance/stable/BTC', 'okx/coin/BTC'],
    ['binance/stable/BTC', 'okx/coin/BTC'],
  ]);
  const ranges = asked.map(({ params }) => [params.limit, params.from ?? null, params.to ?? null]);
  t.ok(
    ranges.every((one) => one.join() === '3,,'),
    'the newest rows are asked without times',
  );
});

t.test('a market that is not quoted in dollars has no turnover in dollars', async (t) => {
  const { read } = stage({ candles: { BTCUSDT: { quote: 'EUR', candles: [candle(last, 70)] } } });
  const { rows } = await read('/v1/rows?columns=volume,volume_usd,open,high,low');
  t.strictSame(rows, [[last, 'binance', 'BTC', 7, null, 70, 73, 69]]);
});

t.test('pages have whole intervals and follow each other', async (t) => {
  const candles = { BTCUSDT: { candles: [start, before, last].map((time) => candle(time, 50)) } };
  const { read, asked } = stage({ candles });
  const path = `/v1/rows?columns=close&limit=2&from=${start - hour + 1}`;
  const first = await read(path);
  t.strictSame(
    first.rows.map(([time]: number[]) => time),
    [start, before],
  );
  t.equal(first.next, String(last));
  const second = await read(`${path}&cursor=${first.next}`);
  t.strictSame(
    second.rows.map(([time]: number[]) => time),
    [last],
  );
  t.equal(second.next, null);
  t.match(asked[0]?.params, { from: start, to: before, limit: 2 });
  t.match(asked[1]?.params, { from: last, to: last });
  t.match(await read(`${path}&cursor=abc`), { error: 'bad_parameter', message: /^cursor/ });
});

t.test('a file has the rows of all pages', async (t) => {
  const { read, file, asked } = stage(both);
  const given = { columns: 'close,funding_rate', symbols: 'BTC', exchanges: 'binance,okx' };
  const from = start - 2_500 * hour;
  const whole = await file({ ...given, from });
  const { rows } = await read(`/v1/rows?${new URLSearchParams(given)}&from=${start}&limit=6`);
  t.strictSame(whole.parts, rows);
  t.match(whole.checked, { pages: 3, name: 'rows-1h' }, '2,503 intervals, 1,000 a page');
  const begins = asked.flatMap(({ name, params }) => (name === 'series' ? [params.from] : []));
  t.strictSame(
    begins.slice(0, 3),
    [0, 1, 2].map((page) => from + page * 1_000 * hour),
  );
  t.match(whole.checked, {
    columns: [
      { name: 'timestamp', type: 'ms' },
      { name: 'exchange', type: 'text' },
      { name: 'symbol', type: 'text' },
      { name: 'close', type: 'number' },
      { name: 'funding_rate', type: 'number' },
    ],
  });
  const newest = await file({ ...given, limit: 7 });
  t.match(newest, { checked: { pages: 1 }, parts: rows }, 'without from the newest page');
});

t.test('a file is whole or none', async (t) => {
  const { file } = stage({ candles: both.candles });
  const given = { columns: 'close,funding_rate', symbols: 'BTC', exchanges: 'binance' };
  t.match((await file(given)).parts, [{ error: 'store_unavailable' }], 'no reply of the history');
  t.match((await file({ ...given, symbols: 'NOPE' })).checked, { error: 'unknown_symbol' });
  t.match((await file({ ...given, columns: 'nope' })).checked, { error: 'bad_parameter' });
  const old = stage(both, { stale: true });
  t.match((await old.file(given)).parts, [{ error: 'upstream_failed' }], 'rows of before');
});

t.test('what is not there is named, and the rest is answered', async (t) => {
  const { read } = stage(both);
  const path = '/v1/rows?columns=close,long_short_ratio&symbols=BTC,ETH&exchanges=binance,okx';
  const data = await read(`${path}&interval=4h`);
  const named = data.missing.map((one: Record<string, string>) => [
    ...[one.exchange, one.symbol, one.column],
  ]);
  t.strictSame(named, [
    ['okx', 'ETH', null],
    ['okx', null, 'close'],
    ['okx', null, 'long_short_ratio'],
    // The store gave no answer, and the simulated Binance none about ETHUSDT.
    ['binance', 'BTC', 'long_short_ratio'],
    ['binance', 'ETH', 'close'],
    ['binance', 'ETH', 'long_short_ratio'],
  ]);
  t.equal(data.rows.length, 3);
});

t.test('takers of exchanges whose trades are heard by stream', async (t) => {
  const columns = { buy_usd: [7], sell_usd: [8], minutes: [60] };
  const series = { 'taker-flow': { 'okx/perpetual/BTC': { times: [before], columns } } };
  const { read } = stage({ series });
  const data = await read('/v1/rows?columns=taker_buy_usd,taker_sell_usd&exchanges=okx&limit=2');
  t.strictSame([data.rows, data.missing], [[[before, 'okx', 'BTC', 7, 8]], []]);
});

t.test('a symbol that no exchange lists is missing beside those that are listed', async (t) => {
  const { read } = stage(both);
  const data = await read('/v1/rows?columns=close&symbols=BTC,NOSUCH&limit=1');
  t.strictSame(data.rows, [[last, 'binance', 'BTC', 72]]);
  t.match(data.missing, [
    { exchange: 'binance', symbol: 'NOSUCH', column: null, reason: /NOSUCH/ },
  ]);
});

t.test('bad requests name the parameter and what is allowed', async (t) => {
  const { read } = stage(both);
  const errors = {
    'columns=nosuch': /^columns: 'nosuch' is none of open, high/,
    'columns=close&exchanges=nosuch': /'nosuch' is none of binance, okx/,
    'columns=close&symbols=NOSUCH': /NOSUCH/,
    'columns=close&symbols=BTC,ETH&limit=1': /^limit must be 2 at least/,
    'columns=funding_rate&interval=5m': /none of these exchanges has any/,
    [`columns=close&symbols=${Array.from({ length: 31 }, (_, i) => `S${i}`)}`]: /at most 20/,
    '': /columns/,
  };
  for (const [query, message] of Object.entries(errors)) {
    t.match(await read(`/v1/rows?${query}`), { message }, query);
  }
});

t.test('the columns say where they are had', async (t) => {
  const { columns } = await stage({}).read('/v1/rows/columns');
  const named = (name: string) => columns.find((one: { name: string }) => one.name === name);
  t.match(named('close'), { origin: 'exchange', spot_exchanges: [] });
  t.match(named('funding_rate'), {
    origin: 'recorded',
    unit: 'fraction',
    perpetual_exchanges: ['binance', 'okx'],
  });
});
