import t from 'tap';
import { whitebit } from '../../../../actors/venues/whitebit/index.ts';
import { sameRows } from '../../../support/table.ts';
import { contextOf, instrumentOf, kindsOf } from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

const futures = contextOf(whitebit, 'futures');

t.test('what is followed: spot and perpetuals that trade', async (t) => {
  t.strictSame(kindsOf(whitebit, 'spot'), {
    spot: 'BTC_USDT ETH_BTC BTC_EUR USDC_USDT ICE_USDT',
    // OLD_USDT: no trades
    other: 'OLD_USDT',
  });
  t.strictSame(kindsOf(whitebit, 'futures'), {
    perpetual: 'BTC_PERP 1000PEPE_PERP 0G_PERP',
    // OLD_PERP: no trades; XAU_PERP: a metal; BTC_0626: dated
    other: 'OLD_PERP XAU_PERP BTC_0626',
  });
  sameRows(t, [
    instrumentOf(whitebit, 'spot', 'BTC_USDT'),
    instrumentOf(whitebit, 'futures', 'BTC_PERP'),
  ])`
    market   kind      symbol quote scale contract inverse funding_hours tick
    BTC_USDT spot      BTC    USDT  1     1        false   - 0.01
    BTC_PERP perpetual BTC    USDT  1     1        false   - 0.01 // quote: PERP on the wire
  `;
  t.match(instrumentOf(whitebit, 'futures', '1000PEPE_PERP'), { symbol: 'PEPE', scale: 1000 });
  t.match(instrumentOf(whitebit, 'futures', '0G_PERP'), { symbol: '0G', scale: 1 });
});

t.test('a contract whose values do not change counts every five seconds', async (t) => {
  const params = [['BTC_PERP', '104000', '104001', '0.0001', 1_750_003_200_000, 1_750_000_000.9]];
  const message = { method: 'premiumIndex_update', params, id: null };
  const context = { ...futures, connection: {} };
  const found = [0, 4_999, 5_000, 9_999].map(
    (at) =>
      whitebit.live.derivatives.futures.parse(message, { ...context, received: at })?.derivatives
        ?.rows.length,
  );
  t.strictSame(found, [1, 0, 1, 0]);
});

wholeVenue(t, whitebit);
