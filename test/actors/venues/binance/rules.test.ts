/** Rows of `exchangeInfo` as Binance documents them: what is kept of their filters. */
import t from 'tap';
import { rulesOf } from '../../../../actors/venues/binance/rules.ts';

/** https://developers.binance.com/docs/binance-spot-api-docs/filters */
const spot = {
  symbol: 'ETHBTC',
  baseAsset: 'ETH',
  isMarginTradingAllowed: true,
  filters: [
    [
      'PRICE_FILTER',
      { minPrice: '0.00000100', maxPrice: '100000.00000000', tickSize: '0.00000100' },
    ],
    ['LOT_SIZE', { minQty: '0.00100000', maxQty: '100000.00000000', stepSize: '0.00100000' }],
    ['ICEBERG_PARTS', { limit: 10 }],
    ['MARKET_LOT_SIZE', { minQty: '0.00000000', maxQty: '63100.00000000', stepSize: '0.00000000' }],
    ['NOTIONAL', { minNotional: '5.00000000', maxNotional: '9000000.00000000' }],
  ].map(([filterType, filter]) => ({ filterType, ...Object(filter) })),
};
/** https://developers.binance.com/docs/derivatives/usds-margined-futures/market-data/rest-api/Exchange-Information */
const contract = {
  symbol: 'BLZUSDT',
  baseAsset: 'BLZ',
  onboardDate: 1_598_252_400_000,
  filters: [
    { filterType: 'PRICE_FILTER', maxPrice: '300', minPrice: '0.0001', tickSize: '0.0001' },
    { filterType: 'LOT_SIZE', maxQty: '10000000', minQty: '1', stepSize: '1' },
    { filterType: 'MARKET_LOT_SIZE', maxQty: '590119', minQty: '1', stepSize: '1' },
    { filterType: 'MIN_NOTIONAL', notional: '5.0' },
  ],
};

t.test('the rules of a spot market and of a contract', async (t) => {
  t.strictSame(rulesOf(spot), {
    base: 'ETH',
    price: { step: 1e-6, min: 1e-6, max: 100_000 },
    quantity: { step: 1e-3, min: 1e-3, max: 100_000 },
    market_quantity: { step: 0, min: 0, max: 63_100 },
    least_value: 5,
    margin: true,
  });
  t.strictSame(rulesOf(contract), {
    base: 'BLZ',
    price: { step: 1e-4, min: 1e-4, max: 300 },
    quantity: { step: 1, min: 1, max: 10_000_000 },
    market_quantity: { step: 1, min: 1, max: 590_119 },
    least_value: 5,
    listed: 1_598_252_400_000,
  });
});

t.test('the end of a perpetual once it is announced', async (t) => {
  const endOf = (more: object) => rulesOf({ ...contract, ...more })?.ends;
  const ends = 1_798_761_600_000;
  t.equal(endOf({ contractType: 'PERPETUAL', deliveryDate: ends }), ends);
  t.equal(endOf({ contractType: 'PERPETUAL', deliveryDate: 4_133_404_800_000 }), undefined);
  t.equal(endOf({ contractType: 'PERPETUAL', deliveryDate: '' }), undefined);
  t.equal(endOf({ contractType: 'NEXT_QUARTER', deliveryDate: ends }), undefined);
});

t.test('no rules rather than half of them', async (t) => {
  t.equal(rulesOf({ ...spot, filters: spot.filters.slice(1) }), undefined);
  t.equal(rulesOf({ ...spot, filters: [] }), undefined);
  t.equal(rulesOf({ ...spot, filters: 'none' }), undefined);
  const broken = contract.filters.map((one) => ({ ...one, tickSize: 'x' }));
  t.equal(rulesOf({ ...contract, filters: broken }), undefined);
});
