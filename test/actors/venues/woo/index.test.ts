import t from 'tap';
import { woo } from '../../../../actors/venues/woo/index.ts';
import { sameRows } from '../../../support/table.ts';
import { bodiesOf, contextOf, instrumentOf, ownPoll, pricesOf } from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

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
  sameRows(t, [
    instrumentOf(woo, 'spot', 'SPOT_BTC_USDT'),
    instrumentOf(woo, 'perp', 'PERP_1000PEPE_USDT'),
  ])`
    market             kind      symbol quote scale contract inverse funding_hours tick
    SPOT_BTC_USDT      spot      BTC    USDT  1     1        false   - 0.01
    PERP_1000PEPE_USDT perpetual PEPE   USDT  1000  1        false   4 0.01/1000
  `;
});

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

wholeVenue(t, woo);
