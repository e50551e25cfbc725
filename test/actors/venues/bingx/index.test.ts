import t from 'tap';
import { bingx } from '../../../../actors/venues/bingx/index.ts';
import { sameRows } from '../../../support/table.ts';
import {
  askFor,
  derivativesOf,
  fixture,
  instrumentOf,
  kindsOf,
  openInterestOf,
  pricesOf,
} from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

const { orderBook, candles } = bingx.queries;
const { openInterest, instruments, prices } = bingx.feeds;
const nothing = { received: 0, instruments: new Map() };
const everything = { markets: [] };
const stated = 1750000000321;

t.test('the inverse API wants a timestamp', async (t) => {
  const plan = { markets: [], now: 1_760_000_000_000 };
  const [told] = prices.parts.inverse.requests(plan);
  t.strictSame(told?.query, { timestamp: 1_760_000_000_000 });
  const ask = askFor(bingx, 'inverse', 'BTC-USD');
  for (const { path, query } of [
    ...instruments.parts.inverse.requests(everything),
    ...prices.parts.inverse.requests(everything),
    ...openInterest.parts.inverse.requests({ markets: ['BTC-USD'] }),
    orderBook.request({ ...ask, depth: 5 }),
    candles.request({ ...ask, interval: '1h', limit: 5 }),
  ]) {
    t.match(path, /^\/openApi\/cswap\/v1\//);
    t.ok(Object(query).timestamp > 0, path);
  }
});

t.test('open interest is asked market by market, as many as the budget allows', async (t) => {
  const { most = 0 } = openInterest.parts.linear;
  const markets = Array.from({ length: most }, (_, i) => `C${i}-USDT`);
  const [bulk, ...single] = openInterest.parts.linear.requests({ markets });
  t.match(bulk, { path: '/openApi/swap/v2/quote/premiumIndex', market: undefined });
  t.strictSame(
    single.map(({ market, query }) => [market, Object(query).symbol]),
    markets.map((market) => [market, market]),
  );
  t.equal(most, 12, 'one in 1.45 s, answer and spread included, of the 18 s of a poll');
});

t.test('the markets that are followed', async (t) => {
  t.strictSame(kindsOf(bingx, 'spot'), {
    spot: 'BTC-USDT BTC-USDC ETH-BTC PEPE-USDT',
    // OLD-USDT: offline; NEW-USDT: announced
    other: 'OLD-USDT NEW-USDT',
  });
  t.strictSame(kindsOf(bingx, 'linear'), {
    perpetual: 'BTC-USDT BTC-USDC 1000PEPE-USDT 1000000MOG-USDT',
    // NCSKTSLA2USD-USDT: a share; OLD-USDT: no new positions
    other: 'NCSKTSLA2USD-USDT OLD-USDT',
  });
  t.match(instrumentOf(bingx, 'linear', '1000PEPE-USDT'), { symbol: 'PEPE', scale: 1000 });
  t.match(instrumentOf(bingx, 'linear', '1000000MOG-USDT'), { symbol: 'MOG', scale: 1_000_000 });
  t.match(instrumentOf(bingx, 'inverse', 'BTC-USD'), {
    contract: 100,
    inverse: true,
    quote: 'USD',
  });
  t.match(instrumentOf(bingx, 'inverse', 'SOL-USD'), { contract: 10, kind: 'perpetual' });
  const row = { symbol: 'BTC-USD', status: 1, minTickSize: '' };
  const { dropped } = instruments.parts.inverse.parse(
    [{ code: 0, data: [row] }],
    nothing,
  ).instruments;
  t.strictSame(dropped, [{ key: 'BTC-USD', code: 'bad_row' }], 'a contract without a size');
});

t.test('spot prices', async (t) => {
  const { rows, dropped } = pricesOf(bingx, 'spot');
  t.strictSame(dropped, []);
  sameRows(t, rows)`
    market    kind symbol quote price    bid        ask        high      low    base    volume      change                           stated
    // change: since openPrice; stated: closeTime
    BTC-USDT  spot BTC    USDT  104_000  103_999.8  104_000.2  104_650   99_610 5099.21 520_119_420 ${(104_000 / 100_000 - 1) * 100} ${stated}
    // stated: a closeTime of 0
    BTC-USDC  spot BTC    USDC  104_010  104_009    104_011    104_720   99_550 1.1     -           ${(104_010 / 100_030 - 1) * 100} -
    PEPE-USDT spot PEPE   USDT  0.000012 0.00001199 0.00001201 0.0000124 -      1000    -           -                                ${stated}
  `;
});

t.test('linear prices: 1000PEPE in PEPE', async (t) => {
  const { rows, dropped } = pricesOf(bingx, 'linear');
  t.strictSame(dropped, []);
  const [btc, usdc, pepe, mog] = rows;
  t.equal(rows.length, 4);
  sameRows(t, btc)`
    market   kind      symbol quote price   bid       ask       high      low      base   volume          change                           stated
    BTC-USDT perpetual BTC    USDT  104_000 103_999.5 104_000.5 104_880.5 99_420.5 45_000 4_612_500_000.5 ${(104_000 / 100_000 - 1) * 100} ${stated}
  `;
  t.match(usdc, { market: 'BTC-USDC', quote: 'USDC', price: 104_005, volume: 122_760 });
  sameRows(t, pepe)`
    market        kind      symbol quote price       bid          ask          high
    1000PEPE-USDT perpetual PEPE   USDT  0.0125/1000 0.01249/1000 0.01251/1000 0.0131/1000

    low         base          volume change                        stated
    0.0117/1000 1_000_000_000 12_300 ${(0.0125 / 0.012 - 1) * 100} ${stated} // base: 1,000,000 x 1000
  `;
  t.match(mog, { symbol: 'MOG', price: 0.6 / 1_000_000, base: null, volume: null });
});

t.test('BTC-USD: contracts of 100 USD', async (t) => {
  const { rows, dropped } = pricesOf(bingx, 'inverse');
  t.strictSame(dropped, []);
  sameRows(t, rows)`
    market  kind      symbol quote price   bid       ask       high    low    base      volume     change                           stated
    // base: quoteVolume; volume: 25,000 x 100
    BTC-USD perpetual BTC    USD   104_000 103_999.5 104_000.5 104_790 99_150 24.5      2_500_000  ${(104_000 / 100_000 - 1) * 100} ${stated}
    // volume: 1,464,648 x 10
    SOL-USD perpetual SOL    USD   180     179.9     180.1     181.7   148.2  88_766.55 14_646_480 ${(180 / 150 - 1) * 100}         -
  `;
  const ask = askFor(bingx, 'inverse', 'BTC-USD');
  t.strictSame(orderBook.parse(fixture(bingx, 'inverse-order-book'), ask), {
    bids: [{ price: 100_000, quantity: 0.241 }], // 241 x 100 / 100,000
    asks: [{ price: 125_000, quantity: 0.4 }], // 500 x 100 / 125,000
    stated: stated - 400,
  });
  sameRows(t, candles.parse(fixture(bingx, 'inverse-candles'), ask))`
    timestamp     open   high    low    close   volume turnover
    1749999600000 99_200 101_000 99_000 100_800 1.5    150_000 // volume: 1,500 x 100 / 100,000, the mean of the four prices
    1749996000000 99_900 100_300 99_700 100_100 0.8    80_000 // volume: 800 x 100 / 100,000
  `;
});

t.test('funding: a fraction for each interval, where the hours are told', async (t) => {
  const { rows, dropped } = derivativesOf(bingx, 'linear');
  t.strictSame(dropped, []);
  const next = 1750003200000;
  sameRows(t, rows)`
    market          symbol quote mark          index            funding_rate funding_hours funding_rate_8h next_funding stated
    BTC-USDT        BTC    USDT  104_001       104_002          0.0001       8             0.0001          ${next}      ${stated}
    // funding_rate_8h: x 8
    BTC-USDC        BTC    USDC  104_003       -                -0.00004     1             -0.00032        ${next}      ${stated}
    // funding_rate_8h: x 8 / 4
    1000PEPE-USDT   PEPE   USDT  0.0125/1000   0.01251/1000     0.0002       4             0.0004          ${next}      ${stated}
    1000000MOG-USDT MOG    USDT  0.6/1_000_000 0.6004/1_000_000 -            8             -               -            ${stated}
  `;
  sameRows(t, derivativesOf(bingx, 'inverse').rows[0])`
    market  symbol quote mark    index   funding_rate funding_hours funding_rate_8h next_funding stated
    BTC-USD BTC    USD   104_000 104_001 0.000056     -             -               ${next}      -
  `;
});

t.test('open interest: a value on linear markets, base on inverse ones', async (t) => {
  const linear = openInterestOf(bingx, 'linear');
  t.strictSame(linear.dropped, []);
  sameRows(t, linear.rows)`
    market        symbol quote units         value         mark        stated
    BTC-USDT      BTC    USDT  10_000        1_040_010_000 104_001     ${stated} // units: 1,040,010,000 / 104,001
    BTC-USDC      BTC    USDC  5             520_015       104_003     ${stated} // units: 520,015 / 104,003
    1000PEPE-USDT PEPE   USDT  2_000_000_000 25_000        0.0125/1000 ${stated} // units: 25,000 / 0.0125 x 1000
  `;
  const inverse = openInterestOf(bingx, 'inverse');
  t.strictSame(inverse.dropped, []);
  sameRows(t, inverse.rows)`
    market  symbol quote units  value      mark    stated
    BTC-USD BTC    USD   804.5  83_668_000 104_000 ${stated - 1000} // value: x 104,000
    SOL-USD SOL    USD   12_500 2_251_250  180.1   ${stated - 1000} // value: x 180.1
  `;
});

wholeVenue(t, bingx);
