import t from 'tap';
import { dydx } from '../../../../actors/venues/dydx/index.ts';
import { sameRows } from '../../../support/table.ts';
import { contextOf, received } from '../fixtures.ts';
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

wholeVenue(t, dydx);
