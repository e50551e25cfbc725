import t from 'tap';
import { phemex } from '../../../../actors/venues/phemex/index.ts';
import { readProduct } from '../../../../actors/venues/phemex/markets.ts';
import { likeRows, sameRows } from '../../../support/table.ts';
import {
  askFor,
  contextOf,
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

const { orderBook, candles } = phemex.queries;

t.test('decimals and hours that a product can have', async (t) => {
  const row = { settleCurrency: 'BTC', quoteCurrency: 'USD', contractSize: 1 };
  const read = (more: object) => readProduct('inverse', { ...row, ...more }, 'BTCUSD', () => 8);
  const decimals = [16, 17, 0, -1].map((priceScale) => read({ priceScale })?.scale ?? null);
  t.strictSame(decimals, [1e16, null, 1, null]);
  const seconds = [3600, 3599].map((fundingInterval) => read({ priceScale: 4, fundingInterval }));
  t.strictSame(
    seconds.map((one) => one?.funding_hours),
    [1, null],
  );
});

t.test('the markets that are followed', async (t) => {
  t.strictSame(kindsOf(phemex, 'spot'), {
    spot: 'sBTCUSDT sSHIBUSDT sETHBTC sNEWUSDT',
    // sOLDUSDT: delisted; sBTCTRY: amounts of TRY are not scaled by 10^8
    other: 'sOLDUSDT sBTCTRY',
  });
  t.strictSame(kindsOf(phemex, 'linear'), {
    perpetual: 'BTCUSDT u1000PEPEUSDT ETHUSDC NEWUSDT',
    // SAMSUNGUSDT: a share; SOONUSDT: before its listing; OLDUSDT: delisted
    other: 'SAMSUNGUSDT SOONUSDT OLDUSDT',
  });
  t.strictSame(kindsOf(phemex, 'inverse'), {
    perpetual: 'BTCUSD cETHUSD',
    other: 'ETHUSD',
  });
});

t.test('scaled integers: an integer price is that of 10^priceScale coins', async (t) => {
  sameRows(t, rounded(instrumentOf(phemex, 'spot', 'sBTCUSDT')))`
    market   kind symbol quote scale contract inverse funding_hours
    sBTCUSDT spot BTC    USDT  1e8   1e-16    false   - // contract: 1e-8 BTC of 1e8 BTC
  `;
  t.match(rounded(instrumentOf(phemex, 'spot', 'sSHIBUSDT')), { contract: 1e-10 }, '0.01 of 1e8');
  sameRows(t, instrumentOf(phemex, 'inverse', 'BTCUSD'))`
    market kind      symbol quote scale contract inverse funding_hours
    BTCUSD perpetual BTC    USD   1e4   1        true    8
  `;
  t.match(instrumentOf(phemex, 'inverse', 'cETHUSD'), { symbol: 'ETH', contract: 1 }, '"1 USD"');
  t.match(instrumentOf(phemex, 'linear', 'BTCUSDT'), { scale: 1, funding_hours: 8 });
  sameRows(t, instrumentOf(phemex, 'linear', 'u1000PEPEUSDT'))`
    market        kind      symbol quote scale contract inverse funding_hours
    u1000PEPEUSDT perpetual PEPE   USDT  1000  1        false   4
  `;
});

t.test('a product without a scale, or a contract without a size, is dropped', async (t) => {
  const nothing = { received: 0, instruments: new Map() };
  const row = { symbol: 'BTCUSD', type: 'Perpetual', quoteCurrency: 'USD', settleCurrency: 'BTC' };
  const full = { ...row, status: 'Listed', contractSize: 1, priceScale: 4, ratioScale: 8 };
  const parse = (product: object) =>
    phemex.feeds.instruments.parts.inverse.parse(
      [{ code: 0, data: { currencies: [], products: [product], perpProductsV2: [] } }],
      nothing,
    ).instruments;
  t.equal(parse(full).rows[0]?.kind, 'perpetual');
  t.equal(parse({ ...full, ratioScale: 6 }).rows[0]?.kind, 'other', 'rates of another scale');
  t.equal(parse({ ...full, settleCurrency: 'USD' }).rows[0]?.kind, 'other', 'settled in dollars');
  for (const broken of [{ priceScale: null }, { priceScale: 40 }, { contractSize: '1 BTC' }]) {
    const { rows, dropped } = parse({ ...full, ...broken });
    t.strictSame([rows, dropped], [[], [{ key: 'BTCUSD', code: 'bad_row' }]]);
  }
});

t.test('spot prices: integers', async (t) => {
  const { rows, dropped } = pricesOf(phemex, 'spot');
  t.strictSame(dropped, []);
  sameRows(t, rounded(rows[0]))`
    market   kind symbol quote price     bid     ask     high    low    base volume     change stated
    // price: 10401050000000 / 10^8; base: 50000000000 / 10^8; volume: 5170025000000000 / 10^8; change: from 100,000
    sBTCUSDT spot BTC    USDT  104_010.5 104_010 104_011 105_000 99_000 500  51_700_250 4.0105 1_750_000_000_321
  `;
  t.match(rounded(rows[1]), { market: 'sSHIBUSDT', base: 1e11, volume: 1_301_000 }, '10^13 / 10^2');
});

t.test('linear prices: decimals', async (t) => {
  const { rows, dropped } = pricesOf(phemex, 'linear');
  t.strictSame(dropped, []);
  sameRows(t, rounded(rows[0]))`
    market  kind      symbol quote price   bid       ask       high      low       base     volume        change stated
    // change: from 102,000
    BTCUSDT perpetual BTC    USDT  104_040 104_039.9 104_040.2 105_100.5 101_300.5 45_000.5 4_660_052_000 2      1_750_000_000_321
  `;
  t.strictSame(rounded(rows.slice(1).map((row) => [row.market, row.price, row.base, row.volume])), [
    ['u1000PEPEUSDT', 0.0000112, 2e12, 21_400_000],
    ['ETHUSDC', 2500, 40.5, 101_250], // no turnover: 40.5 x 2,500
  ]);
});

t.test('inverse prices: the volume is in contracts of 1 USD', async (t) => {
  const { rows, dropped } = pricesOf(phemex, 'inverse');
  t.strictSame(dropped, []);
  sameRows(t, rounded(rows[0]))`
    market kind      symbol quote price  bid      ask      high      low      base   volume      change stated
    // price: 999600000 / 10^4; base: 150250000000 / 10^8; change: from 98,000
    BTCUSD perpetual BTC    USD   99_960 99_959.5 99_960.5 101_200.5 97_500.5 1502.5 150_000_000 2      1_750_000_000_321
  `;
  likeRows(t, rounded(rows[1]))`
    market  price volume change stated
    cETHUSD 2500  0      25     -
  `;
});

t.test('marks and funding', async (t) => {
  const linear = derivativesOf(phemex, 'linear');
  t.strictSame(linear.dropped, [{ key: 'NEWUSDT', code: 'bad_row' }]);
  t.equal(new Date(received).toISOString(), '2025-06-15T15:06:41.000Z');
  sameRows(t, rounded(linear.rows[1]))`
    market        symbol quote mark       index      funding_rate funding_hours funding_rate_8h next_funding      stated
    // next_funding: received 15:06:41, charged at 16:00
    u1000PEPEUSDT PEPE   USDT  0.00001118 0.00001117 -0.00005     4             -0.0001         1_750_003_200_000 1_750_000_000_321
  `;
  t.match(linear.rows, [
    { market: 'BTCUSDT', mark: 104_002, index: 104_001, funding_rate: 0.00012, funding_hours: 8 },
    { market: 'u1000PEPEUSDT' },
    { market: 'ETHUSDC', mark: 2501, index: null, funding_rate: 0.0002 },
  ]);
  const [btc, eth] = derivativesOf(phemex, 'inverse').rows;
  sameRows(t, rounded(btc))`
    market symbol quote mark    index  funding_rate funding_hours funding_rate_8h next_funding      stated
    BTCUSD BTC    USD   100_000 99_999 0.0001       8             0.0001          1_750_003_200_000 1_750_000_000_321 // funding_rate: 10000 / 10^8
  `;
  t.match(rounded(eth), { mark: 2501, index: null, funding_rate_8h: -0.00005 });
});

t.test('open interest: base on linear, contracts of 1 USD on inverse', async (t) => {
  const [linear, pepe] = openInterestOf(phemex, 'linear').rows;
  sameRows(t, linear)`
    market  symbol quote units  value       mark    stated
    BTCUSDT BTC    USDT  1800.5 187_255_601 104_002 1_750_000_000_321 // value: 1,800.5 x 104,002
  `;
  t.match(rounded(pepe), { market: 'u1000PEPEUSDT', units: 5_000_000_000, value: 55_900 });
  const [btc, eth] = openInterestOf(phemex, 'inverse').rows;
  sameRows(t, rounded(btc))`
    market symbol quote units value     mark    stated
    BTCUSD BTC    USD   25    2_500_000 100_000 1_750_000_000_321 // units: 2,500,000 USD / 100,000
  `;
  t.match(eth, { units: 0, value: 0 });
});

t.test('order books', async (t) => {
  const book = (part: string, market: string) =>
    rounded(orderBook.parse(fixture(phemex, `${part}-order-book`), askFor(phemex, part, market)));
  const stated = 1_750_000_000_321;
  t.strictSame(book('spot', 'sBTCUSDT'), {
    bids: [{ price: 104_010, quantity: 1 }], // 100000000 / 10^8
    asks: [{ price: 104_011, quantity: 2.5 }],
    stated,
  });
  t.strictSame(book('linear', 'BTCUSDT'), {
    bids: [{ price: 104_000, quantity: 1 }],
    asks: [{ price: 104_000.1, quantity: 2.5 }],
    stated,
  });
  t.strictSame(book('inverse', 'BTCUSD'), {
    bids: [{ price: 100_000, quantity: 0.05 }], // 5,000 USD / 100,000
    asks: [{ price: 100_001, quantity: 1 }], // 100,001 USD / 100,001
    stated,
  });
  const body = { result: { book: { bids: [[1312, 12345]], asks: [] }, timestamp: null } };
  const shib = orderBook.parse(body, askFor(phemex, 'spot', 'sSHIBUSDT'));
  t.strictSame(rounded(shib), {
    bids: [{ price: 0.00001312, quantity: 123.45 }], // 12345 / 10^2
    asks: [],
    stated: null,
  });
});

t.test('candles', async (t) => {
  const bar = (part: string, market: string) =>
    rounded(candles.parse(fixture(phemex, `${part}-candles`), askFor(phemex, part, market))[0]);
  const prices = { open: 104_000, high: 104_200, low: 103_900, close: 104_100 };
  const timestamp = 1_750_000_200_000;
  t.strictSame(bar('spot', 'sBTCUSDT'), { timestamp, ...prices, volume: 2, turnover: 208_120 });
  t.strictSame(bar('linear', 'BTCUSDT'), {
    timestamp,
    ...prices,
    volume: 12.5,
    turnover: 1_300_750,
  });
  sameRows(t, bar('inverse', 'BTCUSD'))`
    timestamp    open    high    low    close   volume turnover
    ${timestamp} 100_000 100_200 99_900 100_100 0.4996 50_000 // volume: 49960000 / 10^8 BTC; turnover: contracts of 1 USD
  `;
});

wholeVenue(t, phemex);

t.test(
  'a packed message without names has the columns that its connection stated before',
  async (t) => {
    const stream = phemex.live?.prices?.linear;
    if (stream === undefined) throw new Error('no stream of linear prices');
    const names = ['symbol', 'openRp', 'highRp', 'lowRp', 'lastRp', 'volumeRq', 'turnoverRv'];
    const method = 'perp_market24h_pack_p.update';
    const row = (last: string) => ['BTCUSDT', '60100', '62000', '59000', last, '120', '7260000'];
    const at = `${received - 500}000000`;
    const message = (last: string, more: object = {}) => ({
      method,
      data: [row(last)],
      timestamp: Number(at),
      ...more,
    });
    const context = { ...contextOf(phemex, 'linear'), connection: {} };
    const prices = (sent: object, connection = context.connection) =>
      stream.parse(sent, { ...context, connection })?.prices?.rows.map(({ price }) => price);
    t.strictSame(prices(message('60500.5', { fields: names })), [60_500.5]);
    t.strictSame(prices(message('60501.5')), [60_501.5]);
    t.throws(() => prices(message('60502.5'), {}), { name: 'ShapeError' }, 'another connection');
  },
);
