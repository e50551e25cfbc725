/** Rows about the perpetuals of one exchange: Kraken Futures and Hyperliquid. */
import t from 'tap';
import { krakenDepthRoute } from '../../../../http/routes/analytics/depth.ts';
import { hyperliquidRoutes } from '../../../../http/routes/analytics/hyperliquid.ts';
import { krakenRoutes } from '../../../../http/routes/analytics/kraken.ts';
import { type GivenPerpetual, perpetualsOf } from '../../../support/http-makers.ts';
import { derivativeRow, instrument, interestRow, now, reading } from '../../../support/makers.ts';
import { noMarkets } from '../../../support/market-names.ts';
import { rowReader } from '../../../support/row-reader.ts';

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
  t.strictSame(data.items[1], {
    symbol: 'BTC',
    contract: 'PI_XBTUSD',
    margin_type: 'inverse',
    kind: 'perpetual',
    open_interest_base: 200,
    open_interest_usd: 2e7,
    volume_24h_usd: 5e6,
  });
  t.match(data.items[0], { contract: 'PF_XBTUSD', margin_type: 'linear' });
  t.match(await read('open-interest'), {
    total_open_interest_usd: 9e7,
    items: [{ symbol: 'ETH' }],
  });
});

t.test('Kraken: rates of an hour and of eight, mark over index', async (t) => {
  const read = reader(given);
  const rates = await read('funding-rates?symbol=BTC');
  t.strictSame(rates.items[0], {
    symbol: 'BTC',
    contract: 'PI_XBTUSD',
    funding_rate_1h: 0.00002,
    funding_rate_8h: 0.00016,
    predicted_rate_1h: 0.00003,
    predicted_rate_8h: 0.00024,
    mark_price: 102,
    index_price: 100,
    next_funding_time: now + 1,
  });
  t.match(rates.items[1], { predicted_rate_1h: null, predicted_rate_8h: null });
  const marks = await read('mark-prices?symbol=BTC');
  t.strictSame(marks.items[0], {
    symbol: 'BTC',
    contract: 'PI_XBTUSD',
    kind: 'perpetual',
    mark_price: 102,
    index_price: 100,
    last_price: 101,
    // 102 over 100.
    premium_percent: 2,
  });
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
  ];
  perpetuals.accept('derivatives', of(rates), now);
  const listed = ['kA', 'kB', 'kC', 'kD'].map((market) => instrument({ market, max_leverage: 20 }));
  perpetuals.accept('instruments', of(listed), now);
  // Valued with an older mark price: 10 x 5 now.
  const open = [
    interestRow({ market: 'kA', units: 6 }),
    interestRow({ market: 'kB', units: 10, value: 29 }),
  ];
  perpetuals.accept('openInterest', of([...open, interestRow({ market: 'kC', units: 7 })]), now);
  const reply = () => ({ capped: ['kB', 'other'], vault: { address: '0x1' } });
  const read = rowReader(hyperliquidRoutes({ perpetuals, markets: noMarkets() }), { reply });
  const { assets, ...head } = await read('/v1/analytics/hyperliquid/clearinghouse?limit=2');
  t.strictSame(head, {
    exchange: 'hyperliquid',
    updated_at: now,
    // 12 + 50 + 28
    total_open_interest_usd: 90,
    total_volume_24h_usd: 0,
    price_change_24h_basis: 'market',
    asset_count: 3,
    assets_at_oi_cap: ['B', 'other'],
    liquidity_vault: { address: '0x1' },
  });
  t.strictSame(assets[0], {
    symbol: 'B',
    contract: 'kB',
    open_interest_base: 10,
    open_interest_usd: 50,
    volume_24h_usd: 0,
    mark_price: 5,
    oracle_price: 101,
    mid_price: null,
    premium: null,
    funding_rate_1h: 0.00005,
    funding_rate_8h: 0.0004,
    max_leverage: 20,
    only_isolated: false,
    // 1 / (2 x 20)
    maintenance_margin_rate: 0.025,
    price_change_24h_percent: null,
  });
  t.match(assets[1], { symbol: 'C', open_interest_usd: 28 });
});

const levels = (...all: [price: number, quantity: number][]) =>
  all.map(([price, quantity]) => ({ price, quantity }));

t.test('a deep book: the value of each level, the spread in percent of the middle', async (t) => {
  const depth = {
    market: 'PF_XBTUSD',
    bids: levels([99.5, 2], [98, 3]),
    asks: levels([100.5, 4], [102, 5]),
    bidsNear: 199,
    asksNear: 402,
    timestamp: 7,
  };
  const rows = [krakenDepthRoute({ perpetuals: perpetualsOf(given), markets: noMarkets() })];
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
