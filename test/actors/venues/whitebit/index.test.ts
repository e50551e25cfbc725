import t from 'tap';
import { ShapeError } from '../../../../actors/failure.ts';
import { whitebit } from '../../../../actors/venues/whitebit/index.ts';
import { askFor, contextOf, fixture, instrumentOf, pricesOf } from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

const { orderBook, candles } = whitebit.queries;
const { derivatives, openInterest } = whitebit.feeds;
const nothing = { received: 0, instruments: new Map() };
const futures = contextOf(whitebit, 'futures');
const futuresBody = fixture(whitebit, 'futures-prices');

t.test('candles by a range of seconds, the newest by their number', async (t) => {
  const ask = { market: 'BTC_USDT', part: 'spot', instrument: null, interval: '1h', limit: 3 };
  const plain = { market: 'BTC_USDT', interval: '1h', limit: 3 };
  t.match(candles.request(ask), { path: '/api/v1/public/kline', query: plain });
  // 10:00 exclusive, three hours back: bars of 07:00, 08:00 and 09:00.
  t.strictSame(candles.request({ ...ask, before: 36_000_000 }).query, {
    ...plain,
    ...{ start: 25_200, end: 35_999 },
  });
  // 10:30: bars of 08:00, 09:00 and 10:00, which runs.
  t.strictSame(candles.request({ ...ask, now: 37_800_000 }).query, {
    ...plain,
    ...{ start: 27_000, end: 37_799 },
  });
  t.equal(Object.keys(candles.intervals).length, 15);
});

t.test('what is followed: spot and perpetuals that trade', async (t) => {
  const kinds = (part: string) =>
    Object.fromEntries([...contextOf(whitebit, part).instruments].map(([id, i]) => [id, i.kind]));
  t.strictSame(kinds('spot'), {
    ...{ BTC_USDT: 'spot', ETH_BTC: 'spot', BTC_EUR: 'spot', USDC_USDT: 'spot', ICE_USDT: 'spot' },
    OLD_USDT: 'other', // no trades
  });
  t.strictSame(kinds('futures'), {
    ...{ BTC_PERP: 'perpetual', '1000PEPE_PERP': 'perpetual', '0G_PERP': 'perpetual' },
    OLD_PERP: 'other', // no trades
    XAU_PERP: 'other', // a metal
    BTC_0626: 'other', // dated
  });
  t.strictSame(instrumentOf(whitebit, 'futures', 'BTC_PERP'), {
    ...{ market: 'BTC_PERP', kind: 'perpetual', symbol: 'BTC' },
    quote: 'USDT', // PERP on the wire
    ...{ scale: 1, contract: 1, inverse: false, funding_hours: null },
  });
  t.match(instrumentOf(whitebit, 'futures', '1000PEPE_PERP'), { symbol: 'PEPE', scale: 1000 });
  t.match(instrumentOf(whitebit, 'futures', '0G_PERP'), { symbol: '0G', scale: 1 });
});

t.test(
  'spot prices: a map by id, in which perpetuals and frozen markets are passed over',
  async (t) => {
    const { rows, dropped } = pricesOf(whitebit, 'spot');
    t.strictSame(dropped, []);
    t.strictSame(
      rows.map((row) => [row.market, row.price, row.volume, row.change]),
      [
        ['BTC_USDT', 104010.5, 520052.5, 4.01], // quote_volume: 5 BTC in USDT
        ['USDC_USDT', 1.0001, null, null],
      ],
    );
    const odd = pricesOf(whitebit, 'spot', nothing);
    t.match(odd.rows[0], { market: 'BTC_USDT', kind: 'spot', symbol: 'BTC', quote: 'USDT' });
    t.strictSame(odd.dropped, [], 'OLD_USDT has neither a price nor a volume');
    const broken = { BTC_USDT: null, NONE: { last_price: '1' }, NEW_USDT: { last_price: '1' } };
    const parsed = whitebit.feeds.prices.parts.spot.parse([broken], nothing);
    t.strictSame(parsed.dropped, [
      { key: 'BTC_USDT', code: 'bad_row' },
      { key: 'NONE', code: 'unknown_instrument' },
    ]);
    t.match(parsed.rows, [{ market: 'NEW_USDT', price: 1, volume: null }]);
  },
);

t.test('futures prices: money_volume, no change', async (t) => {
  const { rows, dropped } = pricesOf(whitebit, 'futures');
  t.strictSame(dropped, []);
  t.strictSame(
    rows.map((row) => [row.market, row.price, row.volume, row.change]),
    [
      ['BTC_PERP', 104000, 124_800_000, null],
      ['1000PEPE_PERP', 0.0112 / 1000, 22_400_000, null],
      ['0G_PERP', 0.6065, null, null],
    ],
  );
});

t.test('funding: a fraction per stated minutes, eight hours of it', async (t) => {
  const { rows, dropped } = derivatives.parts.futures.parse([futuresBody], futures);
  t.strictSame(dropped, []);
  t.strictSame(rows, [
    {
      ...{ market: 'BTC_PERP', symbol: 'BTC', quote: 'USDT', mark: 104020, index: 104010 },
      ...{ funding_rate: 0.0001, funding_hours: 8, funding_rate_8h: 0.0001 }, // 480 minutes
      ...{ next_funding: 1750003200000, stated: null },
    },
    {
      ...{ market: '1000PEPE_PERP', symbol: 'PEPE', quote: 'USDT', mark: null, index: null },
      ...{ funding_rate: -0.00000778, funding_hours: 4, funding_rate_8h: -0.00001556 }, // x 480 / 240
      ...{ next_funding: 1750003200000, stated: null },
    },
    {
      ...{ market: '0G_PERP', symbol: '0G', quote: 'USDT', mark: 0.6066, index: 0.61 },
      ...{ funding_rate: null, funding_hours: null, funding_rate_8h: null },
      ...{ next_funding: null, stated: null },
    },
  ]);
});

t.test('open interest: base, at the mark price or the last', async (t) => {
  const { rows, dropped } = openInterest.parts.futures.parse([futuresBody], futures);
  t.strictSame(dropped, [{ key: '0G_PERP', code: 'bad_row' }], 'an empty one is not 0');
  t.strictSame(
    rows.map((row) => [row.market, row.units, row.value, row.mark]),
    [
      ['BTC_PERP', 1273.85, 1273.85 * 104020, 104020],
      // 3e9 x 1000 PEPE; 3e9 x 0.0112 USDT, the last price
      ['1000PEPE_PERP', 3_000_000_000_000, 33_600_000, 0.0112 / 1000],
    ],
  );
});

t.test('order book: base, seconds; an empty side is null', async (t) => {
  const spot = orderBook.parse(
    fixture(whitebit, 'spot-order-book'),
    askFor(whitebit, 'spot', 'BTC_USDT'),
  );
  t.strictSame(spot, {
    bids: [
      { price: 104010.5, quantity: 0.25 },
      { price: 104009, quantity: 3 },
    ],
    asks: [
      { price: 104010.6, quantity: 0.5 },
      { price: 104011, quantity: 1.5 },
    ],
    stated: 1750000000000,
  });
  const ask = askFor(whitebit, 'futures', '1000PEPE_PERP');
  const scaled = { asks: [['0.0112', '5']], bids: null };
  t.strictSame(orderBook.parse(scaled, ask), {
    bids: [],
    asks: [{ price: 0.0112 / 1000, quantity: 5000 }],
    stated: null,
  });
  t.throws(() => orderBook.parse({ asks: [] }, ask), ShapeError, 'a side that is not there');
});

t.test('a contract whose values do not change counts every five seconds', async (t) => {
  const params = [['BTC_PERP', '104000', '104001', '0.0001', 1_750_003_200_000, 1_750_000_000.9]];
  const message = { method: 'premiumIndex_update', params, id: null };
  const context = { ...futures, connection: {} };
  const found = [0, 4_999, 5_000, 9_999].map(
    (at) =>
      whitebit.live.derivatives.futures.parse(message, { ...context, received: at })?.rows.length,
  );
  t.strictSame(found, [1, 0, 1, 0]);
});

wholeVenue(whitebit);
