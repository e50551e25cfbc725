import t from 'tap';
import { mexc } from '../../../../actors/venues/mexc/index.ts';
import { changeOf } from '../../../../actors/venues/rows.ts';
import { askFor, contextOf, fixture, instrumentOf, openInterestOf, pricesOf } from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

const { orderBook, candles } = mexc.queries;
const stated = 1_750_000_000_321;

t.test('the markets that are followed', async (t) => {
  const kinds = (part: string) =>
    Object.fromEntries([...contextOf(mexc, part).instruments].map(([id, i]) => [id, i.kind]));
  t.strictSame(kinds('spot'), {
    ...{ BTCUSDT: 'spot', ETHBTC: 'spot', USDCUSDT: 'spot', '1000SATSUSDT': 'spot' },
    OLDUSDT: 'other', // status 2
    SHUTUSDT: 'other', // no spot trading
    BTC3LUSDT: 'other', // leveraged
  });
  t.strictSame(kinds('contracts'), {
    ...{ BTC_USDT: 'perpetual', '1000BONK_USDT': 'perpetual', BTC_USD: 'perpetual' },
    ETH_USDC: 'perpetual',
    OLD_USDT: 'other', // paused
    GHOST_USDT: 'other', // hidden
    TSLASTOCK_USDT: 'other', // a share
  });
  t.match(instrumentOf(mexc, 'contracts', 'BTC_USD'), {
    ...{ symbol: 'BTC', quote: 'USD', contract: 100, inverse: true },
  });
  t.match(instrumentOf(mexc, 'contracts', '1000BONK_USDT'), {
    ...{ symbol: 'BONK', scale: 1000, contract: 10, inverse: false },
  });
  const odd = { symbol: 'X_USDT', baseCoin: 'X', quoteCoin: 'USDT', contractSize: 1, state: 0 };
  const rows = [{ ...odd, settleCoin: 'BTC' }, odd];
  const context = { data: rows };
  t.strictSame(mexc.feeds.instruments.parts.contracts.parse([context]).rows, [], 'no known unit');
});

t.test('spot prices: a fraction for a percentage, a turnover that may be missing', async (t) => {
  const { rows, dropped } = pricesOf(mexc, 'spot');
  t.strictSame(dropped, []);
  t.strictSame(
    rows.map((row) => [row.market, row.price, row.volume, row.change, row.stated]),
    [
      ['BTCUSDT', 104000.5, 512_500_000.5, changeOf(104000.5, 100000), stated],
      ['USDCUSDT', 1.0001, 100 * 1.0001, null, stated], // null: 100 x 1.0001
      // '': 2,000,000 x 0.00005
      ['1000SATSUSDT', 0.00005 / 1000, 100, changeOf(0.00005, 0.0000666), stated],
    ],
  );
});

t.test('prices of contracts', async (t) => {
  const { rows, dropped } = pricesOf(mexc, 'contracts');
  t.strictSame(dropped, []);
  t.strictSame(
    rows.map((row) => [row.market, row.price, row.volume, row.change]),
    [
      ['BTC_USDT', 104000, 620_000_000.5, changeOf(104000, 104000 - 2536.6)], // amount24
      // none: 5,000,000 x 10 x 0.02
      ['1000BONK_USDT', 0.00002, 1_000_000, changeOf(0.02, 0.02 - 0.00049)],
      ['BTC_USD', 100000, 15_000_000, changeOf(100000, 97561)], // 150,000 contracts x 100 USD
      ['ETH_USDC', 2500, 25_000, 2.5], // the rounded rate, as there is no change in quote
    ],
  );
});

t.test('open interest', async (t) => {
  const { rows, dropped } = openInterestOf(mexc, 'contracts');
  t.strictSame(dropped, []);
  t.strictSame(
    rows.map((row) => [row.market, row.units, row.value]),
    [
      ['BTC_USDT', 50_000, 5_200_275_000], // 500,000,000 x 0.0001 BTC, at 104,005.5
      ['1000BONK_USDT', 40_000_000_000, 804_000], // 4,000,000 x 10 x 1000, at 0.0201 / 1000
      ['BTC_USD', 60_000_000 / 100002.5, 60_000_000], // 600,000 x 100 USD
      ['ETH_USDC', 20, 50_020],
    ],
  );
});

t.test('order books in base', async (t) => {
  const book = (part: string, market: string) =>
    orderBook.parse(fixture(mexc, `${part}-order-book`), askFor(mexc, part, market));
  const spot = book('spot', 'BTCUSDT');
  t.strictSame(spot.asks[0], { price: 104000.1, quantity: 2.5 });
  t.equal(spot.stated, null);
  const linear = book('contracts', 'BTC_USDT');
  t.strictSame(linear.asks[0], { price: 104000.1, quantity: 2.5 }, '25,000 x 0.0001 BTC');
  t.equal(linear.stated, 1_750_000_000_340);
  const inverse = book('contracts', 'BTC_USD');
  // 5000 contracts x (100 USD / 104,000)
  t.strictSame(inverse.bids[0], { price: 104000, quantity: 5000 * (100 / 104_000) });
  const unknown = { market: 'NEW_USDT', part: 'contracts', instrument: null };
  const body = fixture(mexc, 'contracts-order-book');
  t.throws(() => orderBook.parse(body, unknown), { name: 'ShapeError' }, 'no contract size');
});

t.test('candles', async (t) => {
  const bars = (part: string, market: string) =>
    candles.parse(fixture(mexc, `${part}-candles`), askFor(mexc, part, market));
  t.strictSame(bars('spot', 'BTCUSDT')[0], {
    ...{ timestamp: 1_749_996_000_000, open: 103000, high: 104500, low: 102000, close: 104000 },
    ...{ volume: 10, turnover: 1_042_000 },
  });
  t.strictSame(bars('contracts', 'BTC_USDT')[0], {
    ...{ timestamp: 1_749_996_000_000, open: 103000, high: 104500, low: 102000, close: 104000 },
    ...{ volume: 10, turnover: 1_042_000 }, // 100,000 x 0.0001 BTC
  });
  // 100,000 x 100 USD at (103,000 + 104,500 + 102,000 + 104,000) / 4 = 103,375
  const inverse = { volume: 10_000_000 / 103_375, turnover: 10_000_000 };
  t.match(bars('contracts', 'BTC_USD')[0], inverse);
  const ask = askFor(mexc, 'contracts', 'BTC_USDT');
  const empty = { time: [], open: [], high: [], low: [], close: [], vol: [], amount: [] };
  t.strictSame(candles.parse({ success: true, data: empty }, ask), []);
  t.throws(() => candles.parse({ data: { time: [1] } }, ask), { name: 'ShapeError' });
});

t.test('a scale that only the name states, dated contracts and metals', async (t) => {
  const detail = (symbol: string, baseCoin: string, over = {}) => ({
    symbol,
    baseCoin,
    ...{ quoteCoin: 'USDT', settleCoin: 'USDT', contractSize: 10, state: 0, isHidden: false },
    ...over,
  });
  const data = [
    detail('1000RATS_USDT', 'RATS'),
    detail('PEPE_USDT', 'PEPE', { futureType: 1 }),
    detail('BTC_USDT_260925', 'BTC', { futureType: 2 }),
    detail('GOLD(XAUT)_USDT', 'GOLD(XAUT)'),
  ];
  const { rows } = mexc.feeds.instruments.parts.contracts.parse([{ success: true, code: 0, data }]);
  t.match(rows, [
    { symbol: 'RATS', scale: 1000, kind: 'perpetual' },
    { symbol: 'PEPE', scale: 1, kind: 'perpetual' },
    { symbol: 'BTC', kind: 'other' },
    { kind: 'other' },
  ]);
});

wholeVenue(mexc);
