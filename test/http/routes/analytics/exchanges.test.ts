/** Rows about the perpetuals of one exchange: Kraken Futures and Hyperliquid. */
import t from 'tap';
import { hyperliquidRoutes } from '../../../../http/routes/analytics/hyperliquid.ts';
import { krakenDepthRoutes, krakenRoutes } from '../../../../http/routes/analytics/kraken.ts';
import { type GivenPerpetual, perpetualsOf } from '../../../support/http-makers.ts';
import {
  derivativeRow,
  instrument,
  interestRow,
  levels,
  now,
  priceRow,
  reading,
} from '../../../support/makers.ts';
import { instrument as listed, listedMarkets, noMarkets } from '../../../support/market-names.ts';
import { rowReader } from '../../../support/row-reader.ts';
import { sameRows } from '../../../support/table.ts';

const source = 'kraken';
const given: GivenPerpetual[] = [
  {
    source,
    market: 'PI_XBTUSD',
    mark: 102,
    index: 100,
    last: 101,
    volume: 5e6,
    interest: 2e7,
    units: 200,
    rate: 0.00002,
    hours: 1,
    predicted: 0.00003,
    inverse: true,
  },
  { source, market: 'PF_XBTUSD', mark: 103, index: 104, volume: 9e6, interest: 3e7, units: 290 },
  { source, symbol: 'ETH', mark: 10, interest: 4e7 },
];

const reader = (all: GivenPerpetual[]) => {
  const read = rowReader(krakenRoutes({ perpetuals: perpetualsOf(all), markets: noMarkets() }));
  return (path: string) => read(`/v1/analytics/kraken/${path}`);
};

t.test('Kraken: open interest, largest first, with its sum', async (t) => {
  const read = reader(given);
  const data = await read('open-interest?symbol=btc');
  t.match(data, { exchange: 'kraken', updated_at: now, total_open_interest_usd: 5e7, count: 2 });
  sameRows(t, data.items[1])`
    symbol contract  margin_type kind      open_interest_base open_interest_usd volume_24h_usd
    BTC    PI_XBTUSD inverse     perpetual 200                2e7               5e6
  `;
  t.match(data.items[0], { contract: 'PF_XBTUSD', margin_type: 'linear' });
  t.match(await read('open-interest'), {
    total_open_interest_usd: 9e7,
    items: [{ symbol: 'ETH' }],
  });
});

t.test('Kraken: rates of an hour and of eight, mark over index', async (t) => {
  const read = reader(given);
  const rates = await read('funding-rates?symbol=BTC');
  sameRows(t, rates.items[0])`
    symbol contract  funding_rate_1h funding_rate_8h predicted_rate_1h predicted_rate_8h mark_price index_price next_funding_time
    BTC    PI_XBTUSD 0.00002         0.00016         0.00003           0.00024           102        100         ${now + 1}
  `;
  t.match(rates.items[1], { predicted_rate_1h: null, predicted_rate_8h: null });
  const marks = await read('mark-prices?symbol=BTC');
  sameRows(t, marks.items[0])`
    symbol contract  kind      mark_price index_price last_price premium_percent
    BTC    PI_XBTUSD perpetual 102        100         101        2 // 102 over 100.
  `;
  for (const path of ['open-interest', 'funding-rates', 'mark-prices']) {
    const unknown = { error: 'unknown_symbol', message: "unknown symbol 'ZZZ' for kraken" };
    t.match(await read(`${path}?symbol=ZZZ`), unknown, path);
    t.match(await reader([])(path), { error: 'upstream_failed' }, 'nothing was received');
  }
});

t.test('the clearinghouse: the largest open interest first, sums over all', async (t) => {
  const perpetuals = perpetualsOf([]);
  const of = <Row>(rows: Row[]) => reading(rows, { source: 'hyperliquid' });
  const rates = [
    derivativeRow({ symbol: 'A', market: 'kA', mark: 2, index: 3, premium: 0.01 }),
    derivativeRow({ symbol: 'B', market: 'kB', mark: 5, funding_rate: 0.00005 }),
    derivativeRow({ symbol: 'C', market: 'kC', mark: 4 }),
    derivativeRow({ symbol: 'D', market: 'kD', mark: null }),
    derivativeRow({ symbol: 'XYZ:E', market: 'xyz:E', mark: 4 }),
  ];
  perpetuals.accept('derivatives', of(rates), now);
  const listed = ['kA', 'kB', 'kC', 'kD', 'xyz:E'].map((market) =>
    instrument({ market, max_leverage: 20 }),
  );
  perpetuals.accept('instruments', of(listed), now);
  // Valued with an older mark price: 10 x 5 now.
  const open = [
    interestRow({ market: 'kA', units: 6 }),
    interestRow({ market: 'kB', units: 10, value: 29 }),
    interestRow({ market: 'xyz:E', units: 1_000 }),
  ];
  perpetuals.accept('openInterest', of([...open, interestRow({ market: 'kC', units: 7 })]), now);
  const vault = {
    address: '0x1',
    account_value_usd: 70,
    total_position_usd: 50,
    total_margin_used_usd: 30,
    withdrawable_usd: 20,
  };
  const reply = () => ({ capped: ['kB', 'other'], vault });
  const read = rowReader(hyperliquidRoutes({ perpetuals }), { reply });
  const { assets, ...head } = await read('/v1/analytics/hyperliquid/clearinghouse?limit=2');
  t.strictSame(head, {
    exchange: 'hyperliquid',
    updated_at: now,
    // 12 + 50 + 28
    total_open_interest_usd: 90,
    total_volume_24h_usd: null,
    price_change_24h_basis: 'market',
    asset_count: 3,
    assets_at_oi_cap: ['B', 'other'],
    liquidity_vault: vault,
  });
  sameRows(t, assets[0])`
    symbol contract open_interest_base open_interest_usd volume_24h_usd mark_price oracle_price mid_price premium
    B      kB       10                 50                -              5          101          -         -

    funding_rate_1h funding_rate_8h max_leverage only_isolated maintenance_margin_rate price_change_24h_percent
    0.00005         0.0004          20           false         0.025                   - // 1 / (2 x 20)
  `;
  t.match(assets[1], { symbol: 'C', open_interest_usd: 28 });
  const prices = ['kA', 'kB', 'kC', 'kD'].map((market, i) =>
    priceRow({ market, kind: 'perpetual', volume: 10 ** i }),
  );
  perpetuals.accept('prices', of(prices), now);
  const { total_volume_24h_usd } = await read('/v1/analytics/hyperliquid/clearinghouse');
  t.equal(total_volume_24h_usd, 111);
});

t.test('a deep book: the value of each level, the spread in percent of the middle', async (t) => {
  const depth = {
    market: 'PF_XBTUSD',
    bids: levels([99.5, 2], [98, 3]),
    asks: levels([100.5, 4], [102, 5]),
    bidsNear: 199,
    asksNear: 402,
    timestamp: 7,
  };
  const { markets } = listedMarkets({ kraken: [listed('PF_XBTUSD', 'perpetual')] });
  const exchanges = { orderBook: [], candles: [], loans: [], depth: [source] };
  const rows = krakenDepthRoutes({ markets, exchanges });
  const path = '/v1/analytics/kraken/depth?symbol=BTC&limit=2';
  const data = await rowReader(rows, { reply: () => depth })(path);
  t.strictSame(data, {
    symbol: 'BTC',
    contract: 'PF_XBTUSD',
    bids: [
      { price: 99.5, quantity: 2, value_usd: 199 },
      { price: 98, quantity: 3, value_usd: 294 },
    ],
    asks: [
      { price: 100.5, quantity: 4, value_usd: 402 },
      { price: 102, quantity: 5, value_usd: 510 },
    ],
    best_bid: 99.5,
    best_ask: 100.5,
    mid_price: 100,
    spread_percent: 1,
    bids_usd_1pct: 199,
    asks_usd_1pct: 402,
    timestamp: 7,
  });
  const far = { ...depth, asks: [], suspect: true };
  const empty = await rowReader(rows, { reply: () => far })(path);
  t.match(empty, { best_ask: null, mid_price: null, spread_percent: null, suspect: true });
});
