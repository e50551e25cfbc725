/** Order books and bars as the front checks and answers them. */
import t from 'tap';
import { failed, success } from '../../../../actors/failure.ts';
import { Snapshot } from '../../../../http/answers/snapshots.ts';
import { onDemandRoutes } from '../../../../http/routes/on-demand.ts';
import { FakeClock } from '../../../support/clock.ts';
import { instrument, listedMarkets, noMarkets } from '../../../support/market-names.ts';
import { askRow, fresh, frontQueries, queryBus } from '../../../support/queries.ts';

t.test(
  'bars: the market that the symbol stands for, dollars, the last answer while the exchange fails',
  async (t) => {
    const clock = new FakeClock();
    const asked: unknown[] = [];
    const candle = { timestamp: 5, open: 2, high: 4, low: 1, close: 3, volume: 7, closed: true };
    const candles = [{ ...candle, turnover: 16 }];
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
      prices: { marketFor: () => null },
      exchanges: { orderBook: [], candles: ['okx'], loans: [] },
      candleIntervals: new Map([['okx', ['1m', '1h', '1w']]]),
    });
    const values = { symbol: 'BTC-USDT', exchange: 'okx', interval: '1h', limit: 5 };
    const [answer] = await Promise.all(rows.map((row) => askRow(row, values, queries)));
    if (!(answer instanceof Snapshot)) throw new Error('no answer');
    t.same(JSON.parse(answer.at(clock.now()).toString()).data, {
      exchange: 'okx',
      symbol: 'BTC-USDT',
      market: 'X',
      kind: 'spot',
      quote: 'USDT',
      interval: '1h',
      bars: [{ ...candle, volume_usd: 16 }],
      stale: true,
    });
    const params = { market: 'BTC-USDT', interval: '1h', limit: 5 };
    t.match(asked, [{ source: 'okx', name: 'candles', params }]);
    const [row] = rows;
    if (!row) throw new Error('no row');
    const of = (more: object) => askRow(row, { ...values, ...more }, queries);
    t.ok((await of({ interval: '1w' })) instanceof Snapshot, 'one that the exchange has');
    t.ok((await of({ interval: '1m', from: 1 })) instanceof Snapshot, 'minutes of a range');
    t.match(await of({ interval: '1m' }), {
      message: /^interval must be one of 3m,.* 1m needs from/,
    });
    t.match(await of({ interval: '3d' }), {
      error: 'bad_parameter',
      message: 'interval of okx must be one of 1m, 1h, 1w',
    });
  },
);

const book = { market: 'BTCUSDT', bids: [], asks: [], timestamp: 5 };

t.test('a market by any of its names: the answer states which one it was', async (t) => {
  const clock = new FakeClock();
  const asked: unknown[] = [];
  const queries = frontQueries(
    queryBus((query) => {
      asked.push(query);
      return query.source === 'okx' ? failed('unknown_instrument', '') : fresh(book, clock);
    }),
    clock,
  );
  const { markets } = listedMarkets({
    binance: [instrument('BTCUSDT', 'perpetual')],
    okx: [instrument('BTC-USDT-SWAP', 'perpetual')],
  });
  const [v1, v2] = onDemandRoutes({
    prices: { marketFor: () => null },
    markets,
    exchanges: { orderBook: ['binance', 'okx'], candles: [], loans: [] },
    candleIntervals: new Map(),
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
