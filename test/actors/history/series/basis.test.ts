/** Mark and index prices of contracts, sampled out of the newest readings. */
import t from 'tap';
import { basis } from '../../../../actors/history/series/basis.ts';
import { MarketState } from '../../../../actors/state/market-state.ts';
import { NewestRows } from '../../../../actors/state/newest-rows.ts';
import { type FutureRow, topics } from '../../../../actors/topics/index.ts';
import { derivativeRow, now, reading } from '../../../support/makers.ts';

const usd = { quote: 'USD', mark: 101, index: 100 } as const;
const perpetuals = [
  derivativeRow({ market: 'BTC-PERPETUAL', ...usd }),
  derivativeRow({ market: 'BTC_USDC-PERPETUAL', quote: 'USDC', mark: 102, index: null }),
  derivativeRow({ market: 'BTC_EURR-PERPETUAL', ...usd, quote: 'EURR' }),
];
const dated: FutureRow = {
  ...{ market: 'ETH-26JUN26', symbol: 'ETH', inverse: true, expiry: now + 1, ...usd },
  ...{ units: null, value: null, volume: null, stated: null },
};
const untracked = { ...dated, market: 'SMALL-26JUN26', symbol: 'SMALL' };

const newest = new NewestRows();
newest.accept('derivatives', reading(perpetuals, { source: 'deribit' }));
newest.accept('derivatives', reading([derivativeRow(usd)], { source: 'binance' }));
newest.accept('futures', reading([dated, untracked], { source: 'deribit' }));
const market = new MarketState(newest, (query) => (query === 'basisHistory' ? ['binance'] : []));
const sampled = (at: number) => [...(basis.sample?.(market, at, 300_000) ?? [])];

t.test('contracts of tracked assets with both prices, where the exchange keeps none', async (t) => {
  t.strictSame(sampled(now), [
    { key: 'deribit/BTC-PERPETUAL', values: { mark: 101, index: 100 } },
    { key: 'deribit/ETH-26JUN26', values: { mark: 101, index: 100 } },
  ]);
});

t.test('no prices that are too old', async (t) => {
  t.strictSame(sampled(now + topics.derivatives.maxAge + 1), []);
});
