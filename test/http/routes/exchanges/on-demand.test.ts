/** Order books and bars as the front checks and answers them. */
import t from 'tap';
import { failed, success } from '../../../../actors/failure.ts';
import type { OrderBook } from '../../../../actors/topics/index.ts';
import { isApiError } from '../../../../http/errors.ts';
import { onDemandRoutes } from '../../../../http/routes/on-demand.ts';
import { Snapshot } from '../../../../http/snapshots.ts';
import { createCheck } from '../../../../http/validate.ts';
import { FakeClock } from '../../../support/clock.ts';
import { instrument, listedMarkets, noMarkets } from '../../../support/market-names.ts';
import { askRow, fresh, frontQueries, queryBus } from '../../../support/queries.ts';

/** `data` of the answer of each version to a book. */
async function answersTo(book: OrderBook): Promise<Record<string, unknown>[]> {
  const clock = new FakeClock();
  const queries = frontQueries(
    queryBus(() => fresh(book, clock)),
    clock,
  );
  const routes = onDemandRoutes({
    markets: noMarkets(),
    exchanges: { orderBook: ['binance'], candles: [], loans: [] },
  });
  const values = { exchange: 'binance', symbol: 'BTCUSDT', depth: 5 };
  return Promise.all(
    routes.map(async (row) => {
      const answer = await askRow(row, values, queries);
      if (!(answer instanceof Snapshot)) throw new Error(answer.message);
      return JSON.parse(answer.at(clock.now()).toString()).data;
    }),
  );
}

const level = (price: number) => [{ price, quantity: 1 }];
const bookOf = (bid: number, ask: number, crossed?: true): OrderBook => ({
  market: 'BTCUSDT',
  bids: level(bid),
  asks: level(ask),
  timestamp: 1_750_000_000_000,
  ...(crossed && { crossed }),
});

t.test(
  'bars: the market that the symbol stands for, dollars, the last answer while the exchange fails',
  async (t) => {
    const clock = new FakeClock();
    const asked: unknown[] = [];
    const candle = { timestamp: 5, open: 1, high: 2, low: 1, close: 2, volume: 3, closed: true };
    const candles = [{ ...candle, turnover: 6 }];
    const queries = frontQueries(
      queryBus((query) => {
        asked.push(query);
        const value = { market: 'X', kind: 'spot', quote: 'USDT', candles, received: 5 };
        return success({ value, received: 5, until: 0, stale: true });
      }),
      clock,
    );
    const rows = onDemandRoutes({
      markets: noMarkets(),
      exchanges: { orderBook: [], candles: ['okx'], loans: [] },
    });
    const values = { symbol: 'BTC-USDT', exchange: 'okx', interval: '1h', limit: 5 };
    const [answer] = await Promise.all(rows.map((row) => askRow(row, values, queries)));
    if (!(answer instanceof Snapshot)) throw new Error('no answer');
    t.same(JSON.parse(answer.at(clock.now()).toString()).data, {
      ...{ exchange: 'okx', symbol: 'BTC-USDT', market: 'X', kind: 'spot', quote: 'USDT' },
      ...{ interval: '1h', bars: [{ ...candle, volume_usd: 6 }], stale: true },
    });
    const params = { market: 'BTC-USDT', interval: '1h', limit: 5 };
    t.match(asked, [{ source: 'okx', name: 'candles', params }]);
  },
);

t.test('a market by any of its names: the answer states which one it was', async (t) => {
  const clock = new FakeClock();
  const asked: unknown[] = [];
  const queries = frontQueries(
    queryBus((query) => {
      asked.push(query);
      return query.source === 'okx' ? failed('unknown_instrument', '') : fresh(bookOf(1, 2), clock);
    }),
    clock,
  );
  const { markets } = listedMarkets({
    binance: [instrument('BTCUSDT', 'perpetual')],
    okx: [instrument('BTC-USDT-SWAP', 'perpetual')],
  });
  const [v1, v2] = onDemandRoutes({
    markets,
    exchanges: { orderBook: ['binance', 'okx'], candles: [], loans: [] },
  });
  if (!v1 || !v2) throw new Error('no rows');
  const values = { exchange: 'binance', symbol: 'btc/usdt:usdt', depth: 5 };
  const answer = await askRow(v1, values, queries);
  if (!(answer instanceof Snapshot)) throw new Error('no answer');
  const { data } = JSON.parse(answer.at(clock.now()).toString());
  t.match(data, { symbol: 'btc/usdt:usdt', market: 'BTCUSDT', exchange: 'binance' });
  await askRow(v2, values, queries);
  t.match(asked, [
    { params: { market: 'BTCUSDT', kind: 'perpetual' } },
    { params: { market: 'btc/usdt:usdt' } },
  ]);
  t.match(await askRow(v1, { ...values, exchange: 'okx', symbol: 'BTC-USDT-SWOP' }, queries), {
    error: 'unknown_symbol',
    message: /the nearest is BTC-USDT-SWAP/,
  });
});

t.test('bars of a minute need a range', async (t) => {
  const [bars] = onDemandRoutes({
    markets: noMarkets(),
    exchanges: { orderBook: [], candles: ['binance'], loans: [] },
  });
  if (!bars || !('query' in bars.from)) throw new Error('no row');
  const { query } = bars.from;
  const values = { symbol: 'X', exchange: 'binance', interval: '1m', limit: 5 };
  t.match(query(values), { error: 'bad_parameter', message: /^interval must .* from or to$/ });
  t.match(query({ ...values, from: 7 }), { params: { interval: '1m', from: 7, limit: 5 } });
  t.match(query({ ...values, to: 9 }), { params: { to: 9 } });
  t.match(createCheck(bars)('from=9&to=8', []), {
    ...{ error: 'bad_parameter', message: 'from must not be later than to' },
  });
  t.match(createCheck(bars)('from=8&to=8', []), { values: { from: 8, to: 8 } });
  t.match(createCheck(bars)('from=-1', []), { error: 'bad_parameter', message: /^from must be/ });
});

t.test('spread and mid price', async (t) => {
  const [v1, v2] = await answersTo(bookOf(99, 101));
  t.match(v1, { spread_pct: 2, mid_price: 100 });
  t.notOk(v1 && 'crossed' in v1);
  t.notOk(v2 && ('crossed' in v2 || 'spread_pct' in v2));
});

t.test('a crossed book says so and has no spread', async (t) => {
  for (const [bid, ask] of [
    [101, 100],
    [100, 100],
  ] as const) {
    const [v1, v2] = await answersTo(bookOf(bid, ask, true));
    t.match(v1, { crossed: true, spread_pct: null, mid_price: null, bids: level(bid) });
    t.match(v2, { crossed: true, asks: level(ask) });
  }
});

const rows = onDemandRoutes({
  markets: noMarkets(),
  exchanges: { orderBook: ['binance', 'okx'], candles: ['binance'], loans: [] },
});

t.test('an order book of an exchange that does not exist is not found', async (t) => {
  const outcomes = rows.map((row) => {
    const checked = createCheck(row)('exchange=nowhere&symbol=BTCUSDT', []);
    return [row.path, isApiError(checked) ? checked.error : 'none'];
  });
  t.same(Object.fromEntries(outcomes), {
    '/v1/orderbook': 'unknown_exchange',
    '/v2/orderbook': 'unknown_exchange',
    '/v1/bars': 'bad_parameter',
  });
});

t.test('its words are taken in any case', async (t) => {
  for (const row of rows) {
    const checked = createCheck(row)('exchange=BINANCE&symbol=BTCUSDT&kind=Spot&interval=1H', []);
    t.match(checked, { values: { exchange: 'binance', kind: 'spot' } }, row.path);
  }
});
