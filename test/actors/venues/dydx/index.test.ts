import t from 'tap';
import { dydx } from '../../../../actors/venues/dydx/index.ts';
import { askFor, contextOf, fixture, pricesOf, received } from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

const { feeds, queries } = dydx;
const { orderBook, candles } = queries;
const nothing = { received, instruments: new Map() };
const hour = 3_600_000;
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
  t.match(rows[0], { contract: 1, inverse: false, funding_hours: 1 });
  const odd = {
    markets: { a: { ticker: 'BTCUSD' }, b: { ticker: '-USD' }, c: { ticker: 'BTC-' } },
  };
  const parsed = feeds.instruments.parts.perp.parse([odd], nothing);
  t.strictSame(parsed.rows, []);
  t.equal(parsed.dropped.length, 3, 'not dYdX ids');
});

t.test('prices: the oracle', async (t) => {
  for (const context of [contextOf(dydx, 'perp'), nothing]) {
    const { rows, dropped } = pricesOf(dydx, 'perp', context);
    t.strictSame(dropped, []);
    t.strictSame(
      rows.map((row) => [row.market, row.price, row.volume, row.change?.toFixed(6) ?? null]),
      [
        ['BTC-USD', 104000.5, 250000000.25, '4.000500'], // 104,000.5 / 100,000
        ['ETH-USD', 2500, null, '-3.846154'], // 2,500 / 2,600
        [longTail, 0.0021, 12.5, null],
        ['1000SATS-USD', 0.00004 / 1000, 10, '0.000000'],
      ],
      'the stopped ones are silent',
    );
  }
});

t.test(
  'funding: a fraction per hour, charged at the full hour; one price is mark and index',
  async (t) => {
    const bodies = [fixture(dydx, 'perp-prices')];
    const { rows, dropped } = feeds.derivatives.parts.perp.parse(bodies, nothing);
    t.strictSame(dropped, []);
    t.equal(feeds.derivatives.parts.perp.bodiesOf, 'prices');
    t.strictSame(rows[0], {
      ...{ market: 'BTC-USD', symbol: 'BTC', quote: 'USD', mark: 104000.5, index: 104000.5 },
      ...{ funding_rate: 0.0000125, funding_hours: 1, funding_rate_8h: 0.0001 },
      next_funding: received - (received % hour) + hour,
      stated: null,
    });
    t.match(rows[1], { funding_rate: -0.000005, funding_rate_8h: -0.00004 });
    t.match(rows[2], { market: longTail, mark: 0.0021, funding_rate: null, funding_rate_8h: null });
  },
);

t.test('open interest: base units of one side, times the oracle price', async (t) => {
  const bodies = [fixture(dydx, 'perp-prices')];
  const { rows, dropped } = feeds.openInterest.parts.perp.parse(bodies, nothing);
  t.strictSame(dropped, []);
  t.equal(feeds.openInterest.parts.perp.bodiesOf, 'prices');
  t.match(rows[0], { market: 'BTC-USD', units: 381.5, value: 381.5 * 104000.5, mark: 104000.5 });
  t.match(
    rows[3],
    { symbol: 'SATS', units: 5_000_000, value: 0.2 },
    '5,000 x 1000; 5,000 x 0.00004: both per thousand',
  );
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
  const bar = { open: 103500, high: 104500, low: 103000, close: 104000 };
  t.strictSame(rows[1], { timestamp: 1_749_992_400_000, ...bar, volume: 3.25, turnover: 337350 });
  t.match(rows[0], { timestamp: 1_749_996_000_000, volume: 0, turnover: 0 });
  const [good] = rows;
  t.ok(good);
  const body = { candles: [{ startedAt: 'today', open: '1', high: '1', low: '1', close: '1' }] };
  t.throws(() => candles.parse(body, askFor(dydx, 'perp', 'BTC-USD')), { name: 'ShapeError' });
});

wholeVenue(dydx);
