import t from 'tap';
import { dydx } from '../../../../actors/venues/dydx/index.ts';
import { levels } from '../../../support/makers.ts';
import { sameRows } from '../../../support/table.ts';
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
      ['MATIC-USD', 'other', 'POL', 'USD', 1],
    ],
  );
  sameRows(t, rows[3])`
    market       kind      symbol quote scale contract inverse funding_hours tick
    1000SATS-USD perpetual SATS   USD   1000  1        false   1 1/1000
  `;
  const odd = {
    markets: { a: { ticker: 'BTCUSD' }, b: { ticker: '-USD' }, c: { ticker: 'BTC-' } },
  };
  const parsed = feeds.instruments.parts.perp.parse([odd], nothing).instruments;
  t.strictSame(parsed.rows, []);
  t.equal(parsed.dropped.length, 3, 'not dYdX ids');
});

t.test('prices: the oracle', async (t) => {
  {
    const { rows, dropped } = pricesOf(dydx, 'perp');
    t.strictSame(dropped, []);
    const [btc, eth, coin, sats, ...none] = rows;
    sameRows(t, rounded(btc))`
      market  kind      symbol quote price   bid ask high low base volume         change stated
      BTC-USD perpetual BTC    USD   104_030 -   -   -    -   -    250_000_000.25 3      - // change: 104,030 / 101,000
    `;
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
  const { rows, dropped } = derivativesOf(dydx, 'perp');
  t.strictSame(dropped, []);
  sameRows(t, rows[0])`
    market  symbol quote mark    index   funding_rate funding_hours funding_rate_8h next_funding      stated
    // index: one price is mark and index; next_funding: the hour after 1,750,000,001,000
    BTC-USD BTC    USD   104_030 104_030 0.0000125    1             0.0001          1_750_003_200_000 -
  `;
  t.match(rows[1], { funding_rate: -0.000005, funding_rate_8h: -0.00004 });
  t.match(rows[2], { market: longTail, mark: 0.0021, funding_rate: null, funding_rate_8h: null });
});

t.test('open interest: base units of one side, times the oracle price', async (t) => {
  const { rows, dropped } = openInterestOf(dydx, 'perp');
  t.strictSame(dropped, []);
  sameRows(t, rows[0])`
    market  symbol quote units value      mark    stated
    BTC-USD BTC    USD   381.5 39_687_445 104_030 - // value: x 104,030
  `;
  sameRows(t, rounded(rows[3]))`
    market       symbol quote units     value mark stated
    1000SATS-USD SATS   USD   5_000_000 0.2   4e-8 - // units: 5,000 x 1000; value: 5,000 x 0.00004: both per thousand
  `;
});

t.test('order book: base, no time', async (t) => {
  const body = fixture(dydx, 'perp-order-book');
  t.strictSame(orderBook.parse(body, askFor(dydx, 'perp', 'BTC-USD')), {
    bids: levels([104000, 0.5], [103999, 0.0002]),
    asks: [{ price: 104001, quantity: 0.1177 }],
    stated: null,
  });
  const scaled = orderBook.parse(body, askFor(dydx, 'perp', '1000SATS-USD'));
  t.strictSame(scaled.bids[0], { price: 104, quantity: 500 });
});

t.test('candles: base and USD', async (t) => {
  const rows = candles.parse(fixture(dydx, 'perp-candles'), askFor(dydx, 'perp', 'BTC-USD'));
  sameRows(t, rows[1])`
    timestamp         open    high    low     close   volume turnover
    1_749_992_400_000 103_500 104_500 103_000 104_000 3.25   337_350
  `;
  t.match(rows[0], { timestamp: 1_749_996_000_000, volume: 0.5, turnover: 52_000.5 });
  const body = { candles: [{ startedAt: 'today', open: '1', high: '1', low: '1', close: '1' }] };
  t.throws(() => candles.parse(body, askFor(dydx, 'perp', 'BTC-USD')), { name: 'ShapeError' });
});

wholeVenue(t, dydx);
