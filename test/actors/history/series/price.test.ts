/** Prices and turnovers of assets, sampled out of the newest readings. */
import t from 'tap';
import { price } from '../../../../actors/history/series/price.ts';
import { MarketState } from '../../../../actors/state/market-state.ts';
import { NewestRows } from '../../../../actors/state/newest-rows.ts';
import { topics } from '../../../../actors/topics/index.ts';
import { now, priceRow, reading } from '../../../support/makers.ts';

t.test('the turnover is without exchanges of which a market is not heard', async (t) => {
  const newest = new NewestRows();
  const row = (volume: number) => priceRow({ kind: 'perpetual', price: 100, volume });
  newest.accept('prices', reading([row(7)], { source: 'okx', part: 'swap' }));
  newest.accept('prices', reading([row(2)], { source: 'binance', part: 'inverse' }));
  const received = now - topics.prices.maxAge - 1;
  newest.accept('prices', reading([row(90)], { source: 'binance', part: 'linear', received }));
  const market = new MarketState(newest, () => []);
  t.strictSame(
    [...(price.sample?.(market, now, 60_000) ?? [])],
    [{ key: 'perpetual/BTC', values: { price: 100, turnover: 7 } }],
  );
});
