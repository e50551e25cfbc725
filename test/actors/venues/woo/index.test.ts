import t from 'tap';
import { woo } from '../../../../actors/venues/woo/index.ts';
import { bodiesOf, contextOf, ownPoll, pricesOf } from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

const stated = 1_750_000_000_321;

t.test('without the time of the answer no contract is known to be gone', async (t) => {
  const [body] = bodiesOf(woo, 'perp-prices');
  const early = JSON.parse(JSON.stringify(body).replace(/"timestamp":\d+/, '"timestamp":null'));
  const known = pricesOf(woo, 'perp').rows.map(({ market }) => market);
  const { rows } = ownPoll(woo, 'prices', 'perp').parse([early], contextOf(woo, 'perp'));
  t.ok(known.every((market) => rows.some((row) => row.market === market)));
  t.ok(rows.every(({ stated }) => stated === null));
});

t.test(
  'a contract is gone an hour after its funding; of two candles of one hour the first counts',
  async (t) => {
    const perp = ownPoll(woo, 'prices', 'perp');
    const row = { symbol: 'PERP_BTC_USDT', indexPrice: '1', '24hClose': '2' };
    const read = (nextFundingTime: number) => {
      const rows = [row, { ...row, symbol: 'PERP_1000PEPE_USDT', nextFundingTime }];
      const body = { success: true, data: { rows }, timestamp: stated };
      return perp.parse([body], contextOf(woo, 'perp')).rows.length;
    };
    t.strictSame([stated - 3_600_000, stated - 3_600_001].map(read), [2, 1]);
    const candle = { symbol: 'SPOT_BTC_USDT', startTimestamp: stated - 1, amount: 1 };
    const rows = [5, 6].map((close) => ({ ...candle, close }));
    const spot = ownPoll(woo, 'prices', 'spot').parse(
      [{ data: { rows }, timestamp: stated }],
      contextOf(woo, 'spot'),
    );
    t.match(spot.rows, [{ price: 5, volume: 2 }]);
  },
);

t.test('a contract without an index trades all the same: its index is null', async (t) => {
  const row = { symbol: 'PERP_BTC_USDT', indexPrice: null, markPrice: '99', estFundingRate: '0' };
  const rows = [{ ...row, '24hClose': '100', openInterest: '3', nextFundingTime: stated + 1 }];
  const body = { success: true, data: { rows }, timestamp: stated };
  const read = (topic: 'prices' | 'derivatives' | 'openInterest') =>
    ownPoll(woo, topic, 'perp').parse([body], contextOf(woo, 'perp')).rows;
  t.match(read('prices'), [{ market: 'PERP_BTC_USDT', price: 100 }]);
  t.match(read('derivatives'), [{ mark: 99, index: null, funding_rate: 0 }]);
  t.match(read('openInterest'), [{ units: 3, value: 297 }]);
});

wholeVenue(t, woo);
