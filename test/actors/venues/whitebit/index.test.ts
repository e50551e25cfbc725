import t from 'tap';
import { ShapeError } from '../../../../actors/failure.ts';
import { whitebit } from '../../../../actors/venues/whitebit/index.ts';
import { levels } from '../../../support/makers.ts';
import { sameRows } from '../../../support/table.ts';
import {
  askFor,
  contextOf,
  derivativesOf,
  fixture,
  instrumentOf,
  kindsOf,
  pricesOf,
} from '../fixtures.ts';
import { rounded } from '../stream-suite.ts';
import { wholeVenue } from '../suite/index.ts';

const { orderBook, candles } = whitebit.queries;
const futures = contextOf(whitebit, 'futures');

t.test('candles by a range of seconds, the newest by their number', async (t) => {
  const ask = { ...askFor(whitebit, 'spot', 'BTC_USDT'), interval: '1h', limit: 3 };
  const plain = { market: 'BTC_USDT', interval: '1h', limit: 3 };
  t.match(candles.request(ask), { path: '/api/v1/public/kline', query: plain });
  // 10:00 exclusive, three hours back: bars of 07:00, 08:00 and 09:00.
  t.strictSame(candles.request({ ...ask, before: 36_000_000 }).query, {
    ...plain,
    start: 25_200,
    end: 35_999,
  });
  // 10:30: bars of 08:00, 09:00 and 10:00, which runs.
  t.strictSame(candles.request({ ...ask, now: 37_800_000 }).query, {
    ...plain,
    start: 27_000,
    end: 37_799,
  });
});

t.test('what is followed: spot and perpetuals that trade', async (t) => {
  t.strictSame(kindsOf(whitebit, 'spot'), {
    spot: 'BTC_USDT ETH_BTC BTC_EUR USDC_USDT ICE_USDT',
    // OLD_USDT: no trades
    other: 'OLD_USDT',
  });
  t.strictSame(kindsOf(whitebit, 'futures'), {
    perpetual: 'BTC_PERP 1000PEPE_PERP 0G_PERP',
    // OLD_PERP: no trades; XAU_PERP: a metal; BTC_0626: dated
    other: 'OLD_PERP XAU_PERP BTC_0626',
  });
  sameRows(t, [
    instrumentOf(whitebit, 'spot', 'BTC_USDT'),
    instrumentOf(whitebit, 'futures', 'BTC_PERP'),
  ])`
    market   kind      symbol quote scale contract inverse funding_hours tick
    BTC_USDT spot      BTC    USDT  1     1        false   - 0.01
    BTC_PERP perpetual BTC    USDT  1     1        false   - 0.01 // quote: PERP on the wire
  `;
  t.match(instrumentOf(whitebit, 'futures', '1000PEPE_PERP'), { symbol: 'PEPE', scale: 1000 });
  t.match(instrumentOf(whitebit, 'futures', '0G_PERP'), { symbol: '0G', scale: 1 });
});

t.test(
  'spot prices: a map by id, in which perpetuals and frozen markets are passed over',
  async (t) => {
    const { rows, dropped } = pricesOf(whitebit, 'spot');
    t.strictSame(dropped, []);
    sameRows(t, rows[0])`
      market   kind symbol quote price     bid ask high low base volume    change stated
      BTC_USDT spot BTC    USDT  104_010.5 -   -   -    -   5    515_052.5 4.01   -
    `;
    t.match(rows.slice(1), [{ market: 'USDC_USDT', price: 1.0001, volume: null, change: null }]);
    const broken = { BTC_USDT: null, NEW_USDT: { last_price: '1' } };
    const context = contextOf(whitebit, 'spot');
    t.strictSame(whitebit.feeds.prices.parts.spot.parse([broken], context).prices.dropped, [
      { key: 'BTC_USDT', code: 'bad_row' },
      { key: 'NEW_USDT', code: 'unknown_instrument' },
    ]);
  },
);

t.test('funding: a fraction per stated minutes, eight hours of it', async (t) => {
  const { rows, dropped } = derivativesOf(whitebit, 'futures');
  t.strictSame(dropped, []);
  sameRows(t, rounded(rows[0]))`
    market   symbol quote mark    index   funding_rate funding_hours funding_rate_8h next_funding      stated
    BTC_PERP BTC    USDT  104_020 104_010 0.00012      4             0.00024         1_750_003_200_000 - // funding_hours: 240 minutes
  `;
  t.match(rows.slice(1), [
    { market: '1000PEPE_PERP', mark: null, index: null, funding_rate: -0.00000778 },
    { market: '0G_PERP', mark: 0.6066, index: 0.6071, funding_rate: null, funding_hours: null },
  ]);
});

t.test('order book: base, seconds; an empty side is null', async (t) => {
  const spot = orderBook.parse(
    fixture(whitebit, 'spot-order-book'),
    askFor(whitebit, 'spot', 'BTC_USDT'),
  );
  t.strictSame(spot, {
    bids: levels([104010.5, 0.25], [104009, 3]),
    asks: levels([104010.6, 0.5], [104011, 1.5]),
    stated: 1750000000000,
  });
  const futuresAsk = askFor(whitebit, 'futures', 'BTC_PERP');
  const ask = askFor(whitebit, 'futures', '1000PEPE_PERP');
  t.strictSame(orderBook.parse(fixture(whitebit, 'futures-order-book'), futuresAsk), {
    bids: [],
    asks: [{ price: 104_001, quantity: 0.5 }],
    stated: 1_750_000_000_000,
  });
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
      whitebit.live.derivatives.futures.parse(message, { ...context, received: at })?.derivatives
        ?.rows.length,
  );
  t.strictSame(found, [1, 0, 1, 0]);
});

wholeVenue(t, whitebit);
