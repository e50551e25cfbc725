import t from 'tap';
import { dydx } from '../../../../actors/venues/dydx/index.ts';
import { sameRows } from '../../../support/table.ts';
import { contextOf, derivativesOf, received } from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

const { feeds } = dydx;
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

wholeVenue(t, dydx);
