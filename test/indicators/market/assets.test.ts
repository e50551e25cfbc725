import t from 'tap';
import {
  type AssetMarket,
  assetsOf,
  nearMedian,
  quotientOf,
  sumKnown,
  summaryOf,
  weightedMean,
} from '../../../indicators/market/assets.ts';

const market = (price: number, more: Partial<AssetMarket> = {}): AssetMarket => ({
  exchange: 'a',
  market: 'M',
  symbol: 'BTC',
  quote: 'USDT',
  asset_class: 'crypto',
  last: price,
  price,
  turnover: 1,
  change: null,
  received: 1,
  ...more,
});
const pricesOf = (markets: readonly AssetMarket[]) => markets.map(({ price }) => price);

t.test('prices more than 5 % from the median are another asset', async (t) => {
  const near = (...prices: number[]) => pricesOf(nearMedian(prices.map((one) => market(one))));
  t.strictSame(near(100, 101, 110), [100, 101]);
  t.strictSame(near(100, 104.9, 95.1), [100, 104.9, 95.1]);
  t.strictSame(near(100, 105, 95), [100, 105, 95], 'by 5 % is not by more');
  t.strictSame(near(7), [7]);
  t.strictSame(pricesOf(nearMedian([market(100), market(200, { turnover: 2 })])), [200]);
  t.strictSame(pricesOf(nearMedian([market(100), market(200, { turnover: null })])), [100]);
  t.strictSame(pricesOf(nearMedian([market(200, { turnover: null }), market(100)])), [100]);
});

t.test('a mean by weights', async (t) => {
  const of = (...pairs: [number | null, number | null][]) => weightedMean(pairs);
  t.equal(of([1, 3], [5, 1]), 2);
  t.equal(of([1, 3], [null, 9], [5, null]), 1);
  t.equal(of([1, 0], [5, null]), 3, 'the plain mean without weights');
  t.equal(of([null, 1]), null);
  t.equal(sumKnown([1, null, 2]), 3);
  t.equal(sumKnown([null]), null);
  t.equal(quotientOf(1, 4), 0.25);
  t.equal(quotientOf(0, 1), 0);
  const unknown = [quotientOf(null, 1), quotientOf(1, null), quotientOf(1, 0), quotientOf(-1, 1)];
  t.same(unknown, [null, null, null, null]);
});

t.test('the summary of an asset', async (t) => {
  const markets = [
    market(100, { turnover: 3, received: 5 }),
    market(104, { turnover: 1, exchange: 'b', received: 9 }),
    market(100, { turnover: null }),
    market(900, { turnover: 50, exchange: 'c', received: 99 }),
  ];
  t.match(summaryOf('BTC', markets), {
    symbol: 'BTC',
    price: 101,
    turnover: 4,
    exchanges: 2,
    received: 9,
  });
  const other = market(7, { symbol: 'ETH', turnover: null });
  t.match(assetsOf([markets[0] ?? other, other, other]), [
    { symbol: 'BTC', price: 100 },
    { symbol: 'ETH', price: 7, turnover: 0 },
  ]);
});
