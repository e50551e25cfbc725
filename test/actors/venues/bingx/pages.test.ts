/** Order books and candles of BingX, which come in several forms; the time of its premiums. */
import t from 'tap';
import { bingx } from '../../../../actors/venues/bingx/index.ts';
import { levels } from '../../../support/makers.ts';
import { sameRows } from '../../../support/table.ts';
import { askFor, contextOf, fixture } from '../fixtures.ts';

const { orderBook, candles } = bingx.queries;
const stated = 1750000000321;

t.test('quantities with decimals of a linear book count coins', async (t) => {
  const ask = askFor(bingx, 'linear', 'BTC-USDT');
  const { data } = Object(fixture(bingx, 'linear-order-book'));
  t.strictSame(orderBook.parse({ code: 0, data }, ask), {
    bids: levels([49_999, 2.5], [49_990, 0.0004]),
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
    sameRows(t, linear)`
      timestamp     open        high        low         close       volume    turnover
      1749999600000 0.012/1000  0.013/1000  0.011/1000  0.0125/1000 2_000_000 - // volume: 2,000 x 1000
      1749996000000 0.0118/1000 0.0126/1000 0.0114/1000 0.0121/1000 3000      -
    `;
    const spot = candles.parse(fixture(bingx, 'spot-candles'), askFor(bingx, 'spot', 'BTC-USDT'));
    sameRows(t, spot[0])`
      timestamp     open    high    low     close   volume turnover
      1749999600000 104_000 104_100 103_900 104_050 2      208_100
    `;
    t.match(spot[1], { close: 103_950, volume: 5, turnover: null });
    t.equal(spot.length, 2);
  },
);

t.test('the last settlement is no time of a premium', async (t) => {
  const linear = bingx.feeds.derivatives.parts.linear;
  const read = (updateTime: number) => {
    const row = { symbol: 'BTC-USDT', markPrice: '84392.8', indexPrice: '84400', updateTime };
    const rate = { lastFundingRate: '0.000012', nextFundingTime: 1_790_150_400_000 };
    const body = { code: 0, data: [{ ...row, ...rate, fundingIntervalHours: 8 }] };
    return linear.parse([body], contextOf(bingx, 'linear')).derivatives.rows;
  };
  t.match(
    read(1_790_121_600_000),
    [{ stated: null, funding_rate: 0.000012 }],
    '00:00 UTC, as sent',
  );
  t.match(read(stated), [{ stated }], 'as documented');
});
