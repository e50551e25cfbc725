import t from 'tap';
import { bingx } from '../../../../actors/venues/bingx/index.ts';
import { connection } from '../../../../actors/venues/bingx/stream.ts';
import { askFor, contextOf, fixture, instrumentOf, pricesOf } from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

const { orderBook, candles } = bingx.queries;
const { derivatives, openInterest, instruments, prices } = bingx.feeds;
const nothing = { received: 0, instruments: new Map() };
const everything = { markets: [] };
const stated = 1750000000321;

/** Bodies of a poll that asks for several. */
const bodiesOf = (name: string): unknown[] => Object(fixture(bingx, name)).bodies;

t.test('the inverse API wants a timestamp', async (t) => {
  const plan = { markets: [], now: 1_760_000_000_000 };
  const [told] = prices.parts.inverse.requests(plan);
  t.strictSame(told?.query, { timestamp: 1_760_000_000_000 });
  const ask = { market: 'BTC-USD', part: 'inverse', instrument: null };
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
  t.equal(most, 18, 'one a second, in a poll of 20 s');
});

t.test('the markets that are followed', async (t) => {
  const kinds = (part: string) =>
    Object.fromEntries([...contextOf(bingx, part).instruments].map(([id, i]) => [id, i.kind]));
  t.strictSame(kinds('spot'), {
    ...{ 'BTC-USDT': 'spot', 'BTC-USDC': 'spot', 'ETH-BTC': 'spot', 'PEPE-USDT': 'spot' },
    'OLD-USDT': 'other', // offline
    'NEW-USDT': 'other', // announced
  });
  t.strictSame(kinds('linear'), {
    ...{ 'BTC-USDT': 'perpetual', 'BTC-USDC': 'perpetual', '1000PEPE-USDT': 'perpetual' },
    '1000000MOG-USDT': 'perpetual',
    'NCSKTSLA2USD-USDT': 'other', // a share
    'OLD-USDT': 'other', // no new positions
  });
  t.match(instrumentOf(bingx, 'linear', '1000PEPE-USDT'), { symbol: 'PEPE', scale: 1000 });
  t.match(instrumentOf(bingx, 'linear', '1000000MOG-USDT'), { symbol: 'MOG', scale: 1_000_000 });
  t.match(instrumentOf(bingx, 'inverse', 'BTC-USD'), {
    ...{ contract: 100, inverse: true, quote: 'USD' },
  });
  t.match(instrumentOf(bingx, 'inverse', 'SOL-USD'), { contract: 10, kind: 'perpetual' });
  const row = { symbol: 'BTC-USD', status: 1, minTickSize: '' };
  const { dropped } = instruments.parts.inverse.parse([{ code: 0, data: [row] }], nothing);
  t.strictSame(dropped, [{ key: 'BTC-USD', code: 'bad_row' }], 'a contract without a size');
});

t.test('linear prices: 1000PEPE in PEPE', async (t) => {
  const { rows, dropped } = pricesOf(bingx, 'linear');
  t.strictSame(dropped, []);
  t.strictSame(
    rows.map((row) => [row.market, row.symbol, row.price, row.volume]),
    [
      ['BTC-USDT', 'BTC', 104000, 4680000000.5],
      ['BTC-USDC', 'BTC', 104005, 104005],
      ['1000PEPE-USDT', 'PEPE', 0.0125 / 1000, 12500],
      ['1000000MOG-USDT', 'MOG', 0.6 / 1_000_000, null],
    ],
  );
  const early = pricesOf(bingx, 'linear', nothing).rows;
  t.match(early[2], { symbol: 'PEPE', price: 0.0125 / 1000, kind: 'perpetual' });
  t.notOk(early.some((row) => row.market.startsWith('NC')));
});

t.test('BTC-USD: contracts of 100 USD', async (t) => {
  const { rows, dropped } = pricesOf(bingx, 'inverse');
  t.strictSame(dropped, []);
  t.match(rows, [
    { market: 'BTC-USD', price: 104000, volume: 2_500_000, stated }, // 25,000 x 100
    { market: 'SOL-USD', price: 180, volume: 14_646_480, stated: null }, // 1,464,648 x 10
  ]);
  const ask = askFor(bingx, 'inverse', 'BTC-USD');
  t.strictSame(orderBook.parse(fixture(bingx, 'inverse-order-book'), ask), {
    bids: [{ price: 100000, quantity: 0.241 }], // 241 x 100 / 100,000
    asks: [{ price: 125000, quantity: 0.4 }], // 500 x 100 / 125,000
    stated: stated - 400,
  });
  const [bar, empty] = candles.parse(fixture(bingx, 'inverse-candles'), ask);
  t.match(bar, { turnover: 150_000, volume: 1.5 }, '1,500 x 100 USD; / 100,000, the mean price');
  t.match(empty, { turnover: 0, volume: 0 });
  const unlisted = { ...ask, instrument: null };
  t.throws(() => orderBook.parse(fixture(bingx, 'inverse-order-book'), unlisted), {
    name: 'ShapeError',
  });
});

t.test('funding: a fraction for each interval, where the hours are told', async (t) => {
  const body = fixture(bingx, 'linear-derivatives');
  const { rows, dropped } = derivatives.parts.linear.parse([body], contextOf(bingx, 'linear'));
  t.strictSame(dropped, []);
  const next = 1750003200000;
  t.match(rows, [
    { mark: 104001, index: 104002, funding_rate: 0.0001, funding_hours: 8, next_funding: next },
    { market: 'BTC-USDC', index: null, funding_hours: 1, stated },
    { symbol: 'PEPE', mark: 0.0125 / 1000, index: 0.01251 / 1000, funding_hours: 4 },
    { symbol: 'MOG', funding_rate: null, funding_rate_8h: null, next_funding: null },
  ]);
  t.strictSame(
    rows.map((row) => row.funding_rate_8h),
    [0.0001, -0.00032, 0.0004, null], // x 8 / 8, x 8 / 1, x 8 / 4
  );
  const inverse = derivatives.parts.inverse.parse(
    [fixture(bingx, 'inverse-derivatives')],
    contextOf(bingx, 'inverse'),
  );
  t.match(inverse.rows[0], {
    ...{ mark: 104000, funding_rate: 0.000056, funding_hours: null, funding_rate_8h: null },
    next_funding: next,
  });
});

t.test('open interest: a value on linear markets, base on inverse ones', async (t) => {
  const linear = contextOf(bingx, 'linear');
  const bodies = bodiesOf('linear-open-interest');
  const { rows, dropped } = openInterest.parts.linear.parse(bodies, linear);
  t.strictSame(dropped, []);
  t.match(rows, [
    { market: 'BTC-USDT', units: 10_000, value: 1_040_010_000, mark: 104001, stated }, // / 104,001
    { market: 'BTC-USDC', units: 5, value: 520_015 }, // / 104,003
    // 25,000 / 0.0125 x 1000 PEPE
    { symbol: 'PEPE', units: 2_000_000_000, value: 25_000, mark: 0.0125 / 1000 },
  ]);
  const inverse = contextOf(bingx, 'inverse');
  const parsed = openInterest.parts.inverse.parse(bodiesOf('inverse-open-interest'), inverse);
  t.match(parsed.rows, [
    { market: 'BTC-USD', units: 804.5, value: 83_668_000, stated: stated - 1000 }, // x 104,000
    { market: 'SOL-USD', units: 12_500, value: 2_250_000 }, // x 180
  ]);
  t.strictSame(parsed.dropped, []);
});

t.test('quantities with decimals of a linear book count coins', async (t) => {
  const ask = askFor(bingx, 'linear', 'BTC-USDT');
  const { data } = Object(fixture(bingx, 'linear-order-book'));
  t.strictSame(orderBook.parse({ code: 0, data }, ask), {
    bids: [
      { price: 49_999, quantity: 2.5 },
      { price: 49_990, quantity: 0.0004 },
    ],
    asks: [{ price: 50_001, quantity: 3 }],
    stated,
  });
  const whole = { ...data, bids: [['49999', '2.0000']], asks: [['50001', '3.0000']] };
  const book = orderBook.parse({ code: 0, data: whole }, ask);
  t.match([book.bids, book.asks], [[{ quantity: 2 }], [{ quantity: 3 }]], 'whole coins');
});

t.test(
  'whole numbers of a linear book may be lots, which the other lists count in coins',
  async (t) => {
    const ask = askFor(bingx, 'linear', '1000PEPE-USDT');
    const data = {
      T: stated,
      bids: [['0.012', '5']],
      asks: [
        ['0.0122', '7'],
        ['0.0121', '6'],
      ],
    };
    const coins = {
      bidsCoin: [['0.012', '5000']],
      asksCoin: [
        ['0.0122', '7000'],
        ['0.0121', null],
      ],
    };
    t.strictSame(orderBook.parse({ code: 0, data: { ...data, ...coins } }, ask), {
      bids: [{ price: 0.012 / 1000, quantity: 5_000_000 }], // 5,000 x 1000 PEPE
      asks: [{ price: 0.0122 / 1000, quantity: 7_000_000 }],
      stated,
    });
    const older = orderBook.parse({ code: 0, data }, ask);
    t.strictSame(older.bids, [{ price: 0.012 / 1000, quantity: 5000 }], '5 x 1000 PEPE');
  },
);

t.test(
  'candles: both forms of a linear row; a zero turnover beside a volume is absent',
  async (t) => {
    const linear = candles.parse(
      fixture(bingx, 'linear-candles'),
      askFor(bingx, 'linear', '1000PEPE-USDT'),
    );
    t.match(linear, [
      { timestamp: 1749999600000, high: 0.013 / 1000, volume: 2_000_000, turnover: null },
      { timestamp: 1749996000000, close: 0.012 / 1000, volume: 3000, turnover: null },
    ]);
    t.equal(linear.length, 2);
    const spot = candles.parse(fixture(bingx, 'spot-candles'), askFor(bingx, 'spot', 'BTC-USDT'));
    t.strictSame(
      spot.map((bar) => [bar.close, bar.volume, bar.turnover]),
      [
        [104050, 2, 208100],
        [104000, 5, null],
      ],
    );
  },
);

t.test('the streams are on the connection of the exchange', async (t) => {
  t.equal(bingx.live.prices.linear.url, connection('linear').url);
});

wholeVenue(bingx);
