/** Histories of Binance: the units of USD-M, COIN-M and spot, in bodies of the documented form. */
import t from 'tap';
import { histories } from '../../../../actors/venues/binance/analytics.ts';
import { binance } from '../../../../actors/venues/binance/index.ts';
import { instrumentOf } from '../fixtures.ts';

const at = 1_750_000_800_000;
const hour = 3_600_000;

const askOf = (part: 'spot' | 'linear' | 'inverse', market: string) => ({
  market,
  part,
  instrument: instrumentOf(binance, part, market),
  interval: '1h' as const,
  limit: 100,
  now: at + hour,
});
const usd = askOf('linear', 'BTCUSDT');
const lots = askOf('linear', '1000PEPEUSDT');
const coin = askOf('inverse', 'BTCUSD_PERP');

/** `[openTime, o, h, l, c, volume, closeTime, quote volume, trades, taker buy, taker buy quote, ignore]`. */
const kline = (cells: { all: string; value: string; bought: string; boughtValue: string }) => [
  at,
  '20',
  '21',
  '19',
  '20',
  cells.all,
  at + hour - 1,
  cells.value,
  9,
  cells.bought,
  cells.boughtValue,
  '0',
];

t.test('shares of accounts and of positions, which COIN-M names otherwise', async (t) => {
  const of = 'top_positions' as const;
  const read = (row: object) => histories.longShort.parse([[row]], { ...usd, of }).points;
  const point = { timestamp: at, long: 0.6, short: 0.4 };
  const row = { longShortRatio: '1.5', timestamp: at };
  t.strictSame(read({ ...row, longAccount: '0.6', shortAccount: '0.4' }), [point]);
  t.strictSame(read({ ...row, longPosition: '0.6', shortPosition: '0.4' }), [point]);
  t.throws(() => read({ ...row, longAccount: '0.6' }), 'a row without a share is no answer');
  const [request] = histories.longShort.requests({ ...coin, of });
  t.match(request, {
    api: 'inverse',
    budget: 'statistics',
    path: '/futures/data/topLongShortPositionRatio',
    query: { pair: 'BTCUSD', period: '1h', limit: 100 },
  });
});

t.test('taker volume: base of the list, dollars of the candles, contracts of COIN-M', async (t) => {
  const row = { buySellRatio: '1.5', buyVol: '3', sellVol: '2', timestamp: at };
  const candle = kline({ all: '5', value: '100', bought: '3', boughtValue: '61' });
  const read = (bodies: unknown[], asked: typeof usd | typeof coin) =>
    histories.takerVolume.parse(bodies, asked).points;
  const base = { timestamp: at, buy_base: 3, sell_base: 2 };
  t.strictSame(read([[row], [candle]], usd), [
    { ...base, buy_usd: 61, sell_usd: 39, closed: true },
  ]);
  t.strictSame(read([[row], undefined], usd), [
    { ...base, buy_usd: null, sell_usd: null, closed: true },
  ]);
  t.match(read([[row], [candle]], lots), [{ buy_base: 3000, sell_base: 2000, buy_usd: 61 }]);
  const contracts = {
    takerBuyVol: '30',
    takerSellVol: '20',
    timestamp: at,
    takerBuyVolValue: '0.3',
    takerSellVolValue: '0.2',
  };
  t.strictSame(read([[contracts]], coin), [
    { timestamp: at, buy_base: 0.3, sell_base: 0.2, buy_usd: 3000, sell_usd: 2000, closed: true },
  ]);
});

t.test('candles with what takers bought: columns 5 and 7 change places on COIN-M', async (t) => {
  const read = (cells: Parameters<typeof kline>[0], asked: typeof usd | typeof coin) =>
    histories.takerCandles.parse([[kline(cells)]], asked).points;
  const linear = { all: '5', value: '100', bought: '3', boughtValue: '61' };
  const prices = { open: 20, high: 21, low: 19, close: 20 };
  const point = {
    timestamp: at,
    ...prices,
    buy_base: 3,
    sell_base: 2,
    buy_usd: 61,
    sell_usd: 39,
    closed: true,
  };
  t.strictSame(read(linear, usd), [point]);
  t.match(read(linear, lots), [{ close: 0.02, buy_base: 3000, sell_base: 2000, buy_usd: 61 }]);
  const inverse = { all: '50', value: '0.5', bought: '30', boughtValue: '0.375' };
  t.strictSame(read(inverse, coin), [
    { ...point, buy_base: 0.375, sell_base: 0.125, buy_usd: 3000, sell_usd: 2000, closed: true },
  ]);
});

t.test('open interest and settled fundings', async (t) => {
  const row = { sumOpenInterest: '50', sumOpenInterestValue: '25', timestamp: at };
  const read = (asked: typeof usd | typeof coin) =>
    histories.openInterestHistory.parse([[row]], asked).points;
  t.strictSame(read(usd), [{ timestamp: at, base: 50, usd: 25 }]);
  t.strictSame(read(coin), [{ timestamp: at, base: 25, usd: 5000 }]);
  const funding = { fundingRate: '-0.0001', fundingTime: at + 7, markPrice: '20' };
  t.strictSame(histories.fundingHistory.parse([[funding]], usd).points, [
    { timestamp: Math.round(at / 60_000) * 60_000, rate: -0.0001, hours: 8, mark: 20 },
  ]);
});

t.test('one page answers every limit; what is older than 30 days is not asked for', async (t) => {
  const { page, requests, slice } = histories.openInterestHistory;
  const asked = { ...usd, limit: 5 };
  t.equal(page(asked)?.limit, 500);
  t.strictSame(page({ ...asked, to: asked.now + 1 })?.to, undefined, 'the present');
  t.equal(page({ ...asked, to: at + 5 })?.to, Math.floor(at / hour) * hour);
  t.equal(page({ ...asked, ...askOf('spot', 'BTCUSDT') }), null, 'spot has none');
  const query = (to: number) => requests({ ...asked, to })[0]?.query;
  t.match(query(at), { startTime: at - 4 * hour - 1, endTime: at });
  const oldest = asked.now - 30 * 24 * hour;
  t.ok(Number(query(at - 40 * 24 * hour)?.startTime) > oldest);
  const points = [1, 2, 3, 4].map((timestamp) => ({ timestamp, base: 1, usd: 1 }));
  const cut = slice({ market: 'X', points }, { ...asked, from: 2, to: 3, limit: 5 });
  t.strictSame(
    cut.points.map(({ timestamp }) => timestamp),
    [2, 3],
  );
  t.equal(slice({ market: 'X', points }, { ...asked, limit: 1 }).points[0]?.timestamp, 4);
});
