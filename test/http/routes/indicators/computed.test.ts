import t, { type Test } from 'tap';
import type { Bus } from '../../../../actors/bus/bus.ts';
import { failed, type Result } from '../../../../actors/failure.ts';
import {
  type ComputeParams,
  type ComputeReply,
  type Interval,
  intervals,
  type Recorded,
} from '../../../../actors/topics/index.ts';
import { Snapshot } from '../../../../http/answers/snapshots.ts';
import { createBodyCheck } from '../../../../http/endpoints/body-check.ts';
import type { Route } from '../../../../http/endpoints/route.ts';
import { createCheck } from '../../../../http/endpoints/validate.ts';
import { readSeriesOf } from '../../../../http/routes/compute-series.ts';
import { indicatorRoutes } from '../../../../http/routes/indicators.ts';
import { isApiError } from '../../../../http/wire/errors.ts';
import { catalogue } from '../../../../indicators/catalogue.ts';
import { blockFrom, columnsOf } from '../../../../indicators/job-columns.ts';
import { market } from '../../../indicators/rows.ts';
import { FakeClock } from '../../../support/clock.ts';
import { computeStage } from '../../../support/compute-stage.ts';
import { alone } from '../../../support/http.ts';
import { noMarkets } from '../../../support/market-names.ts';
import { askRow, fresh, frontQueries, queryBus } from '../../../support/queries.ts';

const isInterval = (name: string): name is Interval => Object.hasOwn(intervals, name);
const all = Object.keys(intervals).filter(isInterval);
const candleIntervals = new Map<string, readonly Interval[]>([
  ['binance', all],
  ['kraken', ['1m', '1h', '1d']],
]);

/** The rows, with their checks as a server makes them. */
function rowsOf(bus: Pick<Bus, 'query'>, clock = new FakeClock()) {
  const queries = frontQueries(bus, clock);
  const routes = indicatorRoutes({ bus, candleIntervals, markets: noMarkets(), clock });
  const row = (path: string): Route => {
    const found = routes.find((route) => route.path === path);
    if (!found) throw new Error(`no ${path}`);
    return found;
  };
  const [classic, compute] = [row('/v1/indicators'), row('/v1/indicators/compute')];
  const check = createCheck(classic);
  const checkBody = createBodyCheck(compute.body);
  /** Further requests that were counted. */
  const counted: number[] = [];
  return {
    row,
    counted,
    async get(query: string) {
      const checked = check(query, []);
      if (isApiError(checked)) return checked;
      const answer = await askRow(classic, checked.values, queries);
      return answer instanceof Snapshot ? JSON.parse(answer.at(1e12).toString()).data : answer;
    },
    async post(body: unknown) {
      const checked = checkBody('application/json', Buffer.from(JSON.stringify(body)));
      if (isApiError(checked)) return checked;
      if (!('act' in compute.from)) throw new Error('no act');
      const call = {
        values: {},
        body: checked.value,
        caller: null,
        ...alone,
        idempotencyKey: '',
        async count(times: number) {
          counted.push(times);
          return null;
        },
      };
      const done = await compute.from.act(call, AbortSignal.timeout(60_000));
      return isApiError(done) ? done : JSON.parse(JSON.stringify(done.data));
    },
  };
}

async function live(t: Test) {
  const { web, clock } = await computeStage(t);
  return rowsOf(web, clock);
}

/** Rows before a compute process that answers with `result`. */
const dead = (result: Result<ComputeReply>) =>
  rowsOf(queryBus(() => (result.ok ? fresh(result.value, new FakeClock()) : result)));
const silent = dead(failed('timeout', 'no source answered'));

t.test('GET /v1/indicators through every process', async (t) => {
  const { get } = await live(t);
  const data = await get('symbol=btcusdt');
  const fields = 'symbol market timeframe rsi macd bollinger atr ema20 ema50 timestamp'.split(' ');
  t.same(Object.keys(data), fields);
  t.same([data.symbol, data.timeframe], ['BTCUSDT', '4h']);
  t.ok(data.rsi > 0 && data.rsi < 100);
  t.ok(
    data.bollinger.lower < data.bollinger.middle && data.bollinger.middle < data.bollinger.upper,
  );
  t.ok(Math.abs(data.macd.value - data.macd.signal - data.macd.histogram) < 1e-9);
  t.equal((await get('symbol=ETHUSDT&interval=1d')).timeframe, '1d');
  t.match(await get('symbol=NOSUCHUSDT'), { error: 'unknown_symbol', message: /NOSUCHUSDT/ });
});

t.test('POST /v1/indicators/compute through every process', async (t) => {
  const { post } = await live(t);
  const plain = {
    symbol: 'BTCUSDT',
    interval: '4h',
    limit: 200,
    indicators: ['rsi', 'macd', 'bbands'],
  };
  const data = await post(plain);
  t.match(data, { symbol: 'BTCUSDT', exchange: 'binance', timeframe: '4h', count: 200 });
  t.same(Object.keys(data.indicators), ['rsi', 'macd', 'bbands']);
  t.equal(data.timestamps, undefined);
  const series = await post({ ...plain, series: true, symbol: 'btcusdt' });
  t.equal(series.timestamps.length, 200);
  t.equal(series.indicators.macd.series.signal.length, 200);
  t.equal(series.indicators.rsi.latest.value, data.indicators.rsi.latest.value);
  t.equal((await post({ symbol: 'BTCUSDT', indicators: ['rsi'] })).count, 500);
  t.match(await post({ ...plain, symbol: 'NOSUCHUSDT' }), { error: 'unknown_symbol' });
});

t.test('the recorded series: how their keys begin, columns and intervals', async (t) => {
  const read = (fields: object, interval = '4h') => {
    try {
      return readSeriesOf({ symbol: 'btc', ...fields }, { interval });
    } catch (error) {
      return String(error)
        .replace(/^.*must be one of /, '')
        .split(', ')
        .join(' ');
    }
  };
  const table = String(read({ name: 'x' }))
    .split(' ')
    .map((name) => {
      const words = ['kind', 'margin'].map((part) => read({ name, [part]: 'x' }));
      const [part = ''] = words.filter((word) => !String(word).includes('fields of'));
      return [
        name,
        Object(read({ name })).key,
        part,
        read({ name, column: 'x' }),
        read({ name }, 'x'),
      ];
    });
  const hours = '1h 2h 4h 6h 8h 12h 1d';
  const five = `5m 15m 30m ${hours}`;
  const one = `1m 3m ${five}`;
  const bands = [25, 50, 100, 200, 500].map((band) => `bids_usd_${band} asks_usd_${band}`);
  const [margin, kind] = ['stable coin', 'perpetual spot'];
  t.strictSame(table, [
    ['open-interest', 'binance/stable/BTC', margin, 'usd base', one],
    ['funding', 'binance/stable/BTC', margin, 'rate', hours],
    ['price', 'perpetual/BTC', kind, 'price turnover', one],
    ['taker-flow', 'binance/perpetual/BTC', kind, 'buy_usd sell_usd', one],
    ['account-ratio', 'binance/BTC', '', 'long short', five],
    ['options-open-interest', 'binance/BTC', '', 'usd base calls puts', hours],
    ['liquidations', 'binance/BTC', '', 'long_usd short_usd count largest_usd', one],
    ['order-book', 'binance/perpetual/BTC', kind, ['mid', ...bands].join(' '), one],
  ]);
  t.match(readSeriesOf({ name: 'price', symbol: 'ETH/USDT', kind: 'spot' }, {}), {
    key: 'spot/ETH',
    column: 'price',
    interval: '4h',
    full: false,
    parts: { kind: 'spot' },
  });
});

t.test('POST /v1/indicators/compute with own candles', async (t) => {
  const { post } = await live(t);
  const data = await post({ candles: market(60), indicators: ['sma', 'ema:200'], series: true });
  t.equal(data.count, 60, 'all of them');
  t.match(data.warnings, [{ id: 'ema_200', needed: 200, available: 60 }]);
  t.match(await post({ candles: market(60), indicators: ['ema:200', 'sma:100'] }), {
    error: 'not_enough_data',
    message: 'there are 60 closed candles, the indicators need at least 100',
  });
  const some = await post({ candles: market(60), limit: 51, indicators: ['sma'], series: true });
  t.equal(some.timestamps.length, 51);
});

t.test(
  'POST /v1/indicators/compute refuses what is malformed and says what is allowed',
  async (t) => {
    const { post } = silent;
    const good = { symbol: 'BTCUSDT', indicators: ['rsi'] };
    t.match(await post(good), { error: 'upstream_failed' }, 'the question itself is fine');
    const wide = [...catalogue.values()].slice(0, 50).map(({ name }) => name);
    const cases: [unknown, RegExp][] = [
      [{}, /indicators is required/],
      [[], /must be an object/],
      [{ indicators: ['rsi'] }, /symbol must be/],
      [{ ...good, indicators: ['nonsense'] }, /no indicator "nonsense", the nearest is \w+/],
      [
        { ...good, indicators: [{ name: 'ema', length: 0 }] },
        /length of ema must be a whole number/,
      ],
      [{ ...good, indicators: [] }, /indicators must be an array of 1 to 50 entries/],
      [{ ...good, indicators: Array(51).fill('rsi') }, /indicators must be an array of 1 to 50/],
      [{ ...good, interval: '7m' }, /interval must be one of 1m, 3m/],
      [{ ...good, exchange: 'nyse' }, /exchange must be one of binance, kraken/],
      [{ ...good, exchange: 'kraken', interval: '4h' }, /interval must be one of 1m, 1h, 1d/],
      [{ ...good, exchange: 'kraken' }, /interval must be one of 1m, 1h, 1d/],
      [{ ...good, limit: 50 }, /limit must be a whole number from 51 to 1000/],
      [{ ...good, limit: 1_001 }, /limit must be/],
      [{ ...good, series: 'yes' }, /series must be true or false/],
      [{ ...good, symbol: 'BTC USDT' }, /symbol must be/],
      [{ ...good, kind: 'option' }, /kind must be one of spot, perpetual/],
      [{ ...good, candles: market(60) }, /symbol and candles exclude each other/],
      [{ indicators: ['rsi'], candles: market(50) }, /candles must be an array of 51 to 5000/],
      [
        {
          indicators: ['rsi'],
          candles: market(60).map((row, i) => (i === 9 ? { ...row, high: 1 } : row)),
        },
        /candles\[9\]: high must not be below/,
      ],
      [{ indicators: wide, candles: market(5_000), series: true }, /more than 250000 numbers/],
    ];
    for (const [body, message] of cases) {
      t.match(await post(body), { error: 'bad_parameter', message });
    }
  },
);

t.test('POST /v1/indicators/compute of several markets, each of which may fail', async (t) => {
  const { post } = await live(t);
  const own = { interval: '1h', indicators: ['rsi', 'ema:200'] };
  const alone = await post({ symbol: 'ETHUSDT', ...own });
  const { count, items } = await post({
    ...{ ...own, symbol: null, candles: null, limit: null, series: null },
    markets: [
      'BTCUSDT',
      { symbol: 'ETHUSDT', exchange: null, kind: null, interval: null },
      'NOSUCHUSDT',
      { symbol: 'BTCUSDT', interval: '1d' },
    ],
  });
  t.equal(count, 4);
  t.match(items, [
    { symbol: 'BTCUSDT', exchange: 'binance', timeframe: '1h', code: null, message: null },
    { symbol: 'ETHUSDT', data: alone },
    { symbol: 'NOSUCHUSDT', data: null, code: 'unknown_symbol', message: /NOSUCHUSDT/ },
    { symbol: 'BTCUSDT', timeframe: '1d', data: { timeframe: '1d' } },
  ]);
  t.strictSame(items[1].data, alone, 'the same as by itself');
  t.not(items[0].data.indicators.rsi.latest.value, alone.indicators.rsi.latest.value);
});

t.test('several markets are checked as a whole, and counted', async (t) => {
  const { post, counted } = silent;
  const good = { markets: ['BTC', 'ETH', 'SOL'], indicators: ['rsi'] };
  // 20,000 rows of 20 values.
  const wide = { markets: Array(20).fill('BTC'), indicators: Array(20).fill('rsi') };
  t.match(await post(good), { items: Array(3).fill({ data: null, code: 'upstream_failed' }) });
  t.strictSame(counted.splice(0), [2], 'two more than the request itself');
  const cases: [unknown, RegExp][] = [
    [{ ...good, markets: [] }, /markets must be an array of 1 to 20/],
    [{ ...good, markets: Array(21).fill('BTC') }, /markets must be an array of 1 to 20/],
    [{ ...good, symbol: 'BTC' }, /markets and symbol exclude/],
    [{ ...good, candles: market(60) }, /markets and candles exclude/],
    [{ ...good, series: { name: 'price', symbol: 'BTC' } }, /markets and a recorded series/],
    [{ ...good, markets: ['BTC', { exchange: 'okx' }] }, /^markets\[1\]: exchange must be one of/],
    [{ ...good, markets: [{ symbol: 'BTC', limit: 60 }] }, /^markets\[0\]: the fields are symbol/],
    [{ ...good, markets: [{}] }, /^markets\[0\]: symbol must be/],
    [{ ...good, indicators: Array(21).fill('rsi') }, /may be 20 at most/],
    [{ ...good, series: true, limit: 1_000, ...wide }, /more than 250000 numbers/],
    [{ ...good, indicators: ['nosuch'] }, /"nosuch"/],
  ];
  for (const [body, message] of cases)
    t.match(await post(body), { error: 'bad_parameter', message });
  t.strictSame(counted, []);
});

t.test('POST /v1/indicators/compute of a recorded series', async (t) => {
  const step = 3_600_000;
  const clock = new FakeClock(472_222 * step);
  const first = clock.now() - 99 * step;
  const times = Array.from({ length: 100 }, (_, i) => first + i * step);
  const values = times.map((_, i) => (i === 50 ? null : i));
  const coverage = { from: first, to: clock.now(), expected: 100, present: 100 };
  const row = { times, columns: { usd: values, base: values, long_usd: [0] }, recorded_from: 0 };
  const reply = (key: string): Recorded => ({
    series: 'open-interest',
    step,
    rows: [{ ...row, key, coverage: { ...coverage, complete: true, backfilled: false } }],
  });
  const sent: ComputeParams[] = [];
  const limits: number[] = [];
  const { post } = rowsOf(
    queryBus(({ name, params }) => {
      if (name === 'series' && 'keys' in params) {
        limits.push(params.limit);
        const [key = ''] = params.keys;
        if (key.endsWith('XYZ')) return fresh({ ...reply(key), rows: [] }, clock);
        return key.endsWith('ETH') ? failed('unavailable', '') : fresh(reply(key), clock);
      }
      if ('own' in params) sent.push(params);
      return fresh({ data: '{"count":98}', closed: 98, needed: 14 }, clock);
    }),
    clock,
  );
  const series = { name: 'open-interest', symbol: 'btc/usdt', exchange: 'okx', full: true };
  const body = { series, interval: '1h', limit: 60, indicators: ['rsi'] };
  t.match(await post(body), {
    count: 98,
    market: null,
    recorded: { name: 'open-interest', symbol: 'BTC', exchange: 'okx', margin: 'stable' },
  });
  const [asked] = sent;
  t.match(asked, { market: null, series: true, own: { interval: '1h', limit: 60 } });
  const { time, open, high, low, close } = columnsOf(
    blockFrom(asked?.own?.rows ?? new Uint8Array()),
  );
  t.equal(time.length, 98, 'neither the row without a value nor the one that still runs');
  t.same(
    [open, high, low, close].map((column) => column[50]),
    [49, 51, 49, 51],
  );
  await post({ ...body, indicators: ['ema:200', 'ema:20'] });
  await post({ ...body, limit: 1_000, indicators: ['rsi:400'] });
  t.strictSame(limits, [257, 1_448, 5_000], 'rows in which averages settle as well, 5,000 at most');
  const of = (more: object) => post({ ...body, series: { ...series, ...more } });
  t.match(await of({ symbol: 'ETH' }), { error: 'store_unavailable' });
  t.match(await of({ symbol: 'XYZ' }), { error: 'not_enough_data', message: /okx\/stable\/XYZ/ });
  const zeros = await post({ ...body, series: { name: 'liquidations', symbol: 'ABC' } });
  t.match(zeros, { error: 'not_enough_data' }, 'zeros alone are no asset');
  const refused: [object, RegExp][] = [
    [{ ...body, series: { symbol: 'BTC' } }, /series.name must be one of open-interest, funding/],
    [{ ...body, series: { ...series, name: 'x' } }, /series.name must be one of/],
    [{ ...body, series: { ...series, symbol: '' } }, /series.symbol must be/],
    [{ ...body, series: { ...series, margin: 'gold' } }, /series.margin must be one of stable/],
    [{ ...body, series: { ...series, kind: 'spot' } }, /series.kind: the fields of open-interest/],
    [{ ...body, series: { ...series, column: 'x' } }, /series.column must be one of usd, base/],
    [
      { ...body, series: { ...series, name: 'account-ratio', margin: undefined }, interval: '1m' },
      /interval of account-ratio must be one of 5m, 15m/,
    ],
    [{ ...body, symbol: 'BTC' }, /symbol and a recorded series exclude each other/],
    [{ ...body, indicators: ['obv'] }, /obv needs a volume/],
  ];
  for (const [one, message] of refused) {
    t.match(await post(one), { error: 'bad_parameter', message });
  }
});

t.test('a symbol of Binance is sent in upper case, any other as it was given', async (t) => {
  const sent: unknown[] = [];
  const clock = new FakeClock();
  const { post } = rowsOf(
    queryBus(({ params }) => {
      sent.push('market' in params && params.market);
      return fresh({ data: '{"count":98}', closed: 98, needed: 14 }, clock);
    }),
  );
  await post({ symbol: 'btcUsdt', kind: 'perpetual', indicators: ['rsi'] });
  await post({ symbol: 'xbtUsd', exchange: 'kraken', interval: '1h', indicators: ['rsi'] });
  const usual = { kind: undefined, limit: 500 };
  t.match(sent, [
    { ...usual, exchange: 'binance', market: 'BTCUSDT', interval: '4h', kind: 'perpetual' },
    { ...usual, exchange: 'kraken', market: 'xbtUsd', interval: '1h' },
  ]);
});

t.test('what the compute processes refuse is passed on', async (t) => {
  const body = { symbol: 'BTCUSDT', indicators: ['rsi'] };
  for (const [code, error] of [
    ['over_budget', 'overloaded'],
    ['stopped', 'overloaded'],
    ['timeout', 'upstream_failed'],
    ['unknown_instrument', 'unknown_symbol'],
  ] as const) {
    t.match(await dead(failed(code, 'x')).post(body), { error });
  }
});

t.test('the catalogue', async (t) => {
  const { row } = silent;
  const { from, access } = row('/v1/indicators/catalogue');
  if (!('view' in from)) throw new Error('no view');
  t.equal(access, 'open');
  const answer = from.view({});
  if (!(answer instanceof Snapshot)) throw new Error('no snapshot');
  const { data } = JSON.parse(answer.at(1e12).toString());
  t.equal(data.count, catalogue.size);
  t.equal(data.indicators.length, catalogue.size);
  const ema = data.indicators.find(({ name }: { name: string }) => name === 'ema');
  t.match(ema, { category: 'overlap', outputs: ['value'], minimum: 20 });
  t.match(ema.parameters[0], { name: 'length', type: 'integer', default: 20 });
});

t.test('the largest request fits the body that the row takes', async (t) => {
  const largest = JSON.stringify({
    indicators: Array(50).fill({ name: 'ema', length: 200, id: 'x'.repeat(64) }),
    candles: market(5_000),
  });
  t.ok(largest.length < 1_000_000, `${largest.length} bytes of the largest request of objects`);
});
