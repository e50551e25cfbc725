import t from 'tap';
import { deribit } from '../../../../actors/venues/deribit/index.ts';
import { connection } from '../../../../actors/venues/deribit/stream.ts';
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

const { queries } = deribit;
const now = 1_750_000_000_000;

t.test('depths are legal, candles have a range', async (t) => {
  const ask = askFor(deribit, 'inverse', 'BTC-PERPETUAL');
  for (const [depth, legal] of [
    [1, 1],
    [2, 5],
    [20, 20],
    [21, 50],
    [50, 50],
  ] as const) {
    t.match(queries.orderBook.request({ ...ask, depth, now }).query, { depth: legal });
  }
  const bars = { ...ask, interval: '60', limit: 3, now: 1_750_000_000_000 };
  t.match(queries.candles.request(bars), {
    path: '/api/v2/public/get_tradingview_chart_data',
    query: {
      ...{ instrument_name: 'BTC-PERPETUAL', resolution: '60' },
      start_timestamp: 1_750_000_000_000 - 3 * 3_600_000 + 1,
      end_timestamp: 1_750_000_000_000,
    },
  });
  const day = 86_400_000;
  const older = { ...ask, interval: '1D', limit: 2, now, before: 20_000 * day };
  t.match(queries.candles.request(older).query, {
    start_timestamp: 19_998 * day,
    end_timestamp: 20_000 * day - 1,
  });
});

t.test('what is followed: active crypto, spot and perpetual', async (t) => {
  const kinds = (part: string) =>
    Object.fromEntries(
      [...contextOf(deribit, part).instruments].map(([id, { kind }]) => [id, kind]),
    );
  t.strictSame(kinds('spot'), {
    ...{ BTC_USDC: 'spot', ETH_USDT: 'spot', ETH_BTC: 'spot', NEW_USDC: 'spot' },
    OLD_USDC: 'other', // halted
  });
  t.strictSame(kinds('linear'), {
    ...{ 'BTC_USDC-PERPETUAL': 'perpetual', '1000PEPE_USDC-PERPETUAL': 'perpetual' },
    ...{ 'SOL_USDC-PERPETUAL': 'perpetual', 'BTC_USDC-27JUN25': 'other' },
    'TSLA_USDC-PERPETUAL': 'other', // an equity
    'OLD_USDC-PERPETUAL': 'other', // halted
  });
  t.strictSame(kinds('inverse'), {
    ...{ 'BTC-PERPETUAL': 'perpetual', 'BTC-27JUN25': 'other', 'ETH-PERPETUAL': 'perpetual' },
  });
  t.match(instrumentOf(deribit, 'linear', '1000PEPE_USDC-PERPETUAL'), {
    ...{ symbol: 'PEPE', scale: 1000 },
  });
});

t.test(
  'USD-sized inverse perpetuals: amounts are dollars, contract_size only their step',
  async (t) => {
    t.match(instrumentOf(deribit, 'inverse', 'BTC-PERPETUAL'), {
      ...{ symbol: 'BTC', quote: 'USD' },
      contract: 1, // not the 10 of contract_size
      inverse: true,
    });
    const { rows } = openInterestOf(deribit, 'inverse');
    t.strictSame(
      rows.map((row) => [row.market, row.value, row.units, row.mark]),
      [
        ['BTC-PERPETUAL', 1_000_100_000, 10_000, 100_010], // 1,000,100,000 USD / 100,010
        ['ETH-PERPETUAL', 5_000_000, 2000, 2500], // 5,000,000 USD / 2,500
      ],
    );
    const book = queries.orderBook.parse(
      fixture(deribit, 'inverse-order-book'),
      askFor(deribit, 'inverse', 'BTC-PERPETUAL'),
    );
    t.strictSame(book.bids, [
      { price: 100_000, quantity: 1.25 }, // 125,000 USD / 100,000
      { price: 99_999.5, quantity: 10 / 99_999.5 },
    ]);
    t.equal(book.asks.length, 1, 'an empty level is none');
    t.equal(book.stated, 1_750_000_000_340);
    const candles = queries.candles.parse(
      fixture(deribit, 'inverse-candles'),
      askFor(deribit, 'inverse', 'BTC-PERPETUAL'),
    );
    t.strictSame(
      candles.map((bar) => [bar.timestamp, bar.volume, bar.turnover]),
      [[1_749_996_000_000, 20.1, 2_000_000]], // volume is base, cost USD; the other has no close
    );
  },
);

t.test('prices', async (t) => {
  const rows = (part: string) =>
    pricesOf(deribit, part).rows.map((row) => [row.market, row.price, row.volume, row.change]);
  t.strictSame(rows('inverse'), [
    ['BTC-PERPETUAL', 100_000, 50_000_000, -3.2032],
    ['ETH-PERPETUAL', 2500, 2_000_000, null], // volume_usd where volume_notional is null
  ]);
  t.strictSame(rows('linear'), [
    ['BTC_USDC-PERPETUAL', 100_000, 4_000_000, -3.2032],
    ['1000PEPE_USDC-PERPETUAL', 0.0125 / 1000, 62_500, -3.2032],
  ]);
  t.strictSame(rows('spot'), [
    ['BTC_USDC', 100_000, 250_000, -3.2032], // 2.5 x 100,000; given in two bodies, counted once
    ['ETH_USDT', 2500, 10_100, -3.2032],
  ]);
});

t.test('before the list is there an inverse id says all, a linear one not', async (t) => {
  const none = new Map();
  const inverse = pricesOf(deribit, 'inverse', { received, instruments: none });
  t.match(inverse.rows[0], { market: 'BTC-PERPETUAL', symbol: 'BTC', quote: 'USD' });
  t.strictSame(inverse.dropped, [{ key: 'BTC-27JUN25', code: 'unknown_instrument' }]);
  const linear = pricesOf(deribit, 'linear', { received, instruments: none });
  t.equal(linear.rows.length, 0, 'its underlying may be an equity');
  t.ok(linear.dropped.every(({ code }) => code === 'unknown_instrument'));
});

t.test('funding accrues: the rate is per 8 hours and has no next time', async (t) => {
  const { rows, dropped } = derivativesOf(deribit, 'linear');
  t.strictSame(dropped, []);
  t.strictSame(rows[1], {
    ...{ market: '1000PEPE_USDC-PERPETUAL', symbol: 'PEPE', quote: 'USDC' },
    mark: 0.0126 / 1000,
    index: 0.0127 / 1000,
    ...{ funding_rate: 0.00012, funding_hours: 8, funding_rate_8h: 0.00012, next_funding: null },
    stated: 1_750_000_000_321,
  });
  t.equal(rows.length, 3, 'a market without a last price has a mark');
});

t.test('linear open interest: base times mark', async (t) => {
  const { rows } = openInterestOf(deribit, 'linear');
  t.match(rows[0], { market: 'BTC_USDC-PERPETUAL', units: 12.5, value: 12.5 * 100_010 });
  t.match(rows[1], {
    units: 2_000_000_000, // 2,000,000 x 1000
    value: 2_000_000 * 0.0126,
    mark: 0.0126 / 1000,
  });
});

t.test('1000PEPE: price over 1000, quantity times 1000', async (t) => {
  const ask = askFor(deribit, 'linear', '1000PEPE_USDC-PERPETUAL');
  for (const known of [ask, { ...ask, instrument: null }]) {
    const { bids } = queries.orderBook.parse(fixture(deribit, 'linear-order-book'), known);
    t.strictSame(bids[0], { price: 0.0125 / 1000, quantity: 4_000_000 });
    const [bar] = queries.candles.parse(fixture(deribit, 'linear-candles'), known);
    t.match(bar, { close: 0.0125 / 1000, volume: 1_000_000_000, turnover: 12_450 });
  }
});

t.test('an unlisted inverse market is in dollars too', async (t) => {
  const ask = { market: 'SOL-PERPETUAL', part: 'inverse', instrument: null };
  const body = { result: { bids: [[200, 1000]], asks: [], timestamp: 0 } };
  t.strictSame(queries.orderBook.parse(body, ask), {
    bids: [{ price: 200, quantity: 5 }],
    asks: [],
    stated: null,
  });
});

t.test('no_data is an empty page', async (t) => {
  const ask = askFor(deribit, 'spot', 'BTC_USDC');
  t.strictSame(queries.candles.parse({ result: { status: 'no_data' } }, ask), []);
  t.throws(() => queries.candles.parse({ result: { status: 'ok' } }, ask), { name: 'ShapeError' });
  for (const missing of ['4h', '8h', '3d', '1w', '1M'])
    t.notOk(missing in queries.candles.intervals);
});

t.test('the streams are on the connection of the exchange', async (t) => {
  t.equal(deribit.live.prices.spot.url, connection.url);
});

wholeVenue(deribit);
