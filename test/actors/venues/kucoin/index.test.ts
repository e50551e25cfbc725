import t from 'tap';
import { kucoin } from '../../../../actors/venues/kucoin/index.ts';
import { sameRows } from '../../../support/table.ts';
import { contextOf, instrumentOf, kindsOf } from '../fixtures.ts';
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
