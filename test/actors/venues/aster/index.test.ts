import t from 'tap';
import { aster } from '../../../../actors/venues/aster/index.ts';
import { sameRows } from '../../../support/table.ts';
import { contextOf, derivativesOf } from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

t.test('the markets that are followed', async (t) => {
  const named = (part: string) =>
    [...contextOf(aster, part).instruments.values()].map((i) => [
      i.market,
      i.kind,
      i.symbol,
      i.quote,
      i.scale,
    ]);
  t.strictSame(named('spot'), [
    ['BTCUSDT', 'spot', 'BTC', 'USDT', 1],
    ['ASTERUSDT', 'spot', 'ASTER', 'USDT', 1],
    ['ASTERBTC', 'spot', 'ASTER', 'BTC', 1],
    ['NEWUSDT', 'spot', 'NEW', 'USDT', 1],
    ['TESTUSDT', 'other', 'TEST', 'USDT', 1], // the venue's own test symbol
    ['OLDUSDT', 'other', 'OLD', 'USDT', 1],
  ]);
  t.strictSame(named('linear'), [
    ['BTCUSDT', 'perpetual', 'BTC', 'USDT', 1],
    ['1000PEPEUSDT', 'perpetual', 'PEPE', 'USDT', 1000],
    ['ETHUSD1', 'perpetual', 'ETH', 'USD1', 1],
    ['INJUSDT', 'perpetual', 'INJ', 'USDT', 1],
    ['AAPLUSDT', 'other', 'AAPL', 'USDT', 1], // a share
    ['TESTINGUSDT', 'other', 'TESTING', 'USDT', 1],
    ['OLDUSDT', 'other', 'OLD', 'USDT', 1],
    ['BTCUSDT_260925', 'other', 'BTC', 'USDT', 1], // dated
    ['GNSUSD', 'other', 'GNSUSD', 'USD', 1], // states no base
  ]);
});

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
  `;
});

wholeVenue(t, aster);
