import t from 'tap';
import { coinbase } from '../../../../actors/venues/coinbase/index.ts';
import {
  askFor,
  contextOf,
  derivativesOf,
  fixture,
  instrumentOf,
  openInterestOf,
  pricesOf,
} from '../fixtures.ts';
import { rounded } from '../stream-suite.ts';
import { wholeVenue } from '../suite/index.ts';

const { orderBook, candles } = coinbase.queries;
const { prices, derivatives, openInterest } = coinbase.feeds;
const nothing = { received: 0, instruments: new Map() };
const perpetual = contextOf(coinbase, 'perpetual');
const perpetuals = fixture(coinbase, 'perpetual-prices');
const stated = Date.parse('2025-06-15T15:06:40.454Z');

t.test('the markets that are followed', async (t) => {
  const kinds = (part: string) =>
    Object.fromEntries([...contextOf(coinbase, part).instruments].map(([id, i]) => [id, i.kind]));
  t.strictSame(kinds('spot'), {
    'BTC-USD': 'spot',
    'BTC-USDC': 'spot',
    'USDT-USD': 'spot',
    'ETH-BTC': 'spot',
    'ETH-EUR': 'spot',
    'ONLY-USDC': 'spot',
    'NEVER-USD': 'other', // view only
    'OLD-USD': 'other', // delisted
    'AUCT-USD': 'other', // an auction
    'TSLA-USD': 'other', // a share
  });
  t.strictSame(kinds('perpetual'), {
    'BTC-PERP': 'perpetual',
    '1000PEPE-PERP': 'perpetual',
    'ETH-PERP': 'perpetual',
    'OLD-PERP': 'other',
    'BTC-USDC': 'other', // spot of the international venue
  });
  t.equal(instrumentOf(coinbase, 'perpetual', 'ETH-PERP').funding_hours, null);
});

t.test('instruments', async (t) => {
  t.strictSame(instrumentOf(coinbase, 'spot', 'BTC-USD'), {
    market: 'BTC-USD',
    kind: 'spot',
    symbol: 'BTC',
    quote: 'USD',
    scale: 1,
    contract: 1,
    inverse: false,
    funding_hours: null,
  });
  t.strictSame(instrumentOf(coinbase, 'perpetual', '1000PEPE-PERP'), {
    market: '1000PEPE-PERP',
    kind: 'perpetual',
    symbol: 'PEPE',
    quote: 'USDC',
    scale: 1000,
    contract: 1,
    inverse: false,
    funding_hours: 1, // 3.6e12 ns
  });
});

t.test('spot prices: the book that USD and USDC share counts once', async (t) => {
  const { rows, dropped } = pricesOf(coinbase, 'spot');
  t.strictSame(dropped, []);
  const [btc, usdt, only, ...none] = rows;
  t.strictSame(btc, {
    market: 'BTC-USD',
    kind: 'spot',
    symbol: 'BTC',
    quote: 'USD',
    price: 100_000.5,
    bid: 99_999.9,
    ask: 100_001.2,
    high: null,
    low: null,
    base: 11_005.02587005,
    volume: 1_098_752_587.5,
    change: -0.28,
    stated: null,
  });
  t.match(usdt, { market: 'USDT-USD', price: 0.9999, bid: null, change: null }, '"" is unknown');
  t.match(only, { market: 'ONLY-USDC', price: 2.5, volume: null, change: 1.5 });
  t.strictSame(none, []);
  t.strictSame(pricesOf(coinbase, 'spot', nothing), { rows, dropped }, 'the ids say as much');
});

t.test('perpetual prices: turnover in USDC, 1000PEPE in PEPE', async (t) => {
  const { rows, dropped } = pricesOf(coinbase, 'perpetual');
  t.strictSame(dropped, []);
  const [btc, pepe, eth, ...none] = rows;
  t.strictSame(btc, {
    market: 'BTC-PERP',
    kind: 'perpetual',
    symbol: 'BTC',
    quote: 'USDC',
    price: 100_010.5,
    bid: 100_009.5,
    ask: 100_012,
    high: null,
    low: null,
    base: 1_110.4831,
    volume: 110_943_454.25,
    change: null,
    stated,
  });
  t.strictSame(rounded(pepe), {
    market: '1000PEPE-PERP',
    kind: 'perpetual',
    symbol: 'PEPE',
    quote: 'USDC',
    price: 0.000012, // 0.012 / 1000
    bid: 0.00001199,
    ask: 0.00001201,
    high: null,
    low: null,
    base: 416_000_000_000, // 416,000,000 x 1000
    volume: 5_000_000,
    change: null,
    stated,
  });
  t.match(eth, { market: 'ETH-PERP', price: 2500, volume: null, stated: null });
  t.strictSame(none, []);
  t.strictSame(pricesOf(coinbase, 'perpetual', nothing), { rows, dropped });
});

t.test('funding: a fraction an hour, until the next full hour', async (t) => {
  const { rows, dropped } = derivativesOf(coinbase, 'perpetual');
  t.strictSame(dropped, []);
  const [btc, pepe, eth] = rows;
  t.strictSame(btc, {
    market: 'BTC-PERP',
    symbol: 'BTC',
    quote: 'USDC',
    mark: 100_000.75,
    index: 99_990.25,
    funding_rate: 0.000009,
    funding_hours: 1,
    funding_rate_8h: 0.000072, // 0.000009 x 8
    next_funding: Date.parse('2025-06-15T16:00:00Z'),
    stated,
  });
  t.match(rounded(pepe), { mark: 0.00001205, index: 0.00001202, funding_rate_8h: -0.00016 });
  t.match(eth, {
    mark: 2500.5,
    index: null,
    funding_rate: null,
    funding_hours: null,
    next_funding: null,
  });
});

t.test('open interest: base times mark', async (t) => {
  const { rows, dropped } = openInterestOf(coinbase, 'perpetual');
  t.strictSame(dropped, [{ key: 'ETH-PERP', code: 'bad_row' }], 'without a number');
  t.strictSame(rounded(rows), [
    {
      market: 'BTC-PERP',
      symbol: 'BTC',
      quote: 'USDC',
      units: 1270.75,
      value: 127_075_953.0625, // x 100,000.75
      mark: 100_000.75,
      stated,
    },
    {
      market: '1000PEPE-PERP',
      symbol: 'PEPE',
      quote: 'USDC',
      units: 4_000_000_000, // 4,000,000 x 1000
      value: 48_200, // 4,000,000 x 0.01205
      mark: 0.00001205,
      stated,
    },
  ]);
});

t.test('1000PEPE-PERP: book and candles in PEPE', async (t) => {
  const ask = askFor(coinbase, 'perpetual', '1000PEPE-PERP');
  const body = fixture(coinbase, 'perpetual-order-book');
  const book = orderBook.parse(body, ask);
  t.strictSame(rounded(book), {
    bids: [{ price: 0.000012, quantity: 500_000 }], // 0.012 / 1000, 500 x 1000
    asks: [{ price: 0.0000121, quantity: 750_000 }],
    stated: Date.parse('2025-06-15T15:06:40.662Z'),
  });
  t.strictSame(orderBook.parse(body, { ...ask, instrument: null }), book);
  const bars = candles.parse(fixture(coinbase, 'perpetual-candles'), ask);
  t.equal(bars.length, 2);
  t.strictSame(rounded(bars[0]), {
    timestamp: Date.parse('2025-06-15T15:00:00Z'),
    open: 0.000012,
    high: 0.000013,
    low: 0.000011,
    close: 0.0000125,
    volume: 2_000_000, // 2000 x 1000
    turnover: null,
  });
});

t.test('spot book and candles: low stands before high, open after', async (t) => {
  const ask = askFor(coinbase, 'spot', 'BTC-USD');
  t.strictSame(orderBook.parse(fixture(coinbase, 'spot-order-book'), ask), {
    bids: [
      { price: 100_000, quantity: 0.5 },
      { price: 99_999.99, quantity: 0.25 },
    ],
    asks: [{ price: 100_000.01, quantity: 1.5 }],
    stated: Date.parse('2025-06-15T15:06:40.662Z'),
  });
  const bars = candles.parse(fixture(coinbase, 'spot-candles'), ask);
  t.strictSame(bars[0], {
    timestamp: 1_749_999_600_000,
    open: 100_000,
    high: 100_200,
    low: 99_900,
    close: 100_100.5,
    volume: 12.5,
    turnover: null,
  });
  t.equal(bars.length, 2);
});

t.test('perpetuals that all state a pause are closed, until one trades again', async (t) => {
  const states = (state: string) =>
    (perpetuals as Record<string, unknown>[]).map((row) => ({ ...row, trading_state: state }));
  const { parse } = prices.parts.perpetual;
  for (const topic of ['prices', 'derivatives', 'openInterest'] as const) {
    const read = (rows: unknown) => parse([rows], perpetual)[topic];
    const closed = `every perpetual is ${'PAUSED'.padEnd(20, '_')}`;
    const paused = states('PAUSED'.padEnd(21, '_'));
    t.strictSame(read(paused), { rows: [], dropped: [], closed });
    t.notOk('closed' in read(perpetuals), 'some trade');
    const mixed = [...states('PAUSED').slice(1), ...states('HALTED').slice(0, 1)];
    t.equal(read(mixed).closed, 'every perpetual is PAUSED or HALTED');
    const spot = { symbol: 'BTC-USDC', type: 'SPOT', trading_state: 'TRADING' };
    t.equal(read([spot]).closed, 'no perpetual is listed');
    t.notOk('closed' in read([...states('PAUSED'), { symbol: 'X-PERP', type: 'PERP' }]));
    t.throws(() => read([]), { name: 'ShapeError' }, 'an empty list states nothing');
  }
  for (const { parts } of [derivatives, openInterest])
    t.equal(parts.perpetual, prices.parts.perpetual, 'one list has all');
});

wholeVenue(coinbase);
