import t from 'tap';
import { mexc } from '../../../../actors/venues/mexc/index.ts';
import { sameRows } from '../../../support/table.ts';
import {
  askFor,
  derivativesOf,
  fixture,
  instrumentOf,
  kindsOf,
  openInterestOf,
  pricesOf,
  received,
} from '../fixtures.ts';
import { rounded } from '../stream-suite.ts';
import { wholeVenue } from '../suite/index.ts';

const { orderBook, candles } = mexc.queries;
const { parse } = mexc.feeds.instruments.parts.contracts;
const nothing = { received, instruments: new Map() };

t.test('the markets that are followed', async (t) => {
  t.strictSame(kindsOf(mexc, 'spot'), {
    spot: 'BTCUSDT ETHBTC USDCUSDT 1000SATSUSDT',
    // OLDUSDT: status 2; SHUTUSDT: no spot trading; BTC3LUSDT: leveraged
    other: 'OLDUSDT SHUTUSDT BTC3LUSDT',
  });
  t.strictSame(kindsOf(mexc, 'contracts'), {
    perpetual: 'BTC_USDT 1000BONK_USDT BTC_USD ETH_USDC',
    // OLD_USDT: paused; GHOST_USDT: hidden; TSLASTOCK_USDT: a share
    other: 'OLD_USDT GHOST_USDT TSLASTOCK_USDT',
  });
  sameRows(t, [
    instrumentOf(mexc, 'spot', 'BTCUSDT'),
    instrumentOf(mexc, 'contracts', '1000BONK_USDT'),
  ])`
    market        kind      symbol quote scale contract inverse funding_hours tick
    BTCUSDT       spot      BTC    USDT  1     1        false   - 1e-8
    1000BONK_USDT perpetual BONK   USDT  1000  10       false   - 0.1/1000
  `;
  t.match(instrumentOf(mexc, 'contracts', 'BTC_USD'), {
    quote: 'USD',
    contract: 100,
    inverse: true,
  });
  const odd = { symbol: 'X_USDT', baseCoin: 'X', quoteCoin: 'USDT', contractSize: 1, state: 0 };
  const rows = [{ ...odd, settleCoin: 'BTC' }, odd];
  t.strictSame(parse([{ data: rows }], nothing).instruments.rows, [], 'no known unit');
});

t.test('spot prices: a fraction for a percentage, a turnover that may be missing', async (t) => {
  const { rows, dropped } = pricesOf(mexc, 'spot');
  t.strictSame(dropped, []);
  sameRows(t, rounded(rows[0]))`
    market  kind symbol quote price   bid       ask       high      low      base    volume        change stated
    // change: from 100,000; the stated 0.04 is rounded
    BTCUSDT spot BTC    USDT  104_005 104_004.8 104_005.3 104_950.5 99_510.5 5000.25 512_500_000.5 4.005  1_750_000_000_321
  `;
  t.strictSame(
    rounded(rows.slice(1).map((row) => [row.market, row.price, row.base, row.volume, row.change])),
    [
      ['USDCUSDT', 1.0001, 100.5, 100.51005, null], // null: 100.5 x 1.0001
      ['1000SATSUSDT', 5e-8, 2_000_000_000, 100, -20], // '': 2,000,000 x 0.00005
    ],
  );
});

t.test('prices of contracts', async (t) => {
  const { rows, dropped } = pricesOf(mexc, 'contracts');
  t.strictSame(dropped, []);
  sameRows(t, rounded(rows[0]))`
    market   kind      symbol quote price   bid       ask       high      low       base
    BTC_USDT perpetual BTC    USDT  104_040 104_039.9 104_040.2 105_010.6 101_500.4 6000 // base: 60,000,000 x 0.0001 BTC

    volume        change                                      stated
    // volume: amount24; change: 2,040.5; the stated 0.02 is rounded
    620_000_000.5 ${rounded((104_040 / 101_999.5 - 1) * 100)} 1_750_000_000_321
  `;
  t.strictSame(
    rounded(rows.slice(1).map((row) => [row.market, row.price, row.base, row.volume, row.change])),
    [
      // No turnover: 5,000,000 x 10 x 0.02. From 0.0195.
      ['1000BONK_USDT', 0.00002, 50_000_000_000, 1_000_000, rounded((0.02 / 0.0195 - 1) * 100)],
      ['BTC_USD', 99_960, null, 15_000_000, 2], // 150,000 contracts x 100 USD; from 98,000
      ['ETH_USDC', 2500, 10, 24_900, 2.5], // the rounded rate, as there is no change in quote
    ],
  );
});

t.test('derivatives: the rates, hours and times are in a list of their own', async (t) => {
  const { rows, dropped } = derivativesOf(mexc, 'contracts');
  t.strictSame(dropped, []);
  sameRows(t, rounded(rows[1]))`
    market        symbol quote mark       index      funding_rate funding_hours funding_rate_8h next_funding      stated
    // funding_rate: not the -0.00006 of the ticker
    1000BONK_USDT BONK   USDT  0.00002002 0.00002005 -0.00005     4             -0.0001         1_750_003_200_000 1_750_000_000_321
  `;
  t.strictSame(
    rows.map((row) => [row.market, row.mark, row.index, row.funding_rate, row.funding_hours]),
    [
      ['BTC_USDT', 104_005.5, 104_010.25, 0.00011, 8],
      ['1000BONK_USDT', 0.02002 / 1000, 0.02005 / 1000, -0.00005, 4],
      ['BTC_USD', 100_002.5, 100_010.5, 0.0002, 8],
      ['ETH_USDC', 2501, 2502, 0.0003, null], // that of the ticker
    ],
  );
});

t.test('open interest', async (t) => {
  const { rows, dropped } = openInterestOf(mexc, 'contracts');
  t.strictSame(dropped, []);
  sameRows(t, rounded(rows[0]))`
    market   symbol quote units  value         mark      stated
    BTC_USDT BTC    USDT  50_010 5_201_315_055 104_005.5 1_750_000_000_321 // units: 500,100,000 x 0.0001 BTC; value: at 104,005.5
  `;
  t.strictSame(rounded(rows.slice(1).map((row) => [row.market, row.units, row.value])), [
    ['1000BONK_USDT', 40_000_000_000, 800_800], // 4,000,000 x 10 x 1000, at 0.02002 / 1000
    ['BTC_USD', rounded(60_001_000 / 100_002.5), 60_001_000], // 600,010 x 100 USD
    ['ETH_USDC', 20.01, 50_045.01],
  ]);
});

t.test('order books in base', async (t) => {
  const book = (part: string, market: string) =>
    orderBook.parse(fixture(mexc, `${part}-order-book`), askFor(mexc, part, market));
  const levels = {
    bids: [
      { price: 104_000, quantity: 0.5 },
      { price: 103_999.9, quantity: 1.25 },
    ],
    asks: [
      { price: 104_000.1, quantity: 2.5 },
      { price: 104_000.5, quantity: 0.1 },
    ],
  };
  t.strictSame(book('spot', 'BTCUSDT'), { ...levels, stated: null });
  // Contracts of 0.0001 BTC.
  t.strictSame(rounded(book('contracts', 'BTC_USDT')), { ...levels, stated: 1_750_000_000_340 });
  const inverse = book('contracts', 'BTC_USD');
  // 5000 contracts x (100 USD / 104,000)
  t.strictSame(inverse.bids[0], { price: 104000, quantity: 5000 * (100 / 104_000) });
});

t.test('candles', async (t) => {
  const bars = (part: string, market: string) =>
    candles.parse(fixture(mexc, `${part}-candles`), askFor(mexc, part, market));
  sameRows(t, bars('spot', 'BTCUSDT')[0])`
    timestamp         open   high   low    close  volume turnover
    1_749_996_000_000 103000 104500 102000 104000 10     1_042_000
  `;
  sameRows(t, bars('contracts', 'BTC_USDT')[0])`
    timestamp         open   high   low    close  volume turnover
    1_749_996_000_000 103000 104500 102000 104000 10     1_042_000 // turnover: 100,000 x 0.0001 BTC
  `;
  // 100,000 x 100 USD at (103,000 + 104,500 + 102,000 + 104,000) / 4 = 103,375
  const inverse = { volume: 10_000_000 / 103_375, turnover: 10_000_000 };
  t.match(bars('contracts', 'BTC_USD')[0], inverse);
  const ask = askFor(mexc, 'contracts', 'BTC_USDT');
  const empty = { time: [], open: [], high: [], low: [], close: [], vol: [], amount: [] };
  t.strictSame(candles.parse({ success: true, data: empty }, ask), []);
  t.throws(() => candles.parse({ data: { time: [1] } }, ask), { name: 'ShapeError' });
});

t.test('a scale that only the name states, dated contracts and metals', async (t) => {
  const detail = (symbol: string, baseCoin: string, over = {}) => ({
    symbol,
    baseCoin,
    quoteCoin: 'USDT',
    settleCoin: 'USDT',
    contractSize: 10,
    state: 0,
    isHidden: false,
    ...over,
  });
  const data = [
    detail('1000RATS_USDT', 'RATS'),
    detail('PEPE_USDT', 'PEPE', { futureType: 1 }),
    detail('BTC_USDT_260925', 'BTC', { futureType: 2 }),
    detail('GOLD(XAUT)_USDT', 'GOLD(XAUT)'),
  ];
  const { rows } = parse([{ success: true, code: 0, data }], nothing).instruments;
  t.match(rows, [
    { symbol: 'RATS', scale: 1000, kind: 'perpetual' },
    { symbol: 'PEPE', scale: 1, kind: 'perpetual' },
    { symbol: 'BTC', kind: 'other' },
    { kind: 'other' },
  ]);
});

wholeVenue(t, mexc);
