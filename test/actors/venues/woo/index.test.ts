import t from 'tap';
import { woo } from '../../../../actors/venues/woo/index.ts';
import { bodiesOf, contextOf, instrumentOf, openInterestOf, pricesOf } from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

const nothing = { received: 0, instruments: new Map() };
const stated = 1_750_000_000_321;

t.test('what is followed, and the hours between fundings', async (t) => {
  const of = (part: string) =>
    [...contextOf(woo, part).instruments.values()].map((i) => [i.market, i.kind, i.funding_hours]);
  t.strictSame(of('spot'), [
    ['SPOT_BTC_USDT', 'spot', null],
    ['SPOT_ETH_BTC', 'spot', null],
    ['SPOT_OLD_USDT', 'other', null], // suspended
    ['SPOT_LOT_USDT', 'other', null], // a multiplier that nothing explains
    ['SPOT_QUIET_USDT', 'spot', null], // no multiplier stated
  ]);
  t.strictSame(of('perp'), [
    ['PERP_BTC_USDT', 'perpetual', 8],
    ['PERP_1000PEPE_USDT', 'perpetual', 4],
    ['PERP_ETH_USDT', 'perpetual', null], // hours ''
    ['PERP_OLD_USDT', 'other', null],
    ['PERP_NEW_USDT', 'perpetual', null],
  ]);
  t.match(instrumentOf(woo, 'perp', 'PERP_1000PEPE_USDT'), {
    ...{ symbol: 'PEPE', quote: 'USDT', scale: 1000, contract: 1, inverse: false },
  });
  t.equal(woo.partOf('SPOT_X_USDT'), 'spot');
  t.equal(woo.partOf('PERP_X_USDT'), 'perp');
});

t.test('perpetual prices; contracts that are gone are silent', async (t) => {
  const { rows, dropped } = pricesOf(woo, 'perp');
  t.strictSame(dropped, [], 'what was never traded is silent');
  t.strictSame(
    rows.map((row) => [row.market, row.price, row.volume, row.stated]),
    [
      ['PERP_BTC_USDT', 104_000, 124_800_000, stated],
      // Its funding time has passed by 400 s only.
      ['PERP_1000PEPE_USDT', 0.0112 / 1000, 22_400_000, stated],
      ['PERP_ETH_USDT', 2500, null, stated],
    ],
  );
  t.ok(Math.abs((rows[0]?.change ?? 0) - 4) < 1e-9, '104,000 / 100,000');
});

t.test('without the time of the answer no contract is known to be gone', async (t) => {
  const [body] = bodiesOf(woo, 'perp-prices');
  const early = JSON.parse(JSON.stringify(body).replace(/"timestamp":\d+/, '"timestamp":null'));
  const known = pricesOf(woo, 'perp').rows.map(({ market }) => market);
  const { rows } = woo.feeds.prices.parts.perp.parse([early], contextOf(woo, 'perp'));
  t.ok(known.every((market) => rows.some((row) => row.market === market)));
  t.ok(rows.every(({ stated }) => stated === null));
});

t.test('the id states everything, so prices work before the list is there', async (t) => {
  const { rows } = pricesOf(woo, 'perp', nothing);
  t.match(rows[1], { symbol: 'PEPE', quote: 'USDT', kind: 'perpetual', price: 0.0112 / 1000 });
  const spot = pricesOf(woo, 'spot', nothing);
  t.match(spot.rows[0], { symbol: 'BTC', quote: 'USDT', kind: 'spot' });
});

t.test('spot prices out of the candles of a day', async (t) => {
  const { rows, dropped } = pricesOf(woo, 'spot');
  t.strictSame(dropped, [], 'a market without any candle was never traded');
  t.equal(rows.length, 1, 'the pair against BTC is not followed');
  const [btc] = rows;
  t.match(btc, { market: 'SPOT_BTC_USDT', price: 104_000, change: null, stated });
  // 25 rows of 1,000 USDT from 15:00 on; it is 15:06:40.321, so that of the oldest hour, 15:00 to
  // 16:00 yesterday, 3,199.679 of 3,600 seconds lie within the last 24.
  t.ok(Math.abs((btc?.volume ?? 0) - (24_000 + (1000 * 3199.679) / 3600)) < 1e-6, `${btc?.volume}`);
});

t.test('open interest in base', async (t) => {
  const { rows, dropped } = openInterestOf(woo, 'perp');
  t.match(rows, [
    { market: 'PERP_BTC_USDT', units: 221.5, value: 221.5 * 104_002 },
    { market: 'PERP_1000PEPE_USDT', units: 5_000_000_000, value: 5_000_000 * 0.0111 },
  ]);
  t.strictSame(
    dropped.map(({ key }) => key),
    ['PERP_ETH_USDT', 'PERP_NEW_USDT'],
    'an empty number is unknown',
  );
});

t.test(
  'a contract is gone an hour after its funding; of two candles of one hour the first counts',
  async (t) => {
    const { perp } = woo.feeds.prices.parts;
    const row = { symbol: 'PERP_BTC_USDT', indexPrice: '1', '24hClose': '2' };
    const read = (nextFundingTime: number) => {
      const rows = [row, { ...row, symbol: 'PERP_1000PEPE_USDT', nextFundingTime }];
      const body = { success: true, data: { rows }, timestamp: stated };
      return perp.parse([body], contextOf(woo, 'perp')).rows.length;
    };
    t.strictSame([stated - 3_600_000, stated - 3_600_001].map(read), [2, 1]);
    const candle = { symbol: 'SPOT_BTC_USDT', startTimestamp: stated - 1, amount: 1 };
    const rows = [5, 6].map((close) => ({ ...candle, close }));
    const spot = woo.feeds.prices.parts.spot.parse(
      [{ data: { rows }, timestamp: stated }],
      contextOf(woo, 'spot'),
    );
    t.match(spot.rows, [{ price: 5, volume: 2 }]);
  },
);

wholeVenue(woo);
