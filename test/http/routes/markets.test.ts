/** The tables of markets: what they make of what exchanges state. */
import t from 'tap';
import { spreadOf } from '../../../http/routes/markets/common.ts';
import { now } from '../../support/makers.ts';
import { marketStage } from './market-stage.ts';

t.test('a spread needs both sides', async (t) => {
  t.same([spreadOf(99, 101), spreadOf(null, 101), spreadOf(99, null)], [2, null, null]);
});

const { read } = marketStage();
const symbolsOf = async (path: string) => {
  const { items = [] } = await read(path);
  const named = ({ symbol, rank }: { symbol: string; rank?: number }) => `${symbol}${rank ?? ''}`;
  return items.map(named).join(' ');
};

t.test('spot markets by turnover, with their shares of the total', async (t) => {
  t.strictSame(await read('spot/supported-coins'), {
    count: 2,
    coins: [
      { symbol: 'BTC', exchange_count: 2, exchanges: ['a', 'b'] },
      { symbol: 'ETH', exchange_count: 1, exchanges: ['a'] },
    ],
  });
  const pairs = await read('spot/pairs-markets?symbol=btc-usdt');
  t.match(pairs, { price_change_24h_basis: 'market', count: 3 });
  t.strictSame(pairs.items[1], {
    exchange: 'a',
    pair: 'BTCUSDT',
    symbol: 'BTC',
    quote: 'USDT',
    price: 100,
    bid: 98,
    ask: 102,
    // 4 of 100.
    spread_percent: 4,
    price_change_24h_percent: 2,
    volume_24h_base: 5e4,
    volume_24h_usd: 5e6,
    high_24h: 110,
    low_24h: 90,
    quotes_updated_at: now,
    updated_at: now,
  });
  t.match(pairs.items[0], { exchange: 'b', spread_percent: null, quotes_updated_at: null });
  const volume = await read('spot/volume?limit=2');
  t.match(volume, { count: 2, total_volume_24h_usd: 27_000_010 });
  t.strictSame(volume.items[1], {
    rank: 2,
    exchange: 'a',
    pair: 'BTCUSDT',
    symbol: 'BTC',
    volume_24h_usd: 5e6,
    price: 100,
    price_change_24h_percent: 2,
    share: Number((5e6 / 27_000_010).toPrecision(12)),
  });
  t.match(await read('spot/volume?exchange=a'), { total_volume_24h_usd: 11_000_010, count: 5 });
  t.match(await read('spot/pairs-markets?symbol=XYZ'), { error: 'unknown_symbol' });
  t.match(await read('spot/pairs-markets?symbol=btc&exchange=a'), { count: 1 });
});

t.test('assets by spot turnover: mean price without what is far from the others', async (t) => {
  const { items } = await read('spot/coins-markets');
  // (100 x 5 + 102 x 15) / 20; the 150 of c does not count, in no sum.
  t.strictSame(items[0], {
    symbol: 'BTC',
    price: 101.5,
    price_change_1h_percent: null,
    price_change_24h_percent: 0.333333333333,
    price_change_24h_basis: 'asset',
    volume_24h_usd: 20e6,
    volume_share: Number((20e6 / 26_000_010).toPrecision(12)),
    high_24h: 110,
    low_24h: 90,
    exchange_count: 2,
    buy_volume_24h_usd: null,
    sell_volume_24h_usd: null,
    updated_at: now,
  });
  t.equal(await symbolsOf('spot/coins-markets'), 'BTC NEW SOL ETH DUST NIL');
  const alone = await read('spot/coins-markets?exchange=c');
  t.match(alone.items, [{ price: 150, volume_share: 1, price_change_24h_basis: 'exchange' }]);
  t.match((await read('spot/coins-markets?exchange=d')).items, [
    { symbol: 'NIL', volume_share: 0 },
  ]);
  const unknown = { error: 'unknown_symbol', message: "unknown symbol 'ETH' for b" };
  t.match(await read('spot/coins-markets?symbol=ETH&exchange=b'), unknown);
});

t.test('perpetuals by turnover, and assets by open interest', async (t) => {
  const pairs = await read('futures/pairs-markets');
  t.match(pairs.items, [
    { exchange: 'a', margin_type: 'linear' },
    { exchange: 'b', symbol: 'BTC' },
    { exchange: 'b', symbol: 'ETH', margin_type: 'inverse', funding_rate_8h: -0.0001 },
  ]);
  t.strictSame(pairs.items[1], {
    exchange: 'b',
    contract: 'BTC-P',
    symbol: 'BTC',
    quote: 'USDT',
    margin_type: 'linear',
    price: 104,
    mark_price: 103,
    index_price: 102.5,
    price_change_24h_percent: -2,
    volume_24h_usd: 1e7,
    open_interest_usd: 1e6,
    open_interest_base: 9_700,
    funding_rate: 0.0005,
    funding_interval_hours: 4,
    funding_rate_8h: 0.001,
    next_funding_time: now + 1,
    updated_at: now,
  });
  const coins = await read('futures/coins-markets');
  t.match(coins.items[0], { symbol: 'ETH', open_interest_usd: 8e6, oi_volume_ratio: 4 });
  t.strictSame(coins.items[1], {
    symbol: 'BTC',
    // (100 x 3 + 104) / 4
    price: 101,
    price_change_24h_percent: 0.333333333333,
    price_change_24h_basis: 'asset',
    open_interest_usd: 7e6,
    price_change_1h_percent: null,
    open_interest_change_1h_percent: null,
    open_interest_change_24h_percent: null,
    long_short_ratio: null,
    long_short_ratio_basis: 'binance',
    volume_24h_usd: 4e7,
    // (0.0001 x 3 + 0.001) / 4
    funding_rate_8h: 0.000325,
    oi_volume_ratio: 0.175,
    liquidation_usd_24h: null,
    long_liquidation_usd_24h: null,
    short_liquidation_usd_24h: null,
    exchange_count: 2,
    updated_at: now,
  });
  const early = { error: 'warming_up', message: /no fresh reading of c yet/ };
  t.match(await read('futures/pairs-markets?exchange=c'), early);
});

t.test('exchanges by open interest, with their shares', async (t) => {
  const { items } = await read('futures/exchange-rank');
  t.strictSame(items[0], {
    rank: 1,
    exchange: 'b',
    open_interest_usd: 9e6,
    volume_24h_usd: 12e6,
    liquidation_usd_24h: null,
    pairs: 2,
    // 9 of 15, 12 of 42, 9 of 12.
    oi_share: 0.6,
    volume_share: 0.285714285714,
    oi_volume_ratio: 0.75,
  });
  t.match(items[1], { rank: 2, exchange: 'a', oi_share: 0.4, pairs: 1, oi_volume_ratio: 0.2 });
});

t.test('what rose and fell most, of markets with some turnover', async (t) => {
  const gainers = await read('spot/gainers');
  t.strictSame(gainers.items[0], {
    rank: 1,
    symbol: 'ETH',
    exchange: 'a',
    market: 'ETHUSDT',
    quote: 'USDT',
    price: 10,
    price_change_24h_percent: 3.33333333333,
    price_change_24h_basis: 'asset',
    volume_24h_usd: 1e6,
    updated_at: now,
  });
  t.equal(await symbolsOf('spot/gainers'), 'ETH1 BTC2');
  t.equal(await symbolsOf('spot/gainers?exchange=a&min_volume=0'), 'DUST1 BTC2');
  t.equal(await symbolsOf('spot/gainers?min_volume=1000001'), 'BTC1');
  t.equal(await symbolsOf('spot/losers'), 'SOL1');
  t.equal(await symbolsOf('spot/losers?exchange=a'), 'SOL1 ETH2');
  t.equal(await symbolsOf('futures/gainers'), 'ETH1 BTC2');
  t.equal(await symbolsOf('futures/losers'), '');
});

t.test(
  'the overview: the assets with most open interest, or one, beside the sums of all',
  async (t) => {
    const data = await read('overview');
    t.match(data, {
      total_open_interest_usd: 15e6,
      total_spot_volume_24h_usd: 26_000_010,
      total_futures_volume_24h_usd: 42e6,
      count: 2,
    });
    t.strictSame(data.items[1], {
      symbol: 'BTC',
      price: 101.5,
      price_change_24h_percent: 0.333333333333,
      price_change_24h_basis: 'asset',
      high_24h: 110,
      low_24h: 90,
      spot_volume_24h_usd: 20e6,
      spot_exchange_count: 2,
      futures_volume_24h_usd: 4e7,
      open_interest_usd: 7e6,
      funding_rate_8h: 0.000325,
      // x 3 x 365
      funding_annualized: 0.355875,
      futures_exchange_count: 2,
      price_change_1h_percent: null,
      open_interest_change_1h_percent: null,
      open_interest_change_24h_percent: null,
      long_short_ratio: null,
      long_short_ratio_basis: 'binance',
      liquidation_usd_24h: null,
      long_liquidation_usd_24h: null,
      short_liquidation_usd_24h: null,
      updated_at: now,
    });
    t.match(await read('overview?limit=1'), { count: 1, total_open_interest_usd: 15e6 });
    const none = {
      futures_volume_24h_usd: null,
      open_interest_usd: null,
      funding_annualized: null,
    };
    t.match((await read('overview?symbol=new')).items, [{ spot_volume_24h_usd: 3e6, ...none }]);
    t.match(await read('overview?symbol=XYZ'), { error: 'unknown_symbol' });
  },
);

t.test('every answer about an asset has the same change of 24 hours', async (t) => {
  // (2 x 5 - 2 x 15 + 2 x 30 - 2 x 10) / 60 of the markets near 102; ETH: (-4 x 1 + 7 x 2) / 3.
  const same = { BTC: 0.333333333333, ETH: 3.33333333333 };
  const paths = [
    'spot/coins-markets',
    'futures/coins-markets',
    'overview',
    'spot/gainers?min_volume=0',
    'futures/gainers?min_volume=0',
  ];
  for (const path of paths) {
    const { items } = await read(path);
    for (const [symbol, wanted] of Object.entries(same)) {
      const item = items.find((one: { symbol: string }) => one.symbol === symbol);
      const change = { price_change_24h_percent: wanted, price_change_24h_basis: 'asset' };
      t.match(item, change, `${path} ${symbol}`);
    }
  }
  const ranked = await read('futures/coins-price-change?limit=1', ({ params }) => {
    const { times } = Object(params);
    const price = times.map((_: number, i: number) => [100 + i]);
    return {
      series: 'price',
      times,
      keys: ['perpetual/BTC'],
      columns: { price },
      recorded_from: 0,
    };
  });
  const change = { price_change_percent_24h: same.BTC, price_change_24h_basis: 'asset' };
  t.match(ranked.items[0], change);
  for (const path of ['spot/pairs-markets', 'futures/pairs-markets', 'spot/volume'])
    t.equal((await read(path)).price_change_24h_basis, 'market', path);
  const [own] = (await read('futures/coins-markets?exchange=b&symbol=BTC')).items;
  t.match(own, { price_change_24h_percent: -2, price_change_24h_basis: 'exchange' });
});
