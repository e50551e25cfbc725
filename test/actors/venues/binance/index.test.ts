import t from 'tap';
import { binance } from '../../../../actors/venues/binance/index.ts';
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

const { orderBook, candles } = binance.queries;

t.test('what is followed: spot and perpetual that trade', async (t) => {
  const kinds = (part: string) =>
    Object.fromEntries([...contextOf(binance, part).instruments].map(([id, i]) => [id, i.kind]));
  t.strictSame(kinds('spot'), {
    ...{ BTCUSDT: 'spot', ETHBTC: 'spot', USDTUSD: 'spot', '1000SATSUSDT': 'spot' },
    ...{ '1MBABYDOGEUSDT': 'spot', '1INCHUSDT': 'spot' },
    OLDUSDT: 'other', // BREAK
    MARGUSDT: 'other', // no spot trading
  });
  t.strictSame(kinds('linear'), {
    ...{ BTCUSDT: 'perpetual', '1000PEPEUSDT': 'perpetual', BTCUSDC: 'perpetual' },
    ETHBTC: 'perpetual',
    BTCUSDT_250926: 'other', // dated
    TSLAUSDT: 'other', // TRADIFI
    GONEUSDT: 'other', // SETTLING
    SOONUSDT: 'other', // PENDING_TRADING
  });
  t.strictSame(instrumentOf(binance, 'inverse', 'BTCUSD_PERP'), {
    ...{ market: 'BTCUSD_PERP', kind: 'perpetual', symbol: 'BTC', quote: 'USD', scale: 1 },
    ...{ contract: 100, inverse: true, funding_hours: 8 },
  });
  t.match(kinds('inverse'), { BTCUSD_250926: 'other', LUNAUSD_PERP: 'other' });
});

t.test('spot prices: what is not followed is silent, USDT in USD stays', async (t) => {
  const { rows, dropped } = pricesOf(binance, 'spot');
  t.strictSame(dropped, []);
  t.strictSame(
    rows.map((row) => [row.market, row.price, row.volume]),
    [
      ['BTCUSDT', 104000.5, 124800600],
      ['USDTUSD', 0.9995, 1999000],
      ['1000SATSUSDT', 0.000042 / 1000, 2100],
      ['1MBABYDOGEUSDT', 0.00125 / 1_000_000, 10000],
      ['1INCHUSDT', 0.25, 0], // nothing traded: a real zero
    ],
  );
  t.strictSame(rows[0], {
    ...{ market: 'BTCUSDT', kind: 'spot', symbol: 'BTC', quote: 'USDT', price: 104000.5 },
    ...{ bid: null, ask: null, high: 104000.5, low: 104000.5, base: 1200 },
    volume: 124800600,
    change: (104000.5 / 100000 - 1) * 100, // from openPrice
    stated: 1750000000123,
  });
});

t.test(
  'linear prices: 1000PEPE is PEPE at a thousandth, its turnover in quote unchanged',
  async (t) => {
    const { rows, dropped } = pricesOf(binance, 'linear');
    t.strictSame(dropped, []);
    t.strictSame(
      rows.map((row) => [row.symbol, row.quote, row.price, row.volume]),
      [
        ['BTC', 'USDT', 103950.2, 18711075975.1],
        ['PEPE', 'USDT', 0.0112 / 1000, 100800],
        ['BTC', 'USDC', 103960, null], // an empty turnover is unknown, not 0
      ],
    );
  },
);

t.test('coin-margined BTCUSD_PERP: contracts of 100 USD', async (t) => {
  const { rows } = pricesOf(binance, 'inverse');
  t.strictSame(
    rows.map((row) => [row.symbol, row.price, row.volume]),
    [
      ['BTC', 100000, 500_000_000], // 5,000,000 contracts x 100 USD
      ['SOL', 150, 3_000_000], // 300,000 contracts x 10 USD
    ],
  );

  const ask = askFor(binance, 'inverse', 'BTCUSD_PERP');
  const book = orderBook.parse(fixture(binance, 'inverse-order-book'), ask);
  t.strictSame(book.bids[0], { price: 100000, quantity: 0.05 }, '50 x 100 USD / 100,000');
  t.strictSame(book.asks[1], { price: 100100, quantity: 1 }, '1001 x 100 USD / 100,100');
  t.equal(book.stated, 1750000000785, 'when the book was so, not when it was sent');

  const [first] = candles.parse(fixture(binance, 'inverse-candles'), ask);
  t.equal(first?.volume, 20.1, 'base, from index 7');
  t.equal(first?.turnover, 2_000_000, '20,000 contracts x 100 USD');
});

t.test('1000PEPE: quantities are a thousand times the native ones', async (t) => {
  const ask = askFor(binance, 'linear', '1000PEPEUSDT');
  const book = orderBook.parse({ bids: [['0.0112', '300']], asks: [] }, ask);
  t.strictSame(book.bids, [{ price: 0.0112 / 1000, quantity: 300_000 }]);
  const [bar] = candles.parse(fixture(binance, 'linear-candles'), ask);
  t.strictSame(bar, {
    timestamp: 1749996000000,
    open: 0.011 / 1000,
    high: 0.0114 / 1000,
    low: 0.0109 / 1000,
    close: 0.0112 / 1000,
    volume: 1_000_000_000, // 1,000,000 x 1000
    turnover: 11150,
  });
});

t.test('a market that the list does not hold', async (t) => {
  const { rows, dropped } = pricesOf(binance, 'spot', { received: 0, instruments: new Map() });
  t.strictSame([rows, new Set(dropped.map((d) => d.code))], [[], new Set(['unknown_instrument'])]);

  const unlisted = { market: '1000PEPEUSDT', part: 'linear', instrument: null };
  const body = { bids: [['0.01', '2']], asks: [] };
  t.strictSame(orderBook.parse(body, unlisted).bids, [{ price: 0.01 / 1000, quantity: 2000 }]);
  const inverse = { market: 'NEWUSD_PERP', part: 'inverse', instrument: null };
  t.throws(() => orderBook.parse(body, inverse), { name: 'ShapeError' }, 'contracts of what size?');
  const [bar] = candles.parse(fixture(binance, 'inverse-candles'), inverse);
  t.strictSame([bar?.volume, bar?.turnover], [20.1, null], 'base is stated, the turnover is not');
});

t.test(
  'funding hours: listed where they were ever adjusted, 8 elsewhere, none but on perpetuals',
  async (t) => {
    const hours = (part: string) =>
      Object.fromEntries(
        [...contextOf(binance, part).instruments].map(([id, row]) => [id, row.funding_hours]),
      );
    t.match(hours('linear'), {
      ...{ BTCUSDT: 8, '1000PEPEUSDT': 4 },
      BTCUSDC: null, // listed without a number: not the usual one
      ...{ BTCUSDT_250926: null, GONEUSDT: null },
    });
    t.strictSame(hours('inverse'), {
      ...{ BTCUSD_PERP: 8, SOLUSD_PERP: 4, BTCUSD_250926: null, LUNAUSD_PERP: null },
    });
    t.ok(Object.values(hours('spot')).every((value) => value === null));

    const info = {
      symbols: [{ symbol: 'A', baseAsset: 'A', quoteAsset: 'USDT', status: 'BREAK' }],
    };
    const { linear } = binance.feeds.instruments.parts;
    const context = { received: 0, instruments: new Map() };
    t.equal(linear.parse([info, []], context).rows.length, 1, 'none may have been adjusted');
    t.throws(() => linear.parse([info, { code: 0 }], context), { name: 'ShapeError' });
  },
);

t.test('derivatives: 1000PEPE at a thousandth, rates as stated and per 8 hours', async (t) => {
  const { rows, dropped } = derivativesOf(binance, 'linear');
  t.strictSame(dropped, [{ key: 'FRESHUSDT', code: 'unknown_instrument' }]);
  t.strictSame(rows, [
    {
      ...{ market: 'BTCUSDT', symbol: 'BTC', quote: 'USDT', mark: 103951.2, index: 103948.7 },
      ...{ funding_rate: 0.00012, funding_hours: 8, funding_rate_8h: 0.00012 },
      ...{ next_funding: 1750003200000, stated: 1750000000500 },
    },
    {
      ...{ market: '1000PEPEUSDT', symbol: 'PEPE', quote: 'USDT' },
      mark: 0.0112 / 1000,
      index: 0.01118 / 1000,
      ...{ funding_rate: -0.00005, funding_hours: 4 },
      funding_rate_8h: -0.0001, // -0.00005 x 8 / 4
      ...{ next_funding: 1750003200000, stated: 1750000000500 },
    },
    {
      ...{ market: 'BTCUSDC', symbol: 'BTC', quote: 'USDC', mark: 103961 },
      index: null, // 0 is none
      funding_rate: null, // '' is none
      ...{ funding_hours: null, funding_rate_8h: null, next_funding: 1750003200000 },
      stated: 1750000000500,
    },
  ]);
});

t.test('open interest of USD-M: base units, valued at the mark', async (t) => {
  const { rows, dropped } = openInterestOf(binance, 'linear');
  t.strictSame(dropped, [{ key: 'BTCUSDC', code: 'bad_row' }], 'a null is no interest');
  t.strictSame(
    rows.map((row) => [row.symbol, row.units, row.value, row.mark, row.stated]),
    [
      ['BTC', 80000.5, 80000.5 * 103951.2, 103951.2, 1750000000600],
      ['PEPE', 5_000_000_000, 56_000, 0.0112 / 1000, 1750000000600], // 5,000,000 lots x 0.0112
    ],
  );
});

t.test('open interest of COIN-M: contracts of 100 and of 10 USD', async (t) => {
  const { rows } = openInterestOf(binance, 'inverse');
  t.strictSame(
    rows.map((row) => [row.symbol, row.units, row.value]),
    [
      ['BTC', 6000, 600_000_000], // 6,000,000 x 100 USD, / 100,000
      ['SOL', 30_000, 4_500_000], // 450,000 x 10 USD, / 150
    ],
  );
});

wholeVenue(binance);
