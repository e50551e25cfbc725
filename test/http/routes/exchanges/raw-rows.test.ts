/** Instruments and rows of exchanges as the front answers them. */
import t, { type Test } from 'tap';
import type { DerivativeRow, Instrument, Reading } from '../../../../actors/topics/index.ts';
import { rawRowRoutes } from '../../../../http/routes/raw-rows.ts';
import { fundingRows, interestRows } from '../../../../http/views/market-rows.ts';
import type { ExchangeDetail } from '../../../../http/views/market-schemas.ts';
import { sameAsDeclared } from '../../../support/declared.ts';
import { answersOf, call, startServer } from '../../../support/http.ts';
import { listedMarkets } from '../../../support/market-names.ts';

const polled = { how: 'polled', every_seconds: 30 } as const;
const registry = ['binance', 'okx', 'kraken'].map(
  (id): ExchangeDetail => ({
    ...{ id, name: id, kinds: ['spot'], orderbook_cap: null, bar_intervals: [], example: 'x' },
    capabilities: id === 'kraken' ? {} : { derivatives: polled, open_interest: polled },
  }),
);

const listed = (
  market: string,
  kind: Instrument['kind'],
  more: Partial<Instrument> = {},
): Instrument => ({
  ...{ market, kind, symbol: 'BTC', quote: 'USDT', scale: 1, contract: 1, inverse: false },
  ...{ funding_hours: null, ...more },
});

async function setUp(t: Test, lists: Readonly<Record<string, Instrument[]>>) {
  const { instruments, markets } = listedMarkets(lists);
  const views = { fundingRows: fundingRows(), interestRows: interestRows() };
  const server = await startServer(rawRowRoutes({ instruments, markets, ...views, registry }));
  t.teardown(server.end);
  const get = async (path: string) => {
    const { status, text } = await call(`${server.url}${path}`);
    return { ...JSON.parse(text), status };
  };
  return { ...views, get, url: server.url };
}

t.test('instruments and exchanges', async (t) => {
  const { url } = await setUp(t, {
    binance: [
      listed('BTCUSDT', 'spot'),
      listed('BTCUSD_PERP', 'perpetual', { quote: 'USD', contract: 100, inverse: true }),
    ],
    okx: [
      listed('BTC-USDT-SWAP', 'perpetual', { contract: 0.01, funding_hours: 8, max_leverage: 100 }),
      listed('BTC-USD-260327-90000-C', 'other'),
      listed('SHIB-USDT', 'spot', { symbol: 'SHIB' }),
    ],
  });
  const queries = ['', '?exchange=binance', '?kind=other', '?exchange=OKX&kind=perpetual'];
  const more = ['?symbol=shib', '?symbol=btc-usdt&kind=perpetual', '?symbol=BTCUSD_PERP'];
  const none = ['?exchange=binance&kind=other', '?symbol=NOPE', '?exchange=nosuch', '?kind=option'];
  const paths = [...queries, ...more, ...none, '?exchange=kraken'].map(
    (one) => `instruments${one}`,
  );
  sameAsDeclared(t, 'instruments', await answersOf(`${url}/v1/`, paths));
  const empty = await setUp(t, {});
  t.match(await empty.get('/v1/instruments'), { status: 503, code: 'warming_up' });
  sameAsDeclared(t, 'exchanges', await answersOf(`${url}/v2/`, ['exchanges']));
});

const now = 1_700_000_000_000;
const reading = <Row>(rows: Row[], received = now): Reading<Row> => ({
  ...{ source: 'okx', part: 'swap', asked: received, received, rows },
});

t.test('funding rates and open interest of one exchange', async (t) => {
  const { get, ...views } = await setUp(t, {
    okx: [
      listed('BTC-USDT-SWAP', 'perpetual'),
      listed('ETH-USDT-SWAP', 'perpetual', { symbol: 'ETH' }),
    ],
  });
  t.match(await get('/v2/funding-rates?exchange=okx'), { status: 503, code: 'warming_up' });
  t.match(await get('/v2/funding-rates'), { status: 400, message: /^exchange is required/ });
  t.match(await get('/v2/open-interest?exchange=kraken'), { status: 400, message: /okx/ });
  const row = (market: string, symbol: string): DerivativeRow => ({
    ...{ market, symbol, quote: 'USDT', mark: 100, index: 99, funding_rate: 0.0001 },
    ...{ funding_hours: 4, funding_rate_8h: 0.0002, next_funding: now + 5, stated: null },
  });
  const rows = [
    row('BTC-USDT-SWAP', 'BTC'),
    { ...row('ETH-USDT-SWAP', 'ETH'), received: now - 599_000 },
  ];
  views.fundingRows.accept(reading(rows), now);
  const all = await get('/v2/funding-rates?exchange=okx');
  t.match(all.data, { exchange: 'okx', count: 2, stale_count: 0 });
  t.same(all.data.items[0], {
    ...{ market: 'BTC-USDT-SWAP', symbol: 'BTC', quote: 'USDT', mark_price: 100, index_price: 99 },
    ...{ funding_rate: 0.0001, predicted_rate: null, interval_hours: 4, funding_rate_8h: 0.0002 },
    ...{ premium: null, next_funding_time: now + 5, venue_time: null, updated_at: now },
  });
  const one = async (symbol: string) => {
    const { data } = await get(`/v2/funding-rates?exchange=okx&symbol=${symbol}`);
    return [data.count, data.items[0]?.market];
  };
  for (const name of ['btc', 'BTC-USDT-SWAP', 'BTC/USDT:USDT', 'btc_usdt']) {
    t.same(await one(name), [1, 'BTC-USDT-SWAP'], name);
  }
  t.match(await get('/v2/funding-rates?exchange=okx&symbol=ETH-USDT-SWOP'), {
    ...{ status: 404, message: /the nearest is ETH-USDT-SWAP/ },
  });
  views.fundingRows.expire(now + 2_000);
  t.match((await get('/v2/funding-rates?exchange=okx')).data, { count: 1, stale_count: 1 });
  views.fundingRows.accept(reading([row('X', 'X')], now - 1), now);
  t.match((await get('/v2/funding-rates?exchange=okx')).data, { items: [{ symbol: 'BTC' }] });

  const interest = { market: 'BTC-USDT-SWAP', symbol: 'BTC', quote: 'USDT', units: 5, value: 500 };
  views.interestRows.accept(reading([{ ...interest, mark: 100, stated: now }]), now);
  t.match((await get('/v2/open-interest?exchange=okx&symbol=BTC')).data.items, [
    { open_interest_base: 5, open_interest_value: 500, mark_price: 100, venue_time: now },
  ]);
});
