import t from 'tap';
import { aster } from '../../../../actors/venues/aster/index.ts';
import { sameRows } from '../../../support/table.ts';
import { derivativesOf } from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

t.test('funding: a fraction per interval, from 8 and 4 hours to 8', async (t) => {
  const { rows, dropped } = derivativesOf(aster, 'linear');
  t.strictSame(dropped, [], 'EGL1USD is in no list');
  sameRows(t, rows)`
    market       symbol quote mark         index       funding_rate funding_hours funding_rate_8h next_funding                 stated
    BTCUSDT      BTC    USDT  104_005.5    104_000     0.00013      8             0.00013         1750003200000                1750000000400
    // funding_rate_8h: twice in 8 hours
    1000PEPEUSDT PEPE   USDT  0.01121/1000 0.0112/1000 -0.00005     4             -0.0001         1750003200000                1750000000400
    // funding_hours: not in the info: 16:00 UTC is one of 8 hours
    ETHUSD1      ETH    USD1  2501         2500        0.00002      8             0.00002         ${Date.UTC(2025, 5, 15, 16)} 1750000000400
    // funding_hours: 20:00 UTC is none of 8 hours, so that they are unknown
    INJUSDT      INJ    USDT  12.51        -           -            -             -               ${Date.UTC(2025, 5, 15, 20)} 1750000000400
    AAPLUSDT     AAPL.STOCK USDT 210.4     210.1       0            8             0               1750003200000                1750000000400
  `;
});

wholeVenue(t, aster);
