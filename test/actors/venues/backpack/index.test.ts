import t from 'tap';
import { ShapeError } from '../../../../actors/failure.ts';
import { backpack } from '../../../../actors/venues/backpack/index.ts';
import { sameRows } from '../../../support/table.ts';
import { askFor, contextOf, fixture, instrumentOf, kindsOf } from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

const { candles } = backpack.queries;
const { derivatives } = backpack.feeds;
const context = contextOf(backpack, 'all');
t.test('candles are asked for by a range of seconds that holds the limit exactly', async (t) => {
  const ask = { ...askFor(backpack, 'all', 'BTC_USDC'), interval: '1h', limit: 3 };
  // 10:00 exclusive, three hours back: bars of 07:00, 08:00 and 09:00.
  t.strictSame(candles.request({ ...ask, before: 36_000_000 }), {
    api: 'rest',
    path: '/api/v1/klines',
    query: { symbol: 'BTC_USDC', interval: '1h', startTime: 25_200, endTime: 35_999 },
    budget: 'history',
  });
  // 10:30: bars of 08:00, 09:00 and 10:00, which runs.
  t.match(candles.request({ ...ask, now: 37_800_000 }), {
    query: { startTime: 27_000, endTime: 37_799 },
  });
  t.match(candles.request({ ...ask, interval: '1month', limit: 1, before: 31 * 86_400_000 }), {
    query: { startTime: 0, endTime: 31 * 86_400 - 1 },
  });
  t.throws(() => candles.request(ask), ShapeError, 'never a range that ends nowhere');
  t.equal(Object.keys(candles.intervals).length, 15);
  t.equal(candles.intervals['1M'], '1month');
});

t.test('what is followed: open crypto markets, spot and perpetual', async (t) => {
  t.strictSame(kindsOf(backpack, 'all'), {
    spot: 'BTC_USDC ETH_BTC',
    // OLD_USDC: closed; TON_USDC_PERP: closed; NEW_USDC_PERP: post only; AAPL.US_USDC_PERP: a share
    other: 'OLD_USDC TON_USDC_PERP NEW_USDC_PERP AAPL.US_USDC_PERP RAIN_USDC_PREDICTION',
    perpetual: 'BTC_USDC_PERP ETH_USDC_PERP kPEPE_USDC_PERP',
  });
  sameRows(t, instrumentOf(backpack, 'all', 'kPEPE_USDC_PERP'))`
    market          kind      symbol quote scale contract inverse funding_hours tick
    kPEPE_USDC_PERP perpetual PEPE   USDC  1000  1        false   1 0.01/1000 // funding_hours: "3600000" ms
  `;
  t.equal(instrumentOf(backpack, 'all', 'ETH_USDC_PERP').funding_hours, 8, '28,800,000 ms');
  t.equal(instrumentOf(backpack, 'all', 'BTC_USDC').funding_hours, null, 'spot pays none');
});

t.test('a broken row is dropped', async (t) => {
  const body = [
    { symbol: 'NEW_USDC', lastPrice: '2', quoteVolume: '10' },
    { symbol: 'BTC_USDC', lastPrice: '0' },
    { symbol: 'ETH_USDC_PERP', lastPrice: null },
    null,
  ];
  const { rows, dropped } = backpack.feeds.prices.parts.all.parse([body], context).prices;
  t.strictSame(rows, []);
  t.strictSame(dropped, [
    { key: 'NEW_USDC', code: 'unknown_instrument' },
    { key: 'BTC_USDC', code: 'bad_row' },
    { key: 'ETH_USDC_PERP', code: 'bad_row' },
    { key: '', code: 'bad_row' },
  ]);
});

t.test('funding: a fraction per interval of the market, eight hours of it', async (t) => {
  const body = fixture(backpack, 'all-derivatives');
  const { rows, dropped } = derivatives.parts.all.parse([body], context).derivatives;
  t.strictSame(dropped, []);
  sameRows(t, rows)`
    market          symbol quote mark        index        funding_rate            funding_hours funding_rate_8h         next_funding  stated
    // funding_rate_8h: x 8
    BTC_USDC_PERP   BTC    USDC  104_020     104_010      0.0000125               1             0.0001                  1750003200000 -
    ETH_USDC_PERP   ETH    USDC  -           2599         -0.00024385653670333055 8             -0.00024385653670333055 1750003200000 -
    kPEPE_USDC_PERP PEPE   USDC  0.0112/1000 0.01121/1000 -                       1             -                       -             -
  `;
});

t.test('candles: UTC without a zone, bars without trades left out', async (t) => {
  const rows = candles.parse(fixture(backpack, 'all-candles'), askFor(backpack, 'all', 'BTC_USDC'));
  sameRows(t, rows)`
    timestamp                    open    high    low     close   volume turnover
    ${Date.UTC(2025, 5, 15, 13)} 104_000 104_500 103_800 104_200 10     1_042_000
    ${Date.UTC(2025, 5, 15, 15)} 104_200 104_300 104_100 104_250 2      - // turnover: 0 beside a volume
  `;
  const empty = [{ open: null, start: '2025-06-15 13:00:00' }];
  t.strictSame(candles.parse(empty, askFor(backpack, 'all', 'BTC_USDC')), []);
  const perp = askFor(backpack, 'all', 'kPEPE_USDC_PERP');
  const start = '2025-06-15 13:00:00';
  const bar = { start, open: 1, high: 2, low: 1, close: 2, volume: 3, quoteVolume: 4 };
  const [scaled] = candles.parse([bar], perp);
  t.match(scaled, { open: 0.001, close: 0.002, volume: 3000, turnover: 4 });
  for (const odd of ['', '2025-06-15', 'now', 7, null, '2025-06-15 13:00:00 +01'])
    t.throws(() => candles.parse([{ ...bar, start: odd }], perp), ShapeError, `refuses ${odd}`);
});

wholeVenue(t, backpack);
