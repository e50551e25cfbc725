/** What simulated venues refuse and acknowledge, beside what every venue is walked through. */
import t from 'tap';
import { startSimulator } from '../../../scripts/simulator/main.ts';
import { venues } from '../../../scripts/simulator/registry.ts';
import { FakeClock } from '../../support/clock.ts';

const now = Date.UTC(2026, 7, 14, 13, 37, 21);
const simulator = await startSimulator({ clock: new FakeClock(now), symbols: 80 });
t.teardown(() => simulator.close());

async function ask(url: string, body?: string): Promise<{ status: number; body: unknown }> {
  const options = body === undefined ? {} : { method: 'POST', body };
  const response = await fetch(`${simulator.url}/${url}`, options);
  return { status: response.status, body: await response.json() };
}

const fapi = 'fapi.asterdex.com/fapi/v3';
const cryptocom = 'api.crypto.com/exchange/v1/public';
const deribit = 'www.deribit.com/api/v2/public';
const chart = `${deribit}/get_tradingview_chart_data?instrument_name=BTC-PERPETUAL`;
const dydxCandles = 'indexer.dydx.trade/v4/candles/perpetualMarkets/BTC-USD';
const spot = 'api.binance.com/api/v3';
const linear = 'fapi.binance.com/fapi/v1';
const okx = 'www.okx.com/api/v5/market';

/** Paths with bad or missing parameters, and a part of the answer that they get. */
const refused: readonly (readonly [status: number, answer: object, ...paths: string[]])[] = [
  [400, { code: -1102 }, `${fapi}/depth`, `${fapi}/klines?symbol=BTCUSDT`],
  [400, { code: -4021 }, `${fapi}/depth?symbol=BTCUSDT&limit=7`],
  [400, { code: -1120 }, `${fapi}/klines?symbol=BTCUSDT&interval=7h`],
  [400, { code: -1130 }, `${fapi}/klines?symbol=BTCUSDT&interval=1h&limit=1501`],
  [400, { code: -1100 }, `${fapi}/klines?symbol=BTCUSDT&interval=1h&limit=x`],
  [400, { code: -1121 }, `${fapi}/openInterest?symbol=NOPE`, `${spot}/ticker/24hr?symbol=NOPE`],
  [400, { code: -4021 }, `${linear}/depth?symbol=BTCUSDT&limit=25`],
  [200, { code: '51001', data: [] }, `${okx}/books?instId=NOPE-USDT`],
  [
    ...([400, { code: '51000', data: [] }] as const),
    `${okx}/books?instId=BTC-USDT&sz=401`,
    `${okx}/candles?instId=BTC-USDT&bar=7m`,
  ],
  [400, { code: '50014', data: [] }, `${okx}/tickers`],
  [
    ...([500, { 0: 'error', 1: 10_020 }] as const),
    'api-pub.bitfinex.com/v2/candles/trade:2h:tBTCUSD/hist',
    'api-pub.bitfinex.com/v2/book/tBTCUSD/P0?len=20',
    'api-pub.bitfinex.com/v2/conf/pub:nope',
  ],
  [
    ...([400, { code: 40_004 }] as const),
    `${cryptocom}/get-book?instrument_name=BTC_USD&depth=0`,
    `${cryptocom}/get-book?instrument_name=BTC_USD&depth=200`,
    `${cryptocom}/get-candlestick?instrument_name=BTC_USD&timeframe=2h`,
    `${cryptocom}/get-candlestick?instrument_name=BTC_USD&count=x`,
    `${cryptocom}/get-valuations?instrument_name=BTC_USD&valuation_type=mark_price`,
    `${cryptocom}/get-valuations?instrument_name=BTCUSD-PERP&valuation_type=nope`,
    // An index has its own name; it has no mark price.
    `${cryptocom}/get-valuations?instrument_name=BTCUSD-INDEX&valuation_type=mark_price`,
    `${cryptocom}/get-valuations?instrument_name=BTC_USD&valuation_type=index_price`,
  ],
  [
    ...([400, { error: {} }] as const),
    `${chart}&resolution=60&start_timestamp=x&end_timestamp=1`,
    `${chart}&resolution=7&start_timestamp=${now - 300_000}&end_timestamp=${now}`,
    `${deribit}/get_order_book?instrument_name=BTC-PERPETUAL&depth=7`,
    `${deribit}/get_book_summary_by_currency?currency=any`,
  ],
  [400, { errors: [{ param: 'resolution' }] }, `${dydxCandles}?resolution=2HOURS`],
  [400, { errors: [{ param: 'limit' }] }, `${dydxCandles}?resolution=1HOUR&limit=1001`],
  [400, { errors: [{ param: 'toISO' }] }, `${dydxCandles}?resolution=1HOUR&toISO=never`],
];

t.test('bad parameters', async (t) => {
  for (const [status, body, ...paths] of refused) {
    for (const path of paths) t.match(await ask(path), { status, body }, path);
  }
});

t.test('Hyperliquid: questions that are none', async (t) => {
  const info = 'api.hyperliquid.xyz/info';
  const candles = (req: string) => `{"type":"candleSnapshot","req":{"coin":"BTC",${req}}}`;
  const statuses: [string, number][] = [];
  const bodies = [
    '',
    '7',
    '{}',
    '{"type":"l2Book"}',
    '{"type":"toString"}',
    '{"type":"candleSnapshot"}',
    candles('"interval":"6h","startTime":0,"endTime":1'),
    candles('"interval":"1h","endTime":1'),
  ];
  for (const body of bodies) statuses.push([body, (await ask(info, body)).status]);
  t.strictSame(
    statuses,
    bodies.map((body) => [body, 422]),
  );
  t.equal((await fetch(`${simulator.url}/${info}`)).status, 405);
  const all = await ask(info, candles('"interval":"1h","startTime":0,"endTime":2e12'));
  t.equal(Array.isArray(all.body) && all.body.length, 5000, 'all that are kept');
});

t.test('an index by its own name or by that of its perpetual', async (t) => {
  const path = (name: string) =>
    `${cryptocom}/get-valuations?valuation_type=index_price&count=1&instrument_name=${name}`;
  const own = await ask(path('BTCUSD-INDEX'));
  t.match(own, { status: 200, body: { code: 0, result: { instrument_name: 'BTCUSD-INDEX' } } });
  t.strictSame(await ask(path('BTCUSD-PERP')), own);
});

t.test('candles of no time, and more than a page', async (t) => {
  const range = (from: number, to: number) => `start_timestamp=${from}&end_timestamp=${to}`;
  const none = await ask(`${chart}&resolution=60&${range(0, 1000)}`);
  t.match(none.body, { result: { status: 'no_data', ticks: [] } });
  const all = await ask(`${chart}&resolution=1&${range(0, now)}`);
  t.match(all.body, { result: { ticks: { length: 5000 } } });
  const bitfinex = 'api-pub.bitfinex.com/v2/candles/trade:1h:tBTCUSD/hist?limit=3';
  const newest = await ask(bitfinex);
  const rows = Array.isArray(newest.body) ? newest.body : [];
  const from = await ask(`${bitfinex}&sort=1&start=${rows[2]?.[0]}`);
  t.strictSame(rows.toReversed(), from.body, 'the newest first, or the oldest from a time on');
});

t.test('subscriptions are acknowledged', async (t) => {
  const channels = ['trades.future.BTC.100ms'];
  const frames = {
    bitfinex: { event: 'subscribe', channel: 'status', key: 'liq:global' },
    cryptocom: { id: 4, method: 'subscribe' },
    deribit: { jsonrpc: '2.0', id: 7, method: 'public/subscribe', params: { channels } },
  };
  const replies = Object.entries(frames).map(([venue, frame]) =>
    Object(venues)
      [venue].reply(JSON.stringify(frame))
      .map((text: string) => JSON.parse(text)),
  );
  t.match(replies, [
    [{ event: 'subscribed', channel: 'status', key: 'liq:global' }],
    [{ id: 4, method: 'subscribe', code: 0 }],
    [{ id: 7, result: channels }],
  ]);
});
