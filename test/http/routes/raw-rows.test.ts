/** Instruments and rows of exchanges as the front answers them. */
import t, { type Test } from 'tap';
import type { Instrument } from '../../../actors/topics/index.ts';
import { rawRowRoutes } from '../../../http/routes/raw-rows.ts';
import type { ExchangeEntry } from '../../../http/views/market-schemas.ts';
import { call, startServer } from '../../support/http.ts';
import { listedMarkets } from '../../support/market-names.ts';

const registry = ['binance', 'okx', 'kraken'].map(
  (id): ExchangeEntry => ({
    ...{ id, name: id, kinds: ['spot'], capabilities: [], orderbook_cap: null, example: 'x' },
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
  const { instruments } = listedMarkets(lists);
  const server = await startServer(rawRowRoutes({ instruments, registry }));
  t.teardown(server.end);
  return async (path: string) => {
    const { status, text } = await call(`${server.url}${path}`);
    return { ...JSON.parse(text), status };
  };
}

t.test('instruments', async (t) => {
  const get = await setUp(t, {
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
  const marketsOf = async (query: string) => {
    const { data } = await get(`/v1/instruments${query}`);
    return [data.count, ...data.instruments.map(({ market }: { market: string }) => market)];
  };
  t.same(await marketsOf('?exchange=binance'), [2, 'BTCUSDT', 'BTCUSD_PERP']);
  t.same((await marketsOf(''))[0], 5);
  t.same(await marketsOf('?kind=other'), [1, 'BTC-USD-260327-90000-C']);
  t.same(await marketsOf('?exchange=OKX&kind=perpetual'), [1, 'BTC-USDT-SWAP']);
  t.same(await marketsOf('?symbol=shib'), [1, 'SHIB-USDT']);
  t.same(await marketsOf('?symbol=btc-usdt&kind=perpetual'), [1, 'BTC-USDT-SWAP']);
  t.same(await marketsOf('?symbol=BTCUSD_PERP'), [1, 'BTCUSD_PERP']);
  t.same(await marketsOf('?exchange=binance&kind=other'), [0]);

  const { data } = await get('/v1/instruments?symbol=BTC&kind=perpetual');
  t.same(data.instruments, [
    {
      ...{ exchange: 'binance', market: 'BTCUSD_PERP', name: null, unified: 'BTC/USD:BTC' },
      ...{ kind: 'perpetual', base: 'BTC', quote: 'USD', multiplier: 1, contract_size: 100 },
      ...{ margin_type: 'inverse', funding_interval_hours: null, max_leverage: null },
    },
    {
      ...{ exchange: 'okx', market: 'BTC-USDT-SWAP', name: null, unified: 'BTC/USDT:USDT' },
      ...{ kind: 'perpetual', base: 'BTC', quote: 'USDT', multiplier: 1, contract_size: 0.01 },
      ...{ margin_type: 'linear', funding_interval_hours: 8, max_leverage: 100 },
    },
  ]);
});

t.test('instruments that there are not', async (t) => {
  const get = await setUp(t, { okx: [listed('BTC-USDT', 'spot')] });
  t.match(await get('/v1/instruments?symbol=NOPE'), { status: 404, code: 'unknown_symbol' });
  t.match(await get('/v1/instruments?exchange=nosuch'), { status: 400, message: /^exchange must/ });
  t.match(await get('/v1/instruments?kind=option'), { status: 400, message: /^kind must/ });
  t.match(await get('/v1/instruments?exchange=kraken'), { status: 503, code: 'warming_up' });
  const empty = await setUp(t, {});
  t.match(await empty('/v1/instruments'), { status: 503, code: 'warming_up' });
});
