import t, { type Test } from 'tap';
import { failed, type Result } from '../../../../actors/failure.ts';
import type {
  HistoryRow,
  IndicatorName,
  IndicatorReading,
  MarginReply,
} from '../../../../actors/topics/index.ts';
import { indicatorNames } from '../../../../actors/topics/indicator-names.ts';
import { mostHistory } from '../../../../actors/topics/market-indicators.ts';
import { marketIndicatorRoutes } from '../../../../http/routes/market-indicators.ts';
import { MarketIndicatorsView } from '../../../../http/views/published-indicators.ts';
import { FakeClock } from '../../../support/clock.ts';
import { call, echo, startServer } from '../../../support/http.ts';
import { fresh, frontQueries, queryBus } from '../../../support/queries.ts';
import { alice, gateOf } from '../../../support/quota.ts';

const clock = new FakeClock();
const start = clock.now();
const day = 86_400_000;

const reading = (
  name: IndicatorName,
  fields: IndicatorReading['fields'],
  over: Partial<IndicatorReading> = {},
): IndicatorReading => ({
  name,
  fields,
  lacks: null,
  source: 'a',
  updated_at: start,
  received_at: start,
  stale_after: 180_000,
  live: null,
  ...over,
});

const days = (count: number): HistoryRow[] =>
  Array.from({ length: count }, (_, i) => ({ timestamp: start - (count - i) * day, value: i }));

const marginDays = days(9).map(({ timestamp }) => ({ timestamp, long_size: 5, short_size: 0 }));

/** Margin of one symbol as the actors would answer. */
const marginOf = (symbol: string): MarginReply => ({
  reading: {
    name: 'bitfinex-margin',
    lacks: null,
    source: 'a',
    updated_at: start,
    received_at: start,
    stale_after: 180_000,
    live: null,
    fields: {
      symbol,
      long_size: 5,
      short_size: 0,
      long_usd: null,
      short_usd: null,
      long_short_ratio: null,
      long_pct: null,
      funding: [],
      signal: null,
      change_24h: { long_pct: null, short_pct: null },
    },
  },
  history: { name: 'bitfinex-margin', rows: marginDays, recorded_from: null },
});

/** A server that asks for a key where a row wants one. */
async function setUp(t: Test, result: Result<never> | null = null) {
  const clock = new FakeClock();
  const asked: string[] = [];
  const bus = queryBus(({ name, params }) => {
    asked.push(`${name} ${JSON.stringify(params)}`);
    return result ?? fresh(marginOf('symbol' in params ? `${params.symbol}` : ''), clock);
  });
  const marketIndicators = new MarketIndicatorsView();
  const loans = ['okx', 'bybit', 'bitget', 'gate', 'bitfinex'];
  const exchanges = { orderBook: [], candles: [], loans };
  const routes = marketIndicatorRoutes({ marketIndicators, exchanges });
  const rows = [...routes, echo({ path: '/v1/indicators/keyed', access: 'key' })];
  const server = await startServer(t, rows, {
    clock,
    gate: gateOf({ good: alice }),
    queries: frontQueries(bus, clock),
  });
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const reply = await call(`${server.url}/v1/indicators/${path}`, { headers });
    const json = reply.status === 304 ? {} : JSON.parse(reply.text);
    return { ...reply, data: json.data, message: json.message };
  };
  return { view: marketIndicators, get, clock, asked, routes };
}

/** Those of one asset are of Bitcoin where the client does not say. */
const topicOf = (name: IndicatorName) =>
  name === 'bitfinex-margin' || name === 'network-metrics' ? `${name}/BTC` : name;

const pathsOf = (names: readonly string[]) => names.map((name) => `/v1/indicators/${name}`);

const key = { 'x-api-key': 'good' };

t.test('rows say nothing before any source has', async (t) => {
  const { routes, get } = await setUp(t, failed('timeout', 'no source answered'));
  t.strictSame(
    routes.map(({ path }) => path),
    pathsOf(indicatorNames),
  );
  for (const name of indicatorNames) {
    const { status, message } = await get(name, key);
    const topic = topicOf(name);
    t.strictSame([status, message], [502, `no source of ${topic} has answered yet`]);
  }
});

t.test(
  'answers from the last reading, without a key but for those beyond the specification',
  async (t) => {
    const { get, view } = await setUp(t);
    const keyed = [
      ...['two-year-ma', '200-week-ma', 'golden-ratio', 'profitable-days', 'network-metrics'],
    ];
    for (const name of indicatorNames) {
      const topic = topicOf(name);
      view.accept(topic, reading(name, { mark: name }), start);
      const isKeyed = keyed.includes(name);
      if (isKeyed) t.equal((await get(name)).status, 401, name);
      const { status, data } = await get(name, isKeyed ? key : {});
      t.strictSame([status, data.mark, data.stale, data.history], [200, name, false, []], name);
    }
    t.equal((await get('keyed')).status, 401, 'a row of the same server that wants a key');
    const other = await setUp(t);
    const lacks = { what: 'days of closes', needs: 200, has: 57 };
    other.view.accept('ahr999', reading('ahr999', null, { lacks }), start);
    const short = await other.get('ahr999');
    t.strictSame(
      [short.status, short.message],
      [422, 'ahr999 needs 200 days of closes, there are 57'],
    );
  },
);

t.test('limit', async (t) => {
  const { get, view, routes } = await setUp(t);
  const name = 'pi-cycle';
  view.accept(name, reading(name, { gap_pct: 1 }), start);
  view.acceptHistory(name, { name, rows: days(mostHistory), recorded_from: null });
  t.strictSame((await get(name)).data.history, days(mostHistory).slice(-365), 'the default');
  for (const limit of [1, 2, 365, mostHistory]) {
    const { data } = await get(`${name}?limit=${limit}`);
    t.strictSame(data.history, days(mostHistory).slice(-limit), `${limit}`);
  }
  const params = routes.map(({ params }) => params.limit);
  t.ok(params.every((limit) => limit?.maximum === mostHistory && limit.default === 365));
  for (const limit of ['0', '-1', '1.5', '5001', '1e3', '', 'all']) {
    for (const path of [name, 'borrow-rates', 'bitfinex-margin']) {
      const { status, message } = await get(`${path}?limit=${limit}`);
      const wanted = [400, 'limit must be a whole number from 1 to 5000'];
      t.strictSame([status, message], wanted, `${path} ${limit}`);
    }
  }
});

t.test('borrow rates by exchange and asset, in any case', async (t) => {
  const { get, view } = await setUp(t);
  const rates = [
    { exchange: 'okx', asset: 'BTC' },
    { exchange: 'okx', asset: 'USDT' },
    { exchange: 'bitfinex', asset: 'USDT' },
  ];
  view.accept('borrow-rates', reading('borrow-rates', { rates, count: 3 }), start);
  const of = async (query: string) => {
    const { status, data } = await get(`borrow-rates${query}`);
    return [status, data.rates, data.count];
  };
  t.strictSame(await of(''), [200, rates, 3]);
  t.strictSame(await of('?exchange=OKX'), [200, rates.slice(0, 2), 2]);
  t.strictSame(await of('?symbol=usdt'), [200, rates.slice(1), 2]);
  t.strictSame(await of('?symbol=Usdt&exchange=BitFinex'), [200, rates.slice(2), 1]);
  t.strictSame(await of('?exchange=bybit'), [200, [], 0]);
  const refused = async (query: string) => {
    const { status, message } = await get(`borrow-rates${query}`);
    return [status, message];
  };
  const ids = 'okx, bybit, bitget, gate, bitfinex';
  t.strictSame(await refused('?exchange=poloniex'), [400, `exchange must be one of ${ids}`]);
  t.equal((await get('borrow-rates?exchange=')).status, 400);
  t.equal((await get(`borrow-rates?symbol=${'X'.repeat(33)}`)).status, 400);
  t.strictSame(await refused('?symbol=doge'), [404, 'no exchange has a rate of DOGE']);
});

t.test('margin', async (t) => {
  const { get, view, asked } = await setUp(t);
  for (const symbol of ['BTC', 'ETH']) {
    view.accept(`bitfinex-margin/${symbol}`, reading('bitfinex-margin', { symbol }), start);
  }
  const symbolOf = async (query: string) => (await get(`bitfinex-margin${query}`)).data.symbol;

  t.test('of what is followed comes from the view', async (t) => {
    t.equal(await symbolOf(''), 'BTC');
    for (const symbol of ['BTC', 'btc', 'BTCUSD', 'btcusd', 'tBTCUSD', 'TBTCUSD', 'tbtcusd']) {
      t.equal(await symbolOf(`?symbol=${symbol}`), 'BTC', symbol);
    }
    t.equal(await symbolOf('?symbol=tETHUSD'), 'ETH');
    t.strictSame(asked, []);
  });

  t.test('of another symbol is asked for, and given again for its time', async (t) => {
    for (const limit of [2, 2, 9]) {
      const { status, data } = await get(`bitfinex-margin?symbol=sol&limit=${limit}`);
      t.strictSame([status, data.symbol, data.history], [200, 'SOL', marginDays.slice(-limit)]);
    }
    const question = 'margin {"symbol":"SOL"}';
    t.strictSame(asked.splice(0), [question, question, question], 'the actor keeps its answers');
    t.equal(await symbolOf('?symbol=tSOLUSD&limit=2'), 'SOL');
    t.strictSame(asked.splice(0), [question]);
  });

  t.test('by the base of pairs that begin with T or end with USD themselves', async (t) => {
    for (const [symbol, base] of [
      ['TRXUSD', 'TRX'],
      ['tTRXUSD', 'TRX'],
      ['trx', 'TRX'],
      ['TUSD', 'TUSD'],
      ['FDUSD', 'FDUSD'],
      ['DOGEUSD', 'DOGE'],
    ] as const) {
      t.equal(await symbolOf(`?symbol=${symbol}`), base, symbol);
    }
    for (const symbol of ['BTC-USD', 'B%20C', '', 'X'.repeat(21)]) {
      t.equal((await get(`bitfinex-margin?symbol=${symbol}`)).status, 400, symbol);
    }
  });
});

t.test('metrics of a network, of two', async (t) => {
  const { get, view } = await setUp(t);
  for (const symbol of ['BTC', 'ETH'])
    view.accept(`network-metrics/${symbol}`, reading('network-metrics', { symbol }), start);
  const of = async (query: string) => (await get(`network-metrics${query}`, key)).data?.symbol;
  t.strictSame([await of(''), await of('?symbol=eth')], ['BTC', 'ETH']);
  t.match(await get('network-metrics?symbol=SOL', key), {
    status: 400,
    message: 'symbol must be one of BTC, ETH',
  });
});

t.test('margin that no source gives', async (t) => {
  const unknown = await setUp(t, failed('unknown_instrument', 'x'));
  t.match(await unknown.get('bitfinex-margin?symbol=NOSUCH'), { status: 404, message: /NOSUCH/ });
  const silent = await setUp(t, failed('timeout', 'x'));
  t.match(await silent.get('bitfinex-margin?symbol=SOL'), {
    status: 502,
    message: 'the margin of SOL on bitfinex could not be fetched (timeout)',
  });
});
