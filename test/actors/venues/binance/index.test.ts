import t from 'tap';
import { binance } from '../../../../actors/venues/binance/index.ts';
import { sameRows } from '../../../support/table.ts';
import { contextOf, instrumentOf, kindsOf } from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

t.test('what is followed: spot, perpetual and dated that trade', async (t) => {
  const kinds = (part: string) =>
    Object.fromEntries([...contextOf(binance, part).instruments].map(([id, i]) => [id, i.kind]));
  t.strictSame(kindsOf(binance, 'spot'), {
    spot: 'BTCUSDT ETHBTC USDTUSD 1000SATSUSDT 1MBABYDOGEUSDT 1INCHUSDT',
    // OLDUSDT: BREAK; MARGUSDT: no spot trading
    other: 'OLDUSDT MARGUSDT',
  });
  t.strictSame(kindsOf(binance, 'linear'), {
    perpetual: 'BTCUSDT 1000PEPEUSDT BTCUSDC ETHBTC',
    future: 'BTCUSDT_250926',
    // TSLAUSDT: TRADIFI; GONEUSDT: SETTLING; SOONUSDT: PENDING_TRADING
    other: 'TSLAUSDT GONEUSDT SOONUSDT',
  });
  t.match(kinds('inverse'), { BTCUSD_250926: 'future', LUNAUSD_PERP: 'other' });
  sameRows(t, [
    instrumentOf(binance, 'linear', '1000PEPEUSDT'),
    instrumentOf(binance, 'inverse', 'BTCUSD_PERP'),
  ])`
    market       kind      symbol quote scale contract inverse funding_hours
    1000PEPEUSDT perpetual PEPE   USDT  1000  1        false   4
    BTCUSD_PERP  perpetual BTC    USD   1     100      true    8
  `;
});

wholeVenue(t, binance);
