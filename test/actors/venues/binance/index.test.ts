import t from 'tap';
import { binance } from '../../../../actors/venues/binance/index.ts';
import { levels } from '../../../support/makers.ts';
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
} from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

const { orderBook, candles } = binance.queries;

t.test('what is followed: spot, perpetual and dated that trade', async (t) => {
  const kinds = (part: string) =>
    Object.fromEntries([...contextOf(binance, part).instruments].map(([id, i]) => [id, i.kind]));
  t.strictSame(kindsOf(binance, 'spot'), {
    spot: 'BTCUSDT ETHBTC USDTUSD 1000SATSUSDT 1MBABYDOGEUSDT 1INCHUSDT',
    // OLDUSDT: BREAK; MARGUSDT: no spot trading
    other: 'OLDUSDT MARGUSDT',
  });
  t.strictSame(kindsOf(binance, 'linear'), {
    perpetual: 'BTCUSDT 1000PEPEUSDT BTCUSDC ETHBTC',
    future: 'BTCUSDT_250926',
    // TSLAUSDT: TRADIFI; GONEUSDT: SETTLING; SOONUSDT: PENDING_TRADING
    other: 'TSLAUSDT GONEUSDT SOONUSDT',
  });
  t.match(kinds('inverse'), { BTCUSD_250926: 'future', LUNAUSD_PERP: 'other' });
  sameRows(t, [
    instrumentOf(binance, 'linear', '1000PEPEUSDT'),
    instrumentOf(binance, 'inverse', 'BTCUSD_PERP'),
  ])`
    market       kind      symbol quote scale contract inverse funding_hours
    1000PEPEUSDT perpetual PEPE   USDT  1000  1        false   4
    BTCUSD_PERP  perpetual BTC    USD   1     100      true    8
  `;
});

t.test('spot prices: what is not followed is silent, USDT in USD stays', async (t) => {
  const { rows, dropped } = pricesOf(binance, 'spot');
  t.strictSame(dropped, []);
  sameRows(t, rows[0])`
    market  kind symbol quote price     bid       ask       high      low
    BTCUSDT spot BTC    USDT  104_000.5 104_000.1 104_000.9 104_915.6 101_200.7

    base   volume         change                               stated
    1210.4 124_816_932.16 ${(104_000.5 / 101_788.2 - 1) * 100} 1750000000123 // change: since openPrice; stated: closeTime
  `;
  t.strictSame(
    rows.map((row) => [row.market, row.price, row.base, row.volume]),
    [
      ['BTCUSDT', 104_000.5, 1210.4, 124_816_932.16],
      ['USDTUSD', 0.9995, 2_000_000, 1_998_600],
      ['1000SATSUSDT', 0.000042 / 1000, 50_000_000_000, 2080],
      ['1MBABYDOGEUSDT', 0.00125 / 1_000_000, 8_000_000_000_000, 9920],
      ['1INCHUSDT', 0.25, 0, 0], // nothing traded: a real zero
    ],
  );
});

t.test('linear prices: 1000PEPE is PEPE at a thousandth, its turnover unchanged', async (t) => {
  const { rows, dropped } = pricesOf(binance, 'linear');
  t.strictSame(dropped, []);
  const [btc, pepe, usdc] = rows;
  t.equal(rows.length, 3);
  sameRows(t, btc)`
    market  kind      symbol quote price     bid ask high    low       base      volume            change                               stated
    // bid: no quotes in this list
    BTCUSDT perpetual BTC    USDT  103_950.2 -   -   104_880 101_905.3 180_000.5 18_614_346_706.38 ${(103_950.2 / 102_610.4 - 1) * 100} 1750000000456
  `;
  sameRows(t, pepe)`
    market       kind      symbol quote price        bid ask high
    1000PEPEUSDT perpetual PEPE   USDT  0.01123/1000 -   -   0.01149/1000

    low          base          volume change                           stated
    0.01061/1000 9_000_000_000 99_450 ${(0.01123 / 0.01087 - 1) * 100} 1750000000456 // base: 9,000,000 lots
  `;
  t.match(usdc, { quote: 'USDC', price: 103_960, base: 10.25, volume: null }, 'an empty turnover');
});

t.test('inverse prices: contracts of 100 and of 10 USD', async (t) => {
  const { rows } = pricesOf(binance, 'inverse');
  sameRows(t, rows)`
    market      kind      symbol quote price   bid ask high    low      base            volume      change                            stated
    // volume: 5,000,000 contracts
    BTCUSD_PERP perpetual BTC    USD   100_000 -   -   101_230 97_620.4 5025.12562814   500_000_000 ${(100_000 / 98_750.5 - 1) * 100} 1750000000789
    // volume: 300,000 contracts
    SOLUSD_PERP perpetual SOL    USD   150.25  -   -   153.8   144.9    20_066.88963211 3_000_000   ${(150.25 / 147.3 - 1) * 100}     1750000000789
  `;
});

t.test('order books: base, lots of 1000 and contracts of 100 USD', async (t) => {
  const spot = askFor(binance, 'spot', 'BTCUSDT');
  t.strictSame(orderBook.parse(fixture(binance, 'spot-order-book'), spot), {
    bids: levels([104_000.1, 0.5], [104_000, 1.25]),
    asks: levels([104_000.6, 0.75], [104_001, 2]),
    stated: null,
    sequence: 77,
  });
  const linear = askFor(binance, 'linear', 'BTCUSDT');
  t.strictSame(orderBook.parse(fixture(binance, 'linear-order-book'), linear), {
    bids: levels([103_950.1, 0.5], [103_950, 4]),
    asks: levels([103_950.2, 1], [103_950.5, 2.5]),
    stated: 1750000000455, // T, when the book was so, not E, when it was sent
    sequence: 78,
  });
  const inverse = askFor(binance, 'inverse', 'BTCUSD_PERP');
  t.strictSame(orderBook.parse(fixture(binance, 'inverse-order-book'), inverse), {
    bids: levels(
      [100_000, 0.05], // 50 x 100 / 100,000
      [99_999, 10 * (100 / 99_999)],
    ),
    asks: levels(
      [100_000.1, 25 * (100 / 100_000.1)],
      [100_100, 1], // 1001 x 100 / 100,100
    ),
    stated: 1750000000785,
    sequence: 79,
  });
  const pepe = askFor(binance, 'linear', '1000PEPEUSDT');
  t.strictSame(
    orderBook.parse({ bids: [['0.0112', '300']], asks: [] }, pepe).bids,
    levels([0.0112 / 1000, 300_000]),
  );
});

t.test('candles: base at 5 and quote at 7; of COIN-M contracts at 5 and base at 7', async (t) => {
  const spot = askFor(binance, 'spot', 'BTCUSDT');
  const ofSpot = candles.parse(fixture(binance, 'spot-candles'), spot);
  likeRows(t, ofSpot)`
    timestamp     open    high    low     close   volume turnover
    1749996000000 104_000 104_500 103_800 104_200 10     1_041_500
    1749999600000 104_210 104_310 104_110 104_250 2      208_420
  `;
  const pepe = askFor(binance, 'linear', '1000PEPEUSDT');
  const [ofPepe] = candles.parse(fixture(binance, 'linear-candles'), pepe);
  likeRows(t, ofPepe)`
    timestamp     open       high        low         close       volume        turnover
    1749996000000 0.011/1000 0.0114/1000 0.0109/1000 0.0112/1000 1_000_000_000 11_150 // volume: 1,000,000 x 1000
  `;
  t.strictSame(
    [...ofSpot, ofPepe].map((one) => one?.flow),
    [
      { trades: 421, base: 6.5, quote: 677_300 },
      { trades: 37, base: 0.75, quote: 78_150 },
      { trades: 42, base: 430_000_000, quote: 4_790 }, // 430,000 x 1000
    ],
    'trades, and what takers bought',
  );
  const inverse = askFor(binance, 'inverse', 'BTCUSD_PERP');
  sameRows(t, candles.parse(fixture(binance, 'inverse-candles'), inverse)[0])`
    timestamp     open   high    low    close   volume turnover
    1749996000000 99_000 100_500 98_000 100_000 20.1   2_000_000 // turnover: 20,000 contracts x 100 USD
  `;
});

t.test('a market that the list does not hold', async (t) => {
  const { rows, dropped } = pricesOf(binance, 'spot', { received: 0, instruments: new Map() });
  t.strictSame([rows, new Set(dropped.map((d) => d.code))], [[], new Set(['unknown_instrument'])]);
});

t.test('linear derivatives: rates as stated and per 8 hours', async (t) => {
  const { rows, dropped } = derivativesOf(binance, 'linear');
  t.strictSame(dropped, [{ key: 'FRESHUSDT', code: 'unknown_instrument' }]);
  sameRows(t, rows)`
    market       symbol quote mark        index        funding_rate funding_hours funding_rate_8h next_funding  stated
    BTCUSDT      BTC    USDT  103_951.2   103_948.7    0.00012      8             0.00012         1750003200000 1750000000500
    // funding_rate_8h: -0.00005 x 8 / 4
    1000PEPEUSDT PEPE   USDT  0.0112/1000 0.01118/1000 -0.00005     4             -0.0001         1750003200000 1750000000500
    // index: 0 is none; funding_rate: '' is none
    BTCUSDC      BTC    USDC  103_961     -            -            -             -               1750003200000 1750000000500
  `;
});

t.test('inverse derivatives', async (t) => {
  sameRows(t, derivativesOf(binance, 'inverse').rows)`
    market      symbol quote mark      index  funding_rate funding_hours funding_rate_8h next_funding  stated
    BTCUSD_PERP BTC    USD   100_012.5 99_990 0.00013      8             0.00013         1750003200000 1750000000500
    // funding_rate_8h: twice in 8 hours
    SOLUSD_PERP SOL    USD   150.3     149.9  -0.00002     4             -0.00004        1750003200000 1750000000500
  `;
});

t.test('open interest of USD-M: base units, valued at the mark', async (t) => {
  const { rows, dropped } = openInterestOf(binance, 'linear');
  t.strictSame(dropped, [{ key: 'BTCUSDC', code: 'bad_row' }], 'a null is no interest');
  sameRows(t, rows)`
    market       symbol quote units         value              mark        stated
    BTCUSDT      BTC    USDT  80_000.5      80_000.5*103_951.2 103_951.2   1750000000600
    1000PEPEUSDT PEPE   USDT  5_000_000_000 56_000             0.0112/1000 1750000000600 // units: 5,000,000 lots; value: 5,000,000 x 0.0112
  `;
});

t.test('open interest of COIN-M: contracts of 100 and of 10 USD', async (t) => {
  sameRows(t, openInterestOf(binance, 'inverse').rows)`
    market      symbol quote units                 value       mark      stated
    BTCUSD_PERP BTC    USD   600_000_000/100_012.5 600_000_000 100_012.5 1750000000600 // value: 6,000,000 x 100
    SOLUSD_PERP SOL    USD   4_500_000/150.3       4_500_000   150.3     1750000000600 // value: 450,000 x 10
  `;
});

wholeVenue(t, binance);
