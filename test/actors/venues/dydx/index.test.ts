import t from 'tap';
import { dydx } from '../../../../actors/venues/dydx/index.ts';
import {
  askFor,
  contextOf,
  derivativesOf,
  fixture,
  openInterestOf,
  pricesOf,
  received,
} from '../fixtures.ts';
import { rounded } from '../stream-suite.ts';
import { wholeVenue } from '../suite/index.ts';

const { feeds, queries } = dydx;
const { orderBook, candles } = queries;
const nothing = { received, instruments: new Map() };
const longTail = 'BUFFI,uniswap_v3,0x4c1b1302220d7de5c22b495e78b72f2dd2457d45-USD';

t.test('what is followed: active markets', async (t) => {
  const rows = [...contextOf(dydx, 'perp').instruments.values()];
  t.strictSame(
    rows.map((i) => [i.market, i.kind, i.symbol, i.quote, i.scale]),
    [
      ['BTC-USD', 'perpetual', 'BTC', 'USD', 1],
      ['ETH-USD', 'perpetual', 'ETH', 'USD', 1],
      [longTail, 'perpetual', 'BUFFI', 'USD', 1],
      ['1000SATS-USD', 'perpetual', 'SATS', 'USD', 1000],
      ['LUNA-USD', 'other', 'LUNA', 'USD', 1],
      ['MATIC-USD', 'other', 'MATIC', 'USD', 1],
    ],
  );
  t.strictSame(rows[3], {
    market: '1000SATS-USD',
    kind: 'perpetual',
    symbol: 'SATS',
    quote: 'USD',
    scale: 1000,
    contract: 1,
    inverse: false,
    funding_hours: 1,
  });
  const odd = {
    markets: { a: { ticker: 'BTCUSD' }, b: { ticker: '-USD' }, c: { ticker: 'BTC-' } },
  };
  const parsed = feeds.instruments.parts.perp.parse([odd], nothing).instruments;
  t.strictSame(parsed.rows, []);
  t.equal(parsed.dropped.length, 3, 'not dYdX ids');
});

t.test('prices: the oracle', async (t) => {
  for (const context of [contextOf(dydx, 'perp'), nothing]) {
    const { rows, dropped } = pricesOf(dydx, 'perp', context);
    t.strictSame(dropped, []);
    const [btc, eth, coin, sats, ...none] = rows;
    t.strictSame(rounded(btc), {
      market: 'BTC-USD',
      kind: 'perpetual',
      symbol: 'BTC',
      quote: 'USD',
      price: 104_030,
      bid: null,
      ask: null,
      high: null,
      low: null,
      base: null,
      volume: 250_000_000.25,
      change: 3, // 104,030 / 101,000
      stated: null,
    });
    t.match(rounded(eth), {
      market: 'ETH-USD',
      price: 2500,
      volume: null,
      change: -4.761904761905,
    }); // / 2,625
    t.match(coin, { market: longTail, symbol: 'BUFFI', price: 0.0021, change: null });
    t.match(rounded(sats), { market: '1000SATS-USD', price: 4e-8, volume: 10.5, change: 25 });
    t.strictSame(none, [], 'the stopped ones are silent');
  }
});

t.test('funding: a fraction per hour, charged at the full hour', async (t) => {
  const { rows, dropped } = derivativesOf(dydx, 'perp', nothing);
  t.strictSame(dropped, []);
  t.strictSame(rows[0], {
    market: 'BTC-USD',
    symbol: 'BTC',
    quote: 'USD',
    mark: 104_030,
    index: 104_030, // one price is mark and index
    funding_rate: 0.0000125,
    funding_hours: 1,
    funding_rate_8h: 0.0001,
    next_funding: 1_750_003_200_000, // the hour after 1,750,000,001,000
    stated: null,
  });
  t.match(rows[1], { funding_rate: -0.000005, funding_rate_8h: -0.00004 });
  t.match(rows[2], { market: longTail, mark: 0.0021, funding_rate: null, funding_rate_8h: null });
});

t.test('open interest: base units of one side, times the oracle price', async (t) => {
  const { rows, dropped } = openInterestOf(dydx, 'perp', nothing);
  t.strictSame(dropped, []);
  t.strictSame(rows[0], {
    market: 'BTC-USD',
    symbol: 'BTC',
    quote: 'USD',
    units: 381.5,
    value: 39_687_445, // x 104,030
    mark: 104_030,
    stated: null,
  });
  t.strictSame(rounded(rows[3]), {
    market: '1000SATS-USD',
    symbol: 'SATS',
    quote: 'USD',
    units: 5_000_000, // 5,000 x 1000
    value: 0.2, // 5,000 x 0.00004: both per thousand
    mark: 4e-8,
    stated: null,
  });
});

t.test('order book: base, no time', async (t) => {
  const body = fixture(dydx, 'perp-order-book');
  t.strictSame(orderBook.parse(body, askFor(dydx, 'perp', 'BTC-USD')), {
    bids: [
      { price: 104000, quantity: 0.5 },
      { price: 103999, quantity: 0.0002 },
    ],
    asks: [{ price: 104001, quantity: 0.1177 }],
    stated: null,
  });
  const scaled = orderBook.parse(body, askFor(dydx, 'perp', '1000SATS-USD'));
  t.strictSame(scaled.bids[0], { price: 104, quantity: 500 });
  const unlisted = { market: '1000SATS-USD', part: 'perp', instrument: null };
  t.strictSame(orderBook.parse(body, unlisted), scaled);
});

t.test('candles: base and USD', async (t) => {
  const rows = candles.parse(fixture(dydx, 'perp-candles'), askFor(dydx, 'perp', 'BTC-USD'));
  t.strictSame(rows[1], {
    timestamp: 1_749_992_400_000,
    open: 103_500,
    high: 104_500,
    low: 103_000,
    close: 104_000,
    volume: 3.25,
    turnover: 337_350,
  });
  t.match(rows[0], { timestamp: 1_749_996_000_000, volume: 0.5, turnover: 52_000.5 });
  const body = { candles: [{ startedAt: 'today', open: '1', high: '1', low: '1', close: '1' }] };
  t.throws(() => candles.parse(body, askFor(dydx, 'perp', 'BTC-USD')), { name: 'ShapeError' });
});

wholeVenue(dydx);
