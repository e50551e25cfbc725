import t from 'tap';
import { kucoin } from '../../../../actors/venues/kucoin/index.ts';
import { sameRows } from '../../../support/table.ts';
import { contextOf, derivativesOf, instrumentOf, kindsOf, received } from '../fixtures.ts';
import { rounded } from '../stream-suite.ts';
import { wholeVenue } from '../suite/index.ts';

t.test('the markets that are followed', async (t) => {
  const kinds = (part: string) =>
    Object.fromEntries([...contextOf(kucoin, part).instruments].map(([id, i]) => [id, i.kind]));
  t.match(kinds('spot'), {
    'BTC-USDT': 'spot',
    'ETH-BTC': 'spot',
    '1INCH-USDT': 'spot',
    'JUP-USDT': 'spot', // there is no J
    'OLD-USDT': 'other', // not enabled
    'BTC3L-USDT': 'other', // leveraged, by its group
    'ETH3S-USDT': 'other', // leveraged, by its name
    'BTCUP-USDT': 'spot', // there is no BTCDOWN
  });
  t.strictSame(kindsOf(kucoin, 'futures'), {
    perpetual: 'XBTUSDTM 1000PEPEUSDTM XBTUSDCM XBTUSDM',
    other: 'OLDUSDTM XBTMZ25',
  });
});

t.test('instruments', async (t) => {
  sameRows(t, [
    instrumentOf(kucoin, 'spot', 'BTC-USDT'),
    instrumentOf(kucoin, 'futures', '1000PEPEUSDTM'),
  ])`
    market        kind      symbol quote scale contract inverse funding_hours tick
    BTC-USDT      spot      BTC    USDT  1     1        false   - 0.1
    1000PEPEUSDTM perpetual PEPE   USDT  1000  100      false   2 1e-9
  `;
  t.match(instrumentOf(kucoin, 'futures', 'XBTUSDTM'), { contract: 0.001, funding_hours: 8 });
  t.match(instrumentOf(kucoin, 'futures', 'XBTUSDM'), { contract: 1, inverse: true });
  t.equal(instrumentOf(kucoin, 'futures', 'XBTUSDCM').funding_hours, 8, 'by the name of its rate');
});

t.test('derivatives: a countdown, and hours', async (t) => {
  const { rows, dropped } = derivativesOf(kucoin, 'futures');
  t.strictSame(dropped, []);
  // 1,750,000,001,000 + 3,198,321 is 679 ms before the hour.
  t.equal(received + 3_198_321, 1_750_003_199_321);
  sameRows(t, rounded(rows[1]))`
    market        symbol quote mark      index      funding_rate funding_hours funding_rate_8h next_funding      stated predicted_rate
    // mark: of a thousand 0.0124
    1000PEPEUSDTM PEPE   USDT  0.0000124 0.00001241 -0.00005     2             -0.0002         1_750_003_200_000 -      -0.00007
  `;
  t.strictSame(
    rows.map((row) => [row.market, row.mark, row.index, row.funding_rate, row.funding_hours]),
    [
      ['XBTUSDTM', 104_005.5, 104_010.25, 0.000125, 8],
      ['1000PEPEUSDTM', 0.0000124, 0.00001241, -0.00005, 2],
      ['XBTUSDCM', 104_011, 104_012, 0.00023, 8],
      ['XBTUSDM', 100_002.5, 100_010.5, 0.000175, 8],
    ],
  );
});

t.test('the connection: acknowledgements', async (t) => {
  const { acknowledges, url } = kucoin.live.prices.futures;
  t.equal(url, 'wss://x-push-futures.kucoin.com');
  const said = { id: '1', result: true };
  t.strictSame(
    [said, { ...said, id: '2' }, { ...said, result: false }, null].map((message) =>
      acknowledges?.(message),
    ),
    [1, 0, 0, 0],
  );
});

wholeVenue(t, kucoin);
