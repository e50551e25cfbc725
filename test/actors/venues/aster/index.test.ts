import t from 'tap';
import { aster } from '../../../../actors/venues/aster/index.ts';
import { levels } from '../../../support/makers.ts';
import { sameRows, tableRow } from '../../../support/table.ts';
import {
  askFor,
  contextOf,
  derivativesOf,
  fixture,
  openInterestOf,
  ownPoll,
  pricesOf,
} from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

const { orderBook, candles } = aster.queries;

t.test('the markets that are followed', async (t) => {
  const named = (part: string) =>
    [...contextOf(aster, part).instruments.values()].map((i) => [
      i.market,
      i.kind,
      i.symbol,
      i.quote,
      i.scale,
    ]);
  t.strictSame(named('spot'), [
    ['BTCUSDT', 'spot', 'BTC', 'USDT', 1],
    ['ASTERUSDT', 'spot', 'ASTER', 'USDT', 1],
    ['ASTERBTC', 'spot', 'ASTER', 'BTC', 1],
    ['NEWUSDT', 'spot', 'NEW', 'USDT', 1],
    ['TESTUSDT', 'other', 'TEST', 'USDT', 1], // the venue's own test symbol
    ['OLDUSDT', 'other', 'OLD', 'USDT', 1],
  ]);
  t.strictSame(named('linear'), [
    ['BTCUSDT', 'perpetual', 'BTC', 'USDT', 1],
    ['1000PEPEUSDT', 'perpetual', 'PEPE', 'USDT', 1000],
    ['ETHUSD1', 'perpetual', 'ETH', 'USD1', 1],
    ['INJUSDT', 'perpetual', 'INJ', 'USDT', 1],
    ['AAPLUSDT', 'other', 'AAPL', 'USDT', 1], // a share
    ['TESTINGUSDT', 'other', 'TESTING', 'USDT', 1],
    ['OLDUSDT', 'other', 'OLD', 'USDT', 1],
    ['BTCUSDT_260925', 'other', 'BTC', 'USDT', 1], // dated
    ['GNSUSD', 'other', 'GNSUSD', 'USD', 1], // states no base
  ]);
});

t.test('spot prices', async (t) => {
  const { rows, dropped } = pricesOf(aster, 'spot');
  t.strictSame(dropped, []);
  sameRows(t, rows)`
    market    kind symbol quote price     bid       ask       high    low    base   volume     change                             stated
    // change: since openPrice; stated: closeTime
    BTCUSDT   spot BTC    USDT  104_000.5 104_000.2 104_000.9 104_720 99_870 500.25 51_525_750 ${(104_000.5 / 100_510 - 1) * 100} 1750000000321
    // low: what is empty is unknown
    ASTERUSDT spot ASTER  USDT  1.5       1.499     1.502     1.56    -      1000   -          -                                  -
  `;
});

t.test('perpetual prices', async (t) => {
  const { rows, dropped } = pricesOf(aster, 'linear');
  t.strictSame(dropped, []);
  t.strictSame(rows.slice(0, 2), [
    tableRow`
      market  kind      symbol quote price   bid ask high      low       base     volume        change                           stated
      // bid: no quotes in this list
      BTCUSDT perpetual BTC    USDT  104_010 -   -   104_820.5 101_350.5 8753.286 902_463_786.6 ${(104_010 / 102_000 - 1) * 100} 1750000000321
    `,
    tableRow`
      market       kind      symbol quote price       bid ask high        low
      1000PEPEUSDT perpetual PEPE   USDT  0.0112/1000 -   -   0.0116/1000 0.0097/1000

      base              volume     change                       stated
      2_000_000_000_000 21_800_000 ${(0.0112 / 0.01 - 1) * 100} 1750000000321 // base: 2,000,000,000 x 1000
    `,
  ]);
  t.match(rows.slice(2), [
    { market: 'ETHUSD1', quote: 'USD1', price: 2500 },
    { market: 'INJUSDT', quote: 'USDT', price: 12.5 },
  ]);
  const broken = [{ symbol: 'BTCUSDT', lastPrice: '', quoteVolume: '1' }, null, { symbol: 'NEW1' }];
  const context = contextOf(aster, 'linear');
  t.strictSame(ownPoll(aster, 'prices', 'linear').parse([broken], context), {
    rows: [],
    dropped: [
      { key: 'BTCUSDT', code: 'bad_row' },
      { key: '', code: 'bad_row' },
      { key: 'NEW1', code: 'unknown_instrument' },
    ],
  });
});

t.test('funding: a fraction per interval, from 8 and 4 hours to 8', async (t) => {
  const { rows, dropped } = derivativesOf(aster, 'linear');
  t.strictSame(dropped, [], 'EGL1USD is in no list');
  sameRows(t, rows)`
    market       symbol quote mark         index       funding_rate funding_hours funding_rate_8h next_funding                 stated
    BTCUSDT      BTC    USDT  104_005.5    104_000     0.00013      8             0.00013         1750003200000                1750000000400
    // funding_rate_8h: twice in 8 hours
    1000PEPEUSDT PEPE   USDT  0.01121/1000 0.0112/1000 -0.00005     4             -0.0001         1750003200000                1750000000400
    // funding_hours: not in the info: 16:00 UTC is one of 8 hours
    ETHUSD1      ETH    USD1  2501         2500        0.00002      8             0.00002         ${Date.UTC(2025, 5, 15, 16)} 1750000000400
    // funding_hours: 20:00 UTC is none of 8 hours, so that they are unknown
    INJUSDT      INJ    USDT  12.51        -           -            -             -               ${Date.UTC(2025, 5, 15, 20)} 1750000000400
  `;
});

t.test('open interest: base units of one side, times the mark price', async (t) => {
  const { rows, dropped } = openInterestOf(aster, 'linear');
  t.strictSame(dropped, [{ key: 'ETHUSD1', code: 'bad_row' }], 'an empty number');
  sameRows(t, rows)`
    market       symbol quote units  value            mark         stated
    BTCUSDT      BTC    USDT  5000.5 5000.5*104_005.5 104_005.5    1750000000410
    1000PEPEUSDT PEPE   USDT  3e12   3e9*0.01121      0.01121/1000 1750000000420 // units: 3e9 x 1000; value: both per thousand
  `;
});

t.test('order books: 1000PEPE in PEPE; the time of either kind', async (t) => {
  const pepe = askFor(aster, 'linear', '1000PEPEUSDT');
  t.strictSame(orderBook.parse(fixture(aster, 'linear-order-book'), pepe), {
    bids: levels([0.0112 / 1000, 250_000_000], [0.0111 / 1000, 1_000_000]),
    asks: [{ price: 0.0113 / 1000, quantity: 40_000_000 }],
    stated: 1750000000340,
  });
  const spot = askFor(aster, 'spot', 'BTCUSDT');
  t.strictSame(orderBook.parse(fixture(aster, 'spot-order-book'), spot), {
    bids: [{ price: 104_000, quantity: 0.5 }],
    asks: [{ price: 104_001, quantity: 1.25 }],
    stated: 1750000000340, // E where T is absent
  });
  t.equal(orderBook.parse({ bids: [], asks: [] }, pepe).stated, null);
});

t.test('candles: base and quote', async (t) => {
  const spot = askFor(aster, 'spot', 'BTCUSDT');
  sameRows(t, candles.parse(fixture(aster, 'spot-candles'), spot)[0])`
    timestamp     open    high    low     close   volume turnover
    1749992400000 103_500 104_500 103_000 104_000 3.25   337_350
  `;
  const pepe = askFor(aster, 'linear', '1000PEPEUSDT');
  const [bar, unknown] = candles.parse(fixture(aster, 'linear-candles'), pepe);
  sameRows(t, bar)`
    timestamp     open       high        low         close       volume        turnover
    1749992400000 0.011/1000 0.0113/1000 0.0109/1000 0.0112/1000 5_000_000_000 55_500 // volume: 5,000,000 x 1000
  `;
  t.match(unknown, { volume: 1_000_000, turnover: null });
  const quiet = [
    1749996000000,
    ...Array(4).fill('104000'),
    '0',
    1749999599999,
    '0',
    0,
    '0',
    '0',
    '0',
  ];
  t.match(candles.parse([quiet], spot), [{ volume: 0, turnover: 0 }], 'an hour without a trade');
});

wholeVenue(t, aster);
