import t from 'tap';
import { binance } from '../../../../actors/venues/binance/index.ts';
import { likeRows, sameRows } from '../../../support/table.ts';
import {
  askFor,
  contextOf,
  derivativesOf,
  fixture,
  instrumentOf,
  kindsOf,
  pricesOf,
} from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

const { candles } = binance.queries;

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

wholeVenue(t, binance);
