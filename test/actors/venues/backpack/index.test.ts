import t from 'tap';
import { backpack } from '../../../../actors/venues/backpack/index.ts';
import { sameRows } from '../../../support/table.ts';
import { instrumentOf, kindsOf } from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

t.test('what is followed: open crypto markets, spot and perpetual', async (t) => {
  t.strictSame(kindsOf(backpack, 'all'), {
    spot: 'BTC_USDC ETH_BTC',
    // OLD_USDC: closed; TON_USDC_PERP: closed; NEW_USDC_PERP: post only; AAPL.US_USDC_PERP: a share
    other: 'OLD_USDC TON_USDC_PERP NEW_USDC_PERP AAPL.US_USDC_PERP RAIN_USDC_PREDICTION',
    perpetual: 'BTC_USDC_PERP ETH_USDC_PERP kPEPE_USDC_PERP',
  });
  sameRows(t, instrumentOf(backpack, 'all', 'kPEPE_USDC_PERP'))`
    market          kind      symbol quote scale contract inverse funding_hours tick
    kPEPE_USDC_PERP perpetual PEPE   USDC  1000  1        false   1 0.01/1000 // funding_hours: "3600000" ms
  `;
  t.equal(instrumentOf(backpack, 'all', 'ETH_USDC_PERP').funding_hours, 8, '28,800,000 ms');
  t.equal(instrumentOf(backpack, 'all', 'BTC_USDC').funding_hours, null, 'spot pays none');
});

wholeVenue(t, backpack);
