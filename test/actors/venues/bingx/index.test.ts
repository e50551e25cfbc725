import t from 'tap';
import { bingx } from '../../../../actors/venues/bingx/index.ts';
import { sameRows } from '../../../support/table.ts';
import { askFor, derivativesOf, instrumentOf, kindsOf } from '../fixtures.ts';
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

wholeVenue(t, bingx);
