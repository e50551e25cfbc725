import t from 'tap';
import { bitget } from '../../../../actors/venues/bitget/index.ts';
import { connection } from '../../../../actors/venues/bitget/stream.ts';
import { changeOf } from '../../../../actors/venues/rows.ts';
import {
  askFor,
  contextOf,
  derivativesOf,
  fixture,
  instrumentOf,
  openInterestOf,
  pricesOf,
} from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

const { orderBook, candles } = bitget.queries;

t.test('the markets that are followed', async (t) => {
  const kinds = (part: string) =>
    Object.fromEntries([...contextOf(bitget, part).instruments].map(([id, i]) => [id, i.kind]));
  t.strictSame(kinds('spot'), {
    ...{ BTCUSDT: 'spot', USDCUSDT: 'spot', ETHBTC: 'spot' },
    NEWUSDT: 'other', // not open to all yet
    OLDUSDT: 'other',
  });
  t.strictSame(kinds('usdt-futures'), {
    ...{ BTCUSDT: 'perpetual', '1000BONKUSDT': 'perpetual', DOGEUSDT: 'perpetual' },
    TSLAUSDT: 'other', // a share
    OLDUSDT: 'other',
  });
  t.strictSame(kinds('usdc-futures'), { BTCPERP: 'perpetual', ETHPERP: 'other' });
  t.strictSame(kinds('coin-futures'), {
    ...{ BTCUSD: 'perpetual', XRPUSD: 'perpetual', ETHUSD_260626: 'other' },
  });
  t.strictSame(instrumentOf(bitget, 'usdt-futures', '1000BONKUSDT'), {
    ...{ market: '1000BONKUSDT', kind: 'perpetual', symbol: 'BONK', quote: 'USDT', scale: 1000 },
    ...{ contract: 1, inverse: false, funding_hours: 4 },
  });
  t.equal(instrumentOf(bitget, 'coin-futures', 'BTCUSD').inverse, false, 'counted in the base');
});

t.test('prices', async (t) => {
  const rows = (part: string) =>
    pricesOf(bitget, part).rows.map((row) => [row.market, row.price, row.volume, row.change]);
  t.strictSame(rows('spot'), [
    ['BTCUSDT', 104000.5, 520_002_500, 4],
    ['USDCUSDT', 0.9998, null, null], // empty strings are unknown, not 0
  ]);
  t.equal(pricesOf(bitget, 'spot').rows[1]?.stated, null, 'a time of 0 is none');
  t.strictSame(rows('usdt-futures'), [
    ['BTCUSDT', 104000, 9_360_000_000, changeOf(104000, 100001.5)],
    ['1000BONKUSDT', 0.02 / 1000, 60_000, changeOf(0.02, 0.02105)],
    ['DOGEUSDT', 0.2, 20, 0],
  ]);
  t.strictSame(rows('usdc-futures'), [['BTCPERP', 104020, 10_402_000, changeOf(104020, 100020)]]);
  t.strictSame(rows('coin-futures'), [
    ['BTCUSD', 100000, 15_000_000, changeOf(100000, 96154)],
    ['XRPUSD', 0.5, 1000, 0], // no open: the rounded change
  ]);
  t.strictSame(pricesOf(bitget, 'usdt-futures').dropped, [], 'what is not followed is silent');
});

t.test('derivatives: tickers, with hours and next funding from the list of rates', async (t) => {
  const { rows, dropped } = derivativesOf(bitget, 'usdt-futures');
  t.strictSame(dropped, []);
  t.strictSame(rows[0], {
    ...{ market: 'BTCUSDT', symbol: 'BTC', quote: 'USDT', mark: 104010, index: 103990 },
    ...{ funding_rate: 0.0001, funding_hours: 8, funding_rate_8h: 0.0001 },
    ...{ next_funding: 1750003200000, stated: 1750000000498 },
  });
  t.match(rows[1], {
    market: '1000BONKUSDT',
    mark: 0.0201 / 1000,
    index: 0.0199 / 1000,
    funding_rate: -0.0004, // the list's, not the -0.0003 of the ticker
    funding_hours: 4,
    funding_rate_8h: (-0.0004 * 8) / 4,
  });
  t.match(rows[2], {
    market: 'DOGEUSDT', // not in the list of rates, no interval anywhere
    ...{ mark: null, funding_rate: 0.00005, funding_hours: null, funding_rate_8h: null },
    next_funding: null,
  });
  t.match(derivativesOf(bitget, 'coin-futures').rows[1], { market: 'XRPUSD', funding_hours: 8 });
});

t.test('open interest in base, one side, at the mark price', async (t) => {
  const interestOf = (part: string) => openInterestOf(bitget, part).rows;
  t.match(interestOf('usdt-futures'), [
    { market: 'BTCUSDT', units: 50_000, value: 50_000 * 104010 },
    { market: '1000BONKUSDT', units: 4_000_000_000, value: 4_000_000 * 0.0201 },
    { market: 'DOGEUSDT', units: 1000, value: 200 }, // no mark price: 1000 x the last, 0.2
  ]);
  t.match(interestOf('coin-futures')[0], { units: 125.6844, value: 125.6844 * 100010 });
});

t.test('order books: strings on spot, numbers on futures, base everywhere', async (t) => {
  const book = (part: string, market: string) =>
    orderBook.parse(fixture(bitget, `${part}-order-book`), askFor(bitget, part, market));
  const spot = book('spot', 'BTCUSDT');
  t.strictSame(spot.bids[0], { price: 104000.4, quantity: 0.5 });
  t.equal(spot.stated, 1750000000400);
  t.strictSame(book('coin-futures', 'BTCUSD').bids[0], { price: 100000, quantity: 0.5091 });
  const bonk = orderBook.parse(
    { data: { bids: [[0.02, 5]], asks: [], ts: '' } },
    askFor(bitget, 'usdt-futures', '1000BONKUSDT'),
  );
  t.strictSame(bonk, { bids: [{ price: 0.02 / 1000, quantity: 5000 }], asks: [], stated: null });
});

t.test('candles', async (t) => {
  const rows = (part: string, market: string, body = fixture(bitget, `${part}-candles`)) =>
    candles.parse(body, askFor(bitget, part, market)).map((bar) => [bar.volume, bar.turnover]);
  t.strictSame(rows('spot', 'BTCUSDT')[0], [10, 1_042_000]);
  t.strictSame(rows('usdt-futures', 'BTCUSDT')[1], [2, 208_450]);
  t.strictSame(rows('coin-futures', 'BTCUSD')[0], [20.1, 2_000_000]);
  const swapped = { data: [['1749996000000', '99500', '1e5', '9e4', '100000', '2000000', '20.1']] };
  t.strictSame(rows('coin-futures', 'BTCUSD', swapped), [[20.1, 2_000_000]], 'quote is the larger');
  const cheap = { data: [['1749996000000', '0.5', '0.6', '0.4', '0.5', '2000', '1000']] };
  t.strictSame(rows('coin-futures', 'XRPUSD', cheap), [[2000, 1000]], 'below 1 the smaller');
  const other = { data: [['1749996000000', '0.5', '0.6', '0.4', '0.5', '1000', '2000']] };
  t.strictSame(rows('coin-futures', 'XRPUSD', other), [[2000, 1000]]);
});

t.test('the streams are on the connection of the exchange', async (t) => {
  t.equal(bitget.live.prices.spot.url, connection.url);
});

wholeVenue(bitget);
