import t from 'tap';
import { phemex } from '../../../../actors/venues/phemex/index.ts';
import { readProduct } from '../../../../actors/venues/phemex/rows.ts';
import {
  askFor,
  contextOf,
  derivativesOf,
  fixture,
  instrumentOf,
  openInterestOf,
  pricesOf,
  received,
} from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

const { orderBook } = phemex.queries;
const near = (ours: number | null | undefined, truth: number) =>
  Math.abs((ours ?? Number.NaN) / truth - 1) < 1e-12;

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
  const kinds = (part: string) =>
    Object.fromEntries([...contextOf(phemex, part).instruments].map(([id, i]) => [id, i.kind]));
  t.strictSame(kinds('spot'), {
    ...{ sBTCUSDT: 'spot', sSHIBUSDT: 'spot', sETHBTC: 'spot' },
    sOLDUSDT: 'other', // delisted
    sBTCTRY: 'other', // amounts of TRY are not scaled by 10^8
    sNEWUSDT: 'spot',
  });
  t.strictSame(kinds('linear'), {
    ...{ BTCUSDT: 'perpetual', u1000PEPEUSDT: 'perpetual', ETHUSDC: 'perpetual' },
    SAMSUNGUSDT: 'other', // a share
    SOONUSDT: 'other', // before its listing
    OLDUSDT: 'other', // delisted
    NEWUSDT: 'perpetual',
  });
  t.strictSame(kinds('inverse'), { BTCUSD: 'perpetual', cETHUSD: 'perpetual', ETHUSD: 'other' });
});

t.test('scaled integers: an integer price is that of 10^priceScale coins', async (t) => {
  t.match(instrumentOf(phemex, 'spot', 'sBTCUSDT'), { symbol: 'BTC', scale: 1e8 });
  t.ok(near(instrumentOf(phemex, 'spot', 'sBTCUSDT').contract, 1e-16), '1e-8 BTC of 1e8 BTC');
  t.ok(near(instrumentOf(phemex, 'spot', 'sSHIBUSDT').contract, 1e-10), '0.01 SHIB of 1e8 SHIB');
  t.match(instrumentOf(phemex, 'inverse', 'BTCUSD'), { scale: 1e4, contract: 1, inverse: true });
  t.match(instrumentOf(phemex, 'inverse', 'cETHUSD'), { symbol: 'ETH', contract: 1 }, '"1 USD"');
  t.match(instrumentOf(phemex, 'linear', 'BTCUSDT'), { scale: 1, contract: 1, funding_hours: 8 });
  t.match(instrumentOf(phemex, 'linear', 'u1000PEPEUSDT'), {
    ...{ symbol: 'PEPE', scale: 1000, contract: 1, funding_hours: 4 },
  });
});

t.test('a product without a scale, or a contract without a size, is dropped', async (t) => {
  const nothing = { received: 0, instruments: new Map() };
  const row = { symbol: 'BTCUSD', type: 'Perpetual', quoteCurrency: 'USD', settleCurrency: 'BTC' };
  const full = { ...row, status: 'Listed', contractSize: 1, priceScale: 4, ratioScale: 8 };
  const parse = (product: object) =>
    phemex.feeds.instruments.parts.inverse.parse(
      [{ code: 0, data: { currencies: [], products: [product], perpProductsV2: [] } }],
      nothing,
    );
  t.equal(parse(full).rows[0]?.kind, 'perpetual');
  t.equal(parse({ ...full, ratioScale: 6 }).rows[0]?.kind, 'other', 'rates of another scale');
  t.equal(parse({ ...full, settleCurrency: 'USD' }).rows[0]?.kind, 'other', 'settled in dollars');
  for (const broken of [{ priceScale: null }, { priceScale: 40 }, { contractSize: '1 BTC' }]) {
    const { rows, dropped } = parse({ ...full, ...broken });
    t.strictSame([rows, dropped], [[], [{ key: 'BTCUSD', code: 'bad_row' }]]);
  }
});

t.test('inverse prices: the volume is in contracts of 1 USD', async (t) => {
  const { rows, dropped } = pricesOf(phemex, 'inverse');
  t.strictSame(dropped, []);
  t.strictSame(
    rows.map((row) => [row.market, row.price, row.volume, row.change, row.stated]),
    [
      ['BTCUSD', 100_000, 150_000_000, 25, 1750000000321], // 1000000000 / 10^4
      ['cETHUSD', 2500, 0, 25, null],
    ],
  );
});

t.test('marks and funding', async (t) => {
  const linear = derivativesOf(phemex, 'linear');
  t.strictSame(linear.dropped, [{ key: 'NEWUSDT', code: 'bad_row' }]);
  t.match(linear.rows, [
    {
      ...{ market: 'BTCUSDT', mark: 104_002, index: 104_001 },
      ...{ funding_rate: 0.0001, funding_hours: 8, funding_rate_8h: 0.0001 },
      next_funding: 1_750_003_200_000, // received 15:06:41, charged at 16:00
    },
    {
      ...{ market: 'u1000PEPEUSDT', mark: 0.0111 / 1000, index: 0.0112 / 1000 },
      ...{ funding_rate: -0.00005, funding_hours: 4, funding_rate_8h: -0.0001 },
      next_funding: 1_750_003_200_000,
    },
    { market: 'ETHUSDC', mark: 2501, index: null, funding_rate: 0.0002 },
  ]);
  t.equal(new Date(received).toISOString(), '2025-06-15T15:06:41.000Z');
  const [btc, eth] = derivativesOf(phemex, 'inverse').rows;
  t.match(btc, { mark: 100_000, index: 99_999, funding_hours: 8 });
  t.ok(near(btc?.funding_rate, 0.0001), '10000 / 10^8');
  t.match(eth, { mark: 2501, index: null });
  t.ok(near(eth?.funding_rate_8h, -0.00005));
});

t.test('open interest: base on linear, contracts of 1 USD on inverse', async (t) => {
  t.match(openInterestOf(phemex, 'linear').rows, [
    { market: 'BTCUSDT', units: 1800.5, value: 1800.5 * 104_002 },
    { market: 'u1000PEPEUSDT', units: 5_000_000_000, value: 5_000_000 * 0.0111 },
  ]);
  const [btc, eth] = openInterestOf(phemex, 'inverse').rows;
  t.match(btc, { value: 2_500_000, mark: 100_000 });
  t.ok(near(btc?.units, 25), '2,500,000 USD / 100,000');
  t.match(eth, { units: 0, value: 0 });
});

t.test('order books', async (t) => {
  const book = (part: string, market: string) =>
    orderBook.parse(fixture(phemex, `${part}-order-book`), askFor(phemex, part, market));
  const spot = book('spot', 'sBTCUSDT');
  t.equal(spot.bids[0]?.price, 104_010);
  t.ok(near(spot.bids[0]?.quantity, 1), '100000000 / 10^8');
  t.ok(near(spot.asks[0]?.quantity, 2.5));
  t.equal(spot.stated, 1750000000321);
  t.strictSame(book('linear', 'BTCUSDT').asks, [{ price: 104000.1, quantity: 2.5 }]);
  t.strictSame(book('linear', 'BTCUSDT').bids, [{ price: 104000, quantity: 1 }]);
  const inverse = book('inverse', 'BTCUSD');
  t.strictSame(inverse.bids, [{ price: 100_000, quantity: 0.05 }], '5,000 USD / 100,000');
  t.ok(near(inverse.asks[0]?.quantity, 1), '100,001 USD / 100,001');
  const body = { result: { book: { bids: [[1312, 12345]], asks: [] }, timestamp: null } };
  const shib = orderBook.parse(body, askFor(phemex, 'spot', 'sSHIBUSDT'));
  t.ok(near(shib.bids[0]?.quantity, 123.45), '12345 / 10^2');
  t.equal(shib.stated, null);
});

t.test('markets that no list holds', async (t) => {
  const ask = (part: string, market: string) => ({ part, market, instrument: null });
  const linear = fixture(phemex, 'linear-order-book');
  t.equal(orderBook.parse(linear, ask('linear', 'NEWERUSDT')).asks[0]?.quantity, 2.5);
  const scaled = orderBook.parse(linear, ask('linear', 'u1000NEWERUSDT')).asks[0];
  t.strictSame(scaled, { price: 104.0001, quantity: 2500 });
  for (const part of ['spot', 'inverse']) {
    const body = fixture(phemex, `${part}-order-book`);
    t.throws(() => orderBook.parse(body, ask(part, 'sNEWERUSDT')), { name: 'ShapeError' });
  }
});

wholeVenue(phemex);
