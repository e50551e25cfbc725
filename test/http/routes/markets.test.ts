/** The tables of markets: what they make of what exchanges state. */
import t from 'tap';
import { marketTables } from '../../../http/routes/markets/index.ts';
import { spreadPct } from '../../../indicators/market/assets.ts';
import { perpetualsOf } from '../../support/http-makers.ts';
import { now, priceRow, reading } from '../../support/makers.ts';
import { sameRows } from '../../support/table.ts';
import { marketStage } from './market-stage.ts';

t.test('a spread needs both sides', async (t) => {
  t.same([spreadPct(99, 101), spreadPct(null, 101), spreadPct(99, null)], [2, null, null]);
});

const { read } = marketStage(marketTables);
const symbolsOf = async (path: string) => {
  const { items = [] } = await read(path);
  const named = ({ symbol, rank }: { symbol: string; rank?: number }) => `${symbol}${rank ?? ''}`;
  return items.map(named).join(' ');
};

t.test('spot markets by turnover, with their shares of the total', async (t) => {
  t.strictSame(await read('spot/supported-coins'), {
    count: 2,
    coins: [
      { symbol: 'BTC', class: 'crypto', exchange_count: 2, exchanges: ['a', 'b'] },
      { symbol: 'ETH', class: 'crypto', exchange_count: 1, exchanges: ['a'] },
    ],
  });
  const pairs = await read('spot/pairs-markets?symbol=btc-usdt');
  t.match(pairs, { price_change_24h_basis: 'market', count: 3 });
  sameRows(t, pairs.items[1])`
    exchange pair    symbol quote price bid ask spread_percent price_change_24h_percent class
    a        BTCUSDT BTC    USDT  100   98  102 4              2 crypto // 4 of 100.

    volume_24h_base volume_24h_usd high_24h low_24h quotes_updated_at updated_at
    5e4             5e6            110      90      ${now}            ${now}
  `;
  t.match(pairs.items[0], { exchange: 'b', spread_percent: null, quotes_updated_at: null });
  const volume = await read('spot/volume?limit=2');
  t.match(volume, { count: 2, total_volume_24h_usd: 27_000_010 });
  sameRows(t, volume.items[1])`
    rank exchange pair    symbol volume_24h_usd price price_change_24h_percent share class
    2    a        BTCUSDT BTC    5e6            100   2                        ${Number((5e6 / 27_000_010).toPrecision(12))} crypto
  `;
  t.match(await read('spot/volume?exchange=a'), { total_volume_24h_usd: 11_000_010, count: 5 });
  t.match(await read('spot/pairs-markets?symbol=XYZ'), { error: 'unknown_symbol' });
  t.match(await read('spot/pairs-markets?symbol=btc&exchange=a'), { count: 1 });
});

t.test('assets by spot turnover: mean price without what is far from the others', async (t) => {
  const { items } = await read('spot/coins-markets');
  // (100 x 5 + 102 x 15) / 20; the 150 of c does not count, in no sum.
  const { outliers, ...btc } = items[0];
  t.strictSame(outliers, { price: ['c'] });
  sameRows(t, btc)`
    symbol price price_change_1h_percent price_change_24h_percent price_change_24h_basis volume_24h_usd class
    BTC    101.5 -                       0.333333333333           asset                  20e6 crypto

    volume_share                                   high_24h low_24h exchange_count buy_volume_24h_usd sell_volume_24h_usd
    ${Number((20e6 / 26_000_010).toPrecision(12))} 110      90      2              -                  -

    updated_at
    ${now}
  `;
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
  sameRows(t, pairs.items[1])`
    exchange contract symbol quote margin_type price mark_price index_price price_change_24h_percent volume_24h_usd class
    b        BTC-P    BTC    USDT  linear      104   103        102.5       -2                       1e7 crypto

    open_interest_usd open_interest_base funding_rate funding_interval_hours funding_rate_8h next_funding_time updated_at
    1e6               9_700              0.0005       4                      0.001           ${now + 1}        ${now}

    high_24h low_24h
    108      99
  `;
  const coins = await read('futures/coins-markets');
  t.match(coins.items[0], { symbol: 'ETH', open_interest_usd: 8e6, oi_volume_ratio: 4 });
  sameRows(t, coins.items[1])`
    symbol price price_change_24h_percent price_change_24h_basis open_interest_usd price_change_1h_percent class
    BTC    101   0.333333333333           asset                  7e6               - crypto // (100 x 3 + 104) / 4

    open_interest_change_1h_percent open_interest_change_24h_percent long_short_ratio long_short_ratio_basis volume_24h_usd
    -                               -                                -                binance                4e7

    funding_rate_8h oi_volume_ratio liquidation_usd_24h long_liquidation_usd_24h short_liquidation_usd_24h exchange_count
    // (0.0001 x 3 + 0.001) / 4
    0.000325        0.175           -                   -                        -                         2

    updated_at
    ${now}
  `;
  const early = { error: 'warming_up', message: /no fresh reading of c yet/ };
  t.match(await read('futures/pairs-markets?exchange=c'), early);
});

t.test('pages of assets; a row says what is old in it, and who is left out', async (t) => {
  const { read, tables, perpetuals } = marketStage(marketTables);
  const { items = [], count } = await read('spot/coins-markets?limit=2&offset=1');
  t.same([count, items.map(({ symbol }: { symbol: string }) => symbol)], [2, ['NEW', 'SOL']]);
  t.match(await read('spot/coins-markets?offset=6'), { count: 0, items: [] });
  const [btc] = (await read('spot/coins-markets?symbol=BTC')).items;
  t.notOk('disputed' in btc || 'old_since' in btc, 'two of three agree, and all of it is new');

  const later = now + 90_001;
  const price = priceRow({ market: 'BTC-P', kind: 'perpetual', price: 100, volume: 3e7 });
  perpetuals.accept('prices', reading([price], { source: 'a', received: later }), later);
  tables.expire(later);
  const [eth, bitcoin] = (await read('futures/coins-markets')).items;
  const rest = { open_interest_usd: now, funding_rate_8h: now };
  t.strictSame(bitcoin.old_since, rest, 'its price is new on one exchange');
  t.strictSame(eth.old_since, { price: now, volume_24h_usd: now, ...rest });
});

t.test('exchanges by open interest, with their shares', async (t) => {
  const { items } = await read('futures/exchange-rank');
  sameRows(t, items[0])`
    rank exchange open_interest_usd volume_24h_usd liquidation_usd_24h pairs oi_share volume_share   oi_volume_ratio updated_at
    1    b        9e6               12e6           -                   2     0.6      0.285714285714 0.75            ${now} // 9 of 15, 12 of 42, 9 of 12.
  `;
  t.match(items[1], { rank: 2, exchange: 'a', oi_share: 0.4, pairs: 1, oi_volume_ratio: 0.2 });
});

t.test('what rose and fell most, of markets with some turnover', async (t) => {
  const gainers = await read('spot/gainers');
  sameRows(t, gainers.items[0])`
    rank symbol exchange market  quote price price_change_24h_percent price_change_24h_basis volume_24h_usd updated_at class
    1    ETH    a        ETHUSDT USDT  10    3.33333333333            asset                  1e6            ${now} crypto
  `;
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
    sameRows(t, data.items[1])`
      symbol price price_change_24h_percent price_change_24h_basis high_24h low_24h spot_volume_24h_usd class
      BTC    101.5 0.333333333333           asset                  110      90      20e6 crypto

      spot_exchange_count futures_volume_24h_usd open_interest_usd funding_rate_8h funding_annualized
      2                   4e7                    7e6               0.000325        0.355875 // x 3 x 365

      futures_exchange_count price_change_1h_percent open_interest_change_1h_percent
      2                      -                       -

      open_interest_change_24h_percent long_short_ratio long_short_ratio_basis liquidation_usd_24h
      -                                -                binance                -

      long_liquidation_usd_24h short_liquidation_usd_24h updated_at
      -                        -                         ${now}
    `;
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

t.test('what is no coin is beside them by class, and in no sum of theirs', async (t) => {
  const { read, tables, perpetuals } = marketStage(marketTables);
  const common = { quote: 'USDT', last: 400, mark: 401, volume: 9e6, interest: 5e6 };
  const given = [
    { ...common, source: 'shares', symbol: 'BTC.STOCK' },
    { ...common, source: 'shares', symbol: 'ETH.STOCK', last: 420 },
  ];
  perpetualsOf(given, perpetuals);
  tables.touch(now);
  tables.expire(now + 1);
  const shares = await read('futures/coins-markets?class=stock');
  t.match(shares.items, [
    { symbol: 'BTC.STOCK', class: 'stock', price: 400 },
    { symbol: 'ETH.STOCK', class: 'stock', price: 420 },
  ]);
  t.match((await read('futures/coins-markets?symbol=BTC')).items, [
    { class: 'crypto', price: 101 },
  ]);
  t.equal(
    (await read('futures/coins-markets')).count,
    4,
    'all of them where no class is asked for',
  );
  t.match(await read('futures/pairs-markets?class=index'), { count: 0, items: [] });
  t.match(await read('overview'), { total_open_interest_usd: 15e6, count: 2 });
  t.match(await read('overview?class=stock'), { total_open_interest_usd: 10e6, count: 2 });
  const ranks = async (of: string) => (await read(`futures/exchange-rank${of}`)).items;
  t.notOk((await ranks('')).some(({ exchange }: { exchange: string }) => exchange === 'shares'));
  t.match(await ranks('?class=stock'), [{ exchange: 'shares', oi_share: 1 }]);
});
