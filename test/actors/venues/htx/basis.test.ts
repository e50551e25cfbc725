/** What is asked for the mark and index prices of HTX over time, and its dated futures in USDT. */
import t from 'tap';
import { htx } from '../../../../actors/venues/htx/index.ts';
import { instrument } from '../../../support/makers.ts';

const { basisHistory } = htx.queries;
const now = 1_700_000_100_000;
const first = 1_699_992_000;

const candle = (id: number, close: unknown) => ({ id, open: '1', close, high: '2', low: '1' });
function asked(market: string, part: string) {
  const whole = { part, market, interval: '1h', limit: 3, now } as const;
  return { ...whole, instrument: instrument({ market, quote: 'USD', inverse: true }) };
}
t.test('each contract is asked for by its own name, its index by that of the pair', async (t) => {
  const targets = (market: string, part: string) =>
    basisHistory
      .requests(asked(market, part))
      .map(({ path, query }) => `${path} ${query?.contract_code ?? query?.symbol}`);
  const folder = '/index/market/history';
  t.strictSame(targets('BTC231229', 'inverse'), [
    `${folder}/mark_price_kline BTC231229`,
    `${folder}/index BTC-USD`,
  ]);
  t.strictSame(targets('BTC-USD', 'inverse'), [
    `${folder}/swap_mark_price_kline BTC-USD`,
    `${folder}/index BTC-USD`,
  ]);
  t.strictSame(targets('BTC-USDT-231229', 'linear'), [
    `${folder}/linear_swap_mark_price_kline BTC-USDT-231229`,
    `${folder}/index BTC-USDT`,
  ]);
});

t.test('a USDT-margined future without a ticker and open interest keeps its prices', async (t) => {
  const market = 'BTC-USDT-231229';
  const facts = { market, kind: 'future', quote: 'USDT', expiry: 1_703_836_800_000 } as const;
  const instruments = new Map([[market, instrument({ ...facts, contract: 0.001 })]]);
  const { parse } = htx.feeds.futures.parts.linear;
  const candles = {
    ch: `market.${market}.mark_price.1min`,
    ts: now,
    data: [candle(first, '37100.5')],
  };
  const indices = { status: 'ok', data: [{ contract_code: 'BTC-USDT', index_price: 36_900 }] };
  const merged = { tick: { close: '37100', amount: '40', trade_turnover: '1484000' } };
  const interests = { data: { amount: '6', volume: '6000', value: '222600' } };
  const rowsOf = (...bodies: unknown[]) =>
    parse(bodies, { received: now, instruments }).futures.rows;
  // Both sides are counted: 6 / 2 of the base, 222,600 / 2 and 1,484,000 / 2 of the quote.
  const whole = { mark: 37_100.5, index: 36_900, units: 3, value: 111_300, volume: 742_000 };
  t.match(rowsOf(indices, candles, merged, interests), [{ market, stated: now, ...whole }]);
  const bare = { mark: 37_100.5, index: null, units: null, value: null, volume: null };
  t.match(rowsOf(undefined, candles, undefined, undefined), [bare]);
  t.strictSame(rowsOf(indices, undefined, merged, interests), []);
});
