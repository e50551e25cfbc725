import t from 'tap';
import { bingx } from '../../../../actors/venues/bingx/index.ts';
import { instrumentOf, kindsOf } from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

const { instruments } = bingx.feeds;
const nothing = { received: 0, instruments: new Map() };

t.test('the markets that are followed', async (t) => {
  t.strictSame(kindsOf(bingx, 'spot'), {
    spot: 'BTC-USDT BTC-USDC ETH-BTC PEPE-USDT',
    // OLD-USDT: offline; NEW-USDT: announced
    other: 'OLD-USDT NEW-USDT',
  });
  t.strictSame(kindsOf(bingx, 'linear'), {
    perpetual: 'BTC-USDT BTC-USDC 1000PEPE-USDT 1000000MOG-USDT',
    // NCSKTSLA2USD-USDT: a share; OLD-USDT: no new positions
    other: 'NCSKTSLA2USD-USDT OLD-USDT',
  });
  t.match(instrumentOf(bingx, 'linear', '1000PEPE-USDT'), { symbol: 'PEPE', scale: 1000 });
  t.match(instrumentOf(bingx, 'linear', '1000000MOG-USDT'), { symbol: 'MOG', scale: 1_000_000 });
  t.match(instrumentOf(bingx, 'inverse', 'BTC-USD'), {
    contract: 100,
    inverse: true,
    quote: 'USD',
  });
  t.match(instrumentOf(bingx, 'inverse', 'SOL-USD'), { contract: 10, kind: 'perpetual' });
  const row = { symbol: 'BTC-USD', status: 1, minTickSize: '' };
  const { dropped } = instruments.parts.inverse.parse(
    [{ code: 0, data: [row] }],
    nothing,
  ).instruments;
  t.strictSame(dropped, [{ key: 'BTC-USD', code: 'bad_row' }], 'a contract without a size');
});

wholeVenue(t, bingx);
